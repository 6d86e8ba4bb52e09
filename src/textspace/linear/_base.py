"""What every linear projection shares."""

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

FLOATS = [np.float64, np.float32]


class LinearProjection(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Base of the projections ``x -> x @ components_.T``: a subclass's ``fit`` sets ``components_``."""

    def transform(self, X):
        """Project documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Coordinates of the documents in the learned space.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS, reset=False)
        return safe_sparse_dot(X, self.components_.T, dense_output=True)

    def _validate(self, X, y):
        """Check X and y for ``fit``; encode y as 0..c-1 and keep the labels in ``classes_``."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_, y = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} separates classes, but y holds only one class: {self.classes_[0]!r}."
            )
        return X, y

    @property
    def _n_features_out(self):
        return self.components_.shape[0]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
