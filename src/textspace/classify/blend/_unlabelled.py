"""How the blend learns from documents without a label: by its own answers, in rounds."""

import numpy as np
from scipy.special import softmax

from textspace.classify._self_training import take
from textspace.classify.blend._blend import Blend, fit_scorers

_THRESHOLD, _QUOTA, _WEIGHT, _ROUNDS = 0.7, 0.5, 0.5, 3  # of self-training


def before_and_after(X, y, scorers, calibrations, *, n_classes, sample_weight=None):
    """Learn from labelled documents, then from the others too by the answers of the blend itself, in rounds.

    The classes y are -1 for documents without a label. Scorers are prepared; those that read unlabelled rows
    take part before self-training only. So there are two calibrations, kept from round to round: that of all
    scorers, and that of the others. The blends before and after self-training are given. Of the weights of
    documents, `sample_weight`, those with a label count.
    """
    labelled, others = np.flatnonzero(y >= 0), np.flatnonzero(y < 0)
    unknown = X[others]
    own = None if sample_weight is None else sample_weight[labelled]
    fitted = fit_scorers(scorers, X[labelled], y[labelled], n_classes=n_classes, weights=own)
    before = blend = Blend(fitted, calibrations[0])
    repeated = [scorer for scorer in scorers if not scorer.reads_unlabelled]
    y, weights = y.copy(), np.ones(len(y)) if sample_weight is None else sample_weight.copy()
    for _ in range(_ROUNDS):
        shares = softmax(blend.decide(unknown), axis=1)
        y[others], confidence = shares.argmax(axis=1), shares.max(axis=1)
        taken = take(y[others], confidence, threshold=_THRESHOLD, quota=_QUOTA)
        weights[others] = np.where(taken, _WEIGHT * confidence, 0)
        rows = np.flatnonzero(weights)
        fitted = fit_scorers(repeated, X[rows], y[rows], n_classes=n_classes, weights=weights[rows])
        blend = Blend(fitted, calibrations[1])
    return [before.rounded(), blend.rounded()]


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
