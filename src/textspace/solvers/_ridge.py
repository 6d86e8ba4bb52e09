"""Ridge regression onto many responses at once, by products with X only."""

import numpy as np
from scipy import sparse

from textspace._validation import check_rows
from textspace.solvers._conjugate_gradients import columnwise, conjugate_gradients
from textspace.solvers._products import DocumentProducts
from textspace.solvers._shorter_side import SMALL, exact_ridge

_MANY = 50_000  # documents from which on scaled gradients save more than they cost


def ridge(X, Y, *, alpha, center=True, sample_weight=None, start=None, solver="cg", tol=1e-2, max_iter=1000):
    """Coefficients of ridge regression, by conjugate gradients on all responses together.

    Minimises ``||X_c W - Y_c||^2 + alpha ||W||^2``, where ``X_c`` and ``Y_c`` are X and Y less their
    column means; where documents have weights, means and squares are weighted. X itself is never centred,
    copied or squared: an iteration costs one product with X and one with its transpose. Each response has
    its own step lengths and stands still once it has converged, so that its solution does not depend on
    the others.

    Parameters
    ----------
    X : {ndarray, CSR matrix, CSR array} of shape (n_samples, n_features)
        Documents; float32 or float64, which decides the precision.
    Y : ndarray of shape (n_samples, n_responses)
        Responses, one a column.
    alpha : float
        What is added to the diagonal of ``X_c.T @ X_c`` (not its root); zero gives the least-squares
        solution of least norm.
    center : bool, default=True
        Whether to subtract the column means, as a model with an unpenalised intercept does; the
        intercept is then ``Y.mean(axis=0) - X.mean(axis=0) @ coef``.
    sample_weight : ndarray of shape (n_samples,), optional
        What each document counts, at least 0.
    start : ndarray of shape (n_features, n_responses), optional
        Coefficients to start from, such as those of a similar problem; zero by default.
    solver : {"cg", "auto"}, default="cg"
        "cg" iterates whatever the size. "auto" does so too, but for problems whose shorter side is at most
        1000: these are solved exactly, through a dense matrix of that size, and neither ``start`` nor
        ``tol`` counts.
    tol : float, default=1e-2
        A response has converged when the gradient's norm is at most ``tol`` times its norm at zero.
    max_iter : int, default=1000
        Number of iterations after which to give up.

    Returns
    -------
    coef : ndarray of shape (n_features, n_responses)
        The coefficients W.
    n_iter : int
        Number of iterations of the slowest response; 0 where the problem was solved exactly.

    Raises
    ------
    ConvergenceError
        A response has not converged after ``max_iter`` iterations.

    Notes
    -----
    These are Hestenes and Stiefel's conjugate gradients for least squares, with a shift. Of more than 50,000
    documents each term's gradient is divided by the squared length of its column plus alpha: copies of 20
    Newsgroups then take half the iterations, and hardly more of them the more documents there are. Of
    fewer documents that would save less than it costs. With alpha zero nothing is divided, or the
    solution would not be that of least norm.

    Undivided, they walk through the same Krylov space as conjugate gradients on the dual
    ``(X_c X_c.T + alpha I) A = Y_c``, at the same cost. But the dual must also reproduce the part of Y that
    no coefficients can reach, with entries of size ``1 / alpha``; here alpha may be zero, and there may be
    fewer terms than documents. The dual coefficients are ``A = (Y_c - X_c W) / alpha``.

    References
    ----------
    M. R. Hestenes and E. Stiefel, "Methods of conjugate gradients for solving linear systems", Journal of
    Research of the National Bureau of Standards 49, 1952.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.solvers import ridge
    >>> X = np.array([[1.0, 0.0], [1.0, 1.0], [3.0, 2.0]])
    >>> coef, n_iter = ridge(X, X @ [[1.0], [2.0]], alpha=0.0, tol=1e-10)
    >>> coef.ravel().round(6)
    array([1., 2.])
    """
    X = check_rows(X)
    exact = is_exact(solver, X)
    dtype = np.float64 if exact else X.dtype
    weights = np.ones(len(Y)) if sample_weight is None else np.asarray(sample_weight)
    weights = weights.astype(dtype)[:, None]
    shares = weights / weights.sum()

    def means(images):
        return np.sum(shares * images, axis=0) if center else 0

    residual = np.array(Y, dtype=dtype)
    residual -= means(residual)
    if exact:
        return exact_ridge(X, weights * residual, lambda V: weights * (V - means(V)), alpha=alpha), 0
    products = DocumentProducts(X)

    def forth(V):
        image = products.apply(V)
        image -= means(image)
        return image, np.sum(weights * image**2, axis=0)

    return conjugate_gradients(
        forth,
        lambda images: products.apply_transposed(weights * images),  # of X_c too: the columns sum to zero
        residual,
        alpha=alpha,
        scale=1 / (column_squares(X, weights) + alpha) if is_scaled(len(Y), alpha) else X.dtype.type(1),
        start=start,
        tol=tol,
        max_iter=max_iter,
    )


def graph_ridge(X, Y, graph, *, alpha, solver="cg", tol=1e-2, max_iter=1000):
    """Solve ``(X.T @ M @ X + alpha I) W = X.T @ Y`` for a graph M over documents.

    This is ridge regression whose errors are measured by M; where M takes the mean away and Y is centred, it
    is :func:`ridge`. An iteration costs one product with X, one with M and one with the transpose of X.

    Parameters
    ----------
    X : {ndarray, CSR matrix, CSR array} of shape (n_samples, n_features)
        Documents; float32 or float64, which decides the precision.
    Y : ndarray of shape (n_samples, n_responses)
        Responses, one a column; where ``alpha`` is zero they must lie in the range of M.
    graph : Graph, or any object with ``@``, of shape (n_samples, n_samples)
        Symmetric, positive semi-definite operator M over documents.
    alpha : float
        What is added to the diagonal.
    solver, tol, max_iter
        As in :func:`ridge`.

    Returns
    -------
    coef, n_iter
        As of :func:`ridge`, which also says what is raised.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from textspace.solvers import graph_ridge
    >>> X, Y = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[2.0], [3.0]])
    >>> coef, n_iter = graph_ridge(X, Y, sparse.diags_array([1.0, 2.0]), alpha=1.0, tol=1e-10)
    >>> coef.ravel().round(6)
    array([1., 1.])
    """
    X = check_rows(X)
    if is_exact(solver, X):
        return exact_ridge(X, np.asarray(Y, dtype=np.float64), lambda V: graph @ V, alpha=alpha), 0
    products = DocumentProducts(X)

    def forth(V):
        plain = products.apply(V)
        image = graph @ plain
        return image, columnwise(plain, image)

    residual = np.array(Y, dtype=X.dtype)
    return conjugate_gradients(
        forth, products.apply_transposed, residual, alpha=alpha, tol=tol, max_iter=max_iter
    )


def is_exact(solver, X):
    """Tell whether a solver, as in :func:`ridge`, solves for documents X exactly."""
    if solver not in ("cg", "auto"):
        raise ValueError(f"solver must be 'cg' or 'auto', not {solver!r}.")
    return solver == "auto" and min(X.shape) <= SMALL


def is_scaled(n_samples, alpha):
    """Tell whether the gradients of this many documents are divided by the lengths of the columns.

    Parameters
    ----------
    n_samples : int
        Number of documents.
    alpha : float
        The penalty of :func:`ridge`.

    Returns
    -------
    bool
        True for more than 50,000 documents and a penalty above zero.

    Examples
    --------
    >>> from textspace.solvers import is_scaled
    >>> is_scaled(1000, 1.0), is_scaled(100_000, 1.0), is_scaled(100_000, 0.0)
    (False, True, False)
    """
    return n_samples > _MANY and alpha > 0


def column_squares(X, weights):
    """Sum the squared entries of each column, each row counting with its weight.

    Parameters
    ----------
    X : {ndarray, CSR matrix, CSR array} of shape (n_samples, n_features)
        Documents.
    weights : ndarray of shape (n_samples, 1)
        What each document counts.

    Returns
    -------
    ndarray of shape (n_features, 1)
        The sums.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.solvers import column_squares
    >>> column_squares(np.array([[1.0, 2.0], [3.0, 0.0]]), np.array([[1.0], [2.0]])).ravel()
    array([19.,  4.])
    """
    X = check_rows(X)
    if sparse.issparse(X):
        return sparse.csr_array((X.data**2, X.indices, X.indptr), shape=X.shape).T @ weights
    return (X**2).T @ weights
