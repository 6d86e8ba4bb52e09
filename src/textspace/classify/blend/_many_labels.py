"""The scores of very many labels, learned from the documents that come near to each, in sparse tables."""

import numpy as np
from scipy import sparse

from textspace._rows import normalize
from textspace.classify.blend._arrays import block_of, on_a_grid
from textspace.classify.blend._centroids import FittedCentroids
from textspace.classify.blend._label_calibration import LabelCalibration
from textspace.classify.blend._label_ridge import FittedLabelRidge
from textspace.classify.blend._likely_labels import LeftOut, find_likely_labels
from textspace.classify.blend._near_label_ridge import learn_near_label_ridge
from textspace.classify.blend._near_labels import find_near_labels, short_sums

_NEAR = 20  # labels of a document that learn from it as it comes near, beside its own
_LIKELY = 40  # labels of a document that are looked at in the calibration
_TERMS, _LEAST, _MOST = 48, 16, 1500  # terms of a label of one document, times the root of its size; bounds
_ENTRIES = 16 << 20  # of a table of all labels, about
_FIRST_WEIGHTS = 0.0, 1.0, 0.5  # of the scores by which the likely labels are found in training


def learn_many_labels(X, truth, *, columns, words, alpha, random_state):
    """Learn regressions and mean documents of labels, and score each document by what others tell.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_features), float32
        Documents.
    truth : csr_array of shape (n_samples, n_labels)
        Ones where a document has a label.
    columns, words : slice
        Columns of the regressions, and of the mean documents.
    alpha : float
        Penalty of the regressions.
    random_state : int
        Seed of the documents that a label learns from though they do not come near.

    Returns
    -------
    scorers : list of FittedScorer
        Regression and mean documents.
    likely : LikelyLabels
        The likeliest labels of each document, and scores by what is learned from the others.

    Notes
    -----
    A label has terms of its own, those with the largest sums over its documents, the more the more documents
    it has. It learns from its documents, from those to which it is one of the 20 nearest labels, and from as
    many at random as it has itself.
    """
    rows, unit = block_of(X, columns), normalize(block_of(X, words))
    n_terms = _numbers_of_terms(np.asarray(truth.sum(axis=0)).ravel())
    sums = short_sums(unit, truth, n_terms)
    near = find_near_labels(unit, sums, truth, _NEAR)
    pairs = _learned_pairs(near.labels, truth, random_state)
    table, values = learn_near_label_ridge(rows, short_sums(rows, truth, n_terms), pairs, alpha)
    means = normalize(sums)
    for each in (table, means):
        each.data = on_a_grid(each.data)
        each.eliminate_zeros()
    n_labels = truth.shape[1]
    ridge = FittedLabelRidge(table.T.tocsr(), np.zeros(n_labels), columns.start)
    scorers = [ridge, FittedCentroids.of(means, words)]
    first = LabelCalibration(
        np.repeat(np.array(_FIRST_WEIGHTS)[:, None], n_labels, axis=1), np.zeros(n_labels)
    )
    left_out = LeftOut(values.T.tocsr(), near.own_cosines)
    return scorers, find_likely_labels(X, *scorers, first, n_found=min(_LIKELY, n_labels), left_out=left_out)


def _numbers_of_terms(sizes):
    """Say how many terms each label may have, given its number of documents."""
    roots = np.sqrt(sizes)
    factor = min(_TERMS, _ENTRIES / max(roots.sum(), 1.0))
    return np.clip(factor * roots, _LEAST, _MOST).astype(np.int64)


def _learned_pairs(near, truth, random_state):
    """Give the documents that each label learns from, 1 for its own and 0 for others, by label."""
    documents, places = np.nonzero(near >= 0)
    others = np.random.default_rng(random_state).integers(0, truth.shape[0], truth.nnz)
    rows = np.concatenate([documents, others]).astype(np.int32)
    labels = np.concatenate([near[documents, places], truth.indices]).astype(np.int32)
    looked_at = sparse.csr_array((np.ones(len(rows), dtype=np.float32), (rows, labels)), shape=truth.shape)
    looked_at.data[:] = 1
    pairs = (looked_at + 2 * truth).T.tocsr()
    pairs.sort_indices()
    pairs.data = (pairs.data > 1).astype(np.float32)
    return pairs
