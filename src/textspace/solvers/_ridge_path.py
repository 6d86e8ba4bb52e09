"""Ridge regressions of several penalties at the price of one, and their predictions."""

import numpy as np
from sklearn.utils import gen_batches

from textspace._validation import check_rows
from textspace.solvers._conjugate_gradients import columnwise
from textspace.solvers._lanczos import ConvergenceError
from textspace.solvers._products import GramProducts

_ROUNDING = 1e-6  # of its length, that centring may leave of a constant response
_WORTH = 0.75  # share of the responses still at work, at which those that have converged are put aside
_VALUES = 1 << 20  # of documents and responses at a time: 4 MB stay in the cache
_SCALES = 24 << 20  # of terms and responses at a time


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
    sample_weight : ndarray of shape (n_samples,) or (n_samples, n_responses), optional
        What each document counts, at least 0, for all responses or for each.
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
    The dual systems ``(G + alpha I) A = Y_c`` of all penalties have the same Krylov spaces. So the
    residuals of one are those of another times a number, for which there is a recurrence: conjugate gradients
    for the smallest penalty solve the others without a further product with X.

    References
    ----------
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
    duals, _ = _solve(X, Y, alphas, scale, sample_weight, tol, max_iter, carried=False)
    return duals


def ridge_predictions(X, Y, alphas, *, sample_weight, scale=None, tol=1e-2, max_iter=1000):
    """Predict the responses of all documents by ridge regressions that learn from some of them.

    Parameters
    ----------
    X, Y, alphas
        As in :func:`ridge_path`.
    sample_weight : ndarray of shape (n_samples, n_responses)
        What each document counts for each response; zero where it is held out. So the same response may stand
        in Y once for each fold, and the products with X serve all folds together.
    scale, tol, max_iter
        As in :func:`ridge_path`.

    Returns
    -------
    predictions : ndarray of shape (n_alphas, n_samples, n_responses)
        Predictions for all documents. They are carried along with the solutions, so that they take no
        product with X of their own.
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
    >>> predictions.ravel().round(6)
    array([ 2.,  0., -2.,  4.])
    """
    X = check_rows(X)
    duals, values = _solve(X, Y, alphas, scale, sample_weight, tol, max_iter, carried=True)
    shares = (sample_weight / sample_weight.sum(axis=0)).astype(X.dtype)
    means = columnwise(shares, np.asarray(Y, dtype=X.dtype))
    for each in values:
        each += means - columnwise(shares, each)
    return values, duals


def _solve(X, Y, alphas, scale, sample_weight, tol, max_iter, *, carried):
    """Give the dual coefficients A of all penalties and, where they are carried, ``X @ X.T @ A``."""
    products = GramProducts(X)
    roots = np.ones((len(Y), 1)) if sample_weight is None else np.sqrt(sample_weight).reshape(len(Y), -1)
    roots = np.broadcast_to(roots.astype(X.dtype), Y.shape)
    alphas = np.asarray(alphas, dtype=float)
    duals = np.empty((len(alphas), *Y.shape), dtype=X.dtype)
    values = np.empty_like(duals) if carried else None
    for responses in _batches(X, Y, scale):
        system = _System(products, roots[:, responses], _squares(X, scale, responses))
        whole = system.roots * np.asarray(Y[:, responses], dtype=X.dtype)
        residual = system.centred(system.centred(whole))  # the second time takes what rounding left
        residual[:, columnwise(residual, residual) <= _ROUNDING**2 * columnwise(whole, whole)] = 0
        solved, products_of = _shifted_gradients(
            system, residual, alphas, tol=tol, max_iter=max_iter, carried=carried
        )
        duals[:, :, responses] = system.roots * solved
        if carried:
            values[:, :, responses] = products_of
    return duals, values


def _batches(X, Y, scale):
    """Cut the responses into slices of about the same size, which are solved one after the other."""
    most = max(8, _VALUES // len(Y))
    if scale is not None:
        most = max(1, min(most, _SCALES // X.shape[1]))
    n_batches = -(-Y.shape[1] // most)
    return list(gen_batches(Y.shape[1], -(-Y.shape[1] // n_batches)))


def _squares(X, scale, responses):
    return None if scale is None else scale[:, responses].astype(X.dtype) ** 2


class _System:
    """The matrix of the dual systems without a penalty, for some responses."""

    def __init__(self, products, roots, squares):
        self.products, self.roots, self.squares = products, roots, squares
        self.axis = roots / np.linalg.norm(roots, axis=0)  # what centring takes away

    def centred(self, V):
        """Take the means away, in rows times the roots of their weights."""
        return V - self.axis * columnwise(self.axis, V)

    def product(self, V):
        """Multiply with the Gram matrix of all documents."""
        return self.products(self.roots * V, self.squares)

    def of_learned(self, product):
        """Give what such a product is for the documents that are learned from, as the systems have it."""
        return self.centred(self.roots * product)


def _shifted_gradients(system, residual, alphas, *, tol, max_iter, carried):
    """Solve ``(G + alpha I) A = B`` for all alphas, the smallest first; `residual` is B at the start.

    With the scalars of conjugate gradients for the first alpha, the residuals for another are its own times
    `ratios`, which follow from the last two of them. Responses that have converged are put aside when they
    are a fourth of those at work. Where they are `carried`, products of the Gram matrix with the solutions
    are given too. They follow from those with the directions, of which one is made anyway, by the same steps.
    """
    shape = (len(alphas) * (2 if carried else 1), *residual.shape)
    found = np.zeros(shape, dtype=residual.dtype)  # the solutions, then the products with them
    places = np.arange(residual.shape[1])  # of the responses at work
    sums, directions = np.zeros_like(found), np.zeros_like(found)
    directions[: len(alphas)] = residual
    last = np.zeros_like(residual)
    shifts = (alphas - alphas[0])[:, None]
    ratios, before = np.ones((2, len(alphas), len(places)))
    squares = columnwise(residual, residual).astype(float)
    target = tol**2 * squares
    previous_step, growth = np.ones(len(places)), np.zeros(len(places))
    for _ in range(max_iter):
        going = squares > target
        if going.sum() <= _WORTH * len(going):
            found[:, :, places] = sums
            if not going.any():
                return found[: len(alphas)], found[len(alphas) :]
            scales = None if system.squares is None else system.squares[:, going]
            system = _System(system.products, system.roots[:, going], scales)
            residual, last = residual[:, going], last[:, going]
            sums, directions = sums[:, :, going], directions[:, :, going]
            ratios, before, squares = ratios[:, going], before[:, going], squares[going]
            target, previous_step, growth = target[going], previous_step[going], growth[going]
            places, going = places[going], going[going]
        product = system.product(directions[0])
        if carried:  # directions and products with them grow alike
            step_back = product - growth.astype(residual.dtype) * last
            _turn(directions[len(alphas) :], _quotient(ratios, before, going), growth, ratios, step_back)
            last = product
        image = system.of_learned(product) + residual.dtype.type(alphas[0]) * directions[0]
        step = _quotient(squares, columnwise(directions[0], image), going)
        new = _quotient(
            ratios * before * previous_step,
            step * growth * (before - ratios) + before * previous_step * (1 + shifts * step),
            going,
        )
        shrinkage = _quotient(new, ratios, going)
        for k in range(len(sums)):
            sums[k] += (step * shrinkage[k % len(alphas)]).astype(residual.dtype) * directions[k]
        residual = residual - step.astype(residual.dtype) * image
        squares, old = np.where(going, columnwise(residual, residual), squares), squares
        growth = _quotient(squares, old, going)
        _turn(directions[: len(alphas)], shrinkage, growth, new, residual)
        before, ratios, previous_step = ratios, new, step
    raise ConvergenceError(
        f"{going.sum()} of {found.shape[2]} ridge regressions did not converge to tol={tol:g} in {max_iter} "
        f"iterations: increase the smallest alpha (now {alphas[0]:g}), tol or max_iter."
    )


def _turn(directions, shrinkage, growth, ratios, residual):
    """Turn the directions of all alphas towards the residuals, which are that of the first times `ratios`."""
    for k, direction in enumerate(directions):
        direction *= (growth * shrinkage[k] ** 2).astype(residual.dtype)
        direction += ratios[k].astype(residual.dtype) * residual


def _quotient(numerator, denominator, going):
    """Divide where a response goes on and there is something to divide by; else give 0."""
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    numerator, denominator = np.broadcast_to(numerator, shape), np.broadcast_to(denominator, shape)
    return np.divide(numerator, denominator, where=going & (denominator != 0), out=np.zeros(shape))
