import numpy as np
import pytest
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import ComplementNB
from sklearn.svm import LinearSVC

from textspace.classify import OneAgainstRest


@pytest.fixture(scope="module")
def documents():
    X, Y = make_multilabel_classification(200, 30, n_classes=4, random_state=0)
    return X / np.linalg.norm(X, axis=1, keepdims=True), Y


@pytest.mark.parametrize("estimator", [LinearSVC(random_state=0), LogisticRegression()])
def test_equals_scikit_learn(documents, estimator):
    X, Y = documents
    ours, theirs = OneAgainstRest(estimator).fit(X, Y), OneVsRestClassifier(estimator).fit(X, Y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X))


def test_values_of_naive_bayes_are_logarithms_of_odds(documents):
    X, Y = documents
    shares = OneVsRestClassifier(ComplementNB()).fit(X, Y).predict_proba(X)
    found = OneAgainstRest(ComplementNB()).fit(X, Y).decision_function(X)
    np.testing.assert_allclose(found, np.log(shares) - np.log1p(-shares), atol=1e-9)


def test_a_label_of_all_documents_or_of_none(documents):
    X, Y = documents
    Y = Y.copy()
    Y[:, 1], Y[:, 2] = 0, 1
    model = OneAgainstRest(LinearSVC()).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X)[:, 1:3], Y[:, 1:3])
    assert model.estimators_[1] is model.estimators_[2] is None


def test_one_class_a_document(documents):
    X, Y = documents
    y = np.array(["corn", "ship", "tin"])[Y[:, :3].argmax(axis=1)]
    ours, theirs = OneAgainstRest(LinearSVC()).fit(X, y), OneVsRestClassifier(LinearSVC()).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    with pytest.raises(ValueError, match="only one class: 'corn'"):
        OneAgainstRest(LinearSVC()).fit(X, ["corn"] * len(X))
