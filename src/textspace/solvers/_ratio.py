"""Directions that make one quadratic form of a graph large against another."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.extmath import safe_sparse_dot, svd_flip

from textspace._compiled import blas_threads
from textspace._validation import check_rows
from textspace.solvers._lanczos import block_lanczos
from textspace.solvers._products import DocumentProducts, tall
from textspace.solvers._shorter_side import SMALL
from textspace.solvers._symmetric import largest_eigenpairs

_BLOCK = 16  # vectors that Lanczos multiplies at a time
_LATENT_TOL = 1e-2  # residual of a squared singular value, relative to it


def ratio_directions(
    X, numerator, denominator, *, n_components, n_latent=500, regularization=1e-6, random_state=None
):
    """Directions that maximise ``a @ X.T @ N @ X @ a / a @ X.T @ D @ X @ a`` for graphs N and D.

    With fewer documents than terms the denominator vanishes along most directions. So the documents are
    first taken to the ``n_latent`` leading singular directions of X, as the papers of such methods do, and
    the generalised eigenproblem of that size is solved there. Nothing of size n_features squared appears.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row; float32 or float64.
    numerator, denominator : Graph, or any object with ``@``, of shape (n_samples, n_samples)
        Symmetric operators over documents; the denominator is positive semi-definite.
    n_components : int
        Number of directions; capped, with a warning, at the dimensions of the latent space.
    n_latent : int, default=500
        Dimensions of the latent space. Nothing is lost where the rank of X is no higher.
    regularization : float, default=1e-6
        Share of the denominator's mean eigenvalue that is added to all of them.
    random_state : int, RandomState instance or None, default=None
        Seed of the iteration that finds the latent space.

    Returns
    -------
    ratios : ndarray of shape (m,)
        The ratio along each maximising direction, descending.
    components : ndarray of shape (m, n_features)
        Orthonormal rows; the first k of them span the k best directions, for every k. The largest entry
        of each is positive.

    Notes
    -----
    The maximising directions are orthonormal in the denominator, not in themselves. They are returned
    orthonormalised, one after the other, so that distances in the space are distances of documents.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from textspace.solvers import ratio_directions
    >>> X = np.array([[3.0, 0.0], [-3.0, 0.0], [0.0, 5.0], [0.0, -5.0]])
    >>> numerator, denominator = sparse.diags_array([2.0, 2.0, 1.0, 1.0]), sparse.eye_array(4)
    >>> ratios, components = ratio_directions(X, numerator, denominator, n_components=1)
    >>> ratios.round(3), np.abs(components.round(3))
    (array([2.]), array([[1., 0.]]))
    """
    if n_components < 1:
        raise ValueError(f"n_components must be at least 1, not {n_components}.")
    if n_latent < 1:
        raise ValueError(f"n_latent must be at least 1, not {n_latent}.")
    if regularization <= 0:
        raise ValueError(f"regularization must be above 0, not {regularization}.")
    X = check_rows(X)
    # the products are spread over the cores by us: threads of the BLAS would only wait for them
    with blas_threads(1):
        coordinates, lift = _latent_space(X, n_latent, check_random_state(random_state))
        possible = min(n_components, coordinates.shape[1])
        ratios, vectors = _generalized_eigh(
            coordinates.T @ (numerator @ coordinates),
            coordinates.T @ (denominator @ coordinates),
            n_components=possible,
            regularization=regularization,
        )
        components = lift(np.linalg.qr(vectors)[0].T)
    if possible < n_components:
        warnings.warn(
            f"{n_components} components were asked for, but the latent space has {possible} dimensions only.",
            stacklevel=4,
        )
    _, components = svd_flip(None, components, u_based_decision=False)
    return ratios.astype(X.dtype), np.ascontiguousarray(components, dtype=X.dtype)


def _latent_space(X, n_latent, random_state):
    """Coordinates of the documents in the latent space, and the map of its directions back to terms.

    The space is found on the documents' side: with ``X @ X.T = U.T @ diag(s^2) @ U`` the coordinates are
    ``U.T * s``, and a direction v of the space is ``(v / s) @ U @ X`` among the terms.
    """
    n_samples, n_features = X.shape
    if n_features <= n_latent:  # the terms themselves are few enough
        dense = X.toarray() if sparse.issparse(X) else X
        return dense.astype(np.float64), lambda directions: directions
    if n_samples <= max(SMALL, n_latent):
        exact = X.astype(np.float64)
        gram = safe_sparse_dot(exact, exact.T, dense_output=True)
        squares, U = largest_eigenpairs(gram, n_components=n_latent)
        U = U.T
    else:
        products = DocumentProducts(X)
        squares, U = block_lanczos(
            lambda block: tall(products.gram(tall(block))),
            random_state.standard_normal((_BLOCK, n_samples)).astype(X.dtype),
            n_components=n_latent,
            tol=_LATENT_TOL,
            max_vectors=max(10 * n_latent, 2000),
        )
    noise = n_samples * np.finfo(X.dtype).eps * squares[0]
    if squares[0] <= 0:
        raise ValueError("there is no direction to find: every entry of X is zero.")
    scale = np.sqrt(squares[squares > noise])
    U = U[: len(scale)]

    def lift(directions):
        return safe_sparse_dot((directions / scale).astype(U.dtype) @ U, X, dense_output=True)

    return U.T * scale, lift


def _generalized_eigh(numerator, denominator, *, n_components, regularization):
    """Top eigenpairs of two symmetric matrices, the largest first."""
    size = len(denominator)
    numerator, denominator = ((each + each.T).astype(np.float64) / 2 for each in (numerator, denominator))
    mean = np.trace(denominator) / size
    if mean <= 0:
        raise ValueError(
            "no two documents that are to be near each other differ: there is no ratio to maximise."
        )
    denominator[np.diag_indices(size)] += regularization * mean
    return largest_eigenpairs(numerator, n_components=n_components, metric=denominator)
