"""Probabilities of any classifier: how sure it may be is learned from documents held out."""

import numpy as np
from scipy import special
from sklearn.base import clone

from textspace._folds import fold_rows, judged_folds
from textspace._rows import softmax
from textspace.tuning._decision_values import decision_values

_FACTORS = (-12.0, 12.0)  # of the natural logarithm, for values of unit spread


def held_out_values(estimator, X, y, *, n_folds):
    """Give the values of documents that the classifier has not learned from.

    Parameters
    ----------
    estimator : classifier
        It is cloned, not fitted.
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents.
    y : ndarray of shape (n_samples,), int
        Their classes, 0 to n_classes - 1.
    n_folds : int
        Number of folds, dealt by :func:`judged_folds`.

    Returns
    -------
    values : ndarray of shape (n_held_out, n_classes)
        As by :func:`decision_values`, in the order of the rows.
    y : ndarray of shape (n_held_out,), int
        The classes of these documents.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.svm import LinearSVC
    >>> from textspace.tuning import held_out_values
    >>> X, y = np.array([[0.0], [1.0], [0.1], [0.9]]), np.array([0, 1, 0, 1])
    >>> values, truth = held_out_values(LinearSVC(), X, y, n_folds=2)
    >>> (values.argmax(axis=1) == truth).all()
    np.True_
    """
    folds, values = judged_folds(n_folds, y), np.zeros((len(y), y.max() + 1))
    for train, test in fold_rows(folds):
        values[test] = decision_values(clone(estimator).fit(X[train], y[train]), X[test])
    return values[folds >= 0], y[folds >= 0]


def fit_temperature(values, y):
    """Find by what to divide values so that their softmax has the smallest log loss.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_classes)
        Values of documents that were not learned from.
    y : ndarray of shape (n_samples,), int
        Their classes, as columns of `values`.

    Returns
    -------
    float
        The temperature; 1.0 if there is nothing to learn it from.

    Notes
    -----
    One more document, like the average one but of every class alike, keeps probabilities below 1 where all
    documents are classified rightly.

    Examples
    --------
    Three of four documents are classified rightly, each with the same value:

    >>> import numpy as np
    >>> values = np.array([[0.0, 10.0]] * 40)
    >>> temperature = fit_temperature(values, np.array([1, 1, 1, 0] * 10))
    >>> softmax(values[0] / temperature).round(2)
    array([0.26, 0.74])
    """
    spread = np.ptp(values, axis=1).mean() if len(values) else 0.0
    if spread == 0:
        return 1.0
    values = values / spread
    right = values[np.arange(len(y)), y].sum() + values.mean()
    weight = 1 + 1 / len(y)

    def log_loss(logarithm):
        factor = np.exp(logarithm)
        return weight * special.logsumexp(factor * values, axis=1).sum() - factor * right

    from scipy.optimize import minimize_scalar  # which takes long to load, and answers need none

    best = minimize_scalar(log_loss, bounds=_FACTORS, method="bounded")
    return float(spread / np.exp(best.x))


def probabilities(values, temperature):
    """Give the softmax over the classes of values divided by the temperature.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_classes)
        As by :func:`decision_values`.
    temperature : float
        As by :func:`fit_temperature`.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Probabilities; each row sums to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.tuning import probabilities
    >>> probabilities(np.array([[0.0, 4.0]]), 2.0).round(2)
    array([[0.12, 0.88]])
    """
    return softmax(values / temperature)
