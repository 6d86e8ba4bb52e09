"""Methods for several labels a document side by side, on the same rows of one corpus."""

import time

import numpy as np
from scipy import sparse

from textspace._label_sets import indicators, known_labels
from textspace.classify import SeveralLabelsBlend
from textspace.evaluation._several_labels import label_propensities, multilabel_scores
from textspace.evaluation._significance import significance
from textspace.evaluation._thresholds import best_threshold
from textspace.text import VectorSpace
from textspace.tuning import fold_splits, given_split, share_splits

FOLDS = 3  # by which thresholds are tuned
LEAST_F1 = 0.1  # a label that is found worse than this is given only where it is as sure as ever
METHODS = {
    "blend": "Blend for several labels",
    "svm": "Linear SVM, one against the rest",
    "svm-thresholds": "Linear SVM, thresholds tuned",
    "logistic": "Logistic regression, one against the rest",
    "logistic-thresholds": "Logistic regression, thresholds tuned",
}


def compare_multilabel(corpus, methods=tuple(METHODS), *, train_share=None, random_state=0):
    """Compare methods on a corpus of several labels a document.

    Each is trained and tested on the same rows: words and pairs of adjacent words with ltc weights, learned
    from the training documents. A threshold that is tuned is the one of the highest F1 of its label on
    documents held out in three folds; a label whose F1 is below .1 there gets the highest value that was
    seen (SCutFBR.1 [1]_).

    Parameters
    ----------
    corpus : Corpus
        Texts with several labels each.
    methods : sequence of str, default=("blend", "svm", "svm-thresholds", "logistic", "logistic-thresholds")
        Names; the others are tested against the first.
    train_share : float, default=None
        Share that is drawn for training, so that rare labels are on both sides; by default the split that
        comes with the corpus, or .7 where there is none.
    random_state : int, default=0
        Seed.

    Returns
    -------
    list of dict
        For each method ``method``, ``title``, ``scores`` as by :func:`multilabel_scores` over the labels of
        both sides (of a method without probabilities without ``calibration_error``), ``seconds`` and
        ``cpu_seconds`` of learning and answering, and ``significance``: p value and mark of the tests of Yang
        and Liu against the first method, None for the first.

    References
    ----------
    .. [1] D. D. Lewis, Y. Yang, T. G. Rose and F. Li, "RCV1: a new benchmark collection for text
       categorization research", JMLR 5, 2004.

    Examples
    --------
    >>> from textspace.datasets import Corpus
    >>> from textspace.evaluation import compare_multilabel
    >>> texts = ["corn and wheat", "wheat by ship", "a ship at sea", "corn crop", "ship with corn"] * 4
    >>> labels = [["grain"], ["grain", "ship"], ["ship"], ["grain"], ["grain", "ship"]] * 4
    >>> [row] = compare_multilabel(Corpus("goods", texts, labels), ["svm"])
    >>> row["scores"]["micro_f1"]
    1.0
    """
    unknown = [name for name in methods if name not in METHODS]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no method for several labels: choose from {', '.join(METHODS)}.")
    train, test = _split(corpus, train_share, random_state)
    classes = known_labels(corpus.labels[np.concatenate([train, test])])
    Y = indicators(corpus.labels, classes)
    space = VectorSpace(scheme="ltc", bigrams=True)
    X = space.fit_transform([corpus.texts[row] for row in train])
    X_test = space.transform([corpus.texts[row] for row in test])
    propensities = label_propensities(Y[train].sum(0), len(train))
    rows, answers = [], []
    for name in methods:
        start, cpu_start = time.perf_counter(), time.process_time()
        given, values = _answers(name, X, Y[train], X_test, corpus.labels[train], random_state)
        seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
        scores = multilabel_scores(Y[test], given, values, propensities=propensities)
        if name.startswith("svm"):
            del scores["calibration_error"]  # of values that are no probabilities
        answers.append(sparse.csr_array(given))
        tests = significance(Y[test], answers[-1], answers[0]) if rows else None
        rows.append(
            {
                "method": name,
                "title": METHODS[name],
                "scores": scores,
                "seconds": seconds,
                "cpu_seconds": cpu_seconds,
                "significance": tests
                and {
                    key: {"p_value": getattr(tests, key).p_value, "mark": getattr(tests, key).mark}
                    for key in ("s", "S", "T")
                },
            }
        )
    return rows


def _split(corpus, train_share, random_state):
    if not corpus.several:
        raise ValueError(f"the corpus {corpus.name!r} has one label a document: compare takes it.")
    if not isinstance(corpus.texts, list):
        raise ValueError(f"{corpus.name} holds term counts: give texts.")
    if corpus.split is not None and train_share is None:
        [split] = given_split(corpus.labels, corpus.split)
    else:
        share = 0.7 if train_share is None else train_share
        [split] = share_splits(corpus.labels, share, random_state=random_state)
    return split


def _answers(name, X, Y, X_test, labels, random_state):
    """Give decisions and values of the test documents, of shape (n_documents, n_labels)."""
    learned = np.flatnonzero((Y.sum(0) > 0) & (Y.sum(0) < Y.shape[0]))  # others no machine can learn
    if name == "blend":
        model = SeveralLabelsBlend(random_state=random_state).fit(X, Y[:, learned].astype(np.float32))
        given, values = model.predict(X_test), model.predict_proba(X_test)
    else:
        from sklearn.linear_model import LogisticRegression
        from sklearn.svm import LinearSVC

        estimator = LinearSVC() if name.startswith("svm") else LogisticRegression(C=10, solver="liblinear")
        truth = Y[:, learned].toarray().astype(int)
        values = _values(estimator, X, truth, X_test)
        thresholds = 0.0 if name.startswith("svm") else 0.5
        if name.endswith("thresholds"):
            thresholds = _tuned(estimator, X, truth, labels, random_state)
        given = values > thresholds
    full = np.zeros((2, X_test.shape[0], Y.shape[1]), dtype=np.float32)
    full[0][:, learned], full[1][:, learned] = sparse.csr_array(given).toarray(), values
    if name.startswith("svm"):  # what is not learned is less likely than what is
        full[1][:, np.setdiff1d(np.arange(Y.shape[1]), learned)] = full[1].min() - 1
    return full[0].astype(bool), full[1]


def _values(estimator, X, truth, X_test):
    """Give decision values, or probabilities of an estimator that has them, for each label."""
    from sklearn.multiclass import OneVsRestClassifier

    machines = OneVsRestClassifier(estimator).fit(X, truth)
    ask = "predict_proba" if hasattr(estimator, "predict_proba") else "decision_function"
    values = getattr(machines, ask)(X_test)
    return values.reshape(X_test.shape[0], -1)


def _tuned(estimator, X, truth, labels, random_state):
    """Give the threshold of each label with the highest F1 on documents that were held out."""
    held_out = np.full(truth.shape, -np.inf)
    for rows, judged in fold_splits(labels, FOLDS, random_state=random_state):
        able = np.flatnonzero(truth[rows].any(0) & ~truth[rows].all(0))
        held_out[np.ix_(judged, able)] = _values(estimator, X[rows], truth[rows][:, able], X[judged])
    thresholds = np.empty(truth.shape[1])
    for place, values in enumerate(held_out.T):
        threshold, f1 = best_threshold(truth[:, place].astype(bool), values)
        thresholds[place] = threshold if f1 >= LEAST_F1 else values.max()
    return thresholds
