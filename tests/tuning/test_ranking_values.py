import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from textspace.classify import LabelledOnly, NearestDocuments
from textspace.tuning import ranking_values


@pytest.fixture
def data():
    X, y = make_classification(120, 10, n_informative=6, n_classes=3, random_state=0)
    return X[:80], y[:80], X[80:], y[80:]


@pytest.mark.parametrize(
    "estimator",
    [
        LinearSVC(),
        GaussianNB(),
        LogisticRegression(),
        KNeighborsClassifier(1),
        KNeighborsClassifier(1, metric="cosine"),
        make_pipeline(TruncatedSVD(4, random_state=0), KNeighborsClassifier(1, metric="cosine")),
        NearestDocuments(),
        make_pipeline(
            TruncatedSVD(4, random_state=0), NearestDocuments(metric="cosine", algorithm="clusters")
        ),
    ],
)
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_the_largest_value_is_at_the_predicted_class(data, estimator, kind):
    X_train, y_train, X_test, _ = data
    if isinstance(estimator, GaussianNB):
        kind = np.asarray  # it takes no sparse rows
    fitted = estimator.fit(kind(X_train), y_train)
    values = ranking_values(fitted, kind(X_test), np.arange(3))
    np.testing.assert_array_equal(values.argmax(1), fitted.predict(kind(X_test)))


@pytest.mark.parametrize(
    "nearest", [KNeighborsClassifier(1), NearestDocuments(), NearestDocuments(algorithm="clusters")]
)
def test_nearest_neighbour_values_are_minus_the_distances(data, nearest):
    X_train, y_train, X_test, _ = data
    fitted = nearest.fit(X_train, y_train)
    values = ranking_values(fitted, X_test, np.arange(3))
    distances = np.linalg.norm(X_test[:, None] - X_train, axis=2)
    for label in range(3):
        np.testing.assert_allclose(values[:, label], -distances[:, y_train == label].min(1), rtol=1e-6)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_the_nearest_labelled_neighbour_is_judged_as_the_nearest_neighbour(data, metric):
    X_train, y_train, X_test, _ = data
    names, classes = np.array(["a", "b", "c"])[y_train], np.array(["a", "b", "c"])
    labelled = np.arange(len(y_train)) % 4 > 0
    some = np.where(labelled, names, "")
    nearest = KNeighborsClassifier(1, metric=metric)
    space = TruncatedSVD(4, random_state=0)
    within = make_pipeline(space, LabelledOnly(nearest)).fit(X_train, some)
    found = ranking_values(within, X_test, classes)
    near, tested = (within[:-1].transform(X) for X in (X_train[labelled], X_test))
    alone = nearest.fit(near, names[labelled])
    np.testing.assert_allclose(found, ranking_values(alone, tested, classes))
    assert len(np.unique(found)) > 100  # no votes of 0 and 1


def test_two_classes_have_two_columns(data):
    X_train, y_train, X_test, _ = data
    fitted = LinearSVC().fit(X_train, y_train == 1)
    values = ranking_values(fitted, X_test, np.array([False, True]))
    np.testing.assert_allclose(values[:, 1] - values[:, 0], fitted.decision_function(X_test))
    np.testing.assert_allclose(values[:, 0], -values[:, 1])


def test_columns_are_those_asked_for_and_an_unknown_class_is_constant(data):
    X_train, y_train, X_test, _ = data
    fitted = LinearSVC().fit(X_train, y_train)
    values = ranking_values(fitted, X_test, np.array([2, 7]))
    np.testing.assert_allclose(values[:, 0], fitted.decision_function(X_test)[:, 2])
    assert np.ptp(values[:, 1]) == 0


def test_none_for_a_classifier_without_values(data):
    class Silent(NearestCentroid):
        decision_function = predict_proba = property()

    X_train, y_train, X_test, _ = data
    assert ranking_values(Silent().fit(X_train, y_train), X_test, np.arange(3)) is None
