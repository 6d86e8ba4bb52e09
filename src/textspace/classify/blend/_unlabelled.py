"""How the blend learns from documents without a label: by its own answers, in rounds."""

import numpy as np
from scipy.special import softmax

from textspace.classify._self_training import take
from textspace.classify.blend._blend import Blend, fit_scorers
from textspace.classify.blend._calibration import calibrate, telling_rows

_THRESHOLD, _QUOTA, _WEIGHT, _ROUNDS = 0.7, 0.5, 0.5, 3  # of self-training
_CLEAR = 1.0  # by which the log loss of all documents falls where it pays to keep another blend


def before_and_after(X, y, scorers, calibrations, *, n_classes):
    """Learn from labelled documents, then from the others too by the answers of the blend itself, in rounds.

    The classes y are -1 for documents without a label. Scorers are prepared; those that read unlabelled rows
    take part before self-training only. So there are two calibrations, kept from round to round: that of all
    scorers, and that of the others. The blends before and after self-training are given.
    """
    labelled, others = np.flatnonzero(y >= 0), np.flatnonzero(y < 0)
    unknown = X[others]
    fitted = fit_scorers(scorers, X[labelled], y[labelled], n_classes=n_classes)
    before = blend = Blend(fitted, calibrations[0])
    repeated = [scorer for scorer in scorers if not scorer.reads_unlabelled]
    y, weights = y.copy(), np.ones(len(y))
    for _ in range(_ROUNDS):
        shares = softmax(blend.decide(unknown), axis=1)
        y[others], confidence = shares.argmax(axis=1), shares.max(axis=1)
        taken = take(y[others], confidence, threshold=_THRESHOLD, quota=_QUOTA)
        weights[others] = np.where(taken, _WEIGHT * confidence, 0)
        rows = np.flatnonzero(weights)
        fitted = fit_scorers(repeated, X[rows], y[rows], n_classes=n_classes, weights=weights[rows])
        blend = Blend(fitted, calibrations[1])
    return [before.rounded(), blend.rounded()]


def worth_keeping(values, y):
    """Tell which of the blends before and after self-training to keep: one alone where it judges as well.

    That after self-training is preferred, since where labels are few it has read the most. The `values` are
    decision values of held-out documents by both, of shape (2, n_samples, n_classes); gives positions.
    """
    rows = telling_rows(y)
    truth = y[rows]

    def loss(kept):
        own = list(values[kept][:, rows])
        return calibrate(own, truth).log_loss(own, truth)

    both = loss([0, 1])
    return next((kept for kept in ([1], [0]) if loss(kept) <= both + _CLEAR), [0, 1])
