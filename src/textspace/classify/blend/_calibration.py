"""Several scores of each class, weighed against each other so that they become probabilities."""

from dataclasses import dataclass

import numpy as np
from sklearn.utils import gen_batches

from textspace._rows import softmax
from textspace._saving import saved_as

_WEIGHT_PENALTY = 0.3  # on the square of their sum: a few documents do not make scores count without bound
_LOGARITHM_PENALTY = 1e-3  # on the squared logarithms of the weights
_BIAS_PENALTY = 0.02  # on the squared constants, times the mean size of a class, and at least 1: a class of
# few documents keeps one near zero
_NOTHING = 1e-6  # deviation of a score that says nothing but rounding
_FURTHEST = 10  # logarithm of a weight: a step too far would leave the numbers there are
_CLOSE = 1e-7  # share of the loss that a step lowers it by when it is the last
_BATCH = 1 << 20  # scores that are handled in double precision at a time
_ENOUGH = 4 << 20  # scores that calibrate weights alone
_TELLING = 1 << 20  # scores that tell which of some candidates is best
_SOBEREST = 0.5  # factor by which decision values are made smaller at most


@saved_as(
    "blend.calibration",
    shapes={"scales": "s", "weights": "s", "bias": "c"},
    check=lambda calibration: bool(np.all(calibration.scales > 0)),
)
@dataclass(frozen=True)
class Calibration:
    """How scores of classes are added up: ``sum_j weights[j] / scales[j] * scores[j] + bias``.

    The softmax of these decision values are the probabilities of the classes.

    Parameters
    ----------
    scales : ndarray of shape (n_scores,)
        Standard deviation of each score on the documents of the calibration.
    weights : ndarray of shape (n_scores,)
        What each score counts after division by its scale.
    bias : ndarray of shape (n_classes,)
        Constant of each class.

    Examples
    --------
    >>> import numpy as np
    >>> calibration = Calibration(scales=np.array([2.0]), weights=np.array([3.0]), bias=np.array([0.0, 1.0]))
    >>> calibration([np.array([[4.0, 6.0]])])
    array([[ 6., 10.]])
    """

    scales: np.ndarray
    weights: np.ndarray
    bias: np.ndarray

    @property
    def factors(self):
        """What each score is multiplied by, of shape (n_scores,)."""
        return self.weights / self.scales

    def among(self, kept):
        """Give the same for some of the scores.

        Parameters
        ----------
        kept : ndarray of bool or int
            Mask or positions of the scores.

        Returns
        -------
        Calibration
            Their scales and weights; the constants stay.
        """
        return Calibration(self.scales[kept], self.weights[kept], self.bias)

    def log_loss(self, scores, y, sample_weight=None):
        """Give the sum of the negative logarithms of the probabilities of the documents' classes.

        Parameters
        ----------
        scores : list of ndarray of shape (n_samples, n_classes)
            Scores of documents.
        y : ndarray of shape (n_samples,), int
            Their classes, as columns of the scores.
        sample_weight : ndarray of shape (n_samples,), optional
            What each document counts.

        Returns
        -------
        float
            The sum over the documents.
        """
        losses = log_loss_rows(self(scores), y)
        return float(np.sum(losses) if sample_weight is None else losses @ sample_weight)

    def __call__(self, scores):
        """Give decision values of shape (n_samples, n_classes) for a list of score arrays of that shape."""
        return sum(factor * score for factor, score in zip(self.factors, scores, strict=True)) + self.bias


def log_loss_rows(values, y):
    """Give the negative logarithm of the probability of each document's class, from decision values."""
    values = values - values.max(axis=1, keepdims=True)
    own = values[np.arange(len(y)), y]
    return np.log(np.exp(values, out=values).sum(axis=1)) - own


def fit_calibration(scores, y, *, constants=True, start=None, sample_weight=None):
    """Find the weights and constants with the smallest log loss.

    Parameters
    ----------
    scores : list of ndarray of shape (n_samples, n_classes)
        Scores of documents that were not learned from; the larger, the likelier the class.
    y : ndarray of shape (n_samples,), int
        Classes of these documents, as columns of the scores.
    constants : bool, default=True
        Whether to learn the constants of the classes; if not, they are zero.
    start : Calibration, optional
        Weights and constants near those to be found.
    sample_weight : ndarray of shape (n_samples,), optional
        What each document counts; twice as much as another is the same as standing there twice.

    Returns
    -------
    Calibration
        Weights above zero, since all scores speak for their class, and one constant a class.

    Notes
    -----
    With scores ``s_j`` of unit standard deviation the log loss of
    ``p_c = exp(sum_j exp(v_j) s_jc + b_c) / normaliser``, summed over n documents, plus
    ``max(1, 0.02 n / n_classes) |b|^2 + 0.3 sum(exp(v))^2 + 0.001 |v|^2`` is minimised by L-BFGS. There are
    as many parameters as classes and scores, so that a few documents a class suffice. The penalty on the
    weights keeps twenty documents, which may be right by luck, from making the next one certain; it is
    nothing beside the loss of many. A share of 2 / (n + 2) of each document is dealt out to all classes
    alike: where n documents are classified rightly, the next one may still be wrong
    (the rule of succession of Laplace). It plays the part of the targets of Platt, and hardly matters where
    there are many documents.

    References
    ----------
    D. H. Wolpert, "Stacked generalization", Neural Networks 5, 1992.
    J. Platt, "Probabilistic outputs for support vector machines and comparisons to regularized likelihood
    methods", in Advances in Large Margin Classifiers, MIT Press, 1999.

    Examples
    --------
    Three of four documents are classified rightly, each with the same score:

    >>> import numpy as np
    >>> from scipy.special import softmax
    >>> score = np.array([[0.0, 10.0], [10.0, 0.0]] * 200)
    >>> y = np.array([1, 0, 1, 0, 1, 0, 0, 1] * 50)
    >>> softmax(fit_calibration([score], y)([score])[0]).round(2)
    array([0.25, 0.75])
    """
    n_rows, n_classes = scores[0].shape
    counts = np.ones(n_rows) if sample_weight is None else sample_weight
    n_samples = counts.sum()
    scales = np.array([_deviation(score, sample_weight) for score in scores])
    scales[scales < _NOTHING] = 1.0
    slices = list(gen_batches(n_rows, max(1, _BATCH // (len(scores) * n_classes))))
    # documents come last, so that sums over classes are sums of long rows
    batches = [(np.array([score[rows].T for score in scores]), y[rows], counts[rows]) for rows in slices]
    bias_penalty = max(1.0, _BIAS_PENALTY * n_samples / n_classes)
    doubt = 2 / (n_samples + 2)

    def split(parameters):
        """Logarithms of the weights, and constants."""
        logarithms, bias = np.split(parameters, [len(scores)])
        return logarithms, bias if constants else np.zeros(n_classes)

    def loss(parameters):
        """Penalised log loss and its gradient in the logarithms of the weights and the constants."""
        logarithms, bias = split(parameters)
        calibration = Calibration(scales=scales, weights=np.exp(logarithms), bias=bias)
        weights, total = calibration.weights, calibration.weights.sum()
        value = _WEIGHT_PENALTY * total**2 + _LOGARITHM_PENALTY * logarithms @ logarithms
        value += bias_penalty * bias @ bias
        slope = 2 * np.concatenate(
            [_WEIGHT_PENALTY * total * weights + _LOGARITHM_PENALTY * logarithms, bias_penalty * bias]
        )
        for own_scores, truth, own_counts in batches:
            table = own_scores.reshape(len(scores), -1).astype(np.float64)
            shares = (calibration.factors @ table).reshape(n_classes, -1) + bias[:, None]
            shares -= shares.max(axis=0)
            own = truth, np.arange(len(truth))
            told = (1 - doubt) * shares[own] + doubt / n_classes * shares.sum(axis=0)
            np.exp(shares, out=shares)
            totals = shares.sum(axis=0)
            value += own_counts @ (np.log(totals) - told)
            shares /= totals
            shares -= doubt / n_classes
            shares[own] -= 1 - doubt  # the loss by the decision values
            if sample_weight is not None:
                shares *= own_counts
            slope[: len(scores)] += calibration.factors * (table @ shares.ravel())
            slope[len(scores) :] += shares.sum(axis=1)
        return value, slope[: len(parameters)]

    first = np.zeros(len(scores) + n_classes)
    if start is not None:
        first = np.concatenate([np.log(start.weights), start.bias])
    first = first[: len(scores) + constants * n_classes]
    bounds = [(-_FURTHEST, _FURTHEST)] * len(scores) + [(None, None)] * (len(first) - len(scores))
    options = {"maxiter": 200, "ftol": _CLOSE}
    from scipy.optimize import minimize  # which takes long to load, and answers need none

    best = minimize(loss, first, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    logarithms, bias = split(best)
    return Calibration(scales=scales, weights=np.exp(logarithms), bias=bias)


def _deviation(score, sample_weight):
    """Give the standard deviation of the scores of documents, each of which counts its weight."""
    if sample_weight is None:
        return np.std(score, dtype=np.float64)
    shares = sample_weight / (sample_weight.sum() * score.shape[1])
    mean = (shares @ score).sum()
    return np.sqrt((shares @ (score - mean) ** 2).sum())


def calibrate(scores, y, *, constants=True, sample_weight=None):
    """Calibrate on the documents that tell something; where there are none, take the mean of the scores.

    Parameters
    ----------
    scores : list of ndarray of shape (n_samples, n_classes)
        Scores of documents that were not learned from.
    y : ndarray of shape (n_samples,), int
        Their classes, as columns of the scores.
    constants : bool, default=True
        Whether to learn the constants of the classes, which need documents of each. For the weights alone
        some documents suffice: of very many scores not all are looked at.
    sample_weight : ndarray of shape (n_samples,), optional
        As in :func:`fit_calibration`.

    Returns
    -------
    Calibration
        As by :func:`fit_calibration`, on the documents of :func:`telling_rows`.

    Examples
    --------
    Each class has one document, from which nothing can be learned:

    >>> import numpy as np
    >>> from textspace.classify import calibrate
    >>> calibrate([np.array([[1.0, 0.0], [0.0, 1.0]])], np.array([0, 1])).weights
    array([1.])
    """
    rows = telling_rows(y)
    if not constants:
        rows = rows[:: -(-scores[0].size // _ENOUGH)]
    if len(rows):
        own = None if sample_weight is None else sample_weight[rows]
        some = [score[rows] for score in scores]
        return fit_calibration(some, y[rows], constants=constants, sample_weight=own)
    scales = np.array([_deviation(score, None) for score in scores])
    scales[scales < _NOTHING] = 1.0
    weights = np.full(len(scores), 1 / len(scores))
    return Calibration(scales=scales, weights=weights, bias=np.zeros(scores[0].shape[1]))


def calibrate_few(scores, y, *, sample_weight=None):
    """Calibrate on few documents, which tell what scores mean, but not well which of them count.

    Parameters
    ----------
    scores : list of ndarray of shape (n_samples, n_classes)
        Scores of documents that were not learned from.
    y : ndarray of shape (n_samples,), int
        Their classes, as columns of the scores.
    sample_weight : ndarray of shape (n_samples,), optional
        What each document counts.

    Returns
    -------
    Calibration
        The decision values of :func:`calibrate` and those of the even sum of all scores, each in units of its
        deviation, are added up and calibrated once more: weights are drawn half-way towards each other.
    """
    own = calibrate(scores, y, sample_weight=sample_weight)
    if len(telling_rows(y)) == 0:
        return own
    total = sum(score / scale for score, scale in zip(scores, own.scales, strict=True))
    even = calibrate([total], y, sample_weight=sample_weight)
    last = calibrate([own(scores) + even([total])], y, sample_weight=sample_weight)
    return Calibration(
        own.scales,
        last.factors * (own.weights + even.factors),
        last.factors * (own.bias + even.bias) + last.bias,
    )


def sobered(calibration, scores, y, *, sample_weight=None):
    """Give the same answers with probabilities that are no larger than the share that is right.

    Parameters
    ----------
    calibration : Calibration
        Weights and constants of the smallest log loss.
    scores : list of ndarray of shape (n_samples, n_classes)
        Scores of documents that were not learned from.
    y : ndarray of shape (n_samples,), int
        Their classes, as columns of the scores.
    sample_weight : ndarray of shape (n_samples,), optional
        What each document counts.

    Returns
    -------
    Calibration
        All decision values are multiplied by one factor, from 0.5 to 1, so that the mean probability of the
        answers is the share of right ones.

    Notes
    -----
    With many classes the smallest log loss leaves answers too sure, by two or three points: it looks at all
    classes, and an answer is the largest of them. The factor hardly changes the log loss.

    Examples
    --------
    >>> import numpy as np
    >>> sure = Calibration(scales=np.ones(1), weights=np.ones(1), bias=np.zeros(2))
    >>> score = np.log([[0.8, 0.2]] * 8)
    >>> sobered(sure, [score], np.array([0, 0, 0, 1] * 2)).weights.round(2)
    array([0.79])
    """
    rows = telling_rows(y)
    if len(rows) == 0:
        return calibration
    values = calibration([score[rows] for score in scores])
    counts = None if sample_weight is None else sample_weight[rows]
    share = np.average(values.argmax(axis=1) == y[rows], weights=counts)

    def excess(factor):
        return np.average(softmax(factor * values).max(axis=1), weights=counts) - share

    if excess(1.0) <= 0:
        return calibration
    factor = _SOBEREST
    if excess(_SOBEREST) < 0:
        from scipy.optimize import brentq  # which takes long to load, and answers need none

        factor = brentq(excess, _SOBEREST, 1.0, xtol=1e-3)
    return Calibration(calibration.scales, factor * calibration.weights, factor * calibration.bias)


def calibrated_losses(candidates, y, sample_weight=None):
    """Tell how well some scores of the same documents judge, each calibrated by itself.

    Parameters
    ----------
    candidates : ndarray of shape (n_candidates, n_samples, n_classes)
        Scores of documents that were not learned from.
    y : ndarray of shape (n_samples,), int
        Their classes, as columns of the scores.
    sample_weight : ndarray of shape (n_samples,), optional
        As in :func:`fit_calibration`.

    Returns
    -------
    ndarray of shape (n_candidates,)
        Log loss of all documents; zeros where no document tells anything, or only those of one class.
    """
    rows = telling_rows(y)
    step = -(-candidates[0].size // _TELLING)
    rows = rows[::step]
    if len(candidates) == 1 or len(rows) == 0:
        return np.zeros(len(candidates))
    truth, losses, calibration = y[rows], [], None
    own = None if sample_weight is None else sample_weight[rows]
    for each in candidates:
        scores = [each[rows]]
        calibration = fit_calibration(scores, truth, start=calibration, sample_weight=own)  # next to the last
        losses.append(calibration.log_loss(scores, truth, own))
    return step * np.array(losses)


def telling_rows(y):
    """Give the rows of classes of two or more documents; none where that is a single class.

    The only document of a class tells nothing: held out, it takes its class with it.
    """
    rows = np.flatnonzero(np.bincount(y)[y] > 1)
    return rows if np.any(y[rows] != y[rows[:1]]) else rows[:0]
