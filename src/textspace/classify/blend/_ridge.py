"""Ridge regression, and the discriminant space that follows from it: two of the scores of the blend."""

from dataclasses import dataclass, replace

import numpy as np
from sklearn.utils import gen_batches

from textspace._saving import saved_as
from textspace.classify.blend._arrays import dot, inverse, on_a_grid
from textspace.classify.blend._scorer import FittedScorer, Scorer
from textspace.solvers import ridge

_ENTRIES = 6 << 20  # of the coefficients that are solved for at a time: arrays of 25 MB are used again and
# again, larger ones may be given back to the system, which clears them, at every step
_TOLERANCE = 1e-2  # of the ridge regression


@dataclass(frozen=True)
class RidgeScorer(Scorer):
    """Ridge regression onto the indicators of the classes, and the cosine in the space that follows from it.

    It gives two scores. The first is the regression's value itself. The second is the cosine between a
    document and the point of the class in the space of linear discriminant analysis by spectral regression,
    which is a linear map of the same solution.
    """

    columns: slice
    alpha: float

    def fit(self, X, y, *, n_classes, weights=None, start=None):
        """Solve the regression, as :meth:`Scorer.fit` says; X may be dense.

        A class without a document has the size of half a document.
        """
        coef = np.empty((X.shape[1], n_classes), dtype=np.float32)
        intercept = np.empty(n_classes)
        near = None if start is None else start.coef
        for classes, *solution in self._solutions(X, y, n_classes=n_classes, weights=weights, start=near):
            coef[:, classes], intercept[classes] = solution
        sizes = np.maximum(np.bincount(y, weights, minlength=n_classes), 0.5)
        return FittedRidge(coef=coef, intercept=intercept, sizes=sizes, first=self.columns.start)

    def held_out(self, X, y, folds, *, n_classes):
        """Score each document by what is learned from all other folds, as :meth:`Scorer.held_out` says."""
        values = np.empty((len(y), n_classes), dtype=np.float32)
        for train, test in folds:
            rows = X[test]
            for classes, coef, intercept in self._solutions(X[train], y[train], n_classes=n_classes):
                values[test, classes] = rows @ coef + intercept
        return self, ridge_scores(values, np.bincount(y, minlength=n_classes).astype(np.float64))

    def _solutions(self, X, y, *, n_classes, weights=None, start=None):
        """Yield solutions and constants for some classes at a time, since they need five times the room."""
        shares = np.full(len(y), 1 / len(y)) if weights is None else weights / weights.sum()
        mean = shares @ X
        for classes in gen_batches(n_classes, max(1, _ENTRIES // X.shape[1])):
            responses = (y[:, None] == np.arange(classes.start, classes.stop)).astype(np.float32)
            near = None if start is None else start[:, classes]
            coef, _ = ridge(X, responses, alpha=self.alpha, sample_weight=weights, start=near, tol=_TOLERANCE)
            yield classes, coef, shares @ responses - mean @ coef


@saved_as("blend.ridge", shapes={"coef": "d c", "intercept": "c", "sizes": "c"})
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
