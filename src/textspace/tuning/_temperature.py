"""Probabilities of any classifier: how sure it may be is learned from documents held out."""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp, softmax
from sklearn.base import clone

from textspace.tuning._folds import deal_folds

_FACTORS = (-12.0, 12.0)  # of the natural logarithm, for values of unit spread
_SMALLEST = 1e-12  # a probability of 0 has no logarithm


def class_values(estimator, X):
    """Give the logarithms of a classifier's probabilities or, where it has none, its decision values.

    Parameters
    ----------
    estimator : fitted classifier
        With ``predict_proba`` or ``decision_function``.
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Their `softmax` over the classes are probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import MultinomialNB
    >>> from textspace.tuning import class_values
    >>> X = np.array([[3, 0], [0, 3]])
    >>> class_values(MultinomialNB().fit(X, ["corn", "ship"]), X).round(2)
    array([[-0.02, -4.17],
           [-4.17, -0.02]])
    """
    if hasattr(estimator, "predict_proba"):
        return np.log(np.maximum(np.asarray(estimator.predict_proba(X), dtype=np.float64), _SMALLEST))
    if not hasattr(estimator, "decision_function"):
        raise TypeError(
            f"{type(estimator).__name__} has neither predict_proba nor decision_function, so it cannot say "
            "how sure it is: choose another estimator."
        )
    values = np.asarray(estimator.decision_function(X), dtype=np.float64)
    return np.column_stack([np.zeros_like(values), values]) if values.ndim == 1 else values


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
        Number of folds. The one document of a class is never held out, so that all folds learn all classes.

    Returns
    -------
    values : ndarray of shape (n_held_out, n_classes)
        As by `class_values`.
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
    n_classes = y.max() + 1
    folds = deal_folds(n_folds, y, n_samples=len(y))
    folds[np.bincount(y)[y] == 1] = -1
    values, truth = [np.empty((0, n_classes))], [y[:0]]
    for fold in np.unique(folds[folds >= 0]):
        held_out = folds == fold
        fitted = clone(estimator).fit(X[~held_out], y[~held_out])
        values.append(class_values(fitted, X[held_out]))
        truth.append(y[held_out])
    return np.concatenate(values), np.concatenate(truth)


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
        return weight * logsumexp(factor * values, axis=1).sum() - factor * right

    best = minimize_scalar(log_loss, bounds=_FACTORS, method="bounded")
    return float(spread / np.exp(best.x))


def probabilities(values, temperature):
    """Give the softmax over the classes of values divided by the temperature.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_classes)
        As by :func:`class_values`.
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
    return softmax(values / temperature, axis=1)
