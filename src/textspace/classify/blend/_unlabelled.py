"""How the blend learns from documents without a label: by its own answers, in rounds."""

import numpy as np
from scipy.special import softmax

from textspace.classify._self_training import take
from textspace.classify.blend._blend import Blend, fit_scorers

ROUNDS = 3  # of self-training, at most
_THRESHOLD, _QUOTA, _WEIGHT = 0.7, 0.5, 0.5  # of what is learned from


def self_trained(X, y, scorers, calibrations, *, n_classes):
    """Learn from labelled documents, then in rounds from the others too by the answers of the blend itself.

    The classes y are -1 for documents without a label. Scorers are prepared; those that read unlabelled rows
    take part before self-training only. So there are two calibrations, kept from round to round: that of all
    scorers, and that of the others. Yields the blend before self-training, and that after each round.
    """
    labelled, others = np.flatnonzero(y >= 0), np.flatnonzero(y < 0)
    unknown = X[others]
    fitted = fit_scorers(scorers, X[labelled], y[labelled], n_classes=n_classes)
    blend = Blend(fitted, calibrations[0])
    repeated = [scorer for scorer in scorers if not scorer.reads_unlabelled]
    y, weights = y.copy(), np.ones(len(y))
    for _ in range(ROUNDS):
        yield blend.rounded()
        shares = softmax(blend.decide(unknown), axis=1)
        y[others], confidence = shares.argmax(axis=1), shares.max(axis=1)
        taken = take(y[others], confidence, threshold=_THRESHOLD, quota=_QUOTA)
        weights[others] = np.where(taken, _WEIGHT * confidence, 0)
        rows = np.flatnonzero(weights)
        fitted = fit_scorers(repeated, X[rows], y[rows], n_classes=n_classes, weights=weights[rows])
        blend = Blend(fitted, calibrations[1])
    yield blend.rounded()
