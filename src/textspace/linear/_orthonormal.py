"""Orthonormal bases of what some directions span."""

import numpy as np
from scipy import linalg
from sklearn.utils.extmath import svd_flip


def orthonormal_basis(rows):
    """Orthonormal basis of the span of some rows, without their dependent directions.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_features)
        Directions; each counts with unit length, zero rows are left out.

    Returns
    -------
    ndarray of shape (rank, n_features)
        Right singular vectors of the unit rows: the order of the rows does not matter. First comes the
        direction that the rows share most. The largest entry of each is positive.
    """
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = np.divide(rows, lengths, where=lengths > 0, out=np.zeros_like(rows))
    _, values, basis = linalg.svd(rows, full_matrices=False)
    # rows that come from an iteration are right to about half their digits
    rank = np.sum(values > np.sqrt(np.finfo(values.dtype).eps) * values[0])
    return svd_flip(None, basis[:rank], u_based_decision=False)[1]
