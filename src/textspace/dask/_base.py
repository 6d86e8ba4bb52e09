"""What all estimators of this package share."""

import copy
from typing import ClassVar
from uuid import uuid4

import dask.array as da
import numpy as np
from dask import delayed
from distributed import Client
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from textspace.dask._client import find_client
from textspace.dask._input import DocumentBlocks, split_rows


class DaskEstimator(BaseEstimator):
    """Base of estimators that learn on a Dask cluster: ``fit`` leaves a small ordinary estimator."""

    _parameter_constraints: ClassVar = {"client": [Client, None]}

    def to_local(self):
        """Give the ordinary estimator, fitted, which needs no cluster.

        Returns
        -------
        estimator
            As if it had been fitted in memory on the same documents.
        """
        check_is_fitted(self)
        return copy.copy(self._local)

    def _gather(self, X, y=None):
        """Check X and y and bring their blocks to the workers."""
        return DocumentBlocks(find_client(self.client), X, y, name=type(self).__name__)

    def _gather_labelled(self, X, y):
        """Do the same where there must be labels."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        return self._gather(X, y)

    def _make_local(self, kind, **fitted):
        """Keep an ordinary estimator of a kind with these fitted attributes, and have them as well."""
        local = self._unfitted(kind)
        vars(local).update(fitted)
        return self._keep(local)

    def _unfitted(self, kind):
        """Make an ordinary estimator of a kind, with the parameters that both have."""
        names = kind().get_params()
        return kind(**{name: value for name, value in self.get_params().items() if name in names})

    def _keep(self, local):
        """Keep a fitted ordinary estimator, and have its attributes as well."""
        vars(self).update({name: value for name, value in vars(local).items() if name.endswith("_")})
        self._local = local
        return self

    def _lazily(self, method, X, *, n_columns=None, meta):
        """Apply a method of the ordinary estimator to each block, when it is asked for."""
        check_is_fitted(self)
        blocks, sizes = split_rows(X, type(self).__name__)
        width = X.shape[1] if isinstance(X, da.Array) else self.n_features_in_
        if width != self.n_features_in_:
            raise ValueError(
                f"X has {width} features, but {type(self).__name__} was fitted with {self.n_features_in_}."
            )
        function = getattr(type(self._local), method)
        return apply_lazily(self._local, function, blocks, sizes, n_columns=n_columns, meta=meta)


class DaskProjection(DaskEstimator):
    """Base of the projections: a subclass's ``fit`` sets ``components_``."""

    def transform(self, X):
        """Project documents.

        Parameters
        ----------
        X : dask.array.Array of shape (n_samples, n_features), or list of Delayed
            Documents in row blocks.

        Returns
        -------
        dask.array.Array of shape (n_samples, n_components)
            Coordinates in the learned space, lazy.
        """
        check_is_fitted(self)
        meta = dense_meta(self.components_.dtype)
        return self._lazily("transform", X, n_columns=len(self.components_), meta=meta)


def apply_lazily(estimator, function, blocks, sizes, *, n_columns=None, meta):
    """Make a Dask array of what ``function(estimator, block)`` gives; its row chunks are the blocks.

    The estimator travels inside one task. `sizes` are the numbers of rows of the blocks, None where they are
    not known. `n_columns` is None for a result of one dimension; `meta` is an array of no rows like the
    result.
    """
    shared = delayed(estimator, name=f"{type(estimator).__name__}-{uuid4().hex}", traverse=False)
    sizes = [np.nan] * len(blocks) if sizes is None else sizes
    columns = () if n_columns is None else (n_columns,)
    arrays = [
        da.from_delayed(delayed(function)(shared, block), (size, *columns), meta=meta)
        for block, size in zip(blocks, sizes, strict=True)
    ]
    return da.concatenate(arrays, allow_unknown_chunksizes=True)


def dense_meta(dtype, n_dimensions=2):
    """Give an ndarray without entries."""
    return np.empty((0,) * n_dimensions, dtype=dtype)


def sparse_meta(dtype):
    """Give a CSR matrix without entries."""
    return sparse.csr_matrix((0, 0), dtype=dtype)
