"""Linear systems with a penalty, by products alone."""

import numpy as np

from textspace.solvers._lanczos import ConvergenceError

_ROUNDING = 1e-6  # of its length, that centring may leave of a constant response


def conjugate_gradients(forth, back, residual, *, alpha, scale=1, start=None, tol=1e-2, max_iter=1000):
    """Solve ``(A + alpha I) W = B`` for all columns of B together, each with steps of its own.

    A comes in two halves, as ``X.T @ (M @ X)`` does: `forth` takes V and gives the images ``M @ X @ V`` and
    ``diag(V.T @ A @ V)``, `back` multiplies images by ``X.T``. What is left of the right-hand side is kept
    between the two, as `residual` of shape (n_samples, n_columns), which is overwritten: taken back anew in
    each iteration it loses less to rounding than a residual that is only ever subtracted from. A column that
    has been solved stands still, so that its solution does not depend on the others. `scale` is what
    gradients are multiplied with, for fewer iterations; `start` the solution to start from.

    Gives W and the number of iterations of the slowest column. Raises a ConvergenceError where the residual
    of a column is above `tol` times its right-hand side after `max_iter` iterations, or where a direction has
    no curvature, as it happens where A is indefinite.
    """
    gradient = back(residual)
    target = tol**2 * columnwise(gradient, gradient)
    coef = np.zeros_like(gradient)
    if start is not None:
        coef += start
        residual -= forth(coef)[0]
        gradient = back(residual) - alpha * coef
    direction = scale * gradient
    scaled = np.empty_like(direction)
    product = columnwise(gradient, direction)
    n_iter = 0
    while (going := ~(columnwise(gradient, gradient) <= target)).any():  # what is no number goes on, too
        if n_iter == max_iter:
            raise ConvergenceError(
                f"{going.sum()} of {len(going)} ridge regressions did not converge to tol={tol:g} in "
                f"{max_iter} iterations: increase alpha (now {alpha:g}), tol or max_iter."
            )
        image, curvature = forth(direction)
        curvature = curvature + alpha * columnwise(direction, direction)
        if (stuck := going & (curvature == 0)).any():
            raise ConvergenceError(
                f"{stuck.sum()} of {len(going)} ridge regressions cannot go on: a direction has no curvature."
                f" Increase alpha (now {alpha:g}); a graph, if there is one, must be positive semi-definite."
            )
        step = np.divide(product, curvature, where=going, out=np.zeros_like(product))
        coef += step * direction
        residual -= step * image
        gradient = back(residual)
        gradient -= alpha * coef
        np.multiply(scale, gradient, out=scaled)
        previous, product = product, columnwise(gradient, scaled)
        direction *= np.divide(product, previous, where=going, out=np.zeros_like(product))
        direction += scaled
        n_iter += 1
    return coef, n_iter


def without_constants(Y, centred):
    """Centre responses by a function; those that are constant, and of which rounding is left, become zero."""
    left = centred(centred(Y))  # the second time takes what rounding left
    left[:, columnwise(left, left) <= _ROUNDING**2 * columnwise(Y, Y)] = 0
    return left


def columnwise(first, second):
    """Inner products of the columns of one array with those of another."""
    return np.einsum("ij,ij->j", first, second)
