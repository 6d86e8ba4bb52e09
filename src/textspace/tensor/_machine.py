"""One support tensor machine: alternation over the modes, and further rank-one terms."""

import numpy as np
from scipy import linalg

from textspace.tensor._contraction import contract, flat_terms
from textspace.tensor._hinge import LEAST_GAIN, minimize_hinge

_INNER_TOL = 1e-7  # duality gap of each mode's problem, relative to its objective
_COLLINEAR = 1e-10  # squared length below which a direction of the other modes counts as none


class TensorMachine:
    """Weights of one class against the others, improved in place.

    The weights W are the sum of the outer products of the columns of `factors`, and the objective is
    ``1/2 ||W||^2 + C sum_i max(0, 1 - y_i (<W, X_i> + b))``; targets y are 1 for documents of the class, -1
    for the others. The documents come as one ModeLayout a mode. Without factors to start from, every mode
    starts from ones.

    While `is_blank`, W is zero and `factors` are only directions to look into. `trace` has the objective
    after each mode's step, and `gap` is the largest relative duality gap that a mode's problem was left with.
    """

    def __init__(self, layouts, shape, targets, C, factors=None, intercept=None):
        self.layouts, self.shape, self.targets, self.C = layouts, shape, targets, C
        n_positive = np.sum(targets > 0)
        self._constant = 2.0 * C * min(n_positive, len(targets) - n_positive)
        self.is_blank = factors is None or not any(np.any(factor) for factor in factors)
        if self.is_blank:
            self.factors = [np.ones((size, 1)) for size in shape]
            self.intercept, self._objective = float(np.sign(2 * n_positive - len(targets))), self._constant
        else:
            self.factors, self.intercept, self._objective = list(factors), float(intercept), np.inf
        self._duals = [None for _ in shape]
        self._last_duals = np.zeros(len(targets))
        self.trace, self.gap = [], 0.0

    def alternate(self, modes, *, tol, max_iter, first_rows=None):
        """Solve for each of the modes in turn until a sweep gains less than `tol` of the objective.

        `first_rows` are the documents contracted for the first step of a blank machine, where they are known.
        Gives the number of sweeps, and whether the last one gained so little.
        """
        n_iter, has_settled = 0, False
        while n_iter < max_iter and not has_settled:
            before = self._objective
            for mode in modes:
                self._solve_mode(mode, first_rows)
                first_rows = None
            has_settled = before - self._objective <= tol * self._objective
            n_iter += 1
        if self.is_blank:
            self.factors = [np.zeros_like(factor) for factor in self.factors]
        return n_iter, has_settled

    def weights(self):
        """Give W, flattened with the first index running fastest."""
        return flat_terms(self.factors).sum(axis=1)

    def _solve_mode(self, mode, rows):
        """Replace a mode's factor by the best one for the other modes' factors, where that gains anything."""
        basis, unfold, fold = orthonormal_terms(self.factors[:mode] + self.factors[mode + 1 :])
        if rows is None:
            rows = contract(self.layouts[mode], basis)
        weights = np.zeros((self.shape[mode], basis.shape[1]))
        if not self.is_blank:
            weights += self.factors[mode] @ unfold
        # the duals of the same mode's last step serve best: those of other modes have another structure
        duals = self._last_duals.copy() if self._duals[mode] is None else self._duals[mode]
        try:
            intercept, objective, gap = minimize_hinge(
                rows, self.targets, self.C, weights.ravel(), self.intercept, duals, _INNER_TOL
            )
            self.gap = max(self.gap, gap / objective)
        except ZeroDivisionError:  # what is left of the weights is rounding
            raise ValueError(
                f"the documents are too long for C={self.C:g}: scale them to unit length, or lower C."
            ) from None
        self._duals[mode] = self._last_duals = duals
        least = (1 - LEAST_GAIN) * self._constant if self.is_blank else self._objective
        if objective < least:
            self.is_blank = False
            self.intercept, self._objective = intercept, objective
            self.factors[mode] = weights @ fold
            self.factors = _balanced(self.factors)
        self.trace.append(self._objective)

    def add_terms(self, X, rank):
        """Widen the factors to a rank by terms of weight zero, so that the objective stays as it is.

        With the duals a of the last step, the best weights of any rank satisfy ``W = sum_i a_i y_i X_i``. The
        new directions are those of what W lacks of that. Gives the mode whose new columns are zero: it must
        be solved for next.
        """
        lacking = -self.weights()
        lacking[: X.shape[1]] += X.T @ (self._last_duals * self.targets)
        terms = _orthogonal_terms(lacking.reshape(self.shape, order="F"))
        terms = terms[: rank - self.factors[0].shape[1]]
        largest = int(np.argmax(self.shape))
        for mode, columns in enumerate(zip(*terms, strict=True)):
            new = np.stack(columns, axis=1) * (mode != largest)
            self.factors[mode] = np.hstack([self.factors[mode], new])
        self.is_blank = False
        return largest


def orthonormal_terms(factors):
    """Give an orthonormal basis of the terms of some modes, and the maps between coordinates in both.

    ``terms = basis @ unfold.T`` and ``basis = terms @ fold.T``; the basis has fewer columns than there are
    terms where these are collinear.
    """
    terms = flat_terms(factors) if factors else np.ones((1, 1))
    lengths = np.linalg.norm(terms, axis=0)
    lengths[lengths == 0] = 1.0
    squares, vectors = linalg.eigh((terms / lengths).T @ (terms / lengths))
    is_kept = squares > _COLLINEAR * squares[-1]
    roots, vectors = np.sqrt(squares[is_kept]), vectors[:, is_kept]
    fold = (vectors / roots).T / lengths
    return terms @ fold.T, lengths[:, None] * vectors * roots, fold


def _balanced(factors):
    """Give the factors of a term equal lengths; in order 2, make the terms orthogonal, the largest first."""
    if len(factors) == 2 and factors[0].shape[1] > 1:
        left, left_triangle = linalg.qr(factors[0], mode="economic")
        right, right_triangle = linalg.qr(factors[1], mode="economic")
        inner, values, outer = linalg.svd(left_triangle @ right_triangle.T)
        n_kept, roots = len(values), np.sqrt(values)
        pair = [left @ inner[:, :n_kept] * roots, right @ outer[:n_kept].T * roots]
        return [np.pad(each, ((0, 0), (0, factors[0].shape[1] - n_kept))) for each in pair]
    lengths = np.stack([np.linalg.norm(factor, axis=0) for factor in factors])
    common = np.prod(lengths, axis=0) ** (1 / len(factors))
    lengths[lengths == 0] = 1.0
    return [factor * (common / length) for factor, length in zip(factors, lengths, strict=True)]


def _orthogonal_terms(tensor):
    """Write a tensor as a sum of mutually orthogonal rank-one terms, the largest first.

    Gives for each term a list of the unit vectors of its modes: singular vectors of the tensor flattened
    along its first mode, each right one decomposed in turn.
    """
    return [vectors for _, vectors in sorted(_weighted_terms(tensor), key=lambda term: -term[0])]


def _weighted_terms(tensor):
    if tensor.ndim == 1:
        length = np.linalg.norm(tensor)
        return [(length, [tensor / length if length else tensor])]
    left, values, right = linalg.svd(tensor.reshape(len(tensor), -1), full_matrices=False)
    return [
        (value * weight, [vector, *vectors])
        for value, vector, rest in zip(values, left.T, right, strict=True)
        for weight, vectors in _weighted_terms(rest.reshape(tensor.shape[1:]))
    ]
