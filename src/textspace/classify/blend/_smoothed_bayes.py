"""Naive Bayes whose classes are mixed with all documents: the score where classes are very many."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from textspace._rows import normalize
from textspace._saving import saved_as
from textspace.classify.blend._arrays import dense_product, inverse, largest, on_a_grid, relative
from textspace.classify.blend._scorer import FittedScorer


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

    @classmethod
    def of(cls, table, weights, columns):
        """Take a table of shape (n_classes, n_columns), weights of its terms and the slice of columns."""
        ratios = table.T.tocsr()
        ratios.data *= np.repeat(weights, np.diff(ratios.indptr))
        return cls(ratios, weights, columns.start)

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


def log_ratios(X, y, *, n_classes, more=0.0):
    """Give ``log(1 + p(t | c) / p(t))``, a csr_array of shape (n_classes, n_terms), float32.

    This is the share of a term in an even mixture of the class and all documents, over its share in all
    documents alone. A term that the class lacks says nothing, so that the table is sparse however many
    classes there are.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_terms)
        Documents; shares are those of sums of rows.
    y : ndarray of shape (n_samples,), int
        Their classes. One without a document, or with empty ones, has zeros.
    n_classes : int
        Number of classes.
    more : float or ndarray of shape (n_terms,), default=0.0
        What is added to the sums over all documents.

    Returns
    -------
    csr_array of shape (n_classes, n_terms), float32
        Logarithms.

    References
    ----------
    C. Zhai and J. Lafferty, "A study of smoothing methods for language models applied to information
    retrieval", ACM Transactions on Information Systems 22, 2004.
    """
    counts = class_sums(X, y, n_classes=n_classes)
    totals = np.bincount(counts.indices, weights=counts.data, minlength=X.shape[1]) + more
    sizes = np.add.reduceat(np.append(counts.data, 0), counts.indptr[:-1], dtype=np.float64)
    scale = (totals.sum() * inverse(totals)).astype(np.float32)
    shares = counts.data / np.repeat(sizes.astype(np.float32), np.diff(counts.indptr))
    counts.data = np.log1p(shares * scale[counts.indices])
    return counts


def class_sums(X, y, *, n_classes):
    """Add up the rows of each class: a csr_array of shape (n_classes, n_terms), float32, no zeros stored."""
    ones, shape = np.ones(len(y), dtype=np.float32), (n_classes, len(y))
    members = sparse.csr_array((ones, (y, np.arange(len(y)))), shape=shape)
    sums = (members @ X.astype(np.float32)).tocsr()
    sums.eliminate_zeros()
    return sums
