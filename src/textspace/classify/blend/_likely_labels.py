"""The likeliest of very many labels of each document, without an array of all pairs."""

from typing import NamedTuple

import numpy as np

from textspace._compiled import compiled
from textspace._rows import normalize
from textspace.classify.blend._arrays import block_of
from textspace.classify.blend._label_ridge import LOWEST
from textspace.classify.blend._row_ranges import in_threads


class LikelyLabels(NamedTuple):
    """Some labels of each document and their scores.

    Attributes
    ----------
    labels : ndarray of shape (n_samples, n_found), int32
        Labels, the one of the largest sum first; -1 where there are fewer.
    scores : ndarray of shape (3, n_samples, n_found), float32
        The value of the regression, its ratio to the largest of the document, and that of the cosine.
    """

    labels: np.ndarray
    scores: np.ndarray


class LeftOut(NamedTuple):
    """What is said of documents that were learned from, by what is learned from the others.

    Attributes
    ----------
    values : csr_array of shape (n_samples, n_labels), float32
        Values of the pairs of documents and labels that were learned from.
    cosines : csr_array of shape (n_samples, n_labels), float32
        Cosines to own labels.
    """

    values: object
    cosines: object


def find_likely_labels(X, ridge, means, calibration, *, n_found, limits=None, left_out=None):
    """Find the labels of the largest sums of scores.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_features), float32
        Documents, all columns.
    ridge, means : FittedLabelRidge, FittedCentroids
        What gives the scores.
    calibration : LabelCalibration
        How scores are added up.
    n_found : int
        How many labels of a document are given, at most.
    limits : ndarray of shape (n_labels,), default=None
        A label is given where its sum is higher; the first one always is.
    left_out : LeftOut, default=None
        What takes the place of scores, where documents were learned from.

    Returns
    -------
    LikelyLabels
        Labels and scores.
    """
    n_labels = len(calibration.bias)
    rows, words = block_of(X, ridge.columns), normalize(block_of(X, means.columns))
    limits = np.full(n_labels, -np.inf) if limits is None else limits
    labels = np.full((X.shape[0], n_found), -1, dtype=np.int32)
    scores = np.empty((3, X.shape[0], n_found), dtype=np.float32)
    known = [(each.indptr, each.indices, each.data) for each in left_out or ()]
    if not known:
        nothing = np.zeros(X.shape[0] + 1, np.int32), np.empty(0, np.int32), np.empty(0, np.float32)
        known = [nothing, nothing]

    def find(part):
        _likely(
            *(part.start, part.stop, rows.indptr, rows.indices, rows.data),
            *(words.indptr, words.indices, words.data),
            *(ridge.table.indptr, ridge.table.indices, ridge.table.data, ridge.intercept),
            *(means.centroids.indptr, means.centroids.indices, means.centroids.data),
            *(*known[0], *known[1], calibration.weights, calibration.bias, limits, labels, scores),
        )

    in_threads(find, X.shape[0])
    return LikelyLabels(labels, scores)


@compiled(nogil=True)
def _likely(
    first, last, starts, terms, data, w_starts, w_terms, w_data, t_starts, t_labels, t_data, intercept,
    m_starts, m_labels, m_data, v_starts, v_labels, v_data, c_starts, c_labels, c_data, weights, bias, limits,
    labels, scores,
):  # fmt: skip
    n_labels, n_found = len(bias), labels.shape[1]
    values, cosines = np.empty(n_labels), np.empty(n_labels)
    best = np.empty(n_found)
    for row in range(first, last):
        values[:] = intercept
        cosines[:] = 0
        _add(row, starts, terms, data, t_starts, t_labels, t_data, values)
        _add(row, w_starts, w_terms, w_data, m_starts, m_labels, m_data, cosines)
        for place in range(v_starts[row], v_starts[row + 1]):
            values[v_labels[place]] = v_data[place]
        for place in range(c_starts[row], c_starts[row + 1]):
            cosines[c_labels[place]] = c_data[place]
        most = max(values.max(), LOWEST)
        nearest = cosines.max()
        nearest = nearest if nearest > 0 else 1.0
        found, top, highest = 0, 0, -np.inf
        for label in range(n_labels):
            value = values[label]
            total = bias[label] + weights[0, label] * value + weights[1, label] * (value / most)
            total += weights[2, label] * (cosines[label] / nearest)
            if total > highest:
                highest, top = total, label
            if total > limits[label] and (found < n_found or total > best[found - 1]):
                found = min(found + 1, n_found)
                at = found - 1
                while at > 0 and best[at - 1] < total:
                    best[at], labels[row, at] = best[at - 1], labels[row, at - 1]
                    at -= 1
                best[at], labels[row, at] = total, label
        if found == 0:
            labels[row, 0], found = top, 1
        for at in range(found):
            label = labels[row, at]
            scores[0, row, at] = values[label]
            scores[1, row, at] = values[label] / most
            scores[2, row, at] = cosines[label] / nearest


@compiled(nogil=True)
def _add(row, starts, terms, data, t_starts, t_labels, t_data, sums):
    for entry in range(starts[row], starts[row + 1]):
        weight, term = np.float64(data[entry]), terms[entry]
        for place in range(t_starts[term], t_starts[term + 1]):
            sums[t_labels[place]] += weight * t_data[place]
