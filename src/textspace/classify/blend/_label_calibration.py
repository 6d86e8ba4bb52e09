"""Scores of many labels, of which a document may have several, made into a probability of each."""

from dataclasses import dataclass

import numpy as np
from scipy import special
from sklearn.utils import gen_batches

from textspace._saving import saved_as

_PAIRS = 4 << 20  # of documents and labels, that tell a handful of weights
_BATCH = 1 << 20  # pairs that are handled at a time
_USUAL, _LEAST = 0.5, 0.1  # weight of a score of unit deviation that is expected, and the least one
_WEIGHT_PENALTY = 1.0  # on half the squared distance from what is expected
_SLOPE_PENALTY = 1e-3  # on half the squared constants that all labels share
_CONSTANT_PENALTY = 3.0  # on half the squared constant of a label, against the log loss of all documents
_START = -3.0  # logit of a pair of which nothing is known
_STEPS, _CONSTANT_STEPS = 40, 20  # of Newton's method, at most
_CLOSE = 1e-5  # share of the loss that the last step saves
LIKELY = -5.3  # logit from which on pairs tell how sure one may be
_SETTLED = 1e-3  # largest change of a constant in the last step
_FURTHEST = 2.0  # that a constant moves in a step


@saved_as("blend.label_calibration", shapes={"weights": "s c", "bias": "c"})
@dataclass(frozen=True)
class LabelCalibration:
    """How scores of labels become logits: ``sum_j weights[j, c] * scores[j][:, c] + bias[c]``.

    The weights have the shape (n_scores, n_labels), the constants `bias` the shape (n_labels,). The logistic
    function of a logit is the probability that a document has the label.
    """

    weights: np.ndarray
    bias: np.ndarray

    @property
    def factors(self):
        """What each score is multiplied by, of shape (n_scores, n_labels)."""
        return self.weights

    def then(self, factor, constant):
        """Give the same with logits multiplied by a factor, and a constant added."""
        return LabelCalibration(factor * self.weights, factor * self.bias + constant)

    def __call__(self, scores):
        """Give logits of shape (n_samples, n_labels) for a list of score arrays of that shape."""
        return sum(weights * score for weights, score in zip(self.weights, scores, strict=True)) + self.bias


def fit_label_calibration(scores, truth, *, random_state=0):
    """Find the weights of scores, and constants of labels, with the smallest log loss of all pairs.

    Parameters
    ----------
    scores : callable
        ``scores(rows)`` gives a list of scores of some documents that were not learned from, each of shape
        (n_rows, n_labels).
    truth : csr_array of shape (n_samples, n_labels)
        Ones where a document has a label.
    random_state : int, default=0
        Seed of the documents that are drawn where there are many.

    Returns
    -------
    calibration : LabelCalibration
        Weights and constants.
    logits : ndarray of shape (n_samples, n_labels), float32
        Logits of the documents.

    Notes
    -----
    The logit of label c is ``sum_j (w_j + v_j z_c) s_jc + b_0 + b_1 z_c + d_c``, where ``z_c`` is the
    logarithm of the share of the label, less its mean over the labels. So all labels share the weights: a
    label of two documents has one of its own from the others that are as rare. The constants ``d_c`` of
    labels are shrunk towards zero.
    """
    n_samples, n_labels = truth.shape
    sizes = np.asarray(truth.sum(axis=0), dtype=np.float64).ravel()
    shares = _centred_shares(sizes, n_samples)
    rows = np.arange(n_samples)
    if truth.shape[0] * n_labels > _PAIRS:
        n_rows = max(1, _PAIRS // n_labels)
        rows = np.sort(np.random.default_rng(random_state).choice(rows, n_rows, replace=False))
    flat = [own.astype(np.float32, copy=False).ravel() for own in scores(rows)]
    weights, bias = _pooled(flat, _dense(truth[rows]).ravel(), np.tile(shares, len(rows)), shares)
    calibration = LabelCalibration(weights, bias)
    logits = np.empty((n_samples, n_labels), dtype=np.float32)
    batches = list(gen_batches(n_samples, max(1, _BATCH // n_labels)))
    for some in batches:
        logits[some] = calibration(scores(np.arange(n_samples)[some]))
    constants = _constants(logits, sizes, batches)
    logits += constants.astype(np.float32)
    return LabelCalibration(weights, bias + constants), logits


def fit_pair_calibration(scores, found, labels, sizes, *, n_samples, random_state=0):
    """Find weights and constants as :func:`fit_label_calibration` does, from some pairs alone.

    Parameters
    ----------
    scores : list of ndarray of shape (n_pairs,), float32
        Scores of pairs of documents and labels that were not learned from.
    found : ndarray of shape (n_pairs,), bool
        Whether the document has the label.
    labels : ndarray of shape (n_pairs,), int
        The label of each pair.
    sizes : ndarray of shape (n_labels,)
        Number of documents of each label.
    n_samples : int
        Number of documents.
    random_state : int, default=0
        Seed of the pairs that are drawn where there are many.

    Returns
    -------
    calibration : LabelCalibration
        Weights and constants.
    logits : ndarray of shape (n_pairs,), float32
        Logits of the pairs.
    """
    shares = _centred_shares(sizes, n_samples)
    drawn = slice(None)
    if len(labels) > _PAIRS:
        drawn = np.random.default_rng(random_state).choice(len(labels), _PAIRS, replace=False)
    truth = found.astype(np.float32)
    weights, bias = _pooled([own[drawn] for own in scores], truth[drawn], shares[labels[drawn]], shares)
    logits = bias[labels].astype(np.float32)
    for own, weight in zip(scores, weights, strict=True):
        logits += own * weight[labels].astype(np.float32)
    constants = _pair_constants(logits, found, labels, len(sizes))
    return LabelCalibration(weights, bias + constants), logits + constants[labels].astype(np.float32)


def likely_pairs(logits, truth):
    """List logits of pairs that are not hopeless, and which pairs are right; arrays as in the fit."""
    likely, found = [], []
    for rows in gen_batches(len(logits), max(1, _BATCH // logits.shape[1])):
        mask = logits[rows] > LIKELY
        likely.append(logits[rows][mask])
        found.append(_dense(truth[rows])[mask])
    return np.concatenate(likely), np.concatenate(found)


def fit_sureness(logits, found):
    """Find by what factor and constant logits of pairs that are not hopeless become right.

    Most pairs are hopeless by far, and they decide how steep logits are. Among the others, as many as can be,
    probabilities are then too near to zero and one.

    Parameters
    ----------
    logits : ndarray of shape (n_pairs,), float32
        Logits of pairs of documents and labels that were not learned from.
    found : ndarray of shape (n_pairs,), float32
        1 where the document has the label, else 0.

    Returns
    -------
    factor, constant : float
        Factor above zero.
    """
    table = np.stack([logits, np.ones_like(logits)], axis=1)
    expected, penalty = np.array([1.0, 0.0]), np.full(2, _WEIGHT_PENALTY)
    factor, constant = _newton(table, found, penalty, expected, expected, np.float32(0))
    return (factor, constant) if factor > 0 else (1.0, 0.0)


def label_log_loss(logits, truth):
    """Give the log loss of all labels, the mean over documents; `truth` is a csr_array as in the fit."""
    total = 0.0
    for rows in gen_batches(len(logits), max(1, _BATCH // logits.shape[1])):
        total += np.logaddexp(0, logits[rows]).sum(dtype=np.float64)
    documents = np.repeat(np.arange(len(logits)), np.diff(truth.indptr))
    return (total - logits[documents, truth.indices].sum(dtype=np.float64)) / len(logits)


def _dense(truth):
    return truth.toarray().astype(np.float32)


def _centred_shares(sizes, n_samples):
    """Give the logarithms of the shares of labels, less their mean."""
    shares = np.log(np.maximum(sizes, 0.5) / n_samples)
    return shares - shares.mean()


def _pooled(scores, truth, share, shares):
    """Give weights of shape (n_scores, n_labels) and constants that follow from the `shares` of labels.

    The scores, the truth and the `share` of the label are those of pairs, of shape (n_pairs,).
    """
    scales = np.array([np.std(score, dtype=np.float64) for score in scores])
    scales[scales < 1e-9] = 1.0  # a score that says nothing
    n_scores, share = len(scores), share.astype(np.float32)
    columns = [(own / scale).astype(np.float32) for own, scale in zip(scores, scales, strict=True)]
    table = np.stack([*columns, *(own * share for own in columns), np.ones_like(share), share], axis=1)
    weights, slopes, constants = _bounded(table, truth, n_scores)
    factors = (weights[:, None] + slopes[:, None] * shares) / scales[:, None]
    return factors, constants[0] + constants[1] * shares


def _bounded(table, truth, n_scores):
    """Fit the weights of scores, their slopes and two constants; no weight is below the least.

    All scores speak for their label. Of few documents that are left out they may seem to speak against it,
    since a label is rarer among the documents that are left.
    """
    expected = np.zeros(table.shape[1])
    expected[:n_scores], expected[-2] = _USUAL, _START
    penalty = np.full(table.shape[1], _WEIGHT_PENALTY)
    penalty[-2:] = _SLOPE_PENALTY
    free, found = np.ones(table.shape[1], dtype=bool), expected.copy()
    while True:
        offset = table[:, ~free] @ found[~free].astype(np.float32)
        found[free] = _newton(table[:, free], truth, penalty[free], expected[free], found[free], offset)
        lowest = np.argmin(found[:n_scores])
        if found[lowest] >= _LEAST:
            return np.split(found, [n_scores, 2 * n_scores])
        free[[lowest, lowest + n_scores]] = False
        found[[lowest, lowest + n_scores]] = _LEAST, 0.0


def _newton(table, truth, penalty, expected, start, offset):
    """Fit a logistic regression to the rows of a table, by Newton's method with halved steps.

    The penalty is on half the squared distances of the weights from the expected ones; the offset is added
    to the logits. The steps begin at the weights `start`.
    """

    def loss(weights):
        logits = table @ weights.astype(np.float32) + offset
        value = np.logaddexp(0, logits).sum(dtype=np.float64) - np.vdot(truth, logits)
        return value + penalty @ (weights - expected) ** 2 / 2, logits

    weights = start.copy()
    value, logits = loss(weights)
    for _ in range(_STEPS):
        shares = special.expit(logits)
        slope = table.T @ (shares - truth) + penalty * (weights - expected)
        spread = table * np.sqrt(shares * (1 - shares))[:, None]
        step, before = np.linalg.solve(spread.T @ spread + np.diag(penalty), slope), value
        for _ in range(_STEPS):
            value, logits = loss(weights - step)
            if value <= before:
                break
            step = step / 2
        else:
            return weights  # rounding leaves nothing to gain
        weights = weights - step
        if before - value <= _CLOSE * before:
            break
    return weights


def _constants(logits, sizes, batches):
    """Find the constants of labels, given the logits without them, by Newton's method for all at once."""
    constants = np.zeros(len(sizes))
    for _ in range(_CONSTANT_STEPS):
        slope, curvature = _CONSTANT_PENALTY * constants - sizes, np.full(len(sizes), _CONSTANT_PENALTY)
        for rows in batches:
            shares = special.expit(logits[rows] + constants.astype(np.float32))
            slope += shares.sum(axis=0)
            curvature += np.sum(shares * (1 - shares), axis=0)
        step = np.clip(slope / curvature, -_FURTHEST, _FURTHEST)
        constants -= step
        if np.abs(step).max() < _SETTLED:
            break
    return constants


def _pair_constants(logits, found, labels, n_labels):
    """Find the constants of labels as :func:`_constants` does, given some pairs."""
    constants = np.zeros(n_labels)
    sizes = np.bincount(labels, found, minlength=n_labels)
    for _ in range(_CONSTANT_STEPS):
        shares = special.expit(logits + constants[labels].astype(np.float32))
        slope = _CONSTANT_PENALTY * constants - sizes + np.bincount(labels, shares, minlength=n_labels)
        curvature = _CONSTANT_PENALTY + np.bincount(labels, shares * (1 - shares), minlength=n_labels)
        step = np.clip(slope / curvature, -_FURTHEST, _FURTHEST)
        constants -= step
        if np.abs(step).max() < _SETTLED:
            break
    return constants
