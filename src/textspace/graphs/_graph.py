"""Graphs over documents, as operators that know only how to multiply."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Graph:
    """Symmetric operator over documents: a sparse part, a part of low rank, and dense blocks.

    It stands for ``local + factors @ diag(weights) @ factors.T``, to which each block is added at its rows
    and columns, without forming the sum.

    Parameters
    ----------
    local : sparse array of shape (n_samples, n_samples)
        Edges between few documents, and the diagonal.
    factors : sparse array or ndarray of shape (n_samples, rank), optional
        Groups of documents that are tied together as a whole.
    weights : ndarray of shape (rank,), optional
        Weight of each group.
    blocks : tuple of (rows, matrix) pairs, default=()
        Dense symmetric matrices of shape (len(rows), len(rows)) over disjoint sets of documents, such as
        one a class. ``rows`` are row numbers without repetition.

    Examples
    --------
    The centring operator ``I - 1 1' / n`` takes the mean away:

    >>> import numpy as np
    >>> from scipy import sparse
    >>> from textspace.graphs import Graph
    >>> centre = Graph(sparse.eye_array(4), np.full((4, 1), 0.5), np.array([-1.0]))
    >>> centre @ np.array([1.0, 2.0, 3.0, 6.0])
    array([-2., -1.,  0.,  3.])

    A block that swaps the first document and the last:

    >>> swap = Graph(sparse.diags_array([0.0, 1, 1, 0]), blocks=((np.array([0, 3]), np.eye(2)[::-1]),))
    >>> swap @ np.array([1.0, 2.0, 3.0, 6.0])
    array([6., 2., 3., 1.])
    """

    local: sparse.sparray
    factors: sparse.sparray | np.ndarray | None = None
    weights: np.ndarray | None = None
    blocks: tuple[tuple[np.ndarray, np.ndarray], ...] = ()

    @property
    def shape(self):
        """Shape of the operator, (n_samples, n_samples)."""
        return self.local.shape

    def __matmul__(self, other):
        """Multiply with an array of shape (n_samples,) or (n_samples, n_columns)."""
        product = self.local @ other
        if self.factors is not None:
            tied = (self.factors.T @ other).T * self.weights  # weights run over the last axis
            product += self.factors @ tied.T
        for rows, matrix in self.blocks:
            product[rows] += matrix @ other[rows]
        return product


def laplacian(adjacency):
    """Graph ``D - W`` of a symmetric sparse adjacency W, whose degrees D may be negative.

    Parameters
    ----------
    adjacency : sparse array of shape (n_samples, n_samples)
        Symmetric edge weights.

    Returns
    -------
    Graph
        The Laplacian.

    Examples
    --------
    >>> from scipy import sparse
    >>> from textspace.graphs import laplacian
    >>> laplacian(sparse.csr_array([[0.0, 2.0], [2.0, 0.0]])).local.toarray()
    array([[ 2., -2.],
           [-2.,  2.]])
    """
    degrees = sparse.diags_array(adjacency.sum(axis=1), dtype=adjacency.dtype)
    return Graph((degrees - adjacency).tocsr())
