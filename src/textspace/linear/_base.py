"""What every linear projection shares."""

from numbers import Integral

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_scalar
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from textspace._validation import FLOATS, validate_data
from textspace.neighbors import class_neighbors, neighbor_recall, posting_neighbors
from textspace.solvers import top_directions

_EXACT = 100_000  # documents up to which all are compared with each other
_POSTINGS = 300  # documents of each term among which more of them look for neighbours


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
                f"{type(self).__name__} separates classes, but y holds only one class: "
                f"{str(self.classes_[0])!r}."
            )
        return X, y

    def _find_neighbors(self, X, y, *, n_neighbors):
        """Find neighbours, all or most as ``n_postings`` says; keep their recall in ``recall_``."""
        n_postings = self.n_postings
        if isinstance(n_postings, str):
            if n_postings != "auto":
                raise ValueError(f"n_postings must be 'auto', None or a whole number, not {n_postings!r}.")
            n_postings = _POSTINGS if sparse.issparse(X) and X.shape[0] > _EXACT else None
        if n_postings is None:
            self.recall_ = 1.0
            return class_neighbors(X, y, n_neighbors=n_neighbors)
        check_scalar(n_postings, "n_postings", Integral, min_val=1)
        neighbors = posting_neighbors(X, y, n_neighbors=n_neighbors, n_postings=n_postings)
        self.recall_ = neighbor_recall(X, y, neighbors, random_state=0)
        return neighbors

    @property
    def _n_features_out(self):
        return self.components_.shape[0]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class GraphProjection(LinearProjection):
    """Base of the methods ``max trace(A.T @ X.T @ L @ X @ A)``: a subclass's ``_graph`` gives L."""

    def fit(self, X, y):
        """Learn the directions from labelled documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        self : object
            The fitted projection.
        """
        X, y = self._validate(X, y)
        self.eigenvalues_, self.components_ = top_directions(
            X,
            self._graph(X, y),
            n_components=len(self.classes_) - 1 if self.n_components is None else self.n_components,
            solver=self.solver,
            tol=self.tol,
            random_state=self.random_state,
        )
        return self
