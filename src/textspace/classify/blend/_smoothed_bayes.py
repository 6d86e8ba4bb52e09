"""Naive Bayes whose classes are mixed with all documents: the score where classes are very many."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse
from sklearn.preprocessing import normalize

from textspace._saving import saved_as
from textspace.classify.blend._arrays import block_of, dense_product, on_a_grid
from textspace.classify.blend._scorer import FittedScorer, HeldOut, Scorer
from textspace.classify.blend._term_weights import find_matches, learn_term_weights, stack_matches

_CANDIDATES = 40  # classes a document that tell what terms are worth


@dataclass(frozen=True)
class SmoothedScorer(Scorer):
    """Naive Bayes for classes of few documents, with weights of terms that documents held out have told.

    What a term t says for a class c is ``log(1 + p(t | c) / p(t))``: the share of the term in an even mixture
    of the class and all documents, over its share in all documents alone. A term that the class lacks says
    nothing, so that the table is sparse however many classes there are.

    References
    ----------
    C. Zhai and J. Lafferty, "A study of smoothing methods for language models applied to information
    retrieval", ACM Transactions on Information Systems 22, 2004.
    """

    columns: slice
    unlabelled: np.ndarray | float = 0.0  # sums of the terms of rows without a label, of shape (n_columns,)
    weights: np.ndarray | float = 1.0  # of the terms, of shape (n_columns,)

    name = "smoothed naive Bayes"
    has_space = True
    reads_unlabelled = True

    def prepared(self, X):
        """Count the terms of rows without a label, which tell how common terms are; X has all columns."""
        return replace(self, unlabelled=np.asarray(block_of(X, self.columns).sum(axis=0)).ravel())

    def fit(self, X, y, *, n_classes, weights=None):
        """Count the terms of each class, as :meth:`Scorer.fit` says."""
        ratios = self._ratios(X, y, n_classes, weights)
        own = np.broadcast_to(np.asarray(self.weights, dtype=np.float32), X.shape[1])
        ratios.data *= own[ratios.indices]
        return FittedSmoothed(ratios=ratios.T.tocsr(), weights=own.copy(), first=self.columns.start)

    def _ratios(self, X, y, n_classes, weights=None):
        return log_ratios(X, y, n_classes=n_classes, sample_weight=weights, more=self.unlabelled)

    def held_out(self, X, y, folds, *, n_classes):
        """Score documents held out, and learn the weights of the terms from how they match the classes.

        The weights that score a fold are learned from every other one.
        """
        found, tables = [], []
        for train, test in folds:
            ratios = self._ratios(X[train], y[train], n_classes)
            tables.append(ratios.T.tocsr())
            sums = dense_product(X[test], tables[-1])
            sizes = np.bincount(y[train], minlength=n_classes)
            found.append(find_matches(X[test], y[test], ratios, sums, sizes, n_candidates=_CANDIDATES))
        halves = [learn_term_weights(stack_matches(found[start::2] or found)) for start in (0, 1)]
        values = np.empty((len(y), n_classes), dtype=np.float32)
        for number, (_, test) in enumerate(folds):
            weights = halves[1 - number % 2]
            values[test] = relative(dense_product(X[test] @ sparse.diags_array(weights), tables[number]))
        scorer = replace(self, weights=learn_term_weights(stack_matches(found)))
        return HeldOut(scorer, [values], lambda: scorer.fit(X, y, n_classes=n_classes))


@saved_as(
    "blend.smoothed",
    shapes={"ratios": "csr w c", "weights": "w"},
    check=lambda smoothed: bool(np.all(smoothed.weights >= 0)),
)
@dataclass(frozen=True)
class FittedSmoothed(FittedScorer):
    """What each term says for each class, and how a document adds it up.

    The sums of a document are divided by the largest of them. How well it fits the best class says little of
    whether that is the right one, and how far the others are behind says much.
    """

    ratios: sparse.csr_array  # logarithms times the weights of the terms, of shape (n_columns, n_classes)
    weights: np.ndarray  # of the terms
    first: int = 0  # of its columns

    n_scores = 1
    has_space = True

    @property
    def columns(self):
        """The columns that are counted."""
        return slice(self.first, self.first + self.n_dimensions)

    @property
    def n_dimensions(self):
        """Number of coordinates that :meth:`positions` gives."""
        return self.ratios.shape[0]

    def scores(self, X):
        """Give the score, a list of one array of shape (n_samples, n_classes), float32."""
        return [relative(dense_product(X, self.ratios))]

    def positions(self, X):
        """Give weighted terms as unit rows: csr_array of shape (n_samples, n_columns), float32."""
        return normalize(X.astype(np.float32) @ sparse.diags_array(np.sqrt(self.weights)))

    def contributions(self, x, factors):
        """Split the weighted score of one document, as :meth:`FittedScorer.contributions` says."""
        contributions = self.ratios[x.indices].toarray() * x.data[:, None]
        # for this one document the largest is a number
        contributions *= factors[0] / largest(contributions.sum(axis=0))
        return contributions, np.zeros(self.ratios.shape[1])

    def rounded(self):
        """Give the same with logarithms on a grid."""
        ratios = self.ratios.copy()
        ratios.data = on_a_grid(ratios.data)
        return replace(self, ratios=ratios)


def log_ratios(X, y, *, n_classes, sample_weight=None, more=0.0):
    """Give ``log(1 + p(t | c) / p(t))``, a csr_array of shape (n_classes, n_terms), float32.

    Shares are those of sums of rows; `more` is added to the sums over all documents. A class without a
    document, or with empty ones, has zeros.
    """
    sample_weight = np.ones(len(y)) if sample_weight is None else sample_weight
    members = sparse.csr_array((sample_weight, (y, np.arange(len(y)))), shape=(n_classes, len(y)))
    counts = (members @ X.astype(np.float64)).tocsr()
    counts.eliminate_zeros()
    totals = np.asarray(counts.sum(axis=0)).ravel() + more
    shares = counts.data / np.repeat(np.asarray(counts.sum(axis=1)).ravel(), np.diff(counts.indptr))
    counts.data = np.log1p(shares * totals.sum() / totals[counts.indices])
    return counts.astype(np.float32)


def relative(sums):
    """Divide rows by the largest of each; those that have none above zero stay."""
    return sums / largest(sums)[:, None]


def largest(sums):
    """Give the largest of each row, or 1 where none is above zero."""
    most = sums.max(axis=-1)
    return np.where(most > 0, most, np.ones_like(most))
