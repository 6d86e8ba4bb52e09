"""Orthonormal bases of what some directions span."""

import numpy as np
from scipy import linalg
from sklearn.utils.extmath import svd_flip


def orthonormal_basis(rows):
    """Give an orthonormal basis of the span of some rows, shape (rank, n_features).

    Each row counts with unit length; zero rows are left out. These are the right singular vectors of the unit
    rows, so that their order does not matter; first comes the direction that the rows share most. The largest
    entry of each is positive.
    """
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = np.divide(rows, lengths, where=lengths > 0, out=np.zeros_like(rows))
    _, values, basis = linalg.svd(rows, full_matrices=False)
    # rows that come from an iteration are right to about half their digits
    rank = np.sum(values > np.sqrt(np.finfo(values.dtype).eps) * values[0])
    return svd_flip(None, basis[:rank], u_based_decision=False)[1]
