"""Problems with few documents or few terms, solved exactly through a dense matrix of that size."""

import numpy as np
from scipy import linalg, sparse
from sklearn.utils import gen_batches
from sklearn.utils.extmath import safe_sparse_dot

from textspace.solvers._lanczos import ConvergenceError
from textspace.solvers._products import DocumentProducts

SMALL = 1000  # a shorter side of X up to which the dense way is the quicker one
_COLUMNS, _ROWS = 256, 10_000  # that are held at a time


def exact_ridge(X, residual, metric, *, alpha):
    """Solve ``(X.T @ M @ X + alpha I) W = X.T @ R``, in double precision, and give W in the type of X.

    With fewer documents than terms, W is sought among the combinations of documents, where the solution of
    least norm lies in any case. `metric` takes V and gives ``M @ V`` for a positive semi-definite M; where
    alpha is zero the float64 `residual` R must lie in the range of M, and the solution is that of least norm.
    """
    if X.shape[1] <= X.shape[0]:
        back = _back(X)
        solution = _solve(_term_products(X, metric, back), back(residual), alpha)
    else:
        exact = X.astype(np.float64)
        gram = safe_sparse_dot(exact, exact.T, dense_output=True)
        coordinates, combine = gram_coordinates(gram, dtype=X.dtype)
        solution = _solve(coordinates @ metric(coordinates.T), coordinates @ residual, alpha)
        solution = safe_sparse_dot(exact.T, combine(solution).T)
    return np.ascontiguousarray(solution, dtype=X.dtype)


def gram_coordinates(gram, *, dtype):
    """Give coordinates of documents in an orthonormal basis of their span, from their inner products.

    `dtype` is the precision of the documents, which decides what is rounding. Gives float64 coordinates of
    shape (rank, n_samples), and a function that takes vectors of the basis, shape (rank, k), and gives the
    weights of the documents that make them up, shape (k, n_samples).
    """
    # a rank-revealing Cholesky factor: G[order][:, order] = triangle.T @ triangle
    noise = max(10 * np.finfo(dtype).eps, len(gram) * np.finfo(np.float64).eps) * gram.diagonal().max()
    factor, order, rank, _ = linalg.lapack.dpstrf(gram, tol=noise)
    order = order - 1
    triangle = np.triu(factor)[:rank]

    def combine(vectors):
        weights = np.zeros((vectors.shape[1], len(gram)))
        weights[:, order[:rank]] = linalg.solve_triangular(triangle[:, :rank], vectors.astype(np.float64)).T
        return weights

    return triangle[:, np.argsort(order)], combine


def _term_products(X, metric, back):
    """Form ``X.T @ M @ X``, a few columns at a time."""
    columns = X.tocsc() if sparse.issparse(X) else X
    parts = []
    for some in gen_batches(X.shape[1], _COLUMNS):
        part = columns[:, some].toarray() if sparse.issparse(X) else columns[:, some]
        parts.append(back(metric(part.astype(np.float64))))
    return np.hstack(parts)


def _back(X):
    """Give the product ``V -> X.T @ V`` in double precision."""
    if sparse.issparse(X):
        return DocumentProducts(X.astype(np.float64)).apply_transposed
    # of many documents a copy in double precision would need twice the room
    return lambda V: sum(X[rows].astype(np.float64).T @ V[rows] for rows in gen_batches(len(X), _ROWS))


def _solve(matrix, right, alpha):
    """Solve ``(A + alpha I) V = B`` for a positive semi-definite A; of least norm where alpha is zero."""
    matrix = (matrix + matrix.T) / 2
    if alpha <= 1e-12 * np.trace(matrix):  # rounding hides it
        return linalg.pinvh(matrix, rtol=1e-12) @ right
    matrix[np.diag_indices(len(matrix))] += alpha
    try:
        factor = linalg.cho_factor(matrix, overwrite_a=True)
    except linalg.LinAlgError:  # A itself is what rounding has left of long and nearly constant columns
        raise ConvergenceError(
            f"alpha={alpha:g} is lost in rounding: increase alpha, or give rows of unit length."
        ) from None
    return linalg.cho_solve(factor, right)
