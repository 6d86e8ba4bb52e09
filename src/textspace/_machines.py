"""What classifiers have in common that have a machine for each class or label, which says yes or no."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, column_or_1d

from textspace._label_lists import indicators_of
from textspace._validation import FLOATS, validate_data


class Machines(ClassifierMixin, BaseEstimator):
    """Base of classifiers of a machine a class, linear ones by ``coef_`` and ``intercept_``."""

    _dtype = FLOATS  # to which documents are converted

    def decision_function(self, X):
        """Give the values of the machines; above zero a document belongs to the class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
            Decision values; with two classes those of the second.
        """
        values = self._values(self._documents(X))
        return values[:, 0] if values.shape[1] == 1 else values

    def predict(self, X):
        """Give the class of the largest decision value, or all labels whose machines say yes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
            Classes, of two the one that the sign says; where y was an indicator matrix, zeros and ones.
        """
        values = self.decision_function(X)
        if getattr(self, "_multi_label", False):  # older files of some do not say it
            return self._is_yes(values).astype(int)
        return self.classes_[self._is_yes(values).astype(int) if values.ndim == 1 else values.argmax(axis=1)]

    def _documents(self, X):
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse="csr", dtype=self._dtype, reset=False)

    def _values(self, X):
        return safe_sparse_dot(X, self.coef_.T, dense_output=True) + self.intercept_

    def _is_yes(self, values):
        return values > 0

    def _sides(self, y):
        """Give the classes, and for each machine which documents are on its side, of shape (k, n_samples)."""
        truth = indicators_of(y)
        self._multi_label = truth is not None
        return (np.arange(truth.shape[1]), truth.T.toarray() > 0) if self._multi_label else self._apart(y)

    def _apart(self, y):
        """Do the same for one class a document; two classes have one machine, that of the second."""
        classes, codes = np.unique(column_or_1d(y, warn=True), return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"{type(self).__name__} tells classes apart, but y holds only one class: {str(classes[0])!r}."
            )
        machines = [1] if len(classes) == 2 else np.arange(len(classes))
        return classes, np.equal.outer(machines, codes)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_label = True
        return tags
