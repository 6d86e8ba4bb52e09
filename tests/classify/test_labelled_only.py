"""A classifier that passes over rows without a label."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from textspace.classify import LabelledOnly
from textspace.linear import LSI, SDA


def documents(n_samples=80, seed=0):
    rng = np.random.default_rng(seed)
    topics = np.arange(n_samples) % 3
    X = rng.random((n_samples, 30)) + (np.arange(30) % 3 == topics[:, None])
    labels = np.array(["corn", "rice", "wheat"])[topics]
    return sparse.csr_array(X * (X > 0.8)), np.where(rng.random(n_samples) < 0.4, labels, "")


def test_a_space_learns_from_all_rows_and_the_classifier_from_the_labelled_ones():
    X, y = documents()
    nearest = LabelledOnly(KNeighborsClassifier(1))
    model = Pipeline([("space", LSI(5, random_state=0)), ("classify", nearest)]).fit(X, y)
    space = LSI(5, random_state=0).fit(X)
    np.testing.assert_array_equal(model["space"].components_, space.components_)
    coordinates = space.transform(X)
    expected = KNeighborsClassifier(1).fit(coordinates[y != ""], y[y != ""])
    np.testing.assert_array_equal(model.predict(X), expected.predict(coordinates))
    np.testing.assert_array_equal(model.classes_, ["corn", "rice", "wheat"])


def test_after_a_space_that_takes_unlabelled_rows():
    X, y = documents()
    nearest = LabelledOnly(KNeighborsClassifier(1))
    model = Pipeline([("space", SDA(alpha=0.1)), ("classify", nearest)]).fit(X, y)
    assert model.score(X[y != ""], y[y != ""]) == 1


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_matrix, sparse.csr_array, sparse.csc_array])
def test_answers_are_those_of_the_estimator(container):
    X, y = documents()
    X = container(X.toarray())
    expected = LogisticRegression().fit(X[y != ""], y[y != ""])
    model = LabelledOnly(LogisticRegression()).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), expected.predict(X))
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X))
    np.testing.assert_allclose(model.decision_function(X), expected.decision_function(X))
    assert model.n_features_in_ == 30


def test_has_what_the_estimator_has():
    assert not hasattr(LabelledOnly(LinearSVC()), "predict_proba")
    assert not hasattr(LabelledOnly(KNeighborsClassifier()), "decision_function")
    model = LabelledOnly(LinearSVC()).set_params(estimator__C=3.0)
    assert model.estimator.C == 3.0


@pytest.mark.parametrize("mark", [-1, None, np.nan])
def test_numbers_as_labels(mark):
    X, y = documents()
    numbers = [len(label) if label else mark for label in y]
    model = LabelledOnly(LinearSVC()).fit(X, numbers)
    np.testing.assert_array_equal(model.classes_, [4, 5])
    assert model.predict(X).dtype.kind == "i" or not isinstance(mark, int)


def test_bad_labels_are_named():
    X, y = documents()
    with pytest.raises(ValueError, match="y has no label"):
        LabelledOnly(LinearSVC()).fit(X, np.full(len(y), ""))
    with pytest.raises(ValueError, match="only one class"):
        LabelledOnly(LinearSVC()).fit(X, np.where(y == "corn", "corn", ""))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        LabelledOnly(LinearSVC()).fit(X, y[:-1])
