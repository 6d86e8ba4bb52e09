"""Complement naive Bayes: one of the scores of the blend."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms

from textspace._rows import normalize
from textspace._saving import saved_as
from textspace.classify.blend._arrays import dense_product, dot, inverse, on_a_grid, unit_rows
from textspace.classify.blend._scorer import FittedScorer, HeldOut, Scorer

_COLUMNS = 32  # of a product with the documents, which takes as long as counting their words


@dataclass(frozen=True)
class ComplementScorer(Scorer):
    """Complement naive Bayes on the words of documents, which get unit length for it.

    References
    ----------
    J. D. Rennie, L. Shih, J. Teevan and D. R. Karger, "Tackling the poor assumptions of naive Bayes text
    classifiers", ICML 2003.
    """

    columns: slice
    smoothing: float = 0.3  # what is added to each count

    name = "naive Bayes"

    def fit(self, X, y, *, n_classes, weights=None):
        """Count the words of each class, as :meth:`Scorer.fit` says."""
        return self._fitted(class_sums(normalize(X), y, n_classes=n_classes, weights=weights))

    def held_out(self, X, y, folds, *, n_classes, whole=True, weights=None):
        """Score each fold by the counts of all less its own, as :meth:`Scorer.held_out` says."""
        X = normalize(X)
        weights = np.ones(len(y)) if weights is None else weights
        own = [class_sums(X[test], y[test], n_classes=n_classes, weights=weights[test]) for _, test in folds]
        total = sum(own[1:], start=own[0])
        values = np.empty((len(y), n_classes), dtype=np.float32)
        for (_, test), counts in zip(folds, own, strict=True):
            [values[test]] = self._fitted(total - counts).scores(X[test])
        work = _COLUMNS * X.size / 1e9
        return HeldOut(self, [values], lambda: self._fitted(total), work, X.size)

    def _fitted(self, counts):
        """Give the weights that follow from the sums of the words in each class, (n_words, n_classes)."""
        counts = counts.copy()
        totals = np.asarray(counts.sum(axis=1)).ravel() + self.smoothing
        normalisers = np.log(totals.sum() - np.asarray(counts.sum(axis=0)).ravel())
        counts.data = -np.log1p(-counts.data / np.repeat(totals, np.diff(counts.indptr)))
        return FittedComplement(
            weights=counts.astype(np.float32),
            means=_means(counts),
            normalisers=normalisers - normalisers.mean(),
            first=self.columns.start,
            by_document=counts.shape[1] == 2,
        )


def class_sums(X, y, *, n_classes, weights=None):
    """Add up the rows of each class, each times its weight: a CSR array of shape (n_columns, n_classes)."""
    weights = np.ones(len(y)) if weights is None else weights
    members = sparse.csr_array((weights, (y, np.arange(len(y)))), shape=(n_classes, len(y)))
    return (members @ X).T.tocsr()


@saved_as("blend.complement", shapes={"weights": "csr w c", "means": "w", "normalisers": "c"})
@dataclass(frozen=True)
class FittedComplement(FittedScorer):
    """Weights of complement naive Bayes.

    They are ``-log((total_t + smoothing - count_tc) / normaliser_c)``, where the total counts term t in all
    classes. Less ``-log(total_t + smoothing)``, which is the same for all classes, they are zero wherever
    the class does not hold the term: so they are kept as a sparse matrix and a constant a class.

    The scores of a document, measured from their mean, are divided by their length. It grows with the number
    of documents that were counted, and those of held-out documents would be too short. Of two classes such
    a score would be a sign and no more: there it is divided by the length of the document (not in
    older files).
    """

    weights: sparse.csr_array  # -log(1 - count_tc / (total_t + smoothing)), of shape (n_words, n_classes)
    means: np.ndarray  # of the weights over the classes; scores are measured from the mean over the classes
    normalisers: np.ndarray  # their logarithms, less their mean
    first: int = 0  # of its columns
    by_document: bool = False  # whether scores are divided by the document's length, not their own

    n_scores = 1

    @property
    def columns(self):
        """The words."""
        return slice(self.first, self.first + len(self.means))

    def scores(self, X):
        """Give the score, a list of one array of shape (n_samples, n_classes)."""
        scores = dense_product(X, self.weights, np.float64)
        sums = dot(X, np.column_stack([np.ones(len(self.means)), self.means]))
        scores += sums[:, :1] * self.normalisers
        scores -= sums[:, 1:]
        if self.by_document:
            return [scores * inverse(row_norms(X))[:, None]]
        return [unit_rows(scores)]

    def contributions(self, x, factors):
        """Split the weighted score of one document, as :meth:`FittedScorer.contributions` says."""
        words = x.indices
        contributions = (
            self.weights[words].toarray().astype(np.float64) - self.means[words, None] + self.normalisers
        )
        contributions *= x.data[:, None]
        length = np.linalg.norm(x.data if self.by_document else contributions.sum(axis=0))
        contributions *= factors[0] * inverse(length)
        return contributions, np.zeros(len(self.normalisers))

    def rounded(self):
        """Give the same with weights on a grid, and their means in single precision."""
        weights = self.weights.copy()
        weights.data = on_a_grid(weights.data)
        return replace(self, weights=weights, means=_means(weights).astype(np.float32))


def _means(weights):
    return np.asarray(weights.sum(axis=1)).ravel() / weights.shape[1]
