"""Nearness to the mean document of each class: a score of embeddings, and of documents of several labels."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from textspace._rows import normalize
from textspace._saving import saved_as
from textspace.classify.blend._arrays import dense_product, inverse, largest, relative
from textspace.classify.blend._scorer import FittedScorer


@saved_as("blend.centroid", shapes={"centroids": "csr w c"})
@dataclass(frozen=True)
class FittedCentroids(FittedScorer):
    """Mean documents of the classes, and how near a document is to them.

    The means are sparse, however many classes there are: a class holds the words of its documents only.

    The cosines of a document are divided by the largest of them. How near a document is to the nearest class
    says little of whether that is the right one, and how far the others are behind says much: without the
    division, probabilities are too high for the near documents and too low for the far ones.

    The centroids, of shape (n_columns, n_classes), are the means of the unit rows of each class, one a
    column, divided by their lengths. `first` is the first of the columns.

    References
    ----------
    E.-H. Han and G. Karypis, "Centroid-based document classification: analysis and experimental results",
    PKDD 2000.
    """

    centroids: sparse.csr_array
    first: int = 0

    n_scores = 1
    has_space = True

    @classmethod
    def of(cls, table, columns):
        """Take a table of shape (n_classes, n_columns) and the slice of the columns."""
        return cls(table.T.tocsr(), columns.start)

    @property
    def columns(self):
        """The columns that are compared."""
        return slice(self.first, self.first + self.n_dimensions)

    @property
    def n_dimensions(self):
        """Number of coordinates that :meth:`positions` gives."""
        return self.centroids.shape[0]

    def scores(self, X):
        """Give the score, a list of one array of shape (n_samples, n_classes)."""
        return [relative(dense_product(_unit(X), self.centroids, np.float64))]

    def positions(self, X):
        """Give the columns themselves as unit rows: csr_array of shape (n_samples, n_columns), float32."""
        return _unit(X).astype(np.float32)

    def contributions(self, x, factors):
        """Split the weighted score of one document, as :meth:`FittedScorer.contributions` says."""
        contributions = self.centroids[x.indices].toarray() * x.data[:, None]
        contributions /= np.linalg.norm(x.data) or 1.0
        # for this one document the largest is a number
        contributions *= factors[0] / largest(contributions.sum(axis=0))
        return contributions, np.zeros(self.centroids.shape[1])


def left_out_means(X, truth):
    """Give the mean documents of labels, and how near each document is to them without its own part.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_columns), float32
        Documents.
    truth : csr_array of shape (n_samples, n_labels)
        Ones where a document has a label.

    Returns
    -------
    means : csr_array of shape (n_labels, n_columns), float32
        Means of unit rows, divided by their lengths; zero for a label without a document.
    cosines : ndarray of shape (n_samples, n_labels), float32
        Cosines; from the means of its own labels a document has been taken out.
    """
    X = normalize(X)
    sums = (truth.T @ X).tocsr()
    squares = np.asarray(sums.multiply(sums).sum(axis=1), dtype=np.float64).ravel()
    products = dense_product(X, sums.T.tocsr())
    cosines = products * inverse(np.sqrt(squares)).astype(np.float32)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(truth.indptr))
    own = rows, truth.indices
    norms = np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel()[rows]  # 1, or 0 for an empty row
    left = np.maximum(squares[truth.indices] - 2 * products[own] + norms, 0)
    alone = np.bincount(truth.indices, minlength=truth.shape[1])[truth.indices] == 1
    cosines[own] = np.where(alone, 0, (products[own] - norms) * inverse(np.sqrt(left)))
    return (sparse.diags_array(inverse(np.sqrt(squares))) @ sums).tocsr().astype(np.float32), cosines


def _unit(X):
    """Divide the rows of a CSR array by their lengths, in double precision."""
    return normalize(X.astype(np.float64))
