"""What a sceptic would bring for several labels: a linear machine for each, its thresholds tuned or not."""

import numpy as np
from scipy import sparse

from textspace.evaluation._thresholds import best_threshold
from textspace.tuning import fold_splits

FOLDS = 3  # by which thresholds are tuned
LEAST_F1 = 0.1  # a label that is found worse than this is given only where it is as sure as ever
TITLES = {
    "svm": "Linear SVM, one against the rest",
    "svm-thresholds": "Linear SVM, thresholds tuned",
    "logistic": "Logistic regression, one against the rest",
    "logistic-thresholds": "Logistic regression, thresholds tuned",
}


def baseline_answers(name, X, Y, X_test, random_state):
    """Let a baseline learn, and answer.

    Parameters
    ----------
    name : str
        One of ``TITLES``.
    X, X_test : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents to learn from and to answer.
    Y : csr_array of shape (n_samples, n_labels)
        Labels of the former; each is in some documents and not in all.
    random_state : int
        Seed of the folds.

    Returns
    -------
    given : ndarray of bool, shape (n_test, n_labels)
        Decisions.
    values : ndarray of shape (n_test, n_labels)
        Decision values, or probabilities of logistic regression.
    """
    estimator, truth = _machine(name), Y.toarray().astype(int)
    values = _values(estimator, X, truth, X_test)
    thresholds = 0.0 if name.startswith("svm") else 0.5
    if name.endswith("thresholds"):
        thresholds = _tuned(estimator, X, truth, random_state)
    return values > thresholds, values


def _machine(name):
    # late: what reads a model file does not wait for machines that it does not hold
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    return LinearSVC() if name.startswith("svm") else LogisticRegression(C=10, solver="liblinear")


def _values(estimator, X, truth, X_test):
    """Give decision values, or probabilities of an estimator that has them, for each label."""
    from sklearn.multiclass import OneVsRestClassifier

    machines = OneVsRestClassifier(estimator).fit(X, truth)
    ask = "predict_proba" if hasattr(estimator, "predict_proba") else "decision_function"
    values = getattr(machines, ask)(X_test)
    return values.reshape(X_test.shape[0], -1)[:, -truth.shape[1] :]  # of one label the yes


def _tuned(estimator, X, truth, random_state):
    """Give the threshold of each label with the highest F1 on documents that were held out."""
    held_out = np.full(truth.shape, -np.inf)
    for rows, judged in fold_splits(sparse.csr_array(truth), FOLDS, random_state=random_state):
        able = np.flatnonzero(truth[rows].any(0) & ~truth[rows].all(0))
        if len(able):
            held_out[np.ix_(judged, able)] = _values(estimator, X[rows], truth[rows][:, able], X[judged])
    thresholds = np.empty(truth.shape[1])
    for place, values in enumerate(held_out.T):
        threshold, f1 = best_threshold(truth[:, place].astype(bool), values)
        thresholds[place] = threshold if f1 >= LEAST_F1 else values.max()
    return thresholds
