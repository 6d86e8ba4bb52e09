"""Rows of unit length."""

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
