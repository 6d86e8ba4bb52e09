"""The graph of discriminative geometry: classes apart, each document where its class reconstructs it."""

import numpy as np
from scipy import linalg, sparse
from sklearn.utils.extmath import safe_sparse_dot

from textspace._validation import check_rows
from textspace.graphs._graph import Graph


def reconstruction_weights(X, y, *, regularization):
    """Reconstruct each document from all others of its class, all at once.

    The weights w of document i minimise ``|x_i - sum_j w_j x_j|^2 + regularization * |w|^2`` over the
    other documents j of its class, subject to ``sum_j w_j = 1``.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row.
    y : ndarray of shape (n_samples,), int
        Class of each document.
    regularization : float
        Penalty on the squared length of the weights, in the unit of squared row lengths. It must be
        positive: without it the weights are not unique where documents are linearly dependent.

    Returns
    -------
    list of (rows, residual) pairs
        For each class, in ascending order, the row numbers of its documents and the dense matrix ``I - W``
        over them, float64. A document alone in its class has nothing to be reconstructed from: ``[[0]]``.

    Notes
    -----
    With ``v = e_i - w`` the problem reads: minimise ``v @ K @ v``, where ``K = X_l @ X_l.T +
    regularization * I`` is the same for the whole class, subject to ``v_i = 1`` and ``sum(v) = 0``. Vectors
    that sum to zero are ``B @ u``, where the columns of B are ``e_j - e_s`` and s is the shortest document.
    The solution is row i of ``Q = B @ (B.T @ K @ B)^-1 @ B.T`` divided by ``Q[i, i]``: one Cholesky factor
    serves all documents of a class, and no small difference of large numbers is taken.

    Examples
    --------
    The second document lies half way between the others:

    >>> import numpy as np
    >>> from textspace.graphs import reconstruction_weights
    >>> X = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    >>> [(rows, residual)] = reconstruction_weights(X, np.array([0, 0, 0]), regularization=1e-9)
    >>> residual[1].round(6).tolist()
    [-0.5, 1.0, -0.5]
    """
    X = check_rows(X)
    return [(rows, _residual(gram, regularization)) for rows, gram in _class_grams(X, y)]


def geometry_graph(X, y, *, alpha=1.0, sigma2=5.0, regularization=1.0, scatter="laplacian"):
    """Graph of discriminative geometry preservation, ``alpha * S - (I - W).T @ (I - W)``.

    W holds the :func:`reconstruction_weights`, and S is the Laplacian ``D - H`` of the weights
    ``H_ij = exp(-|x_i - x_j|^2 / sigma2) * (1 / n - 1 / n_l)`` within a class of n_l documents, which are
    negative and draw it together, and ``1 / n`` between classes, which drive them apart.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row.
    y : ndarray of shape (n_samples,), int
        Class of each document.
    alpha : float, default=1.0
        Weight of S. The sum over all ordered pairs in eq. 1 is twice the form of ``D - H``: it has 2.
    sigma2 : float, default=5.0
        Squared width sigma^2 of the weights within a class.
    regularization : float, default=1.0
        As in :func:`reconstruction_weights`.
    scatter : {"laplacian", "squared"}, default="laplacian"
        Whether S is ``D - H`` or its square, which the paper prints but which does not follow.

    Returns
    -------
    Graph
        One dense block a class and one factor of rank one, in the type of X.

    Notes
    -----
    What is dense and global in H is constant, so ``D - H = B - 1 1' / n`` with one block of B a class. As
    the rows of a Laplacian sum to zero, ``B @ 1 = 1``, and so ``(D - H)^2 = B^2 - 1 1' / n`` has the same
    shape. Memory is the sum of the squared class sizes.

    References
    ----------
    D. Song and D. Tao, "Biologically Inspired Feature Manifold for Scene Classification", IEEE
    Transactions on Image Processing 19, 2010.

    Z. Wang and X. Sun, "Efficient Kernel Discriminative Geometry Preserving Projection for Document
    Classification", whose equation numbers are used here.

    Examples
    --------
    Both terms leave constants alone:

    >>> import numpy as np
    >>> from textspace.graphs import geometry_graph
    >>> X = np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8], [0.0, 1.0]])
    >>> np.abs(geometry_graph(X, np.array([0, 0, 1, 1])) @ np.ones(4)).max().round(12)
    np.float64(0.0)
    """
    if not sigma2 > 0:
        raise ValueError(f"sigma2 must be positive, not {sigma2}.")
    if scatter not in ("laplacian", "squared"):
        raise ValueError(f"scatter must be 'laplacian' or 'squared', not {scatter!r}.")
    X = check_rows(X)
    n_samples = X.shape[0]
    blocks = []
    for rows, gram in _class_grams(X, y):
        block = _scatter_block(gram, n_samples, sigma2).astype(X.dtype)
        if scatter == "squared":
            block = block @ block
        residual = _residual(gram, regularization).astype(X.dtype)
        blocks.append((rows, alpha * block - residual.T @ residual))
    return Graph(
        sparse.csr_array((n_samples, n_samples), dtype=X.dtype),
        np.ones((n_samples, 1), dtype=X.dtype),
        np.array([-alpha / n_samples], dtype=X.dtype),
        tuple(blocks),
    )


def _class_grams(X, y):
    """Give the rows of each class and their inner products, one class at a time."""
    order = np.argsort(y, kind="stable")
    _, sizes = np.unique(y, return_counts=True)
    for rows in np.split(order, np.cumsum(sizes)[:-1]):
        members = X[rows].astype(np.float64)
        yield rows, safe_sparse_dot(members, members.T, dense_output=True)


def _scatter_block(gram, n_samples, sigma2):
    """Rows and columns of one class in ``D - H + 1 1' / n``."""
    size = len(gram)
    lengths = gram.diagonal()
    distances = np.maximum(lengths[:, None] + lengths - 2 * gram, 0)
    with np.errstate(over="ignore"):  # what is infinitely far has no weight
        weights = np.exp(-distances / sigma2) * (1 / n_samples - 1 / size)
    block = 1 / n_samples - weights
    block[np.diag_indices(size)] += (n_samples - size) / n_samples + weights.sum(axis=1)
    return block


def _residual(gram, regularization):
    """``I - W`` of the documents of one class, from their inner products."""
    if not regularization > 0:
        raise ValueError(f"regularization must be positive, not {regularization}.")
    size, lengths = len(gram), gram.diagonal()
    if size == 1:
        return np.zeros((1, 1))
    shortest = lengths.argmin()
    others = np.delete(np.arange(size), shortest)
    column = gram[others, shortest]
    apart = gram[np.ix_(others, others)] - column[:, None] - column + lengths[shortest]
    apart += regularization * (1 + np.eye(size - 1))
    factor, failed = linalg.lapack.dpotrf(apart, lower=1, clean=1)
    # What is left of a document that others reconstruct must be more than the rounding of its length.
    if failed or np.any(factor.diagonal() ** 2 <= size * np.finfo(float).eps * lengths[others]):
        raise ValueError(
            f"regularization={regularization} is too small for a class of {size} linearly dependent "
            f"documents whose squared length is {lengths.mean():.3g} on average: increase it."
        )
    inverse, _ = linalg.lapack.dpotri(factor, lower=1, overwrite_c=1)
    inverse = np.tril(inverse) + np.tril(inverse, -1).T
    sums = inverse.sum(axis=1)
    whole = np.empty((size, size))
    whole[np.ix_(others, others)] = inverse
    whole[shortest, others] = whole[others, shortest] = -sums
    whole[shortest, shortest] = sums.sum()
    return whole / whole.diagonal()[:, None]
