"""Decision values of any classifier, one a document and class, for the ROC curve."""

import numpy as np

from textspace.tuning import RANKS, decision_values


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
        As :func:`textspace.tuning.decision_values` gives them for ``RANKS``; None for a classifier that has
        none. For the nearest neighbour, whose votes are 0 or 1, they are minus the distance to the nearest
        training document of the class, which ranks documents and has its maximum at the predicted class.
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
