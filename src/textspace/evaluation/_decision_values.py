"""Decision values of any classifier, one a document and class, for the ROC curve."""

import numpy as np
from sklearn.metrics import pairwise_distances_argmin_min
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import check_random_state

from textspace.classify import LabelledOnly, NearestDocuments
from textspace.neighbors import build_index, nearest_points
from textspace.tuning import pipeline_parts


def decision_values(estimator, X_train, y_train, X_test, classes):
    """Say for each document and class how much the classifier leans to it.

    Parameters
    ----------
    estimator : fitted classifier
        Fitted on `X_train`, `y_train`.
    X_train : {array, sparse matrix} of shape (n_train, d)
        Training documents.
    y_train : array of shape (n_train,)
        Their labels, "" for none.
    X_test : {array, sparse matrix} of shape (n, d)
        Documents to judge.
    classes : array of shape (c,)
        Classes of the columns. One that was not in training gets the same value for all documents.

    Returns
    -------
    array of shape (n, c), or None
        Values of ``decision_function``, else of ``predict_proba``; None without either. For the nearest
        neighbour, whose votes are 0 or 1, also within :class:`textspace.classify.LabelledOnly`: minus the
        distance to the nearest training document of the class, which ranks documents and has its maximum at
        the predicted class.
    """
    space, last, _ = pipeline_parts(estimator)
    if isinstance(last, LabelledOnly):
        last = last.estimator_
    if isinstance(last, KNeighborsClassifier | NearestDocuments) and last.n_neighbors == 1:
        if space is not None:
            X_train, X_test = space.transform(X_train), space.transform(X_test)
        values = _nearness(X_train, y_train, X_test, last)
    elif hasattr(estimator, "decision_function"):
        values = estimator.decision_function(X_test)
        if values.ndim == 1:
            values = np.column_stack([-values, values])
    elif hasattr(estimator, "predict_proba"):
        values = estimator.predict_proba(X_test)
    else:
        return None
    aligned = np.zeros((X_test.shape[0], len(classes)))
    for column, label in enumerate(classes):
        known = np.flatnonzero(estimator.classes_ == label)
        if len(known):
            aligned[:, column] = values[:, known[0]]
    return aligned


def _nearness(X_train, y_train, X_test, neighbor):
    distances = [
        _smallest_distance(X_test, X_train[y_train == label], neighbor) for label in neighbor.classes_
    ]
    return -np.column_stack(distances)


def _smallest_distance(Z, points, neighbor):
    if getattr(neighbor, "index_", None) is None:
        return pairwise_distances_argmin_min(Z, points, metric=neighbor.metric)[1]
    index = build_index(points, metric=neighbor.metric, random_state=check_random_state(0))
    return nearest_points(index, Z)[0][:, 0]
