"""A classifier of yes and no for each label, where documents may have several."""

from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted, column_or_1d

from textspace._label_lists import indicators_of
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
class OneAgainstRest(AroundEstimator, ClassifierMixin, BaseEstimator):
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
        truth = indicators_of(y)
        self._multi_label = truth is not None
        if self._multi_label:
            self.classes_, sides = np.arange(truth.shape[1]), truth.toarray().T.astype(int)
        else:
            self.classes_, codes = np.unique(column_or_1d(y, warn=True), return_inverse=True)
            if len(self.classes_) < 2:
                raise ValueError(
                    f"{type(self).__name__} tells classes apart, but y holds only one class: "
                    f"{str(self.classes_[0])!r}."
                )
            ones = [1] if len(self.classes_) == 2 else range(len(self.classes_))
            sides = [(codes == code).astype(int) for code in ones]
        varies = [0 < side.sum() < len(side) for side in sides]
        self.estimators_ = [
            clone(self.estimator).fit(X, side) if has_both else None
            for side, has_both in zip(sides, varies, strict=True)
        ]
        self._constants = np.array([2.0 * side[0] - 1 for side in sides])
        return self

    def decision_function(self, X):
        """Give the values of the classifiers.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
            How much each leans to yes; for two classes, to the second.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS, reset=False)
        values = np.tile(self._constants, (X.shape[0], 1))
        for column, estimator in enumerate(self.estimators_):
            if estimator is not None:
                sides = decision_values(estimator, X, ask=SUMS)
                values[:, column] = sides[:, 1] - sides[:, 0]
        return values[:, 0] if len(self.estimators_) == 1 else values

    def predict(self, X):
        """Give all labels to which their classifiers say yes, or the class whose says it loudest.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
            Classes; where y was an indicator matrix, zeros and ones.
        """
        values = self.decision_function(X)
        if self._multi_label:
            return (values > 0).astype(int)
        return self.classes_[(values > 0).astype(int) if values.ndim == 1 else values.argmax(axis=1)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags
