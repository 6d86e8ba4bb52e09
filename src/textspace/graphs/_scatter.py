"""Graphs of the global scatter matrices."""

import numpy as np
from scipy import sparse

from textspace.graphs._graph import Graph


def margin_graph(y, *, dtype=np.float64):
    """Graph of the maximum margin criterion, ``X.T @ L @ X = S_b - S_w`` (Li, Jiang & Zhang 2003).

    With ``P`` the average over each document's class and ``J`` the average over all documents,
    ``S_w = X.T (I - P) X`` and ``S_b = X.T (P - J) X``, so that ``L = 2 P - J - I``: the identity and
    one group a class and one for all, never an n x n matrix.

    Parameters
    ----------
    y : ndarray of shape (n_samples,), int
        Class of each document, as 0, 1, ...
    dtype : dtype, default=numpy.float64
        Type of the weights.

    Returns
    -------
    Graph
        The operator ``2 P - J - I``.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.graphs import margin_graph
    >>> (margin_graph(np.array([0, 0, 1])) @ np.array([1.0, 2.0, 6.0])).round(6)
    array([-1., -2.,  3.])
    """
    n_samples, sizes = len(y), np.bincount(y)
    entries = np.column_stack([1 / np.sqrt(sizes[y]), np.full(n_samples, 1 / np.sqrt(n_samples))])
    groups = np.column_stack([y, np.full(n_samples, len(sizes))])
    factors = sparse.csr_array(
        (entries.ravel().astype(dtype), groups.ravel(), np.arange(0, 2 * n_samples + 1, 2)),
        shape=(n_samples, len(sizes) + 1),
    )
    weights = np.append(np.full(len(sizes), 2), -1).astype(dtype)
    return Graph(-sparse.eye_array(n_samples, dtype=dtype, format="csr"), factors, weights)
