"""Documents dealt into folds, each of which is held out once."""

import numpy as np


def deal_folds(n_folds, y=None, *, n_samples):
    """Deal documents into folds like cards, class by class where there are classes.

    Parameters
    ----------
    n_folds : int
        Number of folds.
    y : ndarray of shape (n_samples,), optional
        Classes, so that each is spread evenly.
    n_samples : int
        Number of documents.

    Returns
    -------
    ndarray of shape (n_samples,), int
        Fold of each document.

    Examples
    --------
    >>> deal_folds(2, np.array(["a", "b", "b", "a"]), n_samples=4)
    array([0, 0, 1, 1])
    """
    folds = np.arange(n_samples) % n_folds
    if y is not None:
        folds[np.argsort(y, kind="stable")] = folds.copy()
    return folds


def judged_folds(n_folds, y):
    """Deal documents into folds, but not those that must be learned from in every fold.

    Parameters
    ----------
    n_folds : int
        Number of folds.
    y : ndarray of shape (n_samples,), int
        Classes, 0 and above; -1 for a document without a label.

    Returns
    -------
    ndarray of shape (n_samples,), int
        Fold of each document. It is -1, never held out, for a document without a label and for the only
        document of a class.

    Examples
    --------
    >>> judged_folds(2, np.array([0, 0, 1, -1, 0]))
    array([ 0,  1, -1, -1,  0])
    """
    labelled = y >= 0
    folds = np.full(len(y), -1)
    folds[labelled] = deal_folds(n_folds, y[labelled], n_samples=int(labelled.sum()))
    sizes = np.bincount(y[labelled], minlength=1)
    folds[sizes[y] == 1] = -1
    return folds


def fold_rows(folds):
    """List the rows that are learned from and those that are judged, fold by fold.

    Parameters
    ----------
    folds : ndarray of shape (n_samples,), int
        Fold of each document; -1 for those that are learned from in every fold and never judged.

    Returns
    -------
    list of (ndarray of int, ndarray of int)
        Increasing positions: all documents that are not in the fold, and those that are.

    Examples
    --------
    Each document is judged by the mean of the others:

    >>> x, values = np.array([1.0, 2.0, 6.0, 9.0]), np.zeros(4)
    >>> for train, test in fold_rows(np.array([0, 1, 1, -1])):
    ...     values[test] = x[train].mean()
    >>> values
    array([5.66666667, 5.        , 5.        , 0.        ])
    """
    numbers = np.unique(folds[folds >= 0])
    return [(np.flatnonzero(folds != number), np.flatnonzero(folds == number)) for number in numbers]
