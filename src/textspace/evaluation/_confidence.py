"""How far the confidence of a model can be trusted."""

import numpy as np

_N_BINS = 15
_MOST_POINTS = 200  # of the reject curve

MOST = 1 + 1e-6  # that a probability can be, with its rounding


def reliability_bins(confidence, right):
    """Compare confidence and accuracy in 15 equally wide bins of confidence.

    Parameters
    ----------
    confidence : array-like of shape (n_documents,)
        Probability of the predicted class of each document.
    right : array-like of bool, shape (n_documents,)
        Whether the prediction is right.

    Returns
    -------
    list of dict
        As in :meth:`Evaluation.reliability`.

    Examples
    --------
    >>> [fullest] = reliability_bins([0.95, 0.97], [True, False])
    >>> fullest["n_documents"], round(fullest["confidence"], 2), fullest["accuracy"]
    (2, 0.96, 0.5)
    """
    confidence, right = _checked(confidence, right)
    # bins are closed on the right, as is usual; a confidence of 0 belongs to the first
    place = np.clip(np.ceil(confidence * _N_BINS).astype(int) - 1, 0, _N_BINS - 1)
    counts = np.bincount(place, minlength=_N_BINS)
    sums = [np.bincount(place, weights=values, minlength=_N_BINS) for values in (confidence, right)]
    return [
        {
            "low": float(i / _N_BINS),
            "high": float((i + 1) / _N_BINS),
            "n_documents": int(counts[i]),
            "confidence": float(sums[0][i] / counts[i]),
            "accuracy": float(sums[1][i] / counts[i]),
        }
        for i in np.flatnonzero(counts)
    ]


def calibration_error(confidence, right):
    """Give the expected calibration error [1]_: the mean distance of accuracy and confidence over the bins.

    Parameters
    ----------
    confidence, right : array-like of shape (n_documents,)
        As in :func:`reliability_bins`.

    Returns
    -------
    float
        From 0, where the confidence is what it claims to be, to 1.

    References
    ----------
    .. [1] C. Guo, G. Pleiss, Y. Sun and K. Q. Weinberger, "On calibration of modern neural networks",
       ICML 2017.

    Examples
    --------
    >>> round(calibration_error([0.95, 0.97], [True, False]), 2)
    0.46
    """
    bins = reliability_bins(confidence, right)
    if not bins:
        raise ValueError("there is no prediction to judge: give at least one.")
    return sum(one["n_documents"] * abs(one["accuracy"] - one["confidence"]) for one in bins) / len(right)


def reject_curve(confidence, right):
    """Tell how accurate predictions are when the least sure ones are left out.

    Parameters
    ----------
    confidence, right : array-like of shape (n_documents,)
        As in :func:`reliability_bins`.

    Returns
    -------
    dict of str to array
        As in :meth:`Evaluation.reject_curve`.

    Examples
    --------
    >>> curve = reject_curve([0.6, 0.9, 0.8], [False, True, True])
    >>> curve["coverage"].round(2).tolist(), curve["accuracy"].round(2).tolist()
    ([0.33, 0.67, 1.0], [1.0, 1.0, 0.67])
    """
    confidence, right = _checked(confidence, right)
    if len(right) == 0:
        raise ValueError("there is no prediction to judge: give at least one.")
    order = np.argsort(-confidence, kind="stable")
    confidence, right = confidence[order], right[order]
    # documents of the same confidence are answered together
    ends = np.append(np.flatnonzero(np.diff(confidence)), len(confidence) - 1)
    if len(ends) > _MOST_POINTS:
        ends = ends[np.linspace(0, len(ends) - 1, _MOST_POINTS).round().astype(int)]
    answered = ends + 1
    return {
        "coverage": answered / len(confidence),
        "accuracy": np.cumsum(right)[ends] / answered,
        "min_confidence": confidence[ends],
    }


def _checked(confidence, right):
    """Give both as arrays; refuse what is no probability, and one without the other."""
    confidence, right = np.asarray(confidence, dtype=np.float64), np.asarray(right, dtype=bool)
    if confidence.ndim != 1 or confidence.shape != right.shape:
        raise ValueError(
            f"confidence and right have the shapes {confidence.shape} and {right.shape}: give one of each "
            "for a document."
        )
    wrong = np.flatnonzero(~((confidence >= 1 - MOST) & (confidence <= MOST)))  # NaN is neither
    if len(wrong):
        raise ValueError(f"confidence is {confidence[wrong[0]]} in row {wrong[0]}: it must be from 0 to 1.")
    return confidence, right
