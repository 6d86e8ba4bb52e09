"""What estimators in memory are given, and arrays as compiled functions take them."""

import numpy as np
from sklearn.utils import validation

FLOATS = [np.float64, np.float32]  # kept as they are; all else becomes the first

_ON_CLUSTERS = ("LRWMMC", "LSI", "RLSC", "SpectralRegressionLDA", "TermSelector", "VectorSpace")


def validate_data(estimator, X, y="no_validation", **options):
    """Check input as scikit-learn does, but refuse Dask's collections, which it would compute.

    Parameters
    ----------
    estimator, X, y, **options
        As of :func:`sklearn.utils.validation.validate_data`.

    Returns
    -------
    array, or pair of arrays
        As of :func:`sklearn.utils.validation.validate_data`.
    """
    refuse_dask(estimator, X)
    return validation.validate_data(estimator, X, y, **options)


def refuse_dask(estimator, X):
    """Raise an error that names the class to take instead if X is a Dask collection."""
    if type(X).__module__.partition(".")[0] != "dask":
        return
    name = type(estimator).__name__
    instead = "bring it into memory with compute() if it fits there"
    if name in _ON_CLUSTERS:
        instead = f"take textspace.dask.Dask{name}, or {instead}"
    raise TypeError(f"{name} works in memory, but was given a Dask {type(X).__name__}: {instead}.")


def read_only(array, dtype=None):
    """View an array as read-only: some that come over a network are, and kernels compile for one of both.

    Parameters
    ----------
    array : ndarray
        Copied only where it has another type or order.
    dtype : dtype or None, default=None
        Type to convert to; None keeps its own.

    Returns
    -------
    ndarray
        In C order.
    """
    view = np.ascontiguousarray(array, dtype=dtype).view()
    view.flags.writeable = False
    return view
