"""Ridge regression where the documents are known by products with their Gram matrix over terms only."""

import numpy as np

from textspace.solvers import ConvergenceError


def normal_ridge(operator, right, scale, *, alpha, tol=1e-2, max_iter=1000):
    """Solve ``(A + alpha I) W = B`` by conjugate gradients, each column with steps of its own.

    With ``A = X_c.T @ X_c`` and ``B = X_c.T @ Y_c`` these are the coefficients that
    :func:`textspace.solvers.ridge` finds, by the same iterations. Nothing here is as long as there are
    documents, and an iteration is one product with A. A column that has converged is not multiplied further.
    Rounding errors of the residuals are corrected at the end: by one more product and, if need be, by more
    steps.

    ``operator(V)`` gives ``A @ V`` for an array V of shape (n_features, k). `right` is B, of shape
    (n_features, n_responses). Gradients are multiplied with `scale`, of shape (n_features, 1) or 1, for fewer
    iterations. A response has converged when its residual, which is the gradient, is at most `tol` times its
    right-hand side; if it has not after `max_iter` iterations, a ConvergenceError is raised. Give W, and the
    number of iterations of the slowest response.

    >>> A = np.array([[2.0, 1.0], [1.0, 3.0]])
    >>> right, scale = np.array([[4.0], [5.0]]), np.array([[1 / 3], [1 / 4]])
    >>> coef, _ = normal_ridge(lambda V: A @ V, right, scale, alpha=1.0, tol=1e-10)
    >>> coef.ravel().round(6)
    array([1., 1.])
    """
    coef, residual = np.zeros_like(right), right.copy()
    target = tol**2 * _inner(right, right)
    n_iter = 0
    while (going := np.flatnonzero(~_converged(residual, target))).size:
        direction = scale * residual
        product = _inner(residual, direction)
        while going.size:
            if n_iter == max_iter:
                raise ConvergenceError(
                    f"{going.size} of {right.shape[1]} ridge regressions did not converge to tol={tol:g} in "
                    f"{max_iter} iterations: increase alpha (now {alpha:g}) or tol."
                )
            ahead = np.ascontiguousarray(direction[:, going])
            image = operator(ahead) + alpha * ahead
            step = product[going] / _inner(ahead, image)
            coef[:, going] += step * ahead
            residual[:, going] -= step * image
            remaining = residual[:, going]
            scaled = scale * remaining
            previous, product[going] = product[going], _inner(remaining, scaled)
            direction[:, going] = scaled + product[going] / previous * ahead
            going = going[~_converged(remaining, target[going])]
            n_iter += 1
        residual = right - operator(coef) - alpha * coef
    return coef, n_iter


def _converged(residual, target):
    """Tell which residuals are short enough; what is no number any more is not."""
    return _inner(residual, residual) <= target


def _inner(first, second):
    return np.einsum("ij,ij->j", first, second)
