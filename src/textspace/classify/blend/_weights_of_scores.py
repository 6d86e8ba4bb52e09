"""What each of several scores counts among the classes that come near to documents."""

import numpy as np
from scipy import special

from textspace.classify.blend._calibration import Calibration
from textspace.classify.blend._held_out_classes import NEAREST, telling

_PENALTY = 1.0  # on the squared weights of scores of unit deviation
_ENOUGH = 4000  # documents that tell a handful of weights
_NOTHING = 1e-6  # deviation of a score that says nothing
_NEVER = -100.0  # added to the decision value of a class that takes no part
_STEPS = 30  # of Newton's method, which takes five or six
_CLOSE = 1e-6  # by which the last step lowers the loss of a document
_SHARPEST = 3.0  # logarithm of the factor of all weights


def weigh_scores(held, y, *, n_classes):
    """Weigh scores, and the logarithm of the size of a class, by documents that were held out.

    The weights are those by which documents find their class among the nearest: of any sign, since what a
    document shares with a class may speak against it when other scores have counted it already. One factor
    for all of them then makes probabilities among all classes. A class of one document takes no part, also
    not as a wrong answer: that none of its documents was held out and found does not say that none will come.

    Parameters
    ----------
    held : HeldOutClasses
        Scores.
    y : ndarray of shape (n_samples,), int
        Classes of the documents; each has one.
    n_classes : int
        Number of classes.

    Returns
    -------
    Calibration
        Weights of the scores; the constants are a multiple of the logarithms of the sizes.
    """
    classes, log_counts, truth = held.candidates
    sizes = np.bincount(y, minlength=n_classes)
    log_counts = np.where(sizes[classes] > 1, log_counts, _NEVER)
    rows = np.flatnonzero(telling(y, held.rows))
    rows = rows[:: max(1, -(-len(rows) // _ENOUGH))]
    scores = np.stack([*held.scores, held.sizes], axis=-1)[rows].astype(np.float64)
    scales = scores.std(axis=(0, 1)) if len(rows) else np.ones(scores.shape[-1])
    scales[scales < _NOTHING] = 1.0
    scores, log_counts, truth = scores / scales, log_counts[rows], truth[rows]
    weights = np.append(np.ones(len(held.scores)), 0.0)
    near = truth < NEAREST
    if near.any():
        weights = newton(scores[near][:, :NEAREST], truth[near], log_counts[near][:, :NEAREST])
        weights = weights * sharpness(scores @ weights, truth, log_counts)
    constants = weights[-1] / scales[-1] * (np.log(sizes) - np.log(sizes).mean())
    return Calibration(scales[:-1], weights[:-1], constants)


def newton(scores, truth, offsets):
    """Find the weights of scores with the smallest log loss, plus their squared length.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_candidates, n_scores)
        Scores of some classes of each document.
    truth : ndarray of shape (n_samples,), int
        Which of them is its class.
    offsets : ndarray of shape (n_samples, n_candidates)
        What is added to the decision values.

    Returns
    -------
    ndarray of shape (n_scores,)
        Weights.
    """
    n_samples, _, n_scores = scores.shape
    own = np.arange(n_samples), truth

    def loss(weights):
        values = scores @ weights + offsets
        totals = special.logsumexp(values, axis=1)
        value = np.sum(totals - values[own]) + _PENALTY * weights @ weights
        return value, np.exp(values - totals[:, None])

    weights = np.zeros(n_scores)
    value, shares = loss(weights)
    for _ in range(_STEPS):
        means = np.einsum("nkf,nk->nf", scores, shares)
        slope = np.sum(means - scores[own], axis=0) + 2 * _PENALTY * weights
        spread = (scores * np.sqrt(shares)[:, :, None]).reshape(-1, n_scores)
        curvature = spread.T @ spread - means.T @ means + 2 * _PENALTY * np.eye(n_scores)
        step, before = np.linalg.solve(curvature, slope), value
        value, shares = loss(weights - step)
        while value > before:  # at most to where the step is nothing
            step /= 2
            value, shares = loss(weights - step)
        weights = weights - step
        if before - value <= _CLOSE * n_samples:
            break
    return weights


def sharpness(values, truth, log_counts):
    """Find the factor of decision values with the smallest log loss.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_candidates)
        Decision values.
    truth : ndarray of shape (n_samples,), int
        Which of the candidates is the class of a document.
    log_counts : ndarray of shape (n_samples, n_candidates)
        Logarithms of the number of classes that each candidate stands for.

    Returns
    -------
    float
        The factor, above zero.
    """
    own = values[np.arange(len(values)), truth]

    def loss(logarithm):
        factor = np.exp(logarithm)
        return np.sum(special.logsumexp(factor * values + log_counts, axis=1) - factor * own)

    from scipy.optimize import minimize_scalar  # which takes long to load, and answers need none

    return np.exp(minimize_scalar(loss, bounds=(-_SHARPEST, _SHARPEST), method="bounded").x)
