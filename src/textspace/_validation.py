"""What estimators and functions are given, brought into one form, and arrays as compiled functions take them.

All that follows may count on it: documents are an ndarray in C order, or a CSR matrix or array that holds
each entry once, in the order of the columns, and no zeros. The arrays of the caller are never changed.
"""

import numpy as np
from scipy import sparse
from sklearn.utils import check_array, validation

from textspace._labels import check_labels

FLOATS = [np.float64, np.float32]  # kept as they are; all else becomes the first

_ON_CLUSTERS = ("LRWMMC", "LSI", "RLSC", "SpectralRegressionLDA", "TermSelector", "VectorSpace")
# What is least for a row, so that its squares can be told from zero (else it is zero), and least and most for
# the largest entry of all, so that the powers that methods sum, at least fourth ones, can be told from zero
# and from infinity.
_BOUNDS = {8: (1e-150, 1e-30, 1e30), 4: (1e-18, 1e-8, 1e8)}  # by the bytes of a number
_BATCH = 1 << 20  # entries that are looked at together


def validate_data(estimator, X, y="no_validation", **options):
    """Check input as scikit-learn does, and bring documents into one form; refuse Dask's collections.

    Parameters
    ----------
    estimator, X, y, **options
        As of :func:`sklearn.utils.validation.validate_data`; y by :func:`check_labels`.

    Returns
    -------
    array, or pair of arrays
        As of :func:`sklearn.utils.validation.validate_data`; X as by :func:`check_rows`.
    """
    refuse_dask(estimator, X)
    wanted = options.get("dtype")
    if wanted is np.float32:  # what it cannot hold is seen before it is lost
        options["dtype"] = FLOATS
    is_new = not options.get("reset", True)  # may be a single document, and that nearly empty
    X, without_y = merged(X), isinstance(y, str) and y == "no_validation"
    y = y if without_y else check_labels(y)
    if not (is_new and without_y and _is_in_order(estimator, X, **options)):
        checked = validation.validate_data(estimator, X, y, **options)
        X, y = (checked, y) if without_y else checked
    if without_y:
        return _in_one_form(X, wanted, is_new=is_new)
    return _in_one_form(X, wanted, is_new=is_new), y


def _is_in_order(estimator, X, *, reset, accept_sparse=False, dtype="numeric", **others):
    """Whether there is nothing to say of new documents: scikit-learn loads and does much to see it."""
    return (
        sparse.issparse(X)
        and accept_sparse == "csr"
        and dtype == FLOATS
        and not others
        and X.dtype in FLOATS
        and X.ndim == 2
        and X.shape[0] > 0
        and X.shape[1] == getattr(estimator, "n_features_in_", None)
        and not hasattr(estimator, "feature_names_in_")
        and bool(np.isfinite(X.data).all())
    )


def check_rows(X, *, accept_sparse="csr", **options):
    """Check documents, one a row, and bring them into one form.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents in any container; entries that are held twice are summed.
    accept_sparse : {"csr", False}, default="csr"
        Whether they may be sparse.
    **options
        More options of :func:`sklearn.utils.check_array`.

    Returns
    -------
    {ndarray, CSR matrix, CSR array} of shape (n_samples, n_features)
        Of float64 or float32, finite; copied only where it was of another form.

    Examples
    --------
    >>> from scipy import sparse
    >>> twice = sparse.csr_matrix(([1, 1, 0], [1, 1, 0], [0, 2, 3]), shape=(2, 3))
    >>> X = check_rows(twice)
    >>> X.data, X.indices, X.indptr
    (array([2.]), array([1], dtype=int32), array([0, 1, 1], dtype=int32))
    """
    return _in_one_form(check_array(merged(X), accept_sparse=accept_sparse, dtype=FLOATS, **options))


def are_row_ends(indptr, n_entries):
    """Tell whether rows end one after the other among so many entries.

    scipy looks at differences, which wrap: ``[0, 2**30, 2**31 - 1, -(2**30), 3]`` is in order to it.
    """
    is_row = indptr.ndim == 1 and len(indptr) > 0
    return is_row and indptr[0] == 0 and indptr[-1] <= n_entries and bool(np.all(indptr[1:] >= indptr[:-1]))


def merged(X):
    """Give what is sparse as CSR that holds each entry once, sorted, and no zeros; all else as it is.

    Whole numbers are summed as float64, since a small type could not hold the sum. What is true twice is
    still true.
    """
    if not sparse.issparse(X) or X.ndim != 2:
        return X
    if X.format in ("csr", "csc"):
        # made anew: what the old one believes of its order may not be true any more
        X = type(X)((X.data, X.indices, X.indptr), shape=X.shape)
        try:
            if not are_row_ends(X.indptr, len(X.indices)):
                raise ValueError("its index pointer is not in order")
            X.check_format(full_check=True)
        except ValueError as error:
            raise ValueError(f"X is a damaged sparse matrix, build it anew: {error}.") from error
    if X.dtype.kind in "iu":
        X = X.astype(np.float64)
    X = X.tocsr()
    if max(X.nnz, *X.shape) <= np.iinfo(np.int32).max:
        X.indices, X.indptr = X.indices.astype(np.int32, copy=False), X.indptr.astype(np.int32, copy=False)
    if not X.has_canonical_format or np.count_nonzero(X.data) < len(X.data):
        X = X.copy()
        X.sum_duplicates()
        X.eliminate_zeros()
    return X


def _in_one_form(X, dtype=None, *, is_new=False):
    """Give checked documents in C order; refuse numbers whose powers are lost, and empty rows of rounding."""
    if X.dtype not in FLOATS:  # where a classifier leaves it to another what it takes
        return X
    dtype = np.dtype(dtype if dtype is np.float32 else X.dtype)
    X = X if sparse.issparse(X) else np.ascontiguousarray(X)
    X = _of_usual_sizes(X, dtype, is_new)
    return X.astype(dtype, copy=False)


def _of_usual_sizes(X, dtype, is_new):
    least_of_row, least, most = _BOUNDS[dtype.itemsize]
    entries = X.data if sparse.issparse(X) else X.reshape(-1)
    smallest, largest = np.inf, 0.0
    for start in range(0, len(entries), _BATCH):
        sizes = np.abs(entries[start : start + _BATCH])
        largest = max(largest, sizes.max(initial=0))
        smallest = min(smallest, sizes.min(initial=np.inf, where=sizes > 0))
    if largest > most:
        raise ValueError(
            f"X holds a number of the size {largest:.3g}, whose powers {dtype} does not hold: divide X so "
            f"that none is above {most:g}."
        )
    if 0 < largest < least and not is_new:
        raise ValueError(
            f"X holds no number larger than {largest:.3g}, whose powers {dtype} cannot tell from zero: "
            f"multiply X so that the largest is at least {least:g}."
        )
    if smallest >= least_of_row:
        return X
    tops = abs(X).max(axis=1)
    tops = tops.toarray().ravel() if sparse.issparse(tops) else tops
    lost = (tops > 0) & (tops < least_of_row)  # what rounding leaves of a document outside a learned space
    if not lost.any():
        return X
    X = X.copy()
    if sparse.issparse(X):
        X.data[np.repeat(lost, np.diff(X.indptr))] = 0
        X.eliminate_zeros()
    else:
        X[lost] = 0
    return X


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
