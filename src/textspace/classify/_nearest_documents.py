"""The vote of the nearest training documents, however few or many there are."""

from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, column_or_1d

from textspace._label_lists import indicators_of
from textspace._parameters import COUNT, SEED, one_of
from textspace._saving import saved_as
from textspace._validation import FLOATS, validate_data
from textspace.classify._base import DocumentClassifier
from textspace.neighbors import METRICS, build_index, index_recall, nearest_points
from textspace.tuning import nearest_of_classes

_MANY = 100_000  # documents from which on clusters are worth what they miss


def _votes_fit(nearest):
    """Whether all documents that are found have classes."""
    if nearest._truth is not None:
        return nearest.index_ is not None or len(nearest.neighbors_.classes_) == 1
    if nearest.index_ is not None:
        return hasattr(nearest, "_codes")
    return len(nearest.neighbors_.classes_) == len(nearest.classes_)


@saved_as(
    "classify.nearest_documents",
    shapes={
        "classes_": "c",
        "n_features_in_": "d",
        "neighbors_._fit_X?": "n d",
        "neighbors_.n_features_in_?": "d",
        "index_.points?": "n d",
        "_codes?": "n < c",
        "_truth?": "csr n c",
        "_class_indexes?": "c",
        "_class_indexes.*.points?": "_ d",
    },
    check=_votes_fit,
    holds=["sklearn.neighbors.KNeighborsClassifier"],
)
class NearestDocuments(DocumentClassifier):
    """Class of the nearest training document, or of most of several.

    The probability of a class is its share of the votes; of classes with as many votes the first is taken.
    Where documents have several labels, those are given that more than half of the votes are for; of v votes
    out of k the probability is ``(v + 1/2) / (k + 1)``, as one neighbour makes nothing certain.
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
        Labels seen in ``fit``; positions of the columns where y was an indicator matrix.
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
    >>> NearestDocuments().fit(X, [[1, 0], [0, 0], [1, 1]]).predict([[0.1, 1.0]])
    array([[1, 1]])
    """

    _parameter_constraints: ClassVar = {
        "n_neighbors": [COUNT],
        "metric": [str],
        "algorithm": [one_of("auto", "brute", "clusters")],
        "random_state": [SEED],
    }
    _dtype = FLOATS
    _class_indexes = None  # clusters of each class, sorted when they are first asked for
    _truth = None  # labels of the documents, in the order in which they are kept, where they have several

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
        y : {array-like, sparse matrix} of shape (n_samples,) or (n_samples, n_labels)
            Class of each document, or for documents of several labels or none a matrix of zeros and ones.

        Returns
        -------
        NearestDocuments
            The fitted classifier.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, accept_sparse=self._accept_sparse, dtype=FLOATS, multi_output=True)
        self._truth = indicators_of(y)
        if self._truth is None:
            self.classes_, codes = np.unique(column_or_1d(y, warn=True), return_inverse=True)
        else:
            self.classes_, codes = np.arange(y.shape[1]), np.zeros(X.shape[0], dtype=int)
        n_neighbors = min(self.n_neighbors, X.shape[0])
        self.index_, self.neighbors_, self.recall_, self._class_indexes = None, None, 1.0, None
        if self._takes_clusters(X):
            random_state = check_random_state(self.random_state)
            self.index_ = build_index(X, metric=self.metric, random_state=random_state)
            if self._truth is None:
                self._codes = codes[self.index_.rows]
            else:
                self._truth = self._truth[self.index_.rows]
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
        if self._truth is not None:
            return self._label_shares(X)
        if self.index_ is None:
            return self.neighbors_.predict_proba(X.astype(self.neighbors_._fit_X.dtype, copy=False))
        codes = self._codes[self._nearest(X)]
        votes = np.zeros((len(codes), len(self.classes_)))
        np.add.at(votes, (np.arange(len(codes))[:, None], codes), 1)
        return votes / codes.shape[1]

    def _nearest(self, X):
        """Give the places of the documents that vote, of shape (n_samples, n_neighbors)."""
        if self.index_ is None:
            X = X.astype(self.neighbors_._fit_X.dtype, copy=False)  # scikit-learn does not mix sparse ones
            return self.neighbors_.kneighbors(X, return_distance=False)
        n_points = len(self.index_.points)
        return nearest_points(self.index_, X, n_neighbors=min(self.n_neighbors, n_points))[1]

    def _label_shares(self, X):
        places = self._nearest(X)
        ends = np.arange(0, places.size + 1, places.shape[1])
        shape = len(places), self._truth.shape[0]
        voters = sparse.csr_array((np.ones(places.size), places.ravel(), ends), shape=shape)
        return ((voters @ self._truth).toarray() + 0.5) / (places.shape[1] + 1)

    def _proba(self, X):
        return self._scores(X)

    def _answers(self, X):
        return super()._answers(X) if self._truth is None else (self._scores(X) > 0.5).astype(int)

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
            if self._truth is not None:
                return self._nearest_of_labels(X)
            return nearest_of_classes(self.neighbors_, X)
        X = X.toarray() if sparse.issparse(X) else X
        if self._class_indexes is None:
            self._class_indexes = self._sort_classes()
        found = [(index, *nearest_points(index, X)) for index in self._class_indexes]
        return [(distances[:, 0], index.points[places[:, 0]]) for index, distances, places in found]

    def _nearest_of_labels(self, X):
        """Find the nearest document of each label; one that no document has is infinitely far."""
        from sklearn.metrics import pairwise_distances_argmin_min

        found = []
        for rows in self._rows_of_labels():
            if not len(rows):
                found.append((np.full(X.shape[0], np.inf), 0 * X))
                continue
            points = self.neighbors_._fit_X[rows]
            nearest, distances = pairwise_distances_argmin_min(X, points, metric=self.metric)
            found.append((distances, points[nearest]))
        return found

    def labelled_points(self):
        """Give the documents that were kept and their labels, where they have several.

        Returns
        -------
        points : {ndarray, sparse matrix} of shape (n_points, n_features)
            Documents.
        truth : csr_array of shape (n_points, n_labels)
            Ones where they have a label.
        """
        return (self.neighbors_._fit_X if self.index_ is None else self.index_.points), self._truth

    def _rows_of_labels(self):
        by_label = self._truth.tocsc()
        return np.split(by_label.indices, by_label.indptr[1:-1])

    def _sort_classes(self):
        """Sort the documents of each class into clusters."""
        order = np.argsort(self.index_.rows)
        points = self.index_.points[order]
        if self._truth is None:
            rows = [np.flatnonzero(self._codes[order] == code) for code in range(len(self.classes_))]
        else:
            places = np.empty_like(order)
            places[order] = np.arange(len(order))
            rows = [np.sort(places[own]) for own in self._rows_of_labels()]
        return [
            build_index(points[own], metric=self.metric, random_state=check_random_state(0)) for own in rows
        ]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._accept_sparse)
        tags.classifier_tags.multi_label = True
        return tags
