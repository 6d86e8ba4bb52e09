"""Ridge regression on terms that naive Bayes has scaled: one of the scores of the blend."""

from dataclasses import dataclass, replace

import numpy as np

from textspace._compiled import compiled
from textspace._saving import saved_as
from textspace.classify.blend._arrays import dot, on_a_grid
from textspace.classify.blend._ridge import RegressionScorer
from textspace.classify.blend._scorer import FittedScorer


@dataclass(frozen=True)
class ScaledRidgeScorer(RegressionScorer):
    """Ridge regression in which a term moves the more freely, the more it tells a class from the others.

    For each class, terms are scaled by the log ratio of their shares in the class and in all others, the
    coefficients of naive Bayes. In place of the terms the penalties of their coefficients are scaled, so that
    all classes share the products with X.

    References
    ----------
    S. Wang and C. D. Manning, "Baselines and bigrams: simple, good sentiment and topic classification", ACL
    2012.
    """

    columns: slice
    alphas: tuple = (0.1, 0.3, 1.0)  # for rows of unit length

    name = "scaled ridge"
    price = 6.0

    def _sums(self, X, y, classes, weights=None):
        return sums_of_terms(X, y, classes, weights=weights)

    def _scale(self, sums):
        return log_ratios(sums)

    def _fitted(self, coef, intercept, sizes):
        return FittedLinear(coef, intercept, first=self.columns.start)


@saved_as("blend.linear", shapes={"coef": "d c", "intercept": "c"})
@dataclass(frozen=True)
class FittedLinear(FittedScorer):
    """Linear scores of the classes."""

    coef: np.ndarray  # of shape (n_columns, n_classes)
    intercept: np.ndarray
    first: int = 0  # of its columns

    n_scores = 1

    @property
    def columns(self):
        """The terms."""
        return slice(self.first, self.first + len(self.coef))

    def scores(self, X):
        """Give the score, a list of one array of shape (n_samples, n_classes)."""
        return [dot(X, self.coef) + self.intercept]

    def contributions(self, x, factors):
        """Split the weighted score of one document, as :meth:`FittedScorer.contributions` says."""
        coef = self.coef[x.indices].astype(np.float64)
        return factors[0] * x.data[:, None] * coef, factors[0] * self.intercept

    def rounded(self):
        """Give the same with coefficients on a grid."""
        return replace(self, coef=on_a_grid(self.coef))


def sums_of_terms(X, y, classes, *, weights=None):
    """Add up the terms of some classes and, in the last column, of all documents.

    Gives an array of shape (n_columns, len(classes) + 1), float32.
    """
    places = np.full(max(y.max(initial=0), classes.max()) + 1, -1)
    places[classes] = np.arange(len(classes))
    weights = np.ones(len(y), X.dtype) if weights is None else weights.astype(X.dtype)
    sums = np.zeros((X.shape[1], len(classes) + 1), dtype=np.float32)
    _add_rows(X.indptr, X.indices, X.data, places[y], weights, sums)
    return sums


@compiled(nogil=True)
def _add_rows(indptr, indices, data, places, weights, sums):
    last = sums.shape[1] - 1
    for row in range(len(places)):
        place, weight = places[row], weights[row]
        for entry in range(indptr[row], indptr[row + 1]):
            value = weight * data[entry]
            sums[indices[entry], last] += value
            if place >= 0:
                sums[indices[entry], place] += value


def log_ratios(sums):
    """Logarithms of the shares of terms in each class over those in all others, with one added to each sum.

    The sums are those of :func:`sums_of_terms`, of no negative numbers. Gives an array of shape (n_columns,
    n_classes).
    """
    own, others = sums[:, :-1] + 1, sums[:, -1:] - sums[:, :-1] + 1
    totals = others.sum(axis=0, dtype=np.float64) / own.sum(axis=0, dtype=np.float64)
    own *= totals.astype(own.dtype)
    own /= others
    return np.log(own, out=own)
