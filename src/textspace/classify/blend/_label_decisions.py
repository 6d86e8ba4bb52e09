"""Which labels a document gets, given the probability of each: those that raise the expected F1."""

import numpy as np
from scipy import special
from sklearn.utils import gen_batches

_LEAST = 0.005  # probability of a pair that counts
_LOWEST = 0.02  # threshold: a label that is never likely would else be given to many
_BATCH = 4 << 20  # pairs that are handled at a time


def expected_f1_thresholds(decision, logits):
    """Give the threshold of each label that makes the expected F1 highest.

    Parameters
    ----------
    decision : {"f1", "micro", "macro"}
        "micro": that of all pairs together; "macro": that of each label by itself; "f1": the lower of both.
    logits : ndarray of shape (n_samples, n_labels)
        Logits of documents that were not learned from.

    Returns
    -------
    ndarray of shape (n_labels,)
        A label is given where its probability is higher.

    Notes
    -----
    Where the probabilities are right, the expected F1 of a label is highest if it is given to those
    documents whose probability is above half of that F1. No threshold is below .02.

    References
    ----------
    Z. C. Lipton, C. Elkan and B. Naryanaswamy, "Optimal thresholding of classifiers to maximize F1 measure",
    ECML PKDD 2014.
    """
    return pair_thresholds(decision, *_likely_pairs(logits))


def pair_thresholds(decision, values, labels, totals):
    """Give thresholds as :func:`expected_f1_thresholds` does, from probabilities of some pairs.

    Parameters
    ----------
    decision : {"f1", "micro", "macro"}
        As there.
    values : ndarray of shape (n_pairs,)
        Probabilities; there is a pair of each label.
    labels : ndarray of shape (n_pairs,), int
        Labels of the pairs.
    totals : ndarray of shape (n_labels,)
        Sum of all probabilities of each label.

    Returns
    -------
    ndarray of shape (n_labels,)
        Thresholds.
    """
    together = _best_f1(np.zeros_like(labels), values, np.array([totals.sum()]))[0]
    if decision == "micro":
        return np.full(len(totals), together / 2)
    own = _best_f1(labels, values, totals)
    return np.maximum(own if decision == "macro" else np.minimum(own, together), 2 * _LOWEST) / 2


def _likely_pairs(logits):
    """List probabilities that are not tiny, their labels, and the sum of all probabilities of each label.

    The highest of each label is listed however low it is.
    """
    n_samples, n_labels = logits.shape
    highest = logits.argmax(axis=0)
    values, labels, totals = [], [], np.zeros(n_labels)
    for rows in gen_batches(n_samples, max(1, _BATCH // n_labels)):
        shares = special.expit(logits[rows])
        totals += shares.sum(axis=0, dtype=np.float64)
        likely = shares > _LEAST
        inside = np.flatnonzero((highest >= rows.start) & (highest < rows.stop))
        likely[highest[inside] - rows.start, inside] = True
        values.append(shares[likely].astype(np.float64))
        labels.append(np.nonzero(likely)[1])
    return np.concatenate(values), np.concatenate(labels), totals


def _best_f1(groups, values, totals):
    """Give the highest expected F1 of each group of pairs, whose probabilities sum to `totals`."""
    order = np.lexsort((-values, groups))
    groups, values = groups[order], values[order]
    starts = np.searchsorted(groups, np.arange(len(totals)))
    sums = np.cumsum(values)
    before = np.concatenate([[0.0], sums])[starts]
    given = np.arange(1, len(values) + 1) - starts[groups]
    f1 = 2 * (sums - before[groups]) / (given + totals[groups])
    return np.maximum.reduceat(f1, starts)


def decide_labels(probabilities, thresholds, at_least_one):
    """Tell which labels documents get.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_labels)
        Probability of each label.
    thresholds : ndarray of shape (n_labels,)
        A label is given where its probability is higher.
    at_least_one : bool
        Whether a document gets the most probable label if no other.

    Returns
    -------
    ndarray of shape (n_samples, n_labels), bool
        Which labels are given.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.classify import decide_labels
    >>> decide_labels(np.array([[0.6, 0.3], [0.1, 0.2]]), np.array([0.5, 0.25]), at_least_one=True)
    array([[ True,  True],
           [False,  True]])
    """
    given = probabilities > thresholds
    if at_least_one:
        without = np.flatnonzero(~given.any(axis=1))
        given[without, probabilities[without].argmax(axis=1)] = True
    return given
