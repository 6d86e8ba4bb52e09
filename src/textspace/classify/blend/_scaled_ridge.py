"""Ridge regression on terms that naive Bayes has scaled: one of the scores of the blend."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

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

    def _scale(self, X, y, classes, weights=None):
        return log_ratios(X, y, classes, weights=weights)

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


def log_ratios(X, y, classes, *, weights=None):
    """Logarithms of the shares of terms in each class over those in all others, with one added to each sum.

    X holds no negative numbers. Gives an array of shape (n_columns, len(classes)), float32.
    """
    weights = (np.ones(len(y)) if weights is None else weights).astype(X.dtype)
    belongs = y[:, None] == classes
    rows, columns = np.nonzero(belongs)
    members = sparse.csr_array((weights[rows], (columns, rows)), shape=(len(classes), len(y)))
    sums = (members @ X).toarray().T
    others = (weights @ X)[:, None] - sums + 1
    sums += 1
    sums /= sums.sum(axis=0)
    others /= others.sum(axis=0)
    return np.log(sums / others)
