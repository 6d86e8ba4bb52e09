"""Ridge regression, and the discriminant space that follows from it: two of the scores of the blend."""

from dataclasses import dataclass, replace

import numpy as np
from sklearn.utils import gen_batches

from textspace._saving import saved_as
from textspace.classify.blend._arrays import dot, inverse, on_a_grid
from textspace.classify.blend._calibration import fit_calibration, telling_rows
from textspace.classify.blend._scorer import FittedScorer, HeldOut, Scorer
from textspace.solvers import ridge_path, ridge_predictions

_TOLERANCE = 0.05  # of the regressions: a fifth of it changes next to nothing
_ENOUGH = 1 << 20  # values that tell a penalty
_TOGETHER = 16 << 20  # values of documents, folds and classes that are learned together


class RegressionScorer(Scorer):
    """Base of scorers by a regression onto the indicators of the classes, whose penalty is chosen.

    The penalty is that of the smallest log loss of held-out documents. A subclass has the penalties
    `alphas`, ``_scale``, ``_scores`` and ``_fitted``.
    """

    def fit(self, X, y, *, n_classes, weights=None):
        """Solve the regression, as :meth:`Scorer.fit` says; X may be dense."""
        [coef] = self._coefficients(X, y, n_classes=n_classes, weights=weights)
        sizes = np.bincount(y, weights, minlength=n_classes)
        return self._fitted(coef, _intercept(X, coef, sizes, weights), sizes)

    def held_out(self, X, y, folds, *, n_classes):
        """Score each document by what is learned from all other folds, as :meth:`Scorer.held_out` says."""
        values = self._held_out_values(X, y, folds, n_classes=n_classes)
        best = _best(values, y)
        settled = replace(self, alphas=(self.alphas[best],))
        scores = self._scores(values[best], np.bincount(y, minlength=n_classes))
        return HeldOut(settled, scores, lambda: settled.fit(X, y, n_classes=n_classes))

    def _held_out_values(self, X, y, folds, *, n_classes):
        """Give each penalty's values of each document, learned from other folds: (n_alphas, n, n_classes)."""
        values = np.empty((len(self.alphas), len(y), n_classes), dtype=np.float32)
        first = int(n_classes == 2)  # of two classes one is the other's mirror image
        Y = _indicators(y, first, n_classes)
        learned = np.ones((len(y), len(folds)), dtype=np.float32)
        for fold, (_, test) in enumerate(folds):
            learned[test, fold] = 0
        n_together = max(1, _TOGETHER // (len(y) * len(folds)))
        for classes in gen_batches(Y.shape[1], n_together):
            own = Y[:, classes]
            numbers = np.arange(first, n_classes)[classes]
            scales = [self._scale(X[train], y[train], numbers) for train, _ in folds]
            scale = None if scales[0] is None else np.hstack(scales)
            found = ridge_predictions(
                X,
                np.tile(own, len(folds)),
                self.alphas,
                sample_weight=np.repeat(learned, own.shape[1], axis=1),
                scale=scale,
                tol=_TOLERANCE,
            )
            for (_, test), each in zip(folds, np.split(found, len(folds), axis=2), strict=True):
                values[:, test[:, None], numbers] = each[:, test]
        if first:
            values[:, :, 0] = 1 - values[:, :, 1]
        return values

    def _coefficients(self, X, y, *, n_classes, weights=None):
        """Yield the coefficients of each penalty, of shape (n_columns, n_classes), float32."""
        first = int(n_classes == 2)
        Y = _indicators(y, first, n_classes)
        scale = self._scale(X, y, np.arange(first, n_classes), weights)
        duals = ridge_path(X, Y, self.alphas, scale=scale, sample_weight=weights, tol=_TOLERANCE)
        for dual in duals:
            coef = X.T @ dual
            coef = coef if scale is None else scale**2 * coef
            yield np.hstack([-coef, coef]) if first else coef

    def _scale(self, X, y, classes, weights=None):
        """Say how freely coefficients of some classes may move, an array of their shape; None: all alike."""
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

    def _scores(self, values, sizes):
        return ridge_scores(values, sizes.astype(np.float64))

    def _fitted(self, coef, intercept, sizes):
        # a class without a document has the size of half a document
        return FittedRidge(coef, intercept, np.maximum(sizes, 0.5), first=self.columns.start)


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


def _indicators(y, first, n_classes):
    """Give the indicators of the classes from the first on, of shape (n_samples, n_classes - first)."""
    return (y[:, None] == np.arange(first, n_classes)).astype(np.float32)


def _intercept(X, coef, sizes, weights=None):
    """Give the constants of regressions onto indicators: mean response less that of the mean document."""
    shares = np.full(X.shape[0], 1 / X.shape[0]) if weights is None else weights / weights.sum()
    return sizes / sizes.sum() - (shares @ X) @ coef


def _best(values, y):
    """Find the penalty whose held-out values (n_alphas, n_samples, n_classes) have the least log loss.

    Each is calibrated by itself for that. Where no document tells anything, or only those of one class, it is
    the smallest penalty.
    """
    rows = telling_rows(y)
    rows = rows[:: -(-values[0].size // _ENOUGH)]
    if len(values) == 1 or len(rows) == 0:
        return 0
    truth, values = y[rows], [[each[rows]] for each in values]
    return int(np.argmin([fit_calibration(own, truth).log_loss(own, truth) for own in values]))
