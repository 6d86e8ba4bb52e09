"""Leverage scores: how much of each term lies in the leading singular directions of the documents."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state, gen_batches
from sklearn.utils.extmath import safe_sparse_dot

from textspace._compiled import blas_threads
from textspace.solvers import ConvergenceError, DocumentProducts, block_lanczos, largest_eigenpairs

_BLOCK = 16  # vectors that Lanczos multiplies at a time
_BATCH = 64  # singular vectors that are squared at a time
_SMALL = 1000  # a shorter side up to which the dense way is the quicker one
_TOL = 1e-3  # residual of a pair, relative to its eigenvalue
_FIRST_RANK = 256  # tried first where a share of the norm is asked for


def leverage_scores(X, *, rank, exact=False, random_state=None):
    """Squared row norms of the leading right singular vectors, and the number of these vectors.

    `rank` is their number, the fraction of the squared Frobenius norm that they are to capture, or "rank" for
    all. `exact` takes them from a dense float64 matrix as large as the shorter side of X, whatever that side
    is. The scores, of shape (n_features,), lie between 0 and 1, and their sum is the number of vectors.
    """
    _check_rank(rank)
    with blas_threads(1):  # the products are spread over the cores by us
        if exact or _is_small(X, rank):
            return _exact_scores(X, rank)
        random_state = check_random_state(random_state)
        if isinstance(rank, Integral):
            return _scores(X, *_leading_vectors(X, rank, random_state))
        target = rank * np.sum(_entries(X) ** 2, dtype=np.float64)
        n_vectors = _FIRST_RANK
        while not _is_small(X, n_vectors):
            squares, vectors = _leading_vectors(X, n_vectors, random_state)
            captured = np.cumsum(squares, dtype=np.float64)
            if captured[-1] >= target or len(squares) < n_vectors:
                wanted = np.searchsorted(captured, target) + 1
                return _scores(X, squares[:wanted], vectors[:wanted])
            n_vectors *= 2
        return _exact_scores(X, rank)


def _check_rank(rank):
    if isinstance(rank, Integral) and not isinstance(rank, bool | np.bool_):
        if rank < 1:
            raise ValueError(f"rank must be at least 1, not {rank}.")
    elif isinstance(rank, Real) and not isinstance(rank, bool | np.bool_):
        if not 0 < rank <= 1:
            raise ValueError(f"rank as a share of the squared norm must be in (0, 1], not {rank}.")
    elif not (isinstance(rank, str) and rank == "rank"):
        raise ValueError(f"rank must be an integer, a share in (0, 1] or 'rank', not {rank!r}.")


def _is_small(X, rank):
    """Tell whether nearly all singular vectors are needed, or there are few."""
    shorter = min(X.shape)
    if isinstance(rank, Integral):
        return shorter <= max(_SMALL, 4 * rank)
    return shorter <= _SMALL or rank in ("rank", 1.0)


def _entries(X):
    return X.data if hasattr(X, "indptr") else X


def _leading_vectors(X, n_vectors, random_state):
    """Squared singular values and singular vectors of the shorter side, one a row."""
    products = DocumentProducts(X)

    def operator(block):
        if X.shape[0] <= X.shape[1]:
            return _tall(products.gram(_tall(block)))
        return _tall(products.apply_transposed(products.apply(_tall(block))))

    start = random_state.standard_normal((_BLOCK, min(X.shape))).astype(X.dtype)
    try:
        return block_lanczos(
            operator, start, n_components=n_vectors, tol=_TOL, max_vectors=max(10 * n_vectors, 2000)
        )
    except ConvergenceError as error:
        raise ConvergenceError(
            f"{n_vectors} singular vectors were not found by iteration ({error}) Choose another rank, or "
            "the exact scores."
        ) from error


def _exact_scores(X, rank):
    """Scores through the eigenvectors of a dense matrix as large as the shorter side."""
    X = X.astype(np.float64)
    left = X if X.shape[0] <= X.shape[1] else X.T
    gram = safe_sparse_dot(left, left.T, dense_output=True)
    size = len(gram)
    squares, vectors = largest_eigenpairs(gram, n_components=rank if isinstance(rank, Integral) else size)
    vectors = vectors.T
    n_vectors = np.sum(squares > 10 * size * np.finfo(np.float64).eps * squares[0])
    if not isinstance(rank, Integral | str):
        captured = np.cumsum(squares[:n_vectors])
        # a share of 1 is not to be missed by rounding
        n_vectors = min(np.searchsorted(captured, rank * np.sum(_entries(X) ** 2)) + 1, n_vectors)
    return _scores(X, squares[:n_vectors], vectors[:n_vectors])


def _scores(X, squares, vectors):
    """Sum the squares of right singular vectors over vectors."""
    if X.shape[0] > X.shape[1]:  # they are at hand
        return np.einsum("ij,ij->j", vectors, vectors, dtype=np.float64), len(vectors)
    products = DocumentProducts(X)
    scores = np.zeros(X.shape[1])
    for batch in gen_batches(len(vectors), _BATCH):
        images = products.apply_transposed(_tall(vectors[batch])) / np.sqrt(squares[batch])
        scores += np.einsum("ij,ij->i", images, images)
    return scores, len(vectors)


def _tall(rows):
    """Transpose between rows of vectors and the tall arrays that sparse products are quick with."""
    return np.ascontiguousarray(rows.T)
