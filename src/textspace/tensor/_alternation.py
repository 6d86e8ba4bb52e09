"""Factors of all modes: those of each flattening alone, and those that are best for each other."""

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import svd_flip

from textspace.solvers import largest_eigenpairs
from textspace.tensor._products import gram, scatter


def flattening_factors(X, shape, ranks):
    """Give the top left singular vectors of the documents flattened along each mode.

    They are columns of one array of shape (size, rank) a mode, orthonormal, the strongest first; the largest
    entry of each is positive.
    """
    return [_top_eigenvectors(gram(X, shape, mode), rank, X.dtype)[1] for mode, rank in enumerate(ranks)]


def alternate(unfoldings, graph, factors, *, max_iter, tol):
    """Improve the factors mode by mode: maximise ``sum_ij L_ij <Z_i, Z_j>`` over the projected tensors Z.

    With the factors of the other modes fixed, the best of a mode are the top eigenvectors of a matrix of the
    mode's size: so no step lowers the criterion. A sweep over the modes that gains no more than the share
    `tol` of it is the last. `unfoldings` are the documents, as :func:`unfold` gives them for each mode;
    `graph` holds the symmetric weights L; `factors` have orthonormal columns.

    Gives the factors, the criterion at the start and after each step, and whether the last sweep settled it.
    """
    factors, criterion = list(factors), []
    half_graph = (sparse.triu(graph) - sparse.diags_array(graph.diagonal() / 2)).tocsr()
    half_graph = half_graph.astype(factors[0].dtype)
    for _ in range(max_iter):
        for mode, unfolding in enumerate(unfoldings):
            matrix = scatter(unfolding, half_graph, factors[:mode] + factors[mode + 1 :])
            if not criterion:
                criterion.append(np.sum(factors[mode] * (matrix @ factors[mode])))
            values, factors[mode] = _top_eigenvectors(matrix, factors[mode].shape[1], unfolding.dtype)
            criterion.append(values.sum())
        gain = criterion[-1] - criterion[-1 - len(factors)]
        if gain <= tol * abs(criterion[-1]):
            return factors, np.array(criterion), True
    return factors, np.array(criterion), False


def _top_eigenvectors(matrix, count, dtype):
    """Eigenvalues, the largest first, and eigenvectors as columns, of fixed signs."""
    values, vectors = largest_eigenpairs(matrix, n_components=count)
    vectors, _ = svd_flip(vectors, None)
    return values, np.ascontiguousarray(vectors, dtype=dtype)
