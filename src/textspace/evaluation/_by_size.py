"""F1 over the size of the categories."""

import numpy as np

from textspace.evaluation._scores import per_class


def f1_by_size(y_true, y_pred, sizes, classes=None):
    """Average F1 over the categories with the same number of training documents [1]_.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or boolean array of shape (n, c)
        As in :func:`scores`.
    sizes : array-like of int, shape (c,)
        Number of training documents of each class.
    classes : array-like of shape (c,), default=None
        The classes to which the sizes belong; by default the sorted labels that occur, or all columns.

    Returns
    -------
    dict of str to array
        ``size``, increasing; ``f1``, the mean F1 of the categories of that size; ``n_categories``, their
        number. Categories without a document in `y_true` have no F1 and take no part.

    References
    ----------
    .. [1] D. Cai, X. He, J.-R. Wen, J. Han and W.-Y. Ma, "Support tensor machines for text categorization",
       University of Illinois, UIUCDCS-R-2006-2714, 2006, Figures 6 and 7.

    Examples
    --------
    >>> truth, answer = ["grain", "ship", "ship", "tin"], ["grain", "ship", "tin", "tin"]
    >>> curve = f1_by_size(truth, answer, [5, 5, 20])
    >>> curve["size"].tolist(), curve["n_categories"].tolist(), curve["f1"].round(2).tolist()
    ([5, 20], [2, 1], [0.83, 0.67])
    """
    found, sizes = per_class(y_true, y_pred, classes), np.asarray(sizes)
    if sizes.shape != found["f1"].shape:
        raise ValueError(
            f"{len(sizes)} sizes do not fit {len(found['f1'])} classes: name the classes of the sizes."
        )
    tested = found["support"] > 0
    return mean_by_size(found["f1"][tested], sizes[tested])


def mean_by_size(f1, sizes):
    """Average the F1 of categories, shape (c,), over those of the same size; see :func:`f1_by_size`."""
    values, place, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    return {"size": values, "f1": np.bincount(place, weights=f1) / counts, "n_categories": counts}


def mean_class_f1(comparison, method):
    """Average the F1 of each class over the splits in which it is tested: shape (c,), NaN where it never is.

    Predictions may be labels, or boolean arrays of shape (n, c).
    """
    n_classes = len(comparison.corpus["classes"])
    total, count = np.zeros(n_classes), np.zeros(n_classes)
    runs = comparison.runs_of(method)
    if not runs:
        raise ValueError(f"the method {method!r} has no finished results by this rule.")
    for run in runs:
        if run["predicted"] is None:
            raise ValueError("the comparison was saved without its predictions: run it again to see classes.")
        found = per_class(comparison.truth[run["repeat"]], run["predicted"], range(n_classes))
        total += found["f1"] * (found["support"] > 0)
        count += found["support"] > 0
    return np.divide(total, count, out=np.full(n_classes, np.nan), where=count > 0)
