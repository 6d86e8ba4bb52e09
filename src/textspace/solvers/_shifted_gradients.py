"""Conjugate gradients for the dual systems of ridge regressions, all penalties in one go."""

import numpy as np

from textspace._compiled import compiled
from textspace.solvers._conjugate_gradients import columnwise
from textspace.solvers._lanczos import ConvergenceError

_WORTH = 0.75  # share of the responses still at work, at which those that have converged are put aside


class System:
    """The matrix of the dual systems without a penalty, for some responses.

    Parameters
    ----------
    products : GramProducts
        Products with the Gram matrix of all documents.
    roots : ndarray of shape (n_samples, n_responses)
        Square roots of the weights of the documents.
    squares : ndarray of shape (n_features, n_responses)
        Squares of the scales of the terms.
    """

    def __init__(self, products, roots, squares):
        self.products, self.roots, self.squares = products, np.ascontiguousarray(roots), squares
        self.axis = roots / np.linalg.norm(roots, axis=0)  # what centring takes away

    def centred(self, V):
        """Take the means away, in rows times the roots of their weights."""
        return V - self.axis * columnwise(self.axis, V)

    def product(self, V):
        """Multiply with the Gram matrix of all documents."""
        return self.products(self.roots * V, self.squares)

    def of_learned(self, product, alpha, V):
        """Give what such a product is for the documents that are learned from, plus alpha V: V's image."""
        image = self.roots * product
        _centre_then_add(image, self.axis, columnwise(self.axis, image), image.dtype.type(alpha), V)
        return image

    def among(self, kept):
        """Give the system of some of the responses."""
        return System(self.products, self.roots[:, kept], self.squares[:, kept])


def shifted_gradients(system, residual, alphas, *, tol, max_iter):
    """Solve ``(G + alpha I) A = B`` for all alphas, the smallest first; `residual` is B at the start.

    With the scalars of conjugate gradients for the first alpha, the residuals for another are its own times
    `ratios`, which follow from the last two of them. Responses that have converged are put aside when they
    are a fourth of those at work. Products of the Gram matrix with the solutions are given too. They follow
    from those with the directions, of which one is made anyway, by the same steps.

    The directions of the other alphas, and products with all, are turned only when the next step is taken, so
    that both take a single pass.
    """
    n_alphas, dtype = len(alphas), residual.dtype
    found = np.zeros((2 * n_alphas, *residual.shape), dtype=dtype)  # the solutions, then products with them
    places = np.arange(residual.shape[1])  # of the responses at work
    sums, directions = np.zeros_like(found), np.zeros_like(found)
    directions[0] = residual
    last = np.zeros_like(residual)
    shifts = (alphas - alphas[0])[:, None]
    ratios, before = np.ones((2, n_alphas, len(places)))
    squares = columnwise(residual, residual).astype(float)
    target = tol**2 * squares
    previous_step, growth = np.ones(len(places)), np.zeros(len(places))
    for _ in range(max_iter):
        going = squares > target
        if going.sum() <= _WORTH * len(going):
            found[:, :, places] = sums
            if not going.any():
                return found[:n_alphas], found[n_alphas:]
            system = system.among(going)
            residual, last = residual[:, going], last[:, going]
            sums, directions = sums[:, :, going], directions[:, :, going]
            ratios, before, squares = ratios[:, going], before[:, going], squares[going]
            target, previous_step, growth = target[going], previous_step[going], growth[going]
            places, going = places[going], going[going]
        product = system.product(directions[0])
        image = system.of_learned(product, alphas[0], directions[0])
        step = _quotient(squares, columnwise(directions[0], image), going)
        new = _quotient(
            ratios * before * previous_step,
            step * growth * (before - ratios) + before * previous_step * (1 + shifts * step),
            going,
        )
        steps = (step * _quotient(new, ratios, going)).astype(dtype)
        turns = (growth * _quotient(ratios, before, going) ** 2).astype(dtype), ratios.astype(dtype)
        towards = product - growth.astype(dtype) * last  # directions and products with them grow alike
        _turn_then_add(directions[n_alphas:], *turns, towards, steps, sums[n_alphas:])
        last = product
        turns[0][0], turns[1][0] = 1, 0  # the first has been turned before
        _turn_then_add(directions[:n_alphas], *turns, residual, steps, sums[:n_alphas])
        _add(residual, -steps[0], image)
        squares, old = np.where(going, columnwise(residual, residual), squares), squares
        if not np.isfinite(squares).all():  # alpha is lost in rounding, and the residuals grow for ever
            break
        growth = _quotient(squares, old, going)
        _turn(directions[0], growth.astype(dtype), residual)
        before, ratios, previous_step = ratios, new, step
    raise ConvergenceError(
        f"{going.sum()} of {found.shape[2]} ridge regressions did not converge to tol={tol:g} in {max_iter} "
        f"iterations: increase the smallest alpha (now {alphas[0]:g}), tol or max_iter."
    )


@compiled(nogil=True)
def _turn_then_add(directions, growth, ratios, towards, steps, sums):
    """Turn directions (k, n, c) towards residuals (n, c), and add steps along them to the sums."""
    n_alphas, n_rows, n_columns = directions.shape
    for row in range(n_rows):
        for k in range(n_alphas):
            for column in range(n_columns):
                turned = growth[k, column] * directions[k, row, column]
                turned += ratios[k, column] * towards[row, column]
                directions[k, row, column] = turned
                sums[k, row, column] += steps[k, column] * turned


@compiled(nogil=True)
def _turn(direction, growth, residual):
    for row in range(len(direction)):
        for column in range(direction.shape[1]):
            direction[row, column] = growth[column] * direction[row, column] + residual[row, column]


@compiled(nogil=True)
def _add(total, factors, other):
    for row in range(len(total)):
        for column in range(total.shape[1]):
            total[row, column] += factors[column] * other[row, column]


@compiled(nogil=True)
def _centre_then_add(V, axis, shares, factor, other):
    for row in range(len(V)):
        for column in range(V.shape[1]):
            V[row, column] += factor * other[row, column] - axis[row, column] * shares[column]


def _quotient(numerator, denominator, going):
    """Divide where a response goes on and there is something to divide by; else give 0."""
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    numerator, denominator = np.broadcast_to(numerator, shape), np.broadcast_to(denominator, shape)
    return np.divide(numerator, denominator, where=going & (denominator != 0), out=np.zeros(shape))
