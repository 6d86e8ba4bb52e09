"""How good are the answers: precision, recall, F1, accuracy, area under the ROC curve, confusion."""

import numpy as np
from scipy import sparse

from textspace.evaluation._decisions import binary_decisions


def scores(y_true, y_pred, decision=None, classes=None):
    """Score the answers of a classifier.

    Parameters
    ----------
    y_true : array-like of shape (n,), or boolean array of shape (n, c), dense or sparse
        True labels, one a document; or yes/no, one column a category.
    y_pred : array-like of the same shape
        Answers of the classifier.
    decision : array-like of shape (n, c), default=None
        Decision value of each document for each of `classes` (the larger, the more likely). For two classes
        also of shape (n,): the values for the second one.
    classes : array-like of shape (c,), default=None
        The classes over which macro averages are taken (column numbers, if there is one column a category);
        by default every label that occurs in `y_true` or `y_pred`. Micro averages are always taken over all
        decisions.

    Returns
    -------
    dict of str to float
        ``accuracy``, the share of documents without a wrong decision; ``micro_precision``,
        ``micro_recall``, ``micro_f1``; ``macro_precision``, ``macro_recall``; ``macro_f1``, the mean of the
        F1 of the classes (the convention of scikit-learn); ``macro_f1_of_means``, the harmonic mean of macro
        precision and macro recall (the convention of the LRWMMC paper [1]_); ``auc``, the mean over the
        classes of the one-against-rest area under the ROC curve, or None without decision values. A ratio
        with a zero denominator counts as 0. The area is averaged over the classes that have both a document
        and a document outside of them in `y_true`, and is None if there is no such class.

    References
    ----------
    .. [1] Q. Gu and J. Zhou, "Local relevance weighted maximum margin criterion for text classification",
       SDM 2009, Table 1 and eq. (8.26).

    Examples
    --------
    >>> result = scores(["grain", "grain", "ship"], ["grain", "ship", "ship"])
    >>> round(result["micro_f1"], 3), round(result["macro_f1"], 3), round(result["macro_f1_of_means"], 3)
    (0.667, 0.667, 0.75)
    """
    (truth, answer), columns = binary_decisions(y_true, y_pred, classes=classes)
    averaged = np.arange(len(columns)) < (len(columns) if classes is None else len(classes))
    result = {"accuracy": float(np.mean((truth != answer).sum(1) == 0))}
    averages = f1_averages((truth * answer).sum(0), truth.sum(0), answer.sum(0), averaged)
    result |= {name: float(value) for name, value in averages.items()}
    result["auc"] = None if decision is None else _auc(truth[:, averaged], np.asarray(decision))
    return result


def per_class(y_true, y_pred, classes=None):
    """Score each class alone, against the rest.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or boolean array of shape (n, c)
        As in :func:`scores`.
    classes : array-like of shape (c,), default=None
        The classes (or column numbers) wanted, in this order; by default the sorted labels that occur.

    Returns
    -------
    dict of str to array of shape (c,)
        ``classes``, ``precision``, ``recall``, ``f1``, and ``support``, the number of documents in `y_true`.

    Examples
    --------
    >>> result = per_class(["grain", "grain", "ship"], ["grain", "ship", "ship"])
    >>> result["classes"].tolist(), result["recall"].tolist(), result["support"].tolist()
    (['grain', 'ship'], [0.5, 1.0], [2, 1])
    """
    (truth, answer), columns = binary_decisions(y_true, y_pred, classes=classes)
    wanted = slice(None if classes is None else len(classes))
    precision, recall, f1 = precision_recall_f1((truth * answer).sum(0), truth.sum(0), answer.sum(0))
    return {
        "classes": columns[wanted],
        "precision": precision[wanted],
        "recall": recall[wanted],
        "f1": f1[wanted],
        "support": truth.sum(0)[wanted],
    }


def confusion(y_true, y_pred, classes=None):
    """Count documents by true and by given label.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and given labels.
    classes : array-like of shape (c,), default=None
        Classes of the rows and columns; by default the sorted labels that occur. Documents whose true or
        given label is none of these are left out.

    Returns
    -------
    array of int, shape (c, c)
        Entry (i, j): documents of class i that were given the label j.

    Examples
    --------
    >>> confusion(["grain", "grain", "ship"], ["grain", "ship", "ship"]).tolist()
    [[1, 1], [0, 1]]
    """
    (truth, answer), columns = binary_decisions(y_true, y_pred, classes=classes)
    size = len(columns) if classes is None else len(classes)
    row, column = truth.argmax(1), answer.argmax(1)
    kept = (row < size) & (column < size)
    return np.bincount(row[kept] * size + column[kept], minlength=size * size).reshape(size, size)


def precision_recall_f1(hits, n_true, n_answered):
    """Compute precision, recall and F1 from counts of any one shape; 0 where a denominator is 0."""
    return _ratio(hits, n_answered), _ratio(hits, n_true), _ratio(2 * hits, n_true + n_answered)


def f1_averages(hits, n_true, n_answered, averaged):
    """Average over classes, the last axis: the documents rightly put into each, belonging to it, put into it.

    Macro averages are taken over the classes that `averaged` says.
    """
    micro = precision_recall_f1(hits.sum(-1), n_true.sum(-1), n_answered.sum(-1))
    macro = [
        _ratio((x * averaged).sum(-1), averaged.sum(-1))
        for x in precision_recall_f1(hits, n_true, n_answered)
    ]
    return {
        "micro_precision": micro[0],
        "micro_recall": micro[1],
        "micro_f1": micro[2],
        "macro_precision": macro[0],
        "macro_recall": macro[1],
        "macro_f1": macro[2],
        "macro_f1_of_means": _ratio(2 * macro[0] * macro[1], macro[0] + macro[1]),
    }


def _ratio(numerator, denominator):
    numerator, denominator = np.asarray(numerator, dtype=float), np.asarray(denominator)
    return np.divide(numerator, denominator, out=np.zeros(numerator.shape), where=denominator > 0)


def _auc(truth, decision):
    if decision.ndim == 1:
        decision = np.column_stack([-decision, decision])
    if decision.shape != truth.shape:
        raise ValueError(
            f"decision has the shape {decision.shape}, but {truth.shape[0]} documents and {truth.shape[1]} "
            "classes need one value a document and class; name the classes of its columns in classes."
        )
    if np.isnan(decision).any():
        raise ValueError("decision holds NaN, which is neither above nor below another value.")
    sizes = truth.sum(0)
    defined = np.flatnonzero((sizes > 0) & (sizes < len(decision)))
    areas = [_area(_column(truth, j), decision[:, j]) for j in defined]
    return float(np.mean(areas)) if areas else None


def _column(truth, j):
    return truth[:, [j]].toarray().ravel() if sparse.issparse(truth) else truth[:, j]


def _area(truth, values):
    """Share of the pairs of a document in and one out of a class in which the first has the larger value."""
    outside, inside = np.sort(values[~truth]), values[truth]
    below = sum(np.searchsorted(outside, inside, side=side).mean() for side in ("left", "right"))
    return below / (2 * len(outside))  # of equal values half are below
