"""The vote of the nearest training documents, however few or many there are."""

from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from textspace._parameters import COUNT, SEED, one_of
from textspace._saving import saved_as
from textspace._validation import FLOATS, validate_data
from textspace.classify._base import DocumentClassifier
from textspace.neighbors import METRICS, build_index, index_recall, nearest_points
from textspace.tuning import nearest_of_classes

_MANY = 100_000  # documents from which on clusters are worth what they miss


@saved_as(
    "classify.nearest_documents",
    shapes={
        "classes_": "c",
        "n_features_in_": "d",
        "neighbors_.classes_?": "c",
        "neighbors_.n_features_in_?": "d",
        "index_.points?": "n d",
        "_codes?": "n < c",
        "_class_indexes?": "c",
        "_class_indexes.*.points?": "_ d",
    },
    check=lambda nearest: (nearest.neighbors_ is None) == hasattr(nearest, "_codes"),
    holds=["sklearn.neighbors.KNeighborsClassifier"],
)
class NearestDocuments(DocumentClassifier):
    """Class of the nearest training document, or of most of several.

    The probability of a class is its share of the votes; of classes with as many votes the first is taken.
    Up to 100,000 training documents the answer is exactly that of scikit-learn's ``KNeighborsClassifier``.
    Beyond that, the documents are sorted into clusters, as many as the square root of their number, and only
    those of the 32 clusters that are nearest to a document are compared with it.

    Parameters
    ----------
    n_neighbors : int, default=1
        Number of documents that vote; all, where there are fewer.
    metric : str, default="euclidean"
        Distance, as in ``KNeighborsClassifier``. Only ``"euclidean"`` and ``"cosine"`` have clusters.
    algorithm : {"auto", "brute", "clusters"}, default="auto"
        ``"brute"`` compares with all documents, ``"clusters"`` with those of the nearest clusters; ``"auto"``
        takes clusters for 100,000 dense documents and more.
    random_state : int, RandomState instance or None, default=None
        Draws the documents from which the clusters are learned, and those that tell the recall.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``.
    index_ : ClusterIndex or None
        The clusters, if any.
    neighbors_ : KNeighborsClassifier or None
        What compares with all documents, if there are no clusters.
    recall_ : float
        Share of the nearest documents that is found, 1 without clusters; measured on 256 training documents.
    n_features_in_ : int
        Number of columns.

    Examples
    --------
    >>> from textspace.classify import NearestDocuments
    >>> X, y = [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]], ["a", "a", "b"]
    >>> NearestDocuments().fit(X, y).predict([[0.1, 1.0]])
    array(['b'], dtype='<U1')
    >>> NearestDocuments(20, metric="cosine").fit(X, y).predict([[0.1, 1.0]])
    array(['a'], dtype='<U1')
    """

    _parameter_constraints: ClassVar = {
        "n_neighbors": [COUNT],
        "metric": [str],
        "algorithm": [one_of("auto", "brute", "clusters")],
        "random_state": [SEED],
    }
    _dtype = FLOATS
    _class_indexes = None  # clusters of each class, sorted when they are first asked for

    def __init__(self, n_neighbors=1, metric="euclidean", algorithm="auto", random_state=None):
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.algorithm = algorithm
        self.random_state = random_state

    def fit(self, X, y):
        """Keep the documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        NearestDocuments
            The fitted classifier.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, accept_sparse=self._accept_sparse, dtype=FLOATS)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        n_neighbors = min(self.n_neighbors, len(y))
        self.index_, self.neighbors_, self.recall_, self._class_indexes = None, None, 1.0, None
        if self._takes_clusters(X):
            random_state = check_random_state(self.random_state)
            self.index_ = build_index(X, metric=self.metric, random_state=random_state)
            self._codes = codes[self.index_.rows]
            self.recall_ = index_recall(self.index_, n_neighbors=n_neighbors, random_state=random_state)
        else:
            from sklearn.neighbors import KNeighborsClassifier

            exact = KNeighborsClassifier(n_neighbors, metric=self.metric, algorithm="brute")
            self.neighbors_ = exact.fit(X, codes)
        return self

    def _takes_clusters(self, X):
        can = self.metric in METRICS
        if self.algorithm == "auto":
            return can and X.shape[0] >= _MANY and not sparse.issparse(X)
        if self.algorithm == "clusters" and not can:
            raise ValueError(
                f"there are no clusters for the metric {self.metric!r}: choose {' or '.join(METRICS)}, or "
                "algorithm='brute'."
            )
        return self.algorithm == "clusters"

    @property
    def _accept_sparse(self):
        return False if self.algorithm == "clusters" else "csr"

    def _scores(self, X):
        """Give the shares of the votes, of shape (n_samples, n_classes)."""
        if self.index_ is None:
            return self.neighbors_.predict_proba(X)
        _, places = nearest_points(self.index_, X, n_neighbors=min(self.n_neighbors, len(self._codes)))
        codes = self._codes[places]
        votes = np.zeros((len(codes), len(self.classes_)))
        np.add.at(votes, (np.arange(len(codes))[:, None], codes), 1)
        return votes / codes.shape[1]

    def _proba(self, X):
        return self._scores(X)

    @available_if(lambda model: model.n_neighbors == 1)
    def nearest_of_classes(self, X):
        """Find the nearest training document of each class; there is such a method with one neighbour only.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        list of pairs
            One a class, in the order of `classes_`: distances, ndarray of shape (n_samples,), and the nearest
            documents, {ndarray, sparse matrix} of shape (n_samples, n_features).
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS, reset=False)
        if self.index_ is None:
            return nearest_of_classes(self.neighbors_, X)
        X = X.toarray() if sparse.issparse(X) else X
        if self._class_indexes is None:
            self._class_indexes = self._sort_classes()
        found = [(index, *nearest_points(index, X)) for index in self._class_indexes]
        return [(distances[:, 0], index.points[places[:, 0]]) for index, distances, places in found]

    def _sort_classes(self):
        """Sort the documents of each class into clusters."""
        order = np.argsort(self.index_.rows)
        points, codes = self.index_.points[order], self._codes[order]
        return [
            build_index(points[codes == code], metric=self.metric, random_state=check_random_state(0))
            for code in range(len(self.classes_))
        ]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._accept_sparse)
        return tags
