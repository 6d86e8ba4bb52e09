"""How well one class stands out from all others, and from which probability on to say that it is there."""

import numpy as np

KEYS = "average_precision", "threshold", "threshold_f1"


def class_thresholds(truth, probabilities):
    """Rank the documents by the probability of each class.

    Parameters
    ----------
    truth : ndarray of shape (n_documents,), int
        True class of each document; -1 for none of these.
    probabilities : ndarray of shape (n_documents, n_classes)
        Probabilities of the classes.

    Returns
    -------
    list of dict
        One for each class, as in :class:`Evaluation`.

    Examples
    --------
    >>> probabilities = np.array([[0.8, 0.2], [0.6, 0.4], [0.7, 0.3], [0.9, 0.1]])
    >>> class_thresholds(np.array([0, 1, 1, 0]), probabilities)[1]
    {'average_precision': 1.0, 'threshold': 0.3, 'threshold_f1': 1.0}
    """
    columns = range(probabilities.shape[1])
    return [dict(zip(KEYS, _ranked(truth == c, probabilities[:, c]), strict=True)) for c in columns]


def label_thresholds(truth, probabilities):
    """Rank the documents by the probability of each of several labels.

    Parameters
    ----------
    truth : CSR array of bool, shape (n_documents, n_labels)
        Which labels the documents have.
    probabilities : ndarray of shape (n_documents, n_labels)
        Probabilities of the labels.

    Returns
    -------
    list of dict
        One for each label, as in :class:`Evaluation`.
    """
    truth, found = truth.tocsc(), []
    for c, (start, end) in enumerate(zip(truth.indptr[:-1], truth.indptr[1:], strict=True)):
        inside = np.zeros(truth.shape[0], dtype=bool)
        inside[truth.indices[start:end]] = True
        found.append(dict(zip(KEYS, _ranked(inside, probabilities[:, c]), strict=True)))
    return found


def best_threshold(inside, values):
    """Give the threshold of the highest F1, halfway between two values, and that F1.

    Parameters
    ----------
    inside : ndarray of bool, shape (n_documents,)
        Which documents have the label.
    values : ndarray of shape (n_documents,)
        Values; a document is given the label if its own is above the threshold.

    Returns
    -------
    threshold, f1 : float

    Examples
    --------
    >>> best_threshold(np.array([True, False, True]), np.array([0.9, 0.2, 0.6]))
    (0.4, 1.0)
    """
    _, at, f1 = _ranked(inside, values)
    if at is None:
        return float(values.max()), 0.0
    below = values[values < at]
    return (at + float(below.max())) / 2 if len(below) and np.isfinite(below.max()) else at - 1e-6, f1


def _ranked(inside, values):
    """Give average precision, the best threshold and its F1; None for a class without a document."""
    n_inside = int(inside.sum())
    if not n_inside:
        return None, None, None
    order = np.argsort(-values, kind="stable")
    ranked = values[order]
    last = np.append(np.flatnonzero(ranked[1:] < ranked[:-1]), len(ranked) - 1)  # of those of a probability
    hits, answered = np.cumsum(inside[order])[last], last + 1
    f1 = 2 * hits / (n_inside + answered)
    best = f1.argmax()
    average_precision = np.diff(hits, prepend=0) @ (hits / answered) / n_inside
    return float(average_precision), float(ranked[last[best]]), float(f1[best])
