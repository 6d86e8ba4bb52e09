"""Largest eigenvalues of a dense symmetric matrix."""

from scipy import linalg


def largest_eigenpairs(matrix, *, n_components, metric=None, lower=True):
    """Give the largest eigenvalues of a symmetric matrix, descending, and their eigenvectors.

    Parameters
    ----------
    matrix : ndarray of shape (n, n)
        Symmetric matrix, of finite numbers.
    n_components : int
        Number of eigenvalues; n if there are no more.
    metric : ndarray of shape (n, n) or None, default=None
        Positive definite matrix B of the equation ``A v = w B v``; None stands for the identity.
    lower : bool, default=True
        Whether the lower triangles are read, or the upper ones.

    Returns
    -------
    values : ndarray of shape (min(n, n_components),)
        Eigenvalues.
    vectors : ndarray of shape (n, min(n, n_components))
        Eigenvectors, one a column.

    Notes
    -----
    LAPACK finds a part of the eigenvalues by bisection. Where all are equal but for rounding it can give
    fewer than it was asked for, or none, without an error. All are computed then.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.solvers import largest_eigenpairs
    >>> values, vectors = largest_eigenpairs(np.diag([1.0, 3.0, 2.0]), n_components=2)
    >>> values, np.abs(vectors).argmax(axis=0)
    (array([3., 2.]), array([1, 2]))
    """
    size = len(matrix)
    n_components = min(int(n_components), size)  # a NumPy integer without a sign has no negative
    top = size - n_components, size - 1
    values, vectors = linalg.eigh(matrix, metric, lower=lower, subset_by_index=top, check_finite=False)
    if len(values) < n_components:
        values, vectors = linalg.eigh(matrix, metric, lower=lower, check_finite=False)
    return values[: -n_components - 1 : -1], vectors[:, : -n_components - 1 : -1]
