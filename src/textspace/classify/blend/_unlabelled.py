"""How the blend learns from documents without a label: by its own answers, in rounds."""

from typing import NamedTuple

import numpy as np
from sklearn.utils import gen_batches

from textspace._rows import softmax
from textspace.classify._self_training import take
from textspace.classify.blend._blend import score_all

_THRESHOLD, _QUOTA, _WEIGHT, _ROUNDS = 0.7, 0.5, 0.5, 3  # of self-training
_TOGETHER = 32 << 20  # decision values of labellings, documents and classes that are made together


class Rounds(NamedTuple):
    """What rounds of self-training have come to, under each of several labellings.

    Attributes
    ----------
    before : ndarray of shape (n_labellings, n_samples, n_classes), float32
        Decision values of all documents before self-training.
    after : ndarray of shape (n_labellings, n_samples, n_classes), float32
        The same after it.
    y : ndarray of shape (n_labellings, n_samples), int
        Classes from which the last round has learned.
    weights : ndarray of shape (n_labellings, n_samples), float32
        What each document counted for it; 0 where it was not taken.
    """

    before: np.ndarray
    after: np.ndarray
    y: np.ndarray
    weights: np.ndarray


def self_train(X, y, scorers, calibrations, *, n_classes, sample_weight=None):
    """Learn from labelled documents, then from the others too by the answers of the blend itself, in rounds.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_columns), float32
        Documents, all columns.
    y : ndarray of shape (n_labellings, n_samples), int
        Their classes, -1 for those without a label: labellings of which none knows of the others, and which
        are learned from together.
    scorers : list of Scorer
        Scorers, prepared. Those that read unlabelled rows take part before self-training only.
    calibrations : tuple of Calibration
        That of all scorers, and that of the others; they are kept from round to round.
    n_classes : int
        Number of classes.
    sample_weight : ndarray of shape (n_samples,), optional
        What each labelled document counts; 1 by default.

    Returns
    -------
    Rounds
        Decision values, and what the last round learned from.
    """
    n_together = max(1, _TOGETHER // (X.shape[0] * n_classes))
    parts = [
        _self_train(X, y[some], scorers, calibrations, n_classes=n_classes, sample_weight=sample_weight)
        for some in gen_batches(len(y), n_together)
    ]
    return Rounds(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _self_train(X, y, scorers, calibrations, *, n_classes, sample_weight):
    def decided(calibration, scorers):
        scores = score_all(scorers, X, np.maximum(y, 0), weights, n_classes=n_classes)
        return calibration(scores).astype(np.float32)

    unknown = y < 0
    weights = np.where(unknown, 0, 1 if sample_weight is None else sample_weight).astype(np.float32)
    before = after = decided(calibrations[0], scorers)
    repeated = [scorer for scorer in scorers if not scorer.reads_unlabelled]
    y = y.copy()
    for _ in range(_ROUNDS):
        for labels, own, values, others in zip(y, weights, after, unknown, strict=True):
            labels[others], own[others] = _answers(values[others])
        after = decided(calibrations[1], repeated)
    return Rounds(before, after, y, weights)


def _answers(values):
    """Give the answers that decision values make, and what each counts when it is learned from."""
    shares = softmax(values)
    answers, confidence = shares.argmax(axis=1), shares.max(axis=1)
    taken = take(answers, confidence, threshold=_THRESHOLD, quota=_QUOTA)
    return answers, np.where(taken, _WEIGHT * confidence, 0)


def does_no_harm(values, y):
    """Tell whether self-training may stay, from values of held-out documents before and after it.

    The decision values have the shape (2, n_samples, n_classes), the classes y the shape (n_samples,).

    Self-training does harm where it turns more right answers into wrong ones than the other way round, by
    more than one standard deviation of chance. A gain is not asked for: documents that are held out are like
    those with labels, and what self-training is good for is those that are not.
    """
    before, after = values.argmax(axis=2) == y
    lost, won = np.sum(before & ~after), np.sum(after & ~before)
    return bool(lost - won <= np.sqrt(lost + won))
