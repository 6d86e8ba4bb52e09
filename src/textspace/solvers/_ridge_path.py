"""Ridge regressions of several penalties at the price of one, and their predictions."""

import numpy as np
from scipy import sparse
from sklearn.utils import gen_batches

from textspace._validation import check_rows
from textspace.solvers._conjugate_gradients import columnwise, without_constants
from textspace.solvers._krylov_spaces import KrylovSpace, grow
from textspace.solvers._products import GramProducts
from textspace.solvers._shifted_gradients import System, shifted_gradients

_VALUES = 1 << 20  # of documents and responses at a time: 4 MB stay in the cache
_MANY_ENTRIES = 0.5  # share of entries other than zero above which a dense array is smaller
_SCALES = 24 << 20  # of terms and responses at a time
_MOST = (
    0.8  # share of documents that any response learns from, below which the others are predicted at the end
)


def ridge_path(X, Y, alphas, *, scale=None, sample_weight=None, tol=1e-2, max_iter=1000):
    """Dual coefficients of ridge regressions with an intercept, for several penalties together.

    Each minimises ``||X_c W - Y_c||^2 + alpha ||W / scale||^2``, where ``X_c`` and ``Y_c`` are X and Y less
    their column means; where documents have weights, means and squares are weighted. The coefficients follow
    from the dual ones A as ``W = scale**2 * (X.T @ A)``.

    Parameters
    ----------
    X : {ndarray, CSR matrix, CSR array} of shape (n_samples, n_features)
        Documents; float32 or float64, which decides the precision.
    Y : ndarray of shape (n_samples, n_responses)
        Responses, one a column.
    alphas : sequence of float
        Penalties above zero, ascending.
    scale : ndarray of shape (n_features, n_responses), optional
        How freely each coefficient may move; one by default. So each response has a penalty a term.
    sample_weight : ndarray of shape (n_samples,) or (n_samples, n_weights), optional
        What each document counts, at least 0; the first weights are those of the first ``n_responses /
        n_weights`` responses, and so on.
    tol : float, default=1e-2
        A response has converged when the residual of its dual system with the smallest penalty is at most so
        much of what it was at the start. Those of the larger penalties are smaller.
    max_iter : int, default=1000
        Number of iterations after which to give up.

    Returns
    -------
    ndarray of shape (n_alphas, n_samples, n_responses)
        Dual coefficients; those of a response sum to zero.

    Raises
    ------
    ConvergenceError
        A response has not converged after ``max_iter`` iterations.

    Notes
    -----
    The dual systems ``(G + alpha I) A = Y_c`` of all penalties have the same Krylov spaces. Without a scale,
    all responses of the same weights are solved in the space that they have together. With scales each has
    one of its own. There the residuals of one penalty are those of another times a number, for which there is
    a recurrence: conjugate gradients for the smallest penalty solve the others without a further product.

    References
    ----------
    D. P. O'Leary, "The block conjugate gradient algorithm and related methods", Linear Algebra and its
    Applications 29, 1980.
    B. Jegerlehner, "Krylov space solvers for shifted linear systems", arXiv:hep-lat/9612014, 1996.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.solvers import ridge_path
    >>> X, Y = np.array([[1.0], [0.0], [-1.0]]), np.array([[3.0], [0.0], [-3.0]])
    >>> [(X.T @ A).round(6).item() for A in ridge_path(X, Y, [1.0, 4.0])]
    [2.0, 1.0]
    """
    X = check_rows(X)
    duals, _ = _solve(X, Y, alphas, scale, sample_weight, tol, max_iter)
    return duals


def ridge_predictions(X, Y, alphas, *, sample_weight, scale=None, tol=1e-2, max_iter=1000):
    """Predict the responses of all documents by ridge regressions that learn from some of them.

    Parameters
    ----------
    X, Y, alphas
        As in :func:`ridge_path`.
    sample_weight : ndarray of shape (n_samples, n_weights)
        As in :func:`ridge_path`; zero where a document is held out. So the same responses may stand in Y once
        for each fold, and the products with X serve all folds together.
    scale, tol, max_iter
        As in :func:`ridge_path`.

    Returns
    -------
    predictions : ndarray of shape (n_alphas, n_samples, n_responses)
        Predictions for all documents. They are carried along with the solutions, so that they take no
        product with X of their own. Where many documents are learned from nowhere, the iterations leave them
        out, and they are predicted by one product for each penalty.
    duals : ndarray of shape (n_alphas, n_samples, n_responses)
        Dual coefficients, as by :func:`ridge_path`.

    Raises
    ------
    ConvergenceError
        As by :func:`ridge_path`.

    Examples
    --------
    The last document is held out:

    >>> import numpy as np
    >>> from textspace.solvers import ridge_predictions
    >>> X = np.array([[1.0], [0.0], [-1.0], [2.0]])
    >>> held_out = np.array([[1.0], [1.0], [1.0], [0.0]])
    >>> predictions, duals = ridge_predictions(X, 3 * X, [1.0], sample_weight=held_out)
    >>> predictions.ravel().round(6) + 0
    array([ 2.,  0., -2.,  4.])
    """
    X = check_rows(X)
    learned = np.flatnonzero(sample_weight.any(axis=1))
    if len(learned) > _MOST * X.shape[0]:
        duals, values = _solve(X, Y, alphas, scale, sample_weight, tol, max_iter)
    else:
        duals = np.zeros((len(alphas), *Y.shape), dtype=X.dtype)
        duals[:, learned], _ = _solve(
            X[learned], Y[learned], alphas, scale, sample_weight[learned], tol, max_iter
        )
        products = GramProducts(_nearer(X))
        squares = None if scale is None else scale.astype(X.dtype) ** 2
        values = np.stack([products(each, squares) for each in duals])
    shares = (sample_weight / sample_weight.sum(axis=0)).astype(X.dtype)
    shares = np.repeat(shares, Y.shape[1] // shares.shape[1], axis=1)
    means = columnwise(shares, np.asarray(Y, dtype=X.dtype))
    for each in values:
        each += means - columnwise(shares, each)
    return values, duals


def _solve(X, Y, alphas, scale, sample_weight, tol, max_iter):
    """Give the dual coefficients A of all penalties and ``X @ X.T @ A``, that one up to a constant."""
    products = GramProducts(_nearer(X))
    roots = np.ones((len(Y), 1)) if sample_weight is None else np.sqrt(sample_weight).reshape(len(Y), -1)
    roots, Y = roots.astype(X.dtype), np.asarray(Y, dtype=X.dtype)
    alphas = np.asarray(alphas, dtype=float)
    duals = np.empty((len(alphas), *Y.shape), dtype=X.dtype)
    values = np.empty_like(duals)
    n_together, left = divmod(Y.shape[1], roots.shape[1])  # responses of the same weights
    if left:
        raise ValueError(
            f"{Y.shape[1]} responses cannot share {roots.shape[1]} weights of the documents: give one column "
            "of weights for all responses, or for each so many of them."
        )
    if scale is None:
        for batch in _blocks(len(Y), roots.shape[1], n_together):
            spaces = [KrylovSpace(roots[:, [number]], Y[:, responses]) for number, responses in batch]
            grow(products, spaces, alphas[0], tol=tol, max_iter=max_iter)
            for space, (_, responses) in zip(spaces, batch, strict=True):
                duals[:, :, responses], values[:, :, responses] = space.solutions(alphas)
        return duals, values
    roots = np.repeat(roots, n_together, axis=1)
    for responses in _slices(Y.shape[1], min(_most(len(Y)), _SCALES // X.shape[1])):
        system = System(products, roots[:, responses], scale[:, responses].astype(X.dtype) ** 2)
        residual = without_constants(system.roots * Y[:, responses], system.centred)
        solved, values[:, :, responses] = shifted_gradients(
            system, residual, alphas, tol=tol, max_iter=max_iter
        )
        duals[:, :, responses] = system.roots * solved
    return duals, values


def _nearer(X):
    """Take the means away from a dense X, and from a sparse one of few zeros, which becomes dense.

    The systems stay what they are. Far from zero, centring would leave little but what rounding has added.
    """
    if sparse.issparse(X):
        if X.nnz <= _MANY_ENTRIES * X.shape[0] * X.shape[1]:
            return X
        X = X.toarray()
    return X - X.mean(axis=0)


def _blocks(n_samples, n_weights, n_together):
    """Deal out the responses: lists of pairs, a number of weights and a slice of responses of these weights.

    Those of a list are solved together, those of a pair in one space.
    """
    slices = _slices(n_together, _most(n_samples))
    pairs = [
        (number, slice(number * n_together + own.start, number * n_together + own.stop))
        for own in slices
        for number in range(n_weights)
    ]
    n_pairs = max(1, _most(n_samples) // (slices[0].stop - slices[0].start)) if slices else 1
    return [pairs[batch] for batch in gen_batches(len(pairs), n_pairs)]


def _most(n_samples):
    """Give the number of responses that are solved together."""
    return max(8, _VALUES // n_samples)


def _slices(n_responses, most):
    """Cut responses into slices of about the same size, at most so many each."""
    n_slices = -(-n_responses // max(1, most))
    return list(gen_batches(n_responses, -(-n_responses // n_slices))) if n_slices else []
