"""The vote of nearest neighbours, however few documents there are."""

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import KNeighborsClassifier


class NearestVote(ClassifierMixin, BaseEstimator):
    """Vote of the nearest neighbours, or of all training documents where these are fewer.

    scikit-learn's ``KNeighborsClassifier`` refuses to classify where it has fewer documents than neighbours.

    Parameters
    ----------
    n_neighbors : int, default=20
        Number of neighbours, if there are as many documents.
    metric : str, default="cosine"
        Distance, as in ``KNeighborsClassifier``.

    Attributes
    ----------
    neighbors_ : KNeighborsClassifier
        The fitted classifier.
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``.

    Examples
    --------
    >>> from textspace.classify._nearest_vote import NearestVote
    >>> NearestVote().fit([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]], ["a", "a", "b"]).predict([[0.1, 1.0]])
    array(['a'], dtype='<U1')
    """

    def __init__(self, n_neighbors=20, metric="cosine"):
        self.n_neighbors = n_neighbors
        self.metric = metric

    def fit(self, X, y):
        """Keep the documents, X of shape (n_samples, n_features), and their classes."""
        n_neighbors = min(self.n_neighbors, len(y))
        self.neighbors_ = KNeighborsClassifier(n_neighbors, metric=self.metric, algorithm="brute").fit(X, y)
        self.classes_ = self.neighbors_.classes_
        return self

    def predict(self, X):
        """Give the class with most votes, an array of shape (n_samples,)."""
        return self.neighbors_.predict(X)

    def predict_proba(self, X):
        """Give the shares of the votes, an array of shape (n_samples, n_classes)."""
        return self.neighbors_.predict_proba(X)
