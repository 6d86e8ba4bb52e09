import numpy as np
import pytest
from scipy.special import expit, softmax
from sklearn.datasets import make_classification
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from textspace.classify import LabelledOnly, NearestDocuments
from textspace.tuning import RANKS, SUMS, decision_values, knows_nearest, nearest_of_classes


def data(n_classes):
    X, y = make_classification(120, 10, n_informative=6, n_classes=n_classes, random_state=0)
    return X[:80], y[:80], X[80:]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_softmax_of_the_values_are_the_classifiers_own_probabilities(n_classes):
    X, y, X_new = data(n_classes)
    model = LogisticRegression().fit(X, y)
    for ask in (("log_proba",), ("decision_function",)):
        values = decision_values(model, X_new, ask=ask)
        np.testing.assert_allclose(softmax(values, axis=1), model.predict_proba(X_new), atol=1e-9)


def test_one_value_of_two_classes_becomes_two():
    X, y, X_new = data(2)
    model = Perceptron().fit(X, y)
    values = decision_values(model, X_new)
    np.testing.assert_allclose(softmax(values, axis=1)[:, 1], expit(model.decision_function(X_new)))
    np.testing.assert_array_equal(values[:, 0], -values[:, 1])


def test_the_first_that_there_is_is_asked_for():
    X, y, X_new = data(3)
    bayes = GaussianNB().fit(X, y)
    np.testing.assert_allclose(decision_values(bayes, X_new, ask=SUMS), bayes.predict_joint_log_proba(X_new))
    np.testing.assert_allclose(decision_values(bayes, X_new, ask=RANKS), bayes.predict_proba(X_new))
    svm = LinearSVC().fit(X, y)
    for ask in (SUMS, RANKS):
        np.testing.assert_allclose(decision_values(svm, X_new, ask=ask), svm.decision_function(X_new))


def test_a_classifier_without_values_is_refused():
    class Silent(NearestCentroid):
        decision_function = predict_proba = property()

    X, y, X_new = data(3)
    with pytest.raises(TypeError, match="Silent has neither predict_proba nor decision_function"):
        decision_values(Silent().fit(X, y), X_new)


@pytest.mark.parametrize(
    "nearest",
    [
        KNeighborsClassifier(1),
        NearestDocuments(),
        NearestDocuments(algorithm="clusters"),
        LabelledOnly(KNeighborsClassifier(1)),
        LabelledOnly(NearestDocuments()),
    ],
    ids=repr,
)
@pytest.mark.parametrize("n_dimensions", [None, 4])
def test_the_nearest_document_of_each_class(nearest, n_dimensions):
    X, y, X_new = data(3)
    model = nearest
    if n_dimensions is not None:
        model = make_pipeline(TruncatedSVD(n_dimensions, random_state=0), nearest)
    assert knows_nearest(model)
    model.fit(X, y)
    Z, Z_new = (X, X_new) if n_dimensions is None else (model[:-1].transform(X), model[:-1].transform(X_new))
    found = nearest_of_classes(model, X_new)
    assert len(found) == 3
    for code, (distances, points) in enumerate(found):
        each = np.linalg.norm(Z_new[:, None] - Z[y == code], axis=2)
        np.testing.assert_allclose(distances, each.min(axis=1), rtol=1e-6)
        np.testing.assert_allclose(points, Z[y == code][each.argmin(axis=1)])


@pytest.mark.parametrize(
    "vote",
    [
        KNeighborsClassifier(3),
        NearestDocuments(3),
        LabelledOnly(NearestDocuments(3)),
        LinearSVC(),
        LabelledOnly(make_pipeline(TruncatedSVD(2), NearestDocuments())),  # in another space than its rows
    ],
    ids=repr,
)
def test_others_do_not_know_the_nearest(vote):
    assert not knows_nearest(vote)
