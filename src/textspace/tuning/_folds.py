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
    >>> import numpy as np
    >>> from textspace.tuning import deal_folds
    >>> deal_folds(2, np.array(["a", "b", "b", "a"]), n_samples=4)
    array([0, 0, 1, 1])
    """
    folds = np.arange(n_samples) % n_folds
    if y is not None:
        folds[np.argsort(y, kind="stable")] = folds.copy()
    return folds


def has_others(y):
    """Tell which documents can be held out without taking their class with them.

    Parameters
    ----------
    y : ndarray of shape (n_samples,), int
        Classes, 0 and above; -1 for a document without a label.

    Returns
    -------
    ndarray of shape (n_samples,), bool
        Whether a document has a label and is not the only one of its class.

    Examples
    --------
    >>> has_others(np.array([0, 0, 1, -1, -1]))
    array([ True,  True, False, False, False])
    """
    sizes = np.bincount(y[y >= 0], minlength=1)
    return (y >= 0) & (sizes[y] > 1)


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
    folds[~has_others(y)] = -1
    return folds


def held_out(judge, folds, values):
    """Judge the documents of each fold by what was learned from all others.

    Parameters
    ----------
    judge : callable
        ``judge(train, test)`` learns from the rows `train` and gives what it finds for the rows `test`, an
        array with one row each. Both are increasing arrays of positions.
    folds : ndarray of shape (n_samples,), int
        Fold of each document; -1 for those that are learned from in every fold and never judged.
    values : ndarray of shape (n_samples, ...)
        What is found is put in here. Rows of documents that are never judged stay as they are.

    Returns
    -------
    ndarray of shape (n_samples, ...)
        The `values`.

    Examples
    --------
    Each document is judged by the mean of the others:

    >>> x = np.array([1.0, 2.0, 6.0, 9.0])
    >>> def judge(train, test):
    ...     return np.full(len(test), x[train].mean())
    >>> held_out(judge, np.array([0, 1, 1, -1]), np.zeros(4))
    array([5.66666667, 5.        , 5.        , 0.        ])
    """
    for fold in np.unique(folds[folds >= 0]):
        is_test = folds == fold
        values[is_test] = judge(np.flatnonzero(~is_test), np.flatnonzero(is_test))
    return values
