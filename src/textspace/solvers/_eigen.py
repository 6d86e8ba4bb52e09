"""Top eigenvectors of ``X.T @ L @ X`` for a graph L over documents."""

import warnings

import numpy as np
from scipy import linalg, sparse
from sklearn.utils import check_random_state, gen_batches
from sklearn.utils.extmath import safe_sparse_dot, svd_flip
from threadpoolctl import threadpool_limits

from textspace.solvers._lanczos import ConvergenceError, UnstableBasisError, block_lanczos
from textspace.solvers._products import DocumentProducts

_BLOCK = 16  # vectors that Lanczos multiplies at a time
_SMALL = 1000  # a shorter side up to which the dense way is the quicker one
_MEDIUM = 4000  # and up to which it is bearable where Lanczos meets trouble


def top_directions(X, graph, *, n_components, solver="auto", tol=1e-2, random_state=None):
    """Orthonormal directions that maximise ``trace(A.T @ X.T @ L @ X @ A)``.

    Only directions with a positive eigenvalue serve that end: where there are fewer than
    ``n_components`` of them, the fewer are returned, with a warning.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row.
    graph : Graph, or any object with ``@``, of shape (n_samples, n_samples)
        Symmetric operator L over documents.
    n_components : int
        Number of directions.
    solver : {"auto", "lanczos", "qr"}, default="auto"
        "lanczos" knows X and L only by products. "qr" is the algorithm of section 7 of Gu & Zhou (2009),
        dense and cubic in the number of documents: the reference. "auto" is "lanczos", but for problems
        whose shorter side is at most 1000 or ``4 * n_components``, which are solved exactly on that side.
    tol : float, default=1e-2
        Residual, relative to the eigenvalue, at which "lanczos" stops.
    random_state : int, RandomState instance or None, default=None
        Seed of the first block of "lanczos".

    Returns
    -------
    eigenvalues : ndarray of shape (m,)
        Descending and positive; ``m <= n_components``.
    components : ndarray of shape (m, n_features)
        Orthonormal rows; the largest entry of each is positive.

    Raises
    ------
    ConvergenceError
        "lanczos" did not reach ``tol``.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.graphs import margin_graph
    >>> from textspace.solvers import top_directions
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> values, components = top_directions(X, margin_graph(np.array([0, 0, 1, 1])), n_components=1)
    >>> values.round(6), components.round(6)
    (array([36.]), array([[1., 0.]]))
    """
    if solver not in ("auto", "lanczos", "qr"):
        raise ValueError(f"solver must be 'auto', 'lanczos' or 'qr', not {solver!r}.")
    if n_components < 1:
        raise ValueError(f"n_components must be at least 1, not {n_components}.")
    possible = min(n_components, *X.shape)
    # the products are spread over the cores by us: threads of the BLAS would only wait for them
    with threadpool_limits(1, user_api="blas"):
        if solver == "qr":
            values, components = _qr(X, graph, possible)
        elif solver == "auto" and min(X.shape) <= max(_SMALL, 4 * possible):
            values, components = _exact(X, graph, possible)
        else:
            values, components = _lanczos(X, graph, possible, tol, check_random_state(random_state))
    # a criterion that no direction serves still gets the least bad one: a space needs an axis
    useful = max(1, min(possible, np.sum(values > _noise(values, X.dtype))))
    if useful < n_components:
        warnings.warn(
            f"{n_components} components were asked for, but only {useful} directions have a positive "
            f"eigenvalue: the space has {useful} dimensions.",
            stacklevel=3,
        )
    values, components = values[:useful], components[:useful]
    _, components = svd_flip(None, components, u_based_decision=False)
    return values.astype(X.dtype, copy=False), np.ascontiguousarray(components, dtype=X.dtype)


def _noise(values, dtype):
    """Size below which an eigenvalue of a matrix given in this precision cannot be told from zero."""
    return 10 * np.finfo(dtype).eps * np.abs(values).max(initial=0)


def _lanczos(X, graph, n_components, tol, random_state):
    """Solve by products, on the documents' side or on the terms', whichever is shorter.

    Directions lie in the row space of X: ``a = X.T @ w``, and in the inner product of ``G = X @ X.T`` the
    vectors w are eigenvectors of ``L @ G``. Where documents are nearly dependent, or positive eigenvalues so
    few that those near zero would have to be told apart, that inner product is too nearly singular: a few
    thousand documents are then solved exactly, more on the terms' side.
    """
    products = DocumentProducts(X)
    n_samples, n_features = X.shape
    if n_samples < n_features:
        start = random_state.standard_normal((_BLOCK, n_samples)).astype(X.dtype)
        medium = n_samples <= _MEDIUM
        try:
            values, vectors = block_lanczos(
                lambda images: _tall(graph @ _tall(images)),
                start,
                metric=lambda block: _tall(products.gram(_tall(block))),
                n_components=n_components,
                tol=tol,
                max_vectors=n_samples // 2 if medium else None,
            )
            return values, products.apply_transposed(_tall(vectors)).T
        except (UnstableBasisError, ConvergenceError) as error:
            if medium:
                return _exact(X, graph, n_components)
            if isinstance(error, ConvergenceError):
                raise
    return block_lanczos(
        lambda block: _tall(products.apply_transposed(graph @ products.apply(_tall(block)))),
        random_state.standard_normal((_BLOCK, n_features)).astype(X.dtype),
        n_components=n_components,
        tol=tol,
    )


def _tall(rows):
    """Transpose between rows of vectors and the tall arrays that sparse products are quick with."""
    return np.ascontiguousarray(rows.T)


def _exact(X, graph, n_components):
    """Top eigenpairs through a dense matrix as large as the shorter side of X."""
    if X.shape[1] <= X.shape[0]:
        products = DocumentProducts(X)
        matrix = np.hstack(
            [
                products.apply_transposed(graph @ products.apply(np.eye(X.shape[1], dtype=X.dtype)[:, block]))
                for block in gen_batches(X.shape[1], 64)
            ]
        )
        values, vectors = _eigh(matrix, n_components)
        return values, vectors.T
    # X[order] = triangle.T @ (orthonormal rows), by a rank-revealing Cholesky factor of X @ X.T
    gram = safe_sparse_dot(X.astype(np.float64), X.T.astype(np.float64), dense_output=True)
    noise = max(10 * np.finfo(X.dtype).eps, len(gram) * np.finfo(np.float64).eps) * gram.diagonal().max()
    factor, order, rank, _ = linalg.lapack.dpstrf(gram, tol=noise)
    order = order - 1
    triangle = np.triu(factor)[:rank]
    coordinates = triangle[:, np.argsort(order)].astype(X.dtype)
    values, vectors = _eigh(coordinates @ (graph @ _tall(coordinates)), n_components)
    weights = linalg.solve_triangular(triangle[:, :rank], vectors.astype(np.float64))
    return values, safe_sparse_dot(weights.T, X[order[:rank]], dense_output=True)


def _qr(X, graph, n_components):
    """Top eigenpairs through a rank-revealing QR of X.T (Gu & Zhou 2009, section 7)."""
    dense = (X.toarray() if sparse.issparse(X) else X).astype(np.float64)
    orthonormal, triangle, order = linalg.qr(dense.T, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    rank = np.sum(diagonal > max(X.shape) * np.finfo(np.float64).eps * diagonal[0])
    coordinates = triangle[:rank, np.argsort(order)]  # X.T = orthonormal @ coordinates
    values, vectors = _eigh(coordinates @ (graph @ coordinates.T), n_components)
    return values, (orthonormal[:, :rank] @ vectors).T


def _eigh(matrix, n_components):
    """Top eigenpairs of a symmetric matrix, the largest first."""
    size = len(matrix)
    top = max(size - n_components, 0), size - 1
    values, vectors = linalg.eigh((matrix + matrix.T) / 2, subset_by_index=top, check_finite=False)
    return values[::-1], vectors[:, ::-1]
