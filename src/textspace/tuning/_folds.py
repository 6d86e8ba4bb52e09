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
