"""Linear systems with a penalty, by products alone."""

import numpy as np

from textspace.solvers._lanczos import ConvergenceError


def conjugate_gradients(forth, back, residual, *, alpha, scale=1, start=None, tol=1e-2, max_iter=1000):
    """Solve ``(A + alpha I) W = B`` for all columns of B together, each with steps of its own.

    A comes in two halves, as ``X.T @ (M @ X)`` does. What is left of the right-hand side is kept between the
    two, one row a document: taken back anew in each iteration it loses less to rounding than a residual that
    is only ever subtracted from. A column that has been solved stands still, so that its solution does not
    depend on the others.

    Parameters
    ----------
    forth : callable
        Takes V and returns the images ``M @ X @ V`` and ``diag(V.T @ A @ V)``.
    back : callable
        Takes images and returns them times ``X.T``.
    residual : ndarray of shape (n_samples, n_columns)
        What ``back`` makes B of; overwritten.
    alpha : float
        What is added to the diagonal.
    scale : ndarray of shape (n_features, 1), or 1
        What gradients are multiplied with, for fewer iterations.
    start : ndarray of shape (n_features, n_columns), optional
        Solution to start from; zero by default.
    tol : float, default=1e-2
        A column has been solved when its residual is at most ``tol`` times its right-hand side.
    max_iter : int, default=1000
        Number of iterations after which to give up.

    Returns
    -------
    coef : ndarray of shape (n_features, n_columns)
        The solutions W.
    n_iter : int
        Number of iterations of the slowest column.

    Raises
    ------
    ConvergenceError
        A column has not been solved after ``max_iter`` iterations.
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
    while (going := columnwise(gradient, gradient) > target).any():
        if n_iter == max_iter:
            raise ConvergenceError(
                f"{going.sum()} of {len(going)} ridge regressions did not converge to tol={tol:g} in "
                f"{max_iter} iterations: increase alpha (now {alpha:g}), tol or max_iter."
            )
        image, curvature = forth(direction)
        curvature = curvature + alpha * columnwise(direction, direction)
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


def columnwise(first, second):
    """Inner products of the columns of one array with those of another."""
    return np.einsum("ij,ij->j", first, second)
