"""Decision values of several labels a document, made into probabilities and thresholds."""

import numpy as np
from scipy import sparse, special
from sklearn.utils import gen_batches
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from textspace._folds import deal_label_sets, fold_rows
from textspace._rows import normalize
from textspace.classify.blend._label_calibration import (
    fit_label_calibration,
    fit_sureness,
    likely_pairs,
)
from textspace.classify.blend._label_decisions import expected_f1_thresholds

_CELLS = 4 << 20  # cosines or products of documents that are held at a time


def label_folds(truth, n_folds):
    """List the rows that are learned from and those that are judged, each label spread over the folds."""
    shares = np.full(n_folds, 1 / n_folds)
    sizes = np.diff(truth.tocsc().indptr)
    return fold_rows(deal_label_sets(truth, sizes[:, None] * shares, truth.shape[0] * shares))


def calibrate_label_values(values, truth):
    """Learn what values of documents that were not learned from say of the labels.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_labels)
        Decision values.
    truth : csr_array of shape (n_samples, n_labels)
        Ones where a document has a label.

    Returns
    -------
    calibration : LabelCalibration
        Makes logits of what :func:`value_and_lag` gives.
    logits : ndarray of shape (n_samples, n_labels), float32
        Logits of the documents.
    thresholds : ndarray of shape (n_labels,)
        Probability above which a label raises the expected F1, its own or that of all labels together.
    """
    calibration, logits = fit_label_calibration(lambda rows: value_and_lag(values[rows]), truth)
    factor, constant = fit_sureness(*likely_pairs(logits, truth))
    thresholds = special.expit(factor * special.logit(expected_f1_thresholds("f1", logits)) + constant)
    return calibration.then(factor, constant), factor * logits + np.float32(constant), thresholds


def value_and_lag(values):
    """Give the scores of labels that follow from values: these, and how far each is behind the largest."""
    return [values, values - values.max(axis=1, keepdims=True)]


def split_value_and_lag(calibration, contributions, constant):
    """Split the logits of one document, given how its values split into terms (n_terms, n_labels)."""
    own, lag = calibration.factors
    best = np.argmax(contributions.sum(axis=0) + constant)  # of this one document the largest is a given one
    weighted = (own + lag) * contributions - lag * contributions[:, [best]]
    return weighted, (own + lag) * constant - lag * constant[best] + calibration.bias


def nearness_to_labels(points, truth, Z, metric):
    """Say how near documents are to the nearest one of each label, for any number of labels.

    Parameters
    ----------
    points : {ndarray, sparse matrix} of shape (n_points, n_dimensions)
        Training documents.
    truth : csr_array of shape (n_points, n_labels)
        Their labels.
    Z : {ndarray, sparse matrix} of shape (n_samples, n_dimensions)
        Documents to judge.
    metric : {"cosine", "euclidean"}
        A cosine, or ``z @ p - ||p||^2 / 2``, which orders points p as the distance does.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        The largest over the documents of each label; the smallest number of all for a label of none.
    """
    if metric == "cosine":
        points, Z = normalize(points), normalize(Z)
    lengths = 0 if metric == "cosine" else row_norms(points, squared=True) / 2
    by_label = truth.tocsc()
    kept = np.flatnonzero(np.diff(by_label.indptr))
    values = np.empty((Z.shape[0], truth.shape[1]))
    for rows in gen_batches(Z.shape[0], max(1, _CELLS // max(by_label.nnz, points.shape[0]))):
        near = safe_sparse_dot(Z[rows], points.T, dense_output=True)
        near = (near.toarray() if sparse.issparse(near) else near) - lengths
        values[rows] = near.min()
        values[rows][:, kept] = np.maximum.reduceat(near[:, by_label.indices], by_label.indptr[kept], axis=1)
    return values
