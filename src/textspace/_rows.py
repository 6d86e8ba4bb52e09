"""Rows of unit length, rows of probabilities, and some rows at a time."""

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms
from sklearn.utils.sparsefuncs_fast import inplace_csr_row_normalize_l2


def normalize(X):
    """Divide rows by their Euclidean lengths, as scikit-learn's function of this name, which loads slowly.

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n_rows, n_columns), float32 or float64
        Rows. Those that are zero, but for rounding, stay as they are.

    Returns
    -------
    {ndarray, CSR matrix} of shape (n_rows, n_columns)
        A copy.

    Examples
    --------
    >>> normalize(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    if sparse.issparse(X):
        X = X.tocsr(copy=True)
        inplace_csr_row_normalize_l2(X)
        return X
    lengths = row_norms(X)
    lengths[lengths < 10 * np.finfo(X.dtype).eps] = 1
    return X / lengths[:, None]


def softmax(values):
    """Divide exponentials by their sum, as scipy's function of this name, which loads slowly.

    Parameters
    ----------
    values : ndarray of shape (..., n_columns)
        Values of any size.

    Returns
    -------
    ndarray of shape (..., n_columns)
        Shares; those of a row sum to one.

    Examples
    --------
    >>> softmax(np.log([[1.0, 2.0, 1.0]]))
    array([[0.25, 0.5 , 0.25]])
    """
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def batches(n_rows, size):
    """Give slices of consecutive rows, as scikit-learn's `gen_batches`, which takes long beside one text.

    Examples
    --------
    >>> list(batches(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return (slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size))
