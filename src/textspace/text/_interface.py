"""What the spaces take and give: texts, types, kinds of sparse matrix."""

from collections.abc import Iterable

import numpy as np
import scipy.sparse as sp
from sklearn import get_config
from sklearn.base import BaseEstimator, TransformerMixin


class TextTransformer(TransformerMixin, BaseEstimator):
    """Base of transformers that take texts."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def check_texts(texts, *, expected):
    """Give the texts one by one; refuse one text alone at once, and what is no text when it is read.

    `expected` begins the message: it says who takes what.
    """
    if isinstance(texts, str | bytes):
        raise TypeError(f"{expected}, but was given a single one: put it in a list.")
    if not isinstance(texts, Iterable) or len(getattr(texts, "shape", (0,))) != 1:
        raise TypeError(f"{expected}, but was given {kind_of(texts)}: choose the column that holds the text.")
    return _each_checked(texts)


def _each_checked(texts):
    for position, text in enumerate(texts):
        if not isinstance(text, str):
            if isinstance(text, bytes):
                advice = "decode it, for instance with .decode('utf-8')"
            elif isinstance(text, int | float | np.number) and text == text:
                advice = "turn it into text with str(), or choose the column that holds the text"
            elif hasattr(text, "as_py"):
                advice = "turn the Arrow column into a list with .to_pylist()"
            else:
                advice = "drop it, or put an empty string in its place"
            raise TypeError(
                f"Each document must be a str, but document {position} (counted from 0) is "
                f"{type(text).__name__}, {text!r:.60}: {advice}."
            )
        yield text


def kind_of(texts):
    """Name the type of an object and, where it has one, its shape."""
    return type(texts).__name__ + (f" of shape {texts.shape}" if hasattr(texts, "shape") else "")


def check_dtype(dtype):
    """Refuse types of weights other than single and double precision."""
    if np.dtype(dtype) not in (np.float32, np.float64):
        raise ValueError(f"dtype={dtype!r} must be numpy.float32 or numpy.float64.")


def as_configured(X):
    """Give a csr_array as the kind of sparse matrix that scikit-learn is set to."""
    # Older releases of scikit-learn have no such setting and give matrices.
    return X if get_config().get("sparse_interface") == "sparray" else sp.csr_matrix(X)
