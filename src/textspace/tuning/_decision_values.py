"""How much a classifier leans to each class, whatever it is: one value a document and class."""

import numpy as np

from textspace.tuning._search import pipeline_parts

# What to ask a classifier for, the first that it has. Ranks: values that order documents best, class by
# class. Sums: values as near as can be to sums over terms. Logarithms: those of its own probabilities first.
RANKS = ("nearness", "decision_function", "predict_proba")
SUMS = ("predict_joint_log_proba", "decision_function", "log_proba")
LOGARITHMS = ("log_proba", "decision_function")

_SMALLEST = 1e-12  # a probability of 0 has no logarithm


def decision_values(estimator, X, *, ask=LOGARITHMS):
    """Give decision values of any classifier, one a document and class.

    Parameters
    ----------
    estimator : fitted classifier
        With ``predict_proba`` or ``decision_function``, or one that knows the nearest documents.
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents.
    ask : sequence of str, default=LOGARITHMS
        What to ask it for; the first that it has is taken. Names of its methods, ``"log_proba"`` for the
        logarithms of ``predict_proba`` (of at least 1e-12), or ``"nearness"``, which is minus the distance to
        the nearest training document of the class and is known where :func:`knows_nearest` says so.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        In the order of ``classes_``. The one decision value of two classes becomes half of it for the second
        class and minus half for the first, so that the softmax is its logistic function.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), ["a", "b"]
    >>> decision_values(LinearSVC().fit(X, y), X).round(2)
    array([[ 0.33, -0.33],
           [-0.33,  0.33]])
    """
    for name in ask:
        if name == "nearness":
            if knows_nearest(estimator):
                return -np.column_stack([distances for distances, _ in nearest_of_classes(estimator, X)])
        elif name == "log_proba":
            if hasattr(estimator, "predict_proba"):
                shares = np.asarray(estimator.predict_proba(X), dtype=np.float64)
                return np.log(np.maximum(shares, _SMALLEST))
        elif hasattr(estimator, name):
            values = np.asarray(getattr(estimator, name)(X), dtype=np.float64)
            return values if values.ndim == 2 else np.column_stack([-values / 2, values / 2])
    raise TypeError(
        f"{type(estimator).__name__} has neither predict_proba nor decision_function, so it cannot say "
        "how sure it is: choose another estimator."
    )


def ranking_values(estimator, X, classes):
    """Say for each document and class how much the classifier leans to it.

    Parameters
    ----------
    estimator : fitted classifier
        Of some classes.
    X : {array, sparse matrix} of shape (n, d)
        Documents to judge.
    classes : array of shape (c,)
        Classes of the columns. One that was not in training gets the same value for all documents.

    Returns
    -------
    array of shape (n, c), or None
        As :func:`decision_values` gives them for ``RANKS``; None for a classifier that has
        none. For the nearest neighbour, whose votes are 0 or 1, they are minus the distance to the nearest
        training document of the class, which ranks documents and has its maximum at the predicted class.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> from textspace.tuning import ranking_values
    >>> X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), ["a", "b"]
    >>> ranking_values(LinearSVC().fit(X, y), X, ["b", "c"]).round(2)
    array([[-0.33,  0.  ],
           [ 0.33,  0.  ]])
    """
    if not (hasattr(estimator, "decision_function") or hasattr(estimator, "predict_proba")):
        return None
    values = decision_values(estimator, X, ask=RANKS)
    aligned = np.zeros((len(values), len(classes)))
    for column, label in enumerate(classes):
        known = np.flatnonzero(estimator.classes_ == label)
        if len(known):
            aligned[:, column] = values[:, known[0]]
    return aligned


def knows_nearest(estimator):
    """Tell whether a classifier decides by the nearest training document and can say which it is.

    Parameters
    ----------
    estimator : classifier
        Fitted or not; of a ``Pipeline`` the last step counts.

    Returns
    -------
    bool
        Whether it has a method ``nearest_of_classes``, as :class:`textspace.classify.NearestDocuments` with
        one neighbour has, or is scikit-learn's ``KNeighborsClassifier`` with one neighbour.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from textspace.tuning import knows_nearest
    >>> knows_nearest(KNeighborsClassifier(1)), knows_nearest(KNeighborsClassifier(5))
    (True, False)
    """
    last = pipeline_parts(estimator)[1]
    return hasattr(last, "nearest_of_classes") or _is_plain_nearest(last)


def nearest_of_classes(estimator, X):
    """Find the nearest training document of each class.

    Parameters
    ----------
    estimator : fitted classifier
        One of which :func:`knows_nearest` is true.
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents; those of a ``Pipeline`` are led into its space first.

    Returns
    -------
    list of pairs
        One a class, in the order of ``classes_``: distances, ndarray of shape (n_samples,), and the nearest
        documents as they lie in the space, {ndarray, sparse matrix} of shape (n_samples, n_dimensions).

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from textspace.tuning import nearest_of_classes
    >>> nearest = KNeighborsClassifier(1).fit(np.array([[0.0], [1.0], [5.0]]), ["a", "a", "b"])
    >>> [distances.tolist() for distances, _ in nearest_of_classes(nearest, np.array([[2.0]]))]
    [[1.0], [3.0]]
    """
    space, last, _ = pipeline_parts(estimator)
    Z = X if space is None else space.transform(X)
    if not _is_plain_nearest(last):
        return last.nearest_of_classes(Z)
    from sklearn.metrics import pairwise_distances_argmin_min

    found = []
    for code in range(len(last.classes_)):
        points = last._fit_X[last._y == code]
        nearest, distances = pairwise_distances_argmin_min(Z, points, metric=last.metric)
        found.append((distances, points[nearest]))
    return found


def _is_plain_nearest(classifier):
    from sklearn.neighbors import KNeighborsClassifier

    return isinstance(classifier, KNeighborsClassifier) and classifier.n_neighbors == 1
