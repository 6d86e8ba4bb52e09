"""Any classifier of the catalogue with calibrated scores that split into terms."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, TransformerMixin, clone
from sklearn.metrics import pairwise_distances_argmin
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import normalize
from sklearn.utils import check_random_state, get_tags, indexable
from sklearn.utils.validation import check_is_fitted

from textspace._labels import split_labelled
from textspace._validation import validate_data
from textspace.classify._labelled_only import LabelledOnly
from textspace.classify._nearest_documents import NearestDocuments
from textspace.neighbors import build_index, nearest_points
from textspace.tuning import class_values, deal_folds, fit_temperature, probabilities

_EXACT = 1e-6  # of the largest score: parts that miss it by more do not add up


class CalibratedMethod(TransformerMixin, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier, with probabilities learned from documents it has not seen and scores split into terms.

    The scores are the classifier's decision values, divided by a temperature that makes their softmax the
    best probabilities for held-out documents. For the nearest neighbour in a space, the score of a class is
    what tells the distance (or the cosine) to its nearest training document: as a function of the terms of
    one document it is linear, like the space.

    Parameters
    ----------
    estimator : classifier
        A classifier of documents, perhaps a ``Pipeline`` that leads into a space first.
    unlabelled : bool, default=False
        Whether it learns from unlabelled documents too. If not, it is given the labelled ones only.
    n_folds : int, default=5
        Number of folds of the labelled documents.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    estimator_ : classifier
        The classifier, fitted on all documents.
    temperature_ : float
        What its decision values are divided by.
    out_of_fold_ : ndarray of shape (n_labelled, n_classes)
        Scores of each labelled training document by a classifier that has not seen it; zeros for the only
        document of a class, without which the class could not be learned.
    n_features_in_ : int
        Number of columns.

    References
    ----------
    C. Guo, G. Pleiss, Y. Sun and K. Q. Weinberger, "On calibration of modern neural networks", ICML 2017.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.svm import LinearSVC
    >>> X = np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.2, 0.8]])
    >>> model = CalibratedMethod(LinearSVC(), n_folds=2).fit(X, ["a", "a", "b", "b"])
    >>> model.predict(X[:1])
    array(['a'], dtype='<U1')
    >>> parts, constant = model.contributions(X[:1])
    >>> bool(np.allclose(parts.sum(axis=0) + constant, model.class_scores(X[:1])[0]))
    True
    """

    def __init__(self, estimator, unlabelled=False, n_folds=5):
        self.estimator = estimator
        self.unlabelled = unlabelled
        self.n_folds = n_folds

    def fit(self, X, y):
        """Learn the classifier, and how far to trust it.

        Parameters
        ----------
        X : {ndarray, sparse matrix} of shape (n_samples, n_features)
            Documents.
        y : array-like of shape (n_samples,)
            Their classes; -1, the empty string, None or NaN, the same throughout, where there is none.

        Returns
        -------
        CalibratedMethod
            The fitted classifier.
        """
        labelled, codes, self.classes_ = split_labelled(y, signs=True)
        X = validate_data(self, X, accept_sparse="csr", dtype=None)
        X, y, codes = indexable(X, np.asarray(y), codes)
        if not self.unlabelled:
            X, y, codes, labelled = X[labelled], y[labelled], codes[labelled], labelled[labelled]
        rows = np.flatnonzero(labelled)
        folds = np.full(len(codes), -1)
        folds[rows] = deal_folds(self.n_folds, codes[rows], n_samples=len(rows))
        folds[rows[np.bincount(codes[rows])[codes[rows]] == 1]] = -1
        values = np.zeros((len(codes), len(self.classes_)))
        for fold in np.unique(folds[folds >= 0]):
            held_out = folds == fold
            self._learn(X[~held_out], y[~held_out], codes[~held_out])
            values[held_out] = self._values(X[held_out])
        self.temperature_ = fit_temperature(values[folds >= 0], codes[folds >= 0])
        self.out_of_fold_ = values[rows] / self.temperature_
        self._learn(X, y, codes)
        return self

    def _learn(self, X, y, codes):
        self.estimator_ = clone(self.estimator).fit(X, y)
        self._points = None
        if _by_nearest(self.estimator_):
            labelled = codes >= 0
            self._points, self._point_codes = self._place(X[labelled]), codes[labelled]
            if getattr(_last(self.estimator_), "index_", None) is not None:
                self._sort_points()

    def _sort_points(self):
        """Keep an index of the points of each class in place of an array of all points."""
        metric = _last(self.estimator_).metric
        self._points = [
            build_index(
                self._points[self._point_codes == c], metric=metric, random_state=check_random_state(0)
            )
            for c in range(len(self.classes_))
        ]

    def _place(self, X):
        """Lead documents into the space, where there is one before the last step."""
        if isinstance(self.estimator_, Pipeline) and len(self.estimator_) > 1:
            return self.estimator_[:-1].transform(X)
        return X

    def _values(self, X):
        """Give decision values of shape (n_samples, n_classes)."""
        if self._points is None:
            return _decide(self.estimator_, X)
        Z, metric = self._place(X), _last(self.estimator_).metric
        values = [_nearness(Z, nearest, metric) for nearest in self._nearest(Z, metric)]
        return np.column_stack(values)

    def _nearest(self, Z, metric):
        """Give, class by class, the training document nearest to each document."""
        for c in range(len(self.classes_)):
            if isinstance(self._points, list):
                points = self._points[c].points
                nearest = nearest_points(self._points[c], _dense(Z))[1][:, 0]
            else:
                points = self._points[self._point_codes == c]
                nearest = pairwise_distances_argmin(Z, points, metric=metric)
            yield points[nearest]

    def class_scores(self, X):
        """Give the scores of the classes; their softmax are the probabilities.

        Parameters
        ----------
        X : {ndarray, sparse matrix} of shape (n_samples, n_features)
            Documents.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Scores.
        """
        return self._values(self._documents(X)) / self.temperature_

    def predict_proba(self, X):
        """Give the probabilities of the classes.

        Parameters
        ----------
        X : {ndarray, sparse matrix} of shape (n_samples, n_features)
            Documents.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Probabilities; each row sums to 1.
        """
        return probabilities(self._values(self._documents(X)), self.temperature_)

    def predict(self, X):
        """Give each document the class of its highest score.

        Parameters
        ----------
        X : {ndarray, sparse matrix} of shape (n_samples, n_features)
            Documents.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes.
        """
        best = self.class_scores(X).argmax(axis=1)
        return self.classes_[best]

    def transform(self, X):
        """Give the place of documents in the classifier's space or, where it has none, their scores.

        Parameters
        ----------
        X : {ndarray, sparse matrix} of shape (n_samples, n_features)
            Documents.

        Returns
        -------
        {ndarray, sparse matrix} of shape (n_samples, n_dimensions)
            Their coordinates.
        """
        X = self._documents(X)
        if isinstance(self.estimator_, Pipeline) and len(self.estimator_) > 1:
            return self._place(X)
        return X if self._points is not None else self.class_scores(X)

    def contributions(self, x):
        """Split the scores of one document into the parts of its terms.

        Parameters
        ----------
        x : {ndarray, sparse matrix} of shape (1, n_features)
            The document.

        Returns
        -------
        parts : CSR array of shape (n_features, n_classes)
            What each term adds to the score of each class.
        constant : ndarray of shape (n_classes,)
            The score of a document without terms.

        Raises
        ------
        ValueError
            The classifier's scores are no sum over terms.
        """
        check_is_fitted(self)
        x = sparse.csr_array(x, dtype=np.float64)
        columns = np.flatnonzero(x.toarray()[0])
        # one row a term, and a last one without any
        rows = sparse.csr_array(
            (x[:, columns].toarray()[0], (np.arange(len(columns)), columns)),
            shape=(len(columns) + 1, x.shape[1]),
        )
        try:
            values = self._part_values(x, rows) / self.temperature_
            score = self.class_scores(x)[0]
        except TypeError as error:  # NMF takes only the precision that it has learned in
            raise _no_sum(self.estimator_) from error
        parts, constant = values[:-1] - values[-1], values[-1]
        missed = np.abs(parts.sum(axis=0) + constant - score).max()
        if missed > _EXACT * max(1, np.abs(score).max()):
            raise _no_sum(self.estimator_)
        spread = sparse.csr_array(
            (np.ones(len(columns)), (columns, np.arange(len(columns)))), shape=(x.shape[1], len(columns))
        )
        return spread @ sparse.csr_array(parts), constant

    def _documents(self, X):
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse="csr", dtype=None, reset=False)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags.poor_score = inner.classifier_tags.poor_score
        return tags

    def _part_values(self, x, rows):
        """Give the values of the rows by the rule that holds for the document x."""
        if self._points is None:
            return _decide(self.estimator_, rows)
        metric = _last(self.estimator_).metric
        z, Z = (_dense(self._place(X)).astype(np.float64) for X in (x, rows))
        values = []
        for nearest in self._nearest(z, metric):
            nearest = _dense(nearest).astype(np.float64)
            if metric == "cosine":  # divided by the length of the document, not of its parts
                values.append(Z @ normalize(nearest)[0] / (np.linalg.norm(z) or 1.0))
            else:
                values.append(_nearness(Z, nearest, metric))
        return np.column_stack(values)


def _no_sum(estimator):
    return ValueError(
        f"the scores of {type(_last(estimator)).__name__} here are no sum over terms: choose a method with a "
        "linear space or a linear classifier to see what each term adds."
    )


def _dense(X):
    return X.toarray() if sparse.issparse(X) else np.asarray(X)


def _last(estimator):
    """Give the classifier at the end, out of what wraps it."""
    last = estimator[-1] if isinstance(estimator, Pipeline) else estimator
    return last.estimator_ if isinstance(last, LabelledOnly) else last


def _by_nearest(estimator):
    last = _last(estimator)
    return isinstance(last, KNeighborsClassifier | NearestDocuments) and last.n_neighbors == 1


def _nearness(Z, nearest, metric):
    """Say how near documents are to points: a cosine, or what the squared distance says beyond ||z||^2.

    ``z @ p - ||p||^2 / 2`` is ``||z||^2 / 2 - ||z - p||^2 / 2``: the same for all classes but for a constant
    that the softmax does not see, and linear in z.
    """
    if metric == "cosine":
        Z, nearest = normalize(Z), normalize(nearest)
        return _row_products(Z, nearest)
    return _row_products(Z, nearest) - _row_products(nearest, nearest) / 2


def _row_products(A, B):
    products = A.multiply(B) if sparse.issparse(A) else A * B
    return np.asarray(products.sum(axis=1)).ravel()


def _decide(estimator, X):
    """Give decision values as near to linear as the classifier has them, of shape (n_samples, n_classes)."""
    if hasattr(estimator, "predict_joint_log_proba"):  # naive Bayes before it is normalised
        return estimator.predict_joint_log_proba(X)
    if hasattr(estimator, "decision_function"):
        values = estimator.decision_function(X)
        return np.column_stack([np.zeros_like(values), values]) if values.ndim == 1 else values
    return class_values(estimator, X)
