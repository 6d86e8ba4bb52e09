"""Scores of terms from sums over documents: blocks of documents are summed apart, and their sums added."""

import numpy as np
from scipy import sparse

from textspace._validation import check_rows
from textspace.linear import class_sums
from textspace.selection._scores import (
    SUPERVISED,
    chi2_statistic,
    class_gains,
    class_information,
    column_sums,
    is_present,
)


def term_sums(X, codes=None, *, score, n_classes=None):
    """Sum over documents what a score of terms needs of them.

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n_samples, n_features)
        A block of documents.
    codes : ndarray of shape (n_samples,), int, default=None
        Their classes as 0, 1, ..., for the scores of ``SUPERVISED``.
    score : {"weighted", "document_frequency", "information_gain", "chi2", "mutual_information"}
        Name of the score.
    n_classes : int, default=None
        Number of classes.

    Returns
    -------
    tuple of ndarray
        Sums by term, of shape (n_features,); with classes those by class and term, of shape
        (n_classes, n_features), and the sizes of the classes. Those of all blocks are to be added.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.selection import score_from_sums, term_sums
    >>> blocks = [np.array([[3.0, 1.0]]), np.array([[4.0, 0.0]])]
    >>> sums = [term_sums(X, score="weighted") for X in blocks]
    >>> score_from_sums([sum(each) for each in zip(*sums)], score="weighted")
    array([25.,  1.])
    """
    X = check_rows(X)
    if score not in SUPERVISED:
        return (column_sums(X, np.square if score == "weighted" else is_present),)
    X = X.astype(np.float64)
    if score == "chi2":
        if X.min() < 0:
            raise ValueError(
                f"chi2 needs weights of zero or more, but the smallest entry of X is {X.min():g}. Choose "
                "another score."
            )
    elif sparse.issparse(X):
        X.data = is_present(X.data)
    else:
        X = is_present(X)
    return class_sums(X, codes, n_classes=n_classes), np.bincount(codes, minlength=n_classes)


def score_from_sums(sums, *, score):
    """Give the scores of terms, from the sums over all documents.

    Parameters
    ----------
    sums : sequence of ndarray
        As :func:`term_sums` gives them, added over the blocks.
    score : str
        Name of the score.

    Returns
    -------
    ndarray of shape (n_features,)
        What the function of that name gives for the documents, up to rounding.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.selection import score_from_sums, term_sums
    >>> X, codes = np.array([[3.0, 1.0], [1.0, 1.0]]), np.array([0, 1])
    >>> score_from_sums(term_sums(X, codes, score="chi2", n_classes=2), score="chi2")
    array([1., 0.])
    """
    if score not in SUPERVISED:
        return sums[0]
    by_class, sizes = sums
    totals, n_samples = by_class.sum(axis=0), sizes.sum()  # each document has one class
    if score == "chi2":
        return chi2_statistic(by_class, sizes / n_samples, totals)
    if score == "mutual_information":
        return class_information(by_class, sizes, totals, n_samples)
    return class_gains(by_class, sizes, totals, n_samples).max(axis=0)
