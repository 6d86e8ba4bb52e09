"""Top eigenvectors of ``X.T @ L @ X`` for a graph L over documents."""

import warnings

import numpy as np
from scipy import linalg, sparse
from sklearn.utils import check_random_state, gen_batches
from sklearn.utils.extmath import safe_sparse_dot, svd_flip

from textspace._compiled import blas_threads
from textspace._validation import check_rows
from textspace.solvers._lanczos import ConvergenceError, UnstableBasisError, block_lanczos
from textspace.solvers._products import DocumentProducts, tall
from textspace.solvers._shorter_side import SMALL, gram_coordinates
from textspace.solvers._symmetric import largest_eigenpairs

_BLOCK = 16  # vectors that Lanczos multiplies at a time
_MEDIUM = 4000  # a shorter side up to which the dense way is bearable where Lanczos meets trouble


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
    X = check_rows(X)
    possible = min(n_components, *X.shape)
    # the products are spread over the cores by us: threads of the BLAS would only wait for them
    with blas_threads(1):
        if solver == "qr":
            values, components = _qr(X, graph, possible)
        elif solver == "auto" and min(X.shape) <= max(SMALL, 4 * possible):
            values, components = _exact(X, graph, possible)
        else:
            values, components = _lanczos(X, graph, possible, tol, check_random_state(random_state))
    return _useful(values, components, n_components, X.dtype)


def operator_directions(operator, *, n_features, dtype, n_components, tol=1e-2, random_state=None):
    """Orthonormal directions of the largest eigenvalues of a symmetric operator over terms.

    These are the directions of :func:`top_directions` where ``X.T @ L @ X`` is known by its products alone,
    because the documents are spread over machines.

    Parameters
    ----------
    operator : callable
        Takes an array V of shape (n_features, k) and returns ``X.T @ L @ X @ V``.
    n_features : int
        Number of terms.
    dtype : dtype
        Precision.
    n_components, tol, random_state
        As in :func:`top_directions`.

    Returns
    -------
    eigenvalues, components : ndarrays of shapes (m,) and (m, n_features)
        As of :func:`top_directions`, which also says what is raised.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.solvers import operator_directions
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> values, components = operator_directions(
    ...     lambda V: X.T @ (X @ V), n_features=2, dtype=np.float64, n_components=1
    ... )
    >>> values.round(6), np.abs(components).round(6)
    (array([36.]), array([[1., 0.]]))
    """
    start = check_random_state(random_state).standard_normal((_BLOCK, n_features)).astype(dtype)
    values, components = block_lanczos(
        lambda block: tall(operator(tall(block))),
        start,
        n_components=min(n_components, n_features),
        tol=tol,
    )
    return _useful(values, components, n_components, dtype)


def top_combinations(gram, graph, *, n_components, tol=1e-2, random_state=None):
    """Combine documents so that ``trace(W @ G @ L @ G @ W.T)`` is largest while ``W @ G @ W.T = I``.

    These are the directions of :func:`top_directions` where documents are known by their inner products G
    alone, a kernel's for instance: with ``G = X @ X.T`` the directions are ``W @ X``.

    Parameters
    ----------
    gram : ndarray of shape (n_samples, n_samples)
        Inner products G of the documents, positive semi-definite.
    graph : Graph, or any object with ``@``, of shape (n_samples, n_samples)
        Symmetric operator L over documents.
    n_components, tol, random_state
        As in :func:`top_directions`; up to 1000 or ``4 * n_components`` documents are solved exactly.

    Returns
    -------
    eigenvalues : ndarray of shape (m,)
        Descending and positive; ``m <= n_components``.
    combinations : ndarray of shape (m, n_samples)
        Weights W of the documents, one direction a row; the largest entry of each is positive.

    Raises
    ------
    ConvergenceError
        Lanczos did not reach ``tol``.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.graphs import margin_graph
    >>> from textspace.solvers import top_combinations
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> graph = margin_graph(np.array([0, 0, 1, 1]))
    >>> values, combinations = top_combinations(X @ X.T, graph, n_components=1)
    >>> values.round(6), np.abs(combinations @ X).round(6)
    (array([36.]), array([[1., 0.]]))
    """
    if n_components < 1:
        raise ValueError(f"n_components must be at least 1, not {n_components}.")
    n_samples = len(gram)
    possible = min(n_components, n_samples)
    if n_samples <= max(SMALL, 4 * possible):
        values, weights = _exact_combinations(gram, graph, possible, gram.dtype)
    else:
        start = check_random_state(random_state).standard_normal((_BLOCK, n_samples)).astype(gram.dtype)
        try:
            values, weights = _lanczos_combinations(lambda block: block @ gram, graph, start, possible, tol)
        except (UnstableBasisError, ConvergenceError) as error:
            if n_samples > _MEDIUM:
                raise ConvergenceError(
                    f"the inner products of {n_samples} documents are too nearly singular ({error}): ask "
                    "for fewer components, a larger tol or, of a kernel, for its approximation."
                ) from error
            values, weights = _exact_combinations(gram, graph, possible, gram.dtype)
    return _useful(values, weights, n_components, gram.dtype)


def _useful(values, directions, n_components, dtype):
    """Keep the rows with a positive eigenvalue, and fix their signs."""
    # a criterion that no direction serves still gets the least bad one: a space needs an axis
    useful = max(1, min(len(directions), np.sum(values > _noise(values, dtype))))
    if useful < n_components:
        warnings.warn(
            f"{n_components} components were asked for, but only {useful} directions have a positive "
            f"eigenvalue: the space has {useful} dimensions.",
            stacklevel=5,
        )
    values, directions = values[:useful], directions[:useful]
    _, directions = svd_flip(None, directions, u_based_decision=False)
    return values.astype(dtype, copy=False), np.ascontiguousarray(directions, dtype=dtype)


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
        try:
            values, weights = _lanczos_combinations(
                lambda block: tall(products.gram(tall(block))), graph, start, n_components, tol
            )
            return values, products.apply_transposed(tall(weights)).T
        except (UnstableBasisError, ConvergenceError) as error:
            if n_samples <= _MEDIUM:
                return _exact(X, graph, n_components)
            if isinstance(error, ConvergenceError):
                raise
    return block_lanczos(
        lambda block: tall(products.apply_transposed(graph @ products.apply(tall(block)))),
        random_state.standard_normal((_BLOCK, n_features)).astype(X.dtype),
        n_components=n_components,
        tol=tol,
    )


def _lanczos_combinations(metric, graph, start, n_components, tol):
    """Top eigenpairs of ``L @ G`` in the inner product of G, which is known by its products."""
    n_samples = start.shape[1]
    return block_lanczos(
        lambda images: tall(graph @ tall(images)),
        start,
        metric=metric,
        n_components=n_components,
        tol=tol,
        max_vectors=n_samples // 2 if n_samples <= _MEDIUM else None,
    )


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
        values, vectors = largest_eigenpairs((matrix + matrix.T) / 2, n_components=n_components)
        return values, vectors.T
    gram = safe_sparse_dot(X.astype(np.float64), X.T.astype(np.float64), dense_output=True)
    values, weights = _exact_combinations(gram, graph, n_components, X.dtype)
    return values, safe_sparse_dot(weights, X, dense_output=True)


def _exact_combinations(gram, graph, n_components, dtype):
    """Top eigenpairs through coordinates of the documents, from inner products of this precision."""
    coordinates, combine = gram_coordinates(gram, dtype=dtype)
    coordinates = coordinates.astype(dtype)
    matrix = coordinates @ (graph @ tall(coordinates))
    values, vectors = largest_eigenpairs((matrix + matrix.T) / 2, n_components=n_components)
    return values, combine(vectors)


def _qr(X, graph, n_components):
    """Top eigenpairs through a rank-revealing QR of X.T (Gu & Zhou 2009, section 7)."""
    dense = (X.toarray() if sparse.issparse(X) else X).astype(np.float64)
    orthonormal, triangle, order = linalg.qr(dense.T, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    rank = np.sum(diagonal > max(X.shape) * np.finfo(np.float64).eps * diagonal[0])
    coordinates = triangle[:rank, np.argsort(order)]  # X.T = orthonormal @ coordinates
    matrix = coordinates @ (graph @ coordinates.T)
    values, vectors = largest_eigenpairs((matrix + matrix.T) / 2, n_components=n_components)
    return values, (orthonormal[:, :rank] @ vectors).T
