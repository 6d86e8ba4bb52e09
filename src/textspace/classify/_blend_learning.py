"""How the views of the blend are learned, from labelled and from unlabelled documents."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import softmax
from sklearn.utils import gen_batches

from textspace.classify._blend_views import (
    LatentView,
    RidgeView,
    dot,
    fit_complement_view,
    fit_ridge_view,
    held_out_complement,
    held_out_ridge,
    ridge_scores,
    unit_rows,
)
from textspace.classify._calibration import Calibration, fit_calibration
from textspace.classify._centroid_view import fit_centroid_view, held_out_centroids
from textspace.classify._self_training import take
from textspace.solvers import top_singular_vectors

MANY_CLASSES = 1000  # above, coefficients for all terms and classes take hours and fill the memory
_SCORES = 4 << 20  # of documents and classes that are handled at a time, and that calibrate very many classes
_SMOOTHING = 0.3  # of naive Bayes
_RARE = 3, 1 / 2000  # documents, and share of them, that must hold a term of the latent space
_THRESHOLD, _QUOTA, _WEIGHT, _ROUNDS = 0.7, 0.5, 0.5, 3  # of self-training
_STEPS = 32  # into which the root mean square of coefficients is cut


@dataclass(frozen=True)
class Blend:
    """Views of documents, and how their scores are added up.

    Parameters
    ----------
    views : list
        Of :class:`RidgeView`, :class:`LatentView` and :class:`ComplementView`, or one :class:`CentroidView`.
    calibration : Calibration
        Weights of their scores.
    """

    views: list
    calibration: Calibration

    def decide(self, X):
        """Give decision values of shape (n_samples, n_classes)."""
        return self.calibration([score for view in self.views for score in view.scores(X)])

    def then(self, calibration):
        """Give the blend whose decision values are calibrated once more, as a single score."""
        [factor], own = calibration.factors, self.calibration
        return Blend(
            self.views,
            Calibration(own.scales, factor * own.weights, factor * own.bias + calibration.bias),
        )

    def parts(self, x):
        """Split the decision values of one document into parts of its entries and a constant."""
        ends = np.cumsum([view.n_scores for view in self.views])
        factors = np.split(self.calibration.factors, ends[:-1])
        pairs = [view.parts(x, own) for view, own in zip(self.views, factors, strict=True)]
        return sum(part for part, _ in pairs), sum(left for _, left in pairs) + self.calibration.bias


def fit_views(X, y, *, n_classes, alpha, n_words, weights=None, start=None):
    """Learn the views of terms.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_features), float32
        Documents.
    y : ndarray of shape (n_samples,), int
        Their classes.
    n_classes : int
        Number of classes.
    alpha : float
        Penalty of the ridge regression.
    n_words : int
        Number of first columns that naive Bayes counts.
    weights : ndarray of shape (n_samples,), optional
        What each document counts.
    start : RidgeView, optional
        Solution of a similar problem to start from.

    Returns
    -------
    list
        A RidgeView and, if there are words, a ComplementView. For very many classes one CentroidView, which
        takes no account of the weights.
    """
    if n_classes > MANY_CLASSES:
        return [fit_centroid_view(X, y, n_classes=n_classes, n_words=n_words)]
    views = [fit_ridge_view(X, y, n_classes=n_classes, alpha=alpha, weights=weights, start=start)]
    if n_words:
        counting = {"n_classes": n_classes, "alpha": _SMOOTHING, "n_words": n_words}
        views.append(fit_complement_view(X, y, weights=weights, **counting))
    return views


def held_out_scores(X, y, folds, *, n_classes, alpha, n_words):
    """Give the scores of the views of terms for documents that they have not learned from.

    Parameters
    ----------
    X, y, n_classes, alpha, n_words
        As in :func:`fit_views`.
    folds : ndarray of shape (n_samples,), int
        Fold of each document.

    Returns
    -------
    list of ndarray of shape (n_samples, n_classes), float32
        One a score, in the order of the views.
    """
    if n_classes > MANY_CLASSES:
        return [held_out_centroids(X, y, folds, n_classes=n_classes, n_words=n_words)]
    sizes = np.bincount(y, minlength=n_classes).astype(np.float64)
    scores = ridge_scores(held_out_ridge(X, y, folds, n_classes=n_classes, alpha=alpha), sizes)
    if n_words:
        counting = {"n_classes": n_classes, "alpha": _SMOOTHING, "n_words": n_words}
        scores.append(held_out_complement(X, y, folds, **counting))
    return scores


def calibrate(scores, y):
    """Calibrate on the documents whose class has others; where there are none, let all scores count alike.

    Of very many classes some documents suffice. Constants of classes would need documents of each, and are
    left at zero.
    """
    rows = np.flatnonzero(np.bincount(y)[y] > 1)
    few = scores[0].shape[1] <= MANY_CLASSES
    if not few:
        rows = rows[:: -(-scores[0].size // _SCORES)]
    if len(rows):
        return fit_calibration([score[rows] for score in scores], y[rows], constants=few)
    scales = np.array([score.std() or 1.0 for score in scores], dtype=np.float64)
    return Calibration(scales=scales, weights=np.ones(len(scores)), bias=np.zeros(scores[0].shape[1]))


class LatentSpace(NamedTuple):
    """Directions of latent semantic indexing, of shape (n_columns, m), and the columns that they are of."""

    columns: np.ndarray
    directions: np.ndarray


def latent_space(X, *, n_components, random_state):
    """Find the leading directions of documents.

    Rare terms are left out. They are most of all terms, and the leading directions hardly hold them.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_features), float32
        Documents.
    n_components : int
        Number of directions, if there are as many.
    random_state : int, RandomState instance or None
        Seed of the vector from which the iteration starts.

    Returns
    -------
    LatentSpace
        The directions.
    """
    frequency = np.bincount(X.indices, minlength=X.shape[1])
    needed = max(_RARE[0], _RARE[1] * X.shape[0])
    columns = np.flatnonzero(frequency >= min(needed, frequency.max()))
    _, vectors = top_singular_vectors(X[:, columns], n_components=n_components, random_state=random_state)
    return LatentSpace(columns, on_a_grid(np.ascontiguousarray(vectors.T, dtype=np.float32)))


def project(X, space):
    """Give documents in the latent space, as rows of unit length in single precision."""
    return unit_rows(dot(X[:, space.columns], space.directions)).astype(np.float32)


def held_out_latent(rows, y, folds, *, n_classes, alpha):
    """Give the scores of documents in the latent space, as :func:`held_out_scores` does on terms."""
    values = held_out_ridge(rows, y, folds, n_classes=n_classes, alpha=alpha)
    return ridge_scores(values, np.bincount(y, minlength=n_classes).astype(np.float64))


def learn_from_all(X, y, space, calibrations, *, n_classes, alpha, n_words):
    """Learn from labelled documents, then from unlabelled ones too by the answers of the blend itself.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_features), float32
        All documents.
    y : ndarray of shape (n_samples,), int
        Their classes; -1 for those without a label.
    space : LatentSpace
        Of all documents.
    calibrations : pair of Calibration
        That of the views of terms with the latent space, and that of the views of terms alone. They are kept
        from round to round.
    n_classes, alpha, n_words
        As in :func:`fit_views`.

    Returns
    -------
    list of Blend
        The one before self-training, and the one after it.
    """
    settings = {"n_classes": n_classes, "alpha": alpha, "n_words": n_words}
    labelled, others = np.flatnonzero(y >= 0), np.flatnonzero(y < 0)
    known, unknown = X[labelled], X[others]
    latent = fit_ridge_view(project(known, space), y[labelled], n_classes=n_classes, alpha=alpha)
    views = [*fit_views(known, y[labelled], **settings), LatentView(*space, latent)]
    before = blend = Blend(views, calibrations[0])
    y, weights = y.copy(), np.ones(len(y))
    for _ in range(_ROUNDS):
        shares = softmax(blend.decide(unknown), axis=1)
        y[others], confidence = shares.argmax(axis=1), shares.max(axis=1)
        taken = take(y[others], confidence, threshold=_THRESHOLD, quota=_QUOTA)
        weights[others] = np.where(taken, _WEIGHT * confidence, 0)
        rows = np.flatnonzero(weights)
        views = fit_views(X[rows], y[rows], weights=weights[rows], start=blend.views[0], **settings)
        blend = Blend(views, calibrations[1])
    return [_on_a_grid(before), _on_a_grid(blend)]


def _on_a_grid(blend):
    views = [
        replace(view, coef=on_a_grid(view.coef)) if isinstance(view, RidgeView) else view
        for view in blend.views
    ]
    return replace(blend, views=views)


def on_a_grid(matrix):
    """Round to multiples of a power of two that is at most a 32nd of the root mean square.

    Sums of many rounded entries hardly change, while a compressed file of them is less than half as large.
    """
    size = np.sqrt(np.mean(matrix**2, dtype=np.float64)) or 1.0
    step = np.float32(2 ** np.floor(np.log2(size / _STEPS)))
    return np.rint(matrix / step) * step


def decide(blends, X):
    """Give the mean of the decision values of some blends, of shape (n_samples, n_classes)."""
    values = np.empty((X.shape[0], len(blends[0].calibration.bias)))
    for rows in gen_batches(len(values), max(1, _SCORES // values.shape[1])):
        values[rows] = sum(blend.decide(X[rows]) for blend in blends) / len(blends)
    return values
