"""Ridge regression, and the discriminant space that follows from it: two of the scores of the blend."""

from dataclasses import dataclass, replace

import numpy as np
from sklearn.utils import gen_batches

from textspace._saving import saved_as
from textspace.classify.blend._arrays import dot, inverse, on_a_grid
from textspace.classify.blend._calibration import calibrated_losses
from textspace.classify.blend._scorer import FittedScorer, HeldOut, Scorer
from textspace.solvers import ridge_path, ridge_predictions

_FEW_CLASSES = 10
_LEAST_COLUMNS = 16  # of a product with the documents: fewer take as long
_TOGETHER = 16 << 20  # values of documents, folds and classes that are learned together
_LEAST_SIZE = 0.5  # documents that a class without any counts as
_COEFFICIENTS = 128 << 20  # of terms, labellings and classes that are learned together


class RegressionScorer(Scorer):
    """Base of scorers by a regression onto the indicators of the classes, whose penalty is chosen.

    The penalty is that of the smallest log loss of held-out documents. A subclass has the penalties
    `alphas`, ``_scores``, ``_fitted`` and, where coefficients do not move alike, ``_sums`` and ``_scale``.
    """

    tolerance = 0.05, 0.05  # of regressions onto few classes and onto more: a fifth changes next to nothing
    price = 1.0  # by which a step is dearer than one in a space that all classes share

    def fit(self, X, y, *, n_classes, weights=None):
        """Solve the regression, as :meth:`Scorer.fit` says; X may be dense."""
        dual, scale = self._solved(X, y, n_classes=n_classes, weights=weights)
        return self._learned(X, y, dual, scale, n_classes=n_classes, weights=weights)

    def held_out(self, X, y, folds, *, n_classes, whole=True, weights=None):
        """Score each document by what is learned from all other folds, as :meth:`Scorer.held_out` says.

        What is learned from all documents is drawn towards the shares of the classes, by the root of the
        share of the documents that a fold learns from: the values of new documents are further from them the
        more documents were learned from, and those that were held out tell what values mean.
        """
        values, duals = self._held_out_values(X, y, folds, n_classes=n_classes, whole=whole, weights=weights)
        best = int(np.argmin(calibrated_losses(values, y, weights)))
        settled = replace(self, alphas=(self.alphas[best],))
        sizes = np.bincount(y, weights, minlength=n_classes)
        scores, dual = self._scores(values[best], sizes), duals[best].copy()
        drawn = np.float32(np.sqrt(np.mean([len(train) for train, _ in folds]) / len(y)))

        def fitted():
            if whole:
                solved = dual, self._scale(self._sums(X, y, _solved_classes(n_classes), weights))
            else:
                solved = settled._solved(X, y, n_classes=n_classes, weights=weights)
            return settled._learned(X, y, drawn * solved[0], solved[1], n_classes=n_classes, weights=weights)

        work = X.size * max(_LEAST_COLUMNS, len(_solved_classes(n_classes)) * (len(folds) + 1)) / 1e9
        return HeldOut(settled, scores, fitted, self.price * work, X.size)

    def _solved(self, X, y, *, n_classes, weights=None):
        """Give the dual coefficients with the one penalty, and how freely coefficients moved."""
        Y = _indicators(y, n_classes)
        scale = self._scale(self._sums(X, y, _solved_classes(n_classes), weights))
        tol = self.tolerance[n_classes > _FEW_CLASSES]
        [dual] = ridge_path(X, Y, self.alphas, scale=scale, sample_weight=weights, tol=tol)
        return dual, scale

    def score_all(self, X, y, weights, *, n_classes):
        """Learn under all labellings in one go, as :meth:`Scorer.score_all` says; X may be dense."""
        numbers = _solved_classes(n_classes)
        values = np.empty((*y.shape, n_classes), dtype=np.float32)
        n_together = min(_TOGETHER // y.size, _COEFFICIENTS // (len(y) * X.shape[1]))
        for classes in gen_batches(len(numbers), max(1, n_together)):
            own = numbers[classes]
            sums = [self._sums(X, labels, own, each) for labels, each in zip(y, weights, strict=True)]
            found, _ = ridge_predictions(
                X,
                np.hstack([labels[:, None] == own for labels in y]),
                self.alphas,
                sample_weight=weights.T,
                scale=None if sums[0] is None else np.hstack([self._scale(each) for each in sums]),
                tol=self.tolerance[n_classes > _FEW_CLASSES],
            )
            values[:, :, own] = found[0].reshape(y.shape[1], len(y), -1).swapaxes(0, 1)
        if n_classes == 2:
            values[:, :, 0] = 1 - values[:, :, 1]
        scores = []
        for own, labels, each in zip(values, y, weights, strict=True):
            sizes = np.bincount(labels, each, minlength=n_classes)
            scores.append(self._scores(own, np.maximum(sizes, _LEAST_SIZE)))
        return [np.stack(each) for each in zip(*scores, strict=True)]

    def _held_out_values(self, X, y, folds, *, n_classes, whole, weights=None):
        """Learn from all folds but one and, where the whole is asked for, from all, in one go.

        Gives each penalty's values of each document, learned from other folds, of shape (n_alphas, n_samples,
        n_classes), and its dual coefficients of what is learned from all, with as many columns as there are
        indicators.
        """
        Y, numbers = _indicators(y, n_classes), _solved_classes(n_classes)
        values = np.empty((len(self.alphas), len(y), n_classes), dtype=np.float32)
        duals = np.empty((len(self.alphas), *Y.shape), dtype=np.float32)
        learned = np.ones((len(y), len(folds) + whole), dtype=np.float32)
        if weights is not None:
            learned *= weights[:, None]
        for fold, (_, test) in enumerate(folds):
            learned[test, fold] = 0
        n_together = max(1, _TOGETHER // learned.size)
        for classes in gen_batches(Y.shape[1], n_together):
            own = Y[:, classes]
            scales = self._scales_of_folds(X, y, numbers[classes], folds, whole=whole, weights=weights)
            found, solved = ridge_predictions(
                X,
                np.tile(own, learned.shape[1]),
                self.alphas,
                sample_weight=learned,
                scale=scales,
                tol=self.tolerance[n_classes > _FEW_CLASSES],
            )
            for fold, (_, test) in enumerate(folds):
                columns = slice(fold * own.shape[1], (fold + 1) * own.shape[1])
                values[:, test[:, None], numbers[classes]] = found[:, test, columns]
            duals[:, :, classes] = solved[:, :, -own.shape[1] :]  # without the whole, those of a fold
        if n_classes == 2:
            values[:, :, 0] = 1 - values[:, :, 1]
        return values, duals

    def _learned(self, X, y, dual, scale, *, n_classes, weights=None):
        """Give what was learned, from dual coefficients."""
        coef = X.T @ dual
        coef = coef if scale is None else scale**2 * coef
        coef = np.hstack([-coef, coef]) if n_classes == 2 else coef
        sizes = np.bincount(y, weights, minlength=n_classes)
        return self._fitted(coef, _intercept(X, coef, sizes, weights), sizes)

    def _scales_of_folds(self, X, y, classes, folds, *, whole, weights=None):
        """Give what all folds but each say of the scale, then what all say, side by side; None: all alike."""
        if self._sums(X[:0], y[:0], classes) is None:
            return None
        own = [
            self._sums(X[test], y[test], classes, None if weights is None else weights[test])
            for _, test in folds
        ]
        total = sum(own[1:], start=own[0])
        left = [*(total - each for each in own), *([total] if whole else [])]
        return np.hstack([self._scale(sums) for sums in left])

    def _sums(self, X, y, classes, weights=None):
        """Add up the terms of some classes for :meth:`_scale`, an array; None: all move alike."""
        return

    def _scale(self, sums):
        """Say how freely coefficients may move, an array of shape (n_columns, n_classes)."""
        return

    def _scores(self, values, sizes):
        """Give the scores that follow from the values of the regression, of shape (n_samples, n_classes)."""
        return [values]

    def _fitted(self, coef, intercept, sizes):
        """Give what was learned."""
        raise NotImplementedError


@dataclass(frozen=True)
class RidgeScorer(RegressionScorer):
    """Ridge regression onto the indicators of the classes, and the cosine in the space that follows from it.

    It gives two scores. The first is the regression's value itself. The second is the cosine between a
    document and the point of the class in the space of linear discriminant analysis by spectral regression,
    which is a linear map of the same solution.
    """

    columns: slice
    alphas: tuple = (0.1, 0.3, 1.0, 3.0, 10.0)  # for rows of unit length

    name = "ridge"
    has_space = True
    tolerance = 0.05, 0.1  # classes share a space: of many, most are nearer when the last has come so near

    def _scores(self, values, sizes):
        return ridge_scores(values, sizes.astype(np.float64))

    def _fitted(self, coef, intercept, sizes):
        return FittedRidge(coef, intercept, np.maximum(sizes, _LEAST_SIZE), first=self.columns.start)


@saved_as(
    "blend.ridge",
    shapes={"coef": "d c", "intercept": "c", "sizes": "c"},
    check=lambda ridge: len(ridge.sizes) > 1 and bool(np.all(ridge.sizes > 0)),
)
@dataclass(frozen=True)
class FittedRidge(FittedScorer):
    """Solution of the ridge regression."""

    coef: np.ndarray  # of shape (n_features, n_classes)
    intercept: np.ndarray
    sizes: np.ndarray  # documents of each class, or the sum of their weights; above 0
    first: int = 0  # of its columns

    has_space = True

    @property
    def columns(self):
        """The terms."""
        return slice(self.first, self.first + len(self.coef))

    @property
    def n_scores(self):
        """Number of scores: two, but one where there are two classes."""
        return min(2, len(self.sizes) - 1)

    @property
    def n_dimensions(self):
        """Number of coordinates that :meth:`positions` gives."""
        return len(self.sizes) - 1

    def scores(self, X):
        """Give the scores, a list of arrays of shape (n_samples, n_classes)."""
        return ridge_scores(dot(X, self.coef) + self.intercept, self.sizes)

    def positions(self, X):
        """Give places in the discriminant space, of shape (n_samples, n_classes - 1)."""
        return discriminant_positions(dot(X, self.coef) + self.intercept, self.sizes)

    def contributions(self, x, factors):
        """Split the weighted scores of one document, as :meth:`FittedScorer.contributions` says."""
        return self.split(x.data[:, None] * self.coef[x.indices].astype(np.float64), factors)

    def split(self, contributions, factors):
        """As :meth:`contributions`, given what each entry adds to the regression's values."""
        centred = self.intercept - self.sizes / self.sizes.sum()
        if len(factors) == 1:
            return factors[0] * contributions, factors[0] * self.intercept
        # for this one document its length is a number, and the cosine is linear
        nearness = factors[1] * inverse(_lengths(contributions.sum(axis=0) + centred, self.sizes))
        return (
            factors[0] * contributions + nearness * _towards_points(contributions, self.sizes),
            factors[0] * self.intercept + nearness * _towards_points(centred, self.sizes),
        )

    def rounded(self):
        """Give the same with coefficients on a grid."""
        return replace(self, coef=on_a_grid(self.coef))


def ridge_scores(values, sizes):
    """Give the scores that follow from ridge values (n, c): these, and the cosines in the discriminant space.

    With two classes the space is a line, on which a cosine tells no more than the side: there the values
    stand alone.

    Notes
    -----
    With N the diagonal matrix of the sizes and n their sum, centred and orthonormal functions of the class
    are ``E N^-1/2 U`` for indicators E and an orthonormal U across the square roots of the sizes. So the
    coordinates of spectral regression are ``s N^-1/2 U`` for the centred values s of the regression onto E,
    and the points of the classes are the rows of ``N^-1/2 U``. Their inner products need no U, as
    ``N^-1/2 U U.T N^-1/2 = N^-1 - 1 1.T / n``.

    References
    ----------
    D. Cai, X. He and J. Han, "Training linear discriminant analysis in linear time", IEEE International
    Conference on Data Engineering, 2008.
    """
    if len(sizes) == 2:
        return [values]
    centred = values - (sizes / sizes.sum()).astype(values.dtype)
    cosines = _towards_points(centred, sizes) * inverse(_lengths(centred, sizes))[:, None]
    return [values, cosines.astype(values.dtype)]


def discriminant_positions(values, sizes):
    """Give coordinates in the discriminant space, of shape (n_samples, n_classes - 1), float32."""
    roots = np.sqrt(sizes)
    scaled = (values - sizes / sizes.sum()) / roots
    # U: a Householder reflection that takes the unit vector along the roots to the last axis, less that axis
    mirror = roots / np.linalg.norm(roots)
    mirror[-1] += 1
    mirror /= np.linalg.norm(mirror)
    scaled -= 2 * (scaled @ mirror)[:, None] * mirror
    return scaled[:, :-1].astype(np.float32)


def _towards_points(centred, sizes):
    """Inner products with the class points, divided by the lengths of the points."""
    n = sizes.sum()
    inner = centred / sizes - centred.sum(axis=-1, keepdims=True) / n
    return inner / np.sqrt(1 / sizes - 1 / n)


def _lengths(centred, sizes):
    """Lengths of documents in the discriminant space."""
    squares = np.sum(centred**2 / sizes, axis=-1) - centred.sum(axis=-1) ** 2 / sizes.sum()
    return np.sqrt(np.maximum(squares, 0))


def _solved_classes(n_classes):
    """Give the classes that are solved for: all, but of two one, whose mirror image the other is."""
    return np.arange(int(n_classes == 2), n_classes)


def _indicators(y, n_classes):
    """Give the indicators of the classes that are solved for, of shape (n_samples, n_solved)."""
    return (y[:, None] == _solved_classes(n_classes)).astype(np.float32)


def _intercept(X, coef, sizes, weights=None):
    """Give the constants of regressions onto indicators: mean response less that of the mean document."""
    shares = np.full(X.shape[0], 1 / X.shape[0]) if weights is None else weights / weights.sum()
    return sizes / sizes.sum() - (shares @ X) @ coef
