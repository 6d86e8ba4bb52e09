"""What every linear projection shares."""

from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import get_tags
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, column_or_1d

from textspace._label_lists import indicators_of
from textspace._labels import split_labelled
from textspace._parameters import COUNT, POSITIVE, SEED, one_of
from textspace._validation import FLOATS, validate_data
from textspace.neighbors import class_neighbors, neighbor_recall, posting_neighbors
from textspace.solvers import ratio_directions, top_directions

# What the parameters of `_find_neighbors` may be.
NEIGHBORS = {"n_neighbors": [COUNT], "max_postings": [COUNT, one_of("auto"), None]}

_EXACT = 100_000  # documents up to which all are compared with each other
_POSTINGS = 300  # documents of each term among which more of them look for neighbours


class LinearProjection(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Base of the projections ``x -> x @ components_.T``: a subclass's ``_fit(X, y)`` sets ``components_``.

    It is given checked documents, and their classes as 0..c-1. A projection of another form has its own
    ``_project(X)``. Methods of one graph have :class:`GraphProjection` as their base, those of two
    :class:`RatioProjection`.
    """

    _parameter_constraints: ClassVar = {}
    _needs_labels = True
    _partly_labelled = False  # whether documents may lack a label
    _several_labels = False  # whether a document may have several, and then counts for each of its classes
    _min_samples = 2

    def fit(self, X, y=None):
        """Learn the space.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,), or indicators of shape (n_samples, n_labels), optional
            Their classes; ignored by a method that does not use them, required by all others. A method that
            learns from unlabelled documents too takes -1, the empty string, None or NaN, the same throughout,
            for no label. By a method of class means or of the space of each class a document may have several
            labels: it counts for each of them, as if it were there once for each.

        Returns
        -------
        self : object
            The fitted projection.
        """
        self._validate_params()
        self._fit(*self._validate(X, y))
        return self

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
        return self._project(X)

    def _project(self, X):
        return safe_sparse_dot(X, self.components_.T, dense_output=True)

    def _validate(self, X, y):
        """Check X and y for ``fit``; encode y as 0..c-1 and keep the labels in ``classes_``.

        Where ``_partly_labelled``, documents without a label have -1. A method whose tags do not require y
        gets one class, 0, for all documents.
        """
        checks = {"accept_sparse": "csr", "dtype": FLOATS, "ensure_min_samples": self._min_samples}
        if not get_tags(self).target_tags.required:
            X = validate_data(self, X, **checks)
            return X, np.zeros(X.shape[0], dtype=np.int32)
        if self._partly_labelled:
            _, y, self.classes_ = split_labelled(y)
            return validate_data(self, X, y, **checks)
        X, y = validate_data(self, X, y, multi_output=True, **checks)
        truth = indicators_of(y)
        if truth is not None:
            X, y = self._once_a_label(X, truth)
        self.classes_, y = np.unique(column_or_1d(y, warn=True), return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} separates classes, but y holds only one class: "
                f"{str(self.classes_[0])!r}."
            )
        return X, y

    def _once_a_label(self, X, truth):
        """Give each document once for each of its labels, with the label."""
        if not self._several_labels:
            raise ValueError(
                f"{type(self).__name__} compares documents of a class with those of others, so that each "
                "has one label: choose SpectralRegressionLDA, ClassCentroids, MaximumMarginCriterion or CLSI "
                "for several, or LSI, which needs none."
            )
        return X[np.repeat(np.arange(X.shape[0]), np.diff(truth.indptr))], truth.indices

    def _find_neighbors(self, X, y=None, *, n_neighbors):
        """Find neighbours, all or most as ``max_postings`` says; keep their recall in ``recall_``.

        Without y, all documents count as one class: ``within`` has the nearest of all.
        """
        y = np.zeros(X.shape[0], dtype=np.int32) if y is None else y
        max_postings = self.max_postings
        if max_postings == "auto":
            max_postings = _POSTINGS if sparse.issparse(X) and X.shape[0] > _EXACT else None
        if max_postings is None:
            self.recall_ = 1.0
            return class_neighbors(X, y, n_neighbors=n_neighbors)
        neighbors = posting_neighbors(X, y, n_neighbors=n_neighbors, max_postings=max_postings)
        self.recall_ = neighbor_recall(X, y, neighbors, random_state=0)
        return neighbors

    @property
    def _n_features_out(self):
        return self.components_.shape[0]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = self._needs_labels
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class GraphProjection(LinearProjection):
    """Base of the methods ``max trace(A.T @ X.T @ L @ X @ A)`` with orthonormal A, for a graph L.

    A subclass's ``_graph(X, y)`` gives L over the documents X, whose classes y are 0..c-1. It may have more
    parameters: then its ``__init__`` assigns these and the ones below.

    Parameters
    ----------
    n_components : int or None, default=100
        Dimensions of the space. Capped, with a warning, at the number of positive eigenvalues. None stands
        for one less than there are classes.
    solver : {"auto", "lanczos", "qr"}, default="auto"
        "lanczos" needs products with X alone; "qr" is the dense algorithm of Gu & Zhou (2009), for reference;
        "auto" is "lanczos", but exact where the shorter side of X is at most 1000 or ``4 * n_components``.
    tol : float, default=1e-2
        Accuracy of "lanczos": residual of each direction relative to its eigenvalue.
    random_state : int, RandomState instance or None, default=None
        Seed of "lanczos". It moves the result within ``tol`` only.

    Attributes
    ----------
    components_ : ndarray of shape (m, n_features)
        Directions, orthonormal rows.
    eigenvalues_ : ndarray of shape (m,)
        Value of the criterion along each direction, descending.
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``.
    n_features_in_ : int
        Number of features seen in ``fit``.

    Examples
    --------
    The maximum margin criterion:

    >>> import numpy as np
    >>> from textspace.graphs import margin_graph
    >>> from textspace.linear import GraphProjection
    >>> class Margin(GraphProjection):
    ...     def _graph(self, X, y):
    ...         return margin_graph(y, dtype=X.dtype)
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> Margin(n_components=1).fit(X, ["a", "a", "b", "b"]).transform(X).round(6).ravel()
    array([ 3.,  3., -3., -3.])
    """

    _parameter_constraints: ClassVar = {
        "n_components": [COUNT, None],
        "solver": [one_of("auto", "lanczos", "qr")],
        "tol": [POSITIVE],
        "random_state": [SEED],
    }

    def __init__(self, n_components=100, *, solver="auto", tol=1e-2, random_state=None):
        self.n_components = n_components
        self.solver = solver
        self.tol = tol
        self.random_state = random_state

    def _fit(self, X, y):
        self.eigenvalues_, self.components_ = top_directions(
            X,
            self._graph(X, y),
            n_components=len(self.classes_) - 1 if self.n_components is None else self.n_components,
            solver=self.solver,
            tol=self.tol,
            random_state=self.random_state,
        )


class RatioProjection(LinearProjection):
    """Base of the methods that make the quadratic form of one graph large against that of another.

    A direction a is worth ``a @ X.T @ N @ X @ a / a @ X.T @ D @ X @ a``. A subclass's ``_graphs(X, y)`` gives
    the numerator N and the denominator D, which is positive semi-definite, over the documents X, whose
    classes y are 0..c-1. It may have more parameters: then its ``__init__`` assigns these and the ones below.

    Parameters
    ----------
    n_components : int, default=50
        Dimensions of the space; capped, with a warning, at those of the latent space.
    n_latent : int, default=500
        Leading singular directions to which the documents are taken first. Nothing is lost where the rank of
        X is no higher.
    random_state : int, RandomState instance or None, default=None
        Seed of the iteration that finds the singular directions.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal directions, one a row: the first k of them span the k best, for every k.
    eigenvalues_ : ndarray of shape (n_components,)
        The ratio along each of the best directions, descending.
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``, where the method uses them.
    n_features_in_ : int
        Number of features seen in ``fit``.
    regularization : float
        Share of the denominator's mean eigenvalue that is added to all of them: 1e-6, unless a subclass makes
        it a parameter.

    Examples
    --------
    Neighbours of other classes apart, those of the same class together:

    >>> import numpy as np
    >>> from textspace.graphs import marginal_graphs
    >>> from textspace.linear import RatioProjection
    >>> from textspace.neighbors import class_neighbors
    >>> class Margins(RatioProjection):
    ...     def _graphs(self, X, y):
    ...         neighbors = class_neighbors(X, y, n_neighbors=1)
    ...         within, between = marginal_graphs(neighbors, n_within=1, n_between=1)
    ...         return between, within
    >>> X = np.array([[1.0, 0.1], [2.0, 0.1], [1.0, 0.9], [2.0, 0.9]])
    >>> np.abs(Margins(n_components=1).fit(X, ["a", "a", "b", "b"]).components_.round(3))
    array([[0., 1.]])
    """

    _parameter_constraints: ClassVar = {
        "n_components": [COUNT],
        "n_latent": [COUNT],
        "random_state": [SEED],
    }
    regularization = 1e-6

    def __init__(self, n_components=50, *, n_latent=500, random_state=None):
        self.n_components = n_components
        self.n_latent = n_latent
        self.random_state = random_state

    def _fit(self, X, y):
        ratios, self.components_ = ratio_directions(
            X,
            *self._graphs(X, y),
            n_components=self.n_components,
            n_latent=self.n_latent,
            regularization=self.regularization,
            random_state=self.random_state,
        )
        self.eigenvalues_ = self._criterion(ratios)

    def _criterion(self, ratios):
        """Give the criterion's values, where they are not the ratios themselves."""
        return ratios
