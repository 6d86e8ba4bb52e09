"""Leading singular vectors of a document matrix, and how many of them are more than rounding."""

import numpy as np
from scipy import linalg, sparse
from sklearn.utils import check_random_state
from sklearn.utils.extmath import svd_flip

from textspace._validation import check_rows
from textspace.solvers._products import DocumentProducts

_MANY = 2_000_000  # entries of X from which on its product with a vector is spread over the cores


def top_singular_vectors(X, *, n_components, random_state=None):
    """Largest singular values and their right singular vectors.

    Parameters
    ----------
    X : {ndarray, sparse matrix, sparse array} of shape (n_samples, n_features)
        Documents.
    n_components : int
        Number of vectors.
    random_state : int, RandomState instance or None, default=None
        Seed of the starting vector.

    Returns
    -------
    values : ndarray of shape (m,)
        Singular values, descending; m is at most the rank of X.
    vectors : ndarray of shape (m, n_features)
        Orthonormal rows; the largest entry of each is positive.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.solvers import top_singular_vectors
    >>> values, vectors = top_singular_vectors(np.diag([1.0, 3.0, 2.0]), n_components=2, random_state=0)
    >>> values.round(6), np.abs(vectors.round(6))
    (array([3., 2.]), array([[0., 1., 0.],
           [0., 0., 1.]]))
    """
    X = check_rows(X)
    if abs(X).max() == 0:
        raise ValueError("there is no direction to find: every entry of X is zero.")
    if n_components < min(X.shape):
        start = check_random_state(random_state).uniform(-1, 1, min(X.shape)).astype(X.dtype)
        _, values, vectors = sparse.linalg.svds(_over_all_cores(X), k=n_components, v0=start)
        values, vectors = values[::-1], vectors[::-1]
    else:  # all of them: a dense X is no larger than what is asked for
        _, values, vectors = linalg.svd(X.toarray() if sparse.issparse(X) else X, full_matrices=False)
    rank = significant(values, n_features=X.shape[1], scale=values[0])
    _, vectors = svd_flip(None, np.array(vectors[:rank]), u_based_decision=False)
    return values[:rank], vectors


def _over_all_cores(X):
    """Give a sparse X whose products take longer than to start threads as an operator that uses them."""
    if not sparse.issparse(X) or X.nnz < _MANY:
        return X
    products = DocumentProducts(X)
    forth, back = products.apply, products.apply_transposed
    return sparse.linalg.LinearOperator(
        X.shape, forth, rmatvec=back, matmat=forth, rmatmat=back, dtype=X.dtype
    )


def significant(values, *, n_features, scale):
    """Count the singular values that rounding alone does not explain.

    Parameters
    ----------
    values : ndarray of shape (n_values,)
        Singular values, descending, in the precision of their computation.
    n_features : int
        Length of the singular vectors.
    scale : float
        Size of the numbers from which they were computed.

    Returns
    -------
    int
        How many of the leading values to keep.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.solvers import significant
    >>> significant(np.array([3.0, 1.0, 1e-16]), n_features=100, scale=3.0)
    2
    """
    noise = 10 * np.sqrt(n_features) * np.finfo(values.dtype).eps
    return int(np.sum(values > noise * scale))
