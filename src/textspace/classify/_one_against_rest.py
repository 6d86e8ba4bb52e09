"""A classifier of yes and no for each label, where documents may have several."""

from typing import ClassVar

import numpy as np
from sklearn.base import clone

from textspace._machines import Machines
from textspace._parameters import CLASSIFIER
from textspace._saving import saved_as
from textspace._validation import FLOATS, validate_data
from textspace.classify._base import AroundEstimator
from textspace.tuning import SUMS, decision_values


@saved_as(
    "classify.one_against_rest",
    shapes={
        "classes_": "c",
        "n_features_in_": "d",
        "estimators_": "k",
        "estimators_.*.n_features_in_?": "d",
        "_constants": "k",
    },
    check=lambda model: len(model.estimators_) in (len(model.classes_), len(model.classes_) - 1),
)
class OneAgainstRest(AroundEstimator, Machines):
    """A copy of a classifier for each label, which tells documents that have it from all others.

    Unlike scikit-learn's ``OneVsRestClassifier`` it has decision values for any classifier, which are sums
    over terms where the classifier's are, and takes labels that no document has, or all.

    Parameters
    ----------
    estimator : classifier
        What learns each label.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels; positions of the columns where y was an indicator matrix.
    estimators_ : list of classifier
        One for each label, or one for two classes; None for a label that no document has, or all.
    n_features_in_ : int
        Number of columns.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> from textspace.classify import OneAgainstRest
    >>> X = [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.7, 0.7]]
    >>> OneAgainstRest(LinearSVC()).fit(X, [[1, 0], [1, 0], [0, 1], [1, 1]]).predict([[0.8, 0.1], [0.6, 0.7]])
    array([[1, 0],
           [1, 1]])
    """

    _parameter_constraints: ClassVar = {"estimator": [CLASSIFIER]}

    def __init__(self, estimator):
        self.estimator = estimator

    def fit(self, X, y):
        """Learn each label.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : {array-like, sparse matrix} of shape (n_samples,) or (n_samples, n_labels)
            Class of each document, or for documents of several labels or none a matrix of zeros and ones.

        Returns
        -------
        OneAgainstRest
            The fitted classifier.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS, multi_output=True)
        self.classes_, sides = self._sides(y)
        sides = sides.astype(int)
        varies = [0 < side.sum() < len(side) for side in sides]
        self.estimators_ = [
            clone(self.estimator).fit(X, side) if has_both else None
            for side, has_both in zip(sides, varies, strict=True)
        ]
        self._constants = np.array([2.0 * side[0] - 1 for side in sides])
        return self

    def _values(self, X):
        values = np.tile(self._constants, (X.shape[0], 1))
        for column, estimator in enumerate(self.estimators_):
            if estimator is not None:
                sides = decision_values(estimator, X, ask=SUMS)
                values[:, column] = sides[:, 1] - sides[:, 0]
        return values
