"""Linear machines on terms that naive Bayes has weighed."""

from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_non_negative

from textspace._machines import Machines
from textspace._parameters import POSITIVE, SEED
from textspace._validation import validate_data


class NBSVM(Machines):
    """A linear SVM for each class, its terms weighed by the log ratio of their shares in and outside it.

    Parameters
    ----------
    C : float, default=0.1
        What errors cost, as of :class:`sklearn.svm.LinearSVC`.
    random_state : int, RandomState instance or None, default=None
        Seed of the machines.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels; positions of the columns where y was an indicator matrix.
    coef_ : ndarray of shape (n_classes, n_features) or (1, n_features)
        The machines, one a row; two classes have one, that of the second.
    intercept_ : ndarray of shape (n_classes,) or (1,)
        Their constants.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    Notes
    -----
    Made for binary counts of words and pairs of words. Counts are smoothed by 1. The paper's last step, which
    draws the weights of a machine towards their mean, is left out: with many classes it costs accuracy (.525
    for .554 on Russian package descriptions).

    References
    ----------
    S. Wang and C. D. Manning, "Baselines and bigrams: simple, good sentiment and topic classification", ACL
    2012.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.classify import NBSVM
    >>> X = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
    >>> NBSVM(C=1.0).fit(X, ["sport", "sport", "space", "space"]).predict(X[1:3])
    array(['sport', 'space'], dtype='<U5')
    """

    _parameter_constraints: ClassVar = {"C": [POSITIVE], "random_state": [SEED]}
    _dtype = np.float64

    def __init__(self, C=0.1, random_state=None):
        self.C = C
        self.random_state = random_state

    def fit(self, X, y):
        """Fit a machine for each class; the first of two classes needs none of its own.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row; no entry is negative.
        y : {array-like, sparse matrix} of shape (n_samples,) or (n_samples, n_labels)
            Class of each document, or for documents of several labels or none a matrix of zeros and ones.

        Returns
        -------
        NBSVM
            The fitted classifier.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, multi_output=True)
        check_non_negative(X, "NBSVM (it counts terms)")
        self.classes_, sides = self._sides(y)
        machines = [self._machine(X, belongs) for belongs in sides]
        self.coef_ = np.array([weights for weights, _ in machines])
        self.intercept_ = np.array([intercept for _, intercept in machines])
        return self

    def _machine(self, X, belongs):
        from sklearn.svm import LinearSVC

        if belongs.all() or not belongs.any():  # nothing to tell apart
            return np.zeros(X.shape[1]), 1.0 if belongs.all() else -1.0
        ratio = log_count_ratio(X, belongs)
        weighed = X @ sparse.diags_array(ratio)
        machine = LinearSVC(C=self.C, tol=0.01, random_state=self.random_state).fit(weighed, belongs)
        return machine.coef_[0] * ratio, machine.intercept_[0]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


def log_count_ratio(X, belongs):
    """Give the log of the ratio of each term's share in a class and outside it, counts smoothed by 1."""
    inside, outside = (1 + np.asarray(X[rows].sum(axis=0)).ravel() for rows in (belongs, ~belongs))
    return np.log(inside / inside.sum()) - np.log(outside / outside.sum())
