"""What every projection of tensors shares."""

import warnings
from collections.abc import Iterable
from math import prod
from numbers import Integral
from typing import ClassVar

from textspace._parameters import COUNT
from textspace._tensor_shape import resolve_shape
from textspace.linear import LinearProjection
from textspace.tensor._products import project

_MOST_EMPTY, _SMALL = 64, 1 << 20  # entries of a tensor: for each column, and whatever its columns


class TensorProjection(LinearProjection):
    """Base of projections of every mode: a subclass's ``_fit`` sets ``factors_`` and ``tensor_shape_``."""

    _parameter_constraints: ClassVar = {"tensor_shape": ["array-like"], "ranks": [COUNT, "array-like"]}

    def _project(self, X):
        return project(X, self.tensor_shape_, self.factors_)

    def _resolve(self, n_columns):
        """Give the mode sizes and the ranks to use."""
        shape = resolve_shape(self.tensor_shape, n_columns)
        return shape, _resolve_ranks(self.ranks, shape, type(self).__name__)

    @property
    def _n_features_out(self):
        return prod(factor.shape[1] for factor in self.factors_)


def _resolve_ranks(ranks, shape, name):
    """One rank a mode, at most its size."""
    asked = tuple(ranks) if isinstance(ranks, Iterable) else (ranks,) * len(shape)
    if len(asked) != len(shape) or not all(
        isinstance(rank, Integral) and not isinstance(rank, bool) and rank >= 1 for rank in asked
    ):
        raise ValueError(
            f"ranks must be a whole number of at least 1, or one for each of the {len(shape)} modes of a "
            f"tensor of shape {shape}, not {ranks!r}."
        )
    possible = tuple(min(int(rank), size) for rank, size in zip(asked, shape, strict=True))
    if possible != asked:
        warnings.warn(
            f"{name}: ranks={ranks!r} asks for more components than the modes of a tensor of shape {shape} "
            f"have: {possible} are kept.",
            stacklevel=5,
        )
    return possible


def factors_fit(projection):
    """Whether the factors of a fitted projection have the sizes of the modes, which the columns fill."""
    sizes = tuple(factor.shape[0] for factor in projection.factors_)
    return (
        sizes == projection.tensor_shape_
        and is_filled(sizes, projection.n_features_in_)
        and all(1 <= factor.shape[1] <= factor.shape[0] for factor in projection.factors_)
    )


def is_filled(sizes, n_columns):
    """Whether a tensor has room for its columns, and is not larger than these can be meant to fill."""
    return min(sizes) >= 1 and n_columns <= prod(sizes) <= _MOST_EMPTY * n_columns + _SMALL
