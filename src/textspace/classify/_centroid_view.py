"""Nearness to the mean document of each class: all that the blend learns where classes are very many."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.preprocessing import normalize


@dataclass(frozen=True)
class CentroidView:
    """How near a document is to the mean document of each class, by the cosine.

    The means are sparse, however many classes there are: a class holds the words of its documents only.

    The cosines of a document are divided by the largest of them. How near a document is to the nearest class
    says little of whether that is the right one, and how far the others are behind says much: without the
    division, probabilities are too high for the near documents and too low for the far ones.

    Parameters
    ----------
    centroids : csr_array of shape (n_words, n_classes), float32
        Means of the unit rows of each class, one a column, divided by their lengths.
    """

    centroids: sparse.csr_array

    n_scores = 1

    @property
    def n_dimensions(self):
        """Number of coordinates that :meth:`positions` gives."""
        return self.centroids.shape[0]

    def scores(self, X):
        """Give the score, a list of one array of shape (n_samples, n_classes), float32."""
        cosines = (self.positions(X) @ self.centroids).toarray()
        return [cosines / _largest(cosines)[:, None]]

    def positions(self, X):
        """Give the words of documents alone, as unit rows: csr_array of shape (n_samples, n_words)."""
        return normalize(X[:, : self.n_dimensions].astype(np.float32))

    def parts(self, x, factors):
        """Split the weighted score of one document into the parts of its terms and a constant of zero."""
        n_classes = self.centroids.shape[1]
        is_word = x.indices < self.n_dimensions
        parts = np.zeros((x.nnz, n_classes))
        parts[is_word] = self.centroids[x.indices[is_word]].toarray() * x.data[is_word, None]
        parts /= np.linalg.norm(x.data[is_word]) or 1.0
        # for this one document the largest is a number
        return factors[0] / _largest(parts.sum(axis=0)) * parts, np.zeros(n_classes)


def _largest(cosines):
    """Give the largest of each row, or 1 where none is above zero."""
    largest = cosines.max(axis=-1)
    return np.where(largest > 0, largest, 1)


def fit_centroid_view(X, y, *, n_classes, n_words):
    """Take the mean documents of the classes.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_features)
        Documents.
    y : ndarray of shape (n_samples,), int
        Their classes, 0 to n_classes - 1.
    n_classes : int
        Number of classes.
    n_words : int
        Number of first columns that are compared; 0 stands for all.

    Returns
    -------
    CentroidView
        The means; zero for a class without a document.

    References
    ----------
    E.-H. Han and G. Karypis, "Centroid-based document classification: analysis and experimental results",
    PKDD 2000.
    """
    words = normalize(X[:, : n_words or X.shape[1]])
    members = sparse.csr_array(
        (np.ones(len(y), dtype=words.dtype), (y, np.arange(len(y)))), shape=(n_classes, len(y))
    )
    return CentroidView(centroids=normalize(members @ words).T.tocsr())


def held_out_centroids(X, y, folds, **settings):
    """Give the scores of documents by means in which they do not count.

    Parameters
    ----------
    X, y, **settings
        As in :func:`fit_centroid_view`.
    folds : ndarray of shape (n_samples,), int
        Fold of each document.

    Returns
    -------
    ndarray of shape (n_samples, n_classes), float32
        Each document's scores by the means of all other folds.
    """
    scores = np.empty((len(y), settings["n_classes"]), dtype=np.float32)
    for fold in np.unique(folds):
        held_out = folds == fold
        view = fit_centroid_view(X[~held_out], y[~held_out], **settings)
        scores[held_out] = view.scores(X[held_out])[0]
    return scores
