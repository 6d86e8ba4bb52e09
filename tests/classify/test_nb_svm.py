import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from textspace.classify import NBSVM
from textspace.classify._nb_svm import log_count_ratio


def test_log_count_ratio_by_hand():
    X = sparse.csr_array([[1, 1, 0], [1, 0, 0], [0, 1, 1]])
    found = log_count_ratio(X, np.array([True, True, False]))
    inside, outside = np.array([3, 2, 1]) / 6, np.array([1, 2, 2]) / 5
    np.testing.assert_allclose(found, np.log(inside / outside))


@pytest.fixture
def words():
    """Three classes of binary words, each with a few words that are its own."""
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 60)
    chances = np.full((3, 30), 0.1)
    for label in range(3):
        chances[label, 4 * label : 4 * label + 4] = 0.5
    X = (rng.random((180, 30)) < np.repeat(chances, 60, axis=0)).astype(float)
    return sparse.csr_array(X), y


def test_nbsvm_is_a_linear_machine_on_terms_weighed_by_their_ratio(words):
    X, y = words
    two = y != "c"
    X, y = X[two], y[two]
    ratio = log_count_ratio(X, y == "b")
    machine = LinearSVC(C=0.1, tol=0.01, random_state=0).fit(X.multiply(ratio).tocsr(), y)
    np.testing.assert_array_equal(
        NBSVM(C=0.1, random_state=0).fit(X, y).predict(X), machine.predict(X.multiply(ratio).tocsr())
    )


def test_nbsvm_finds_planted_classes(words):
    X, y = words
    model = NBSVM(C=0.1).fit(X[::2], y[::2])
    assert model.coef_.shape == (3, 30)
    assert np.mean(model.predict(X[1::2]) == y[1::2]) > 0.75


def test_one_class_only_is_refused(words):
    X, y = words
    with pytest.raises(ValueError, match="only one class: 'a'"):
        NBSVM().fit(X[:10], y[:10])


def test_several_labels_have_a_machine_each():
    rng = np.random.default_rng(0)
    Y = (rng.random((60, 3)) < 0.4).astype(int)
    X = (rng.random((60, 12)) < 0.2 + 0.6 * np.repeat(Y, 4, axis=1)).astype(float)
    model = NBSVM(random_state=0).fit(X, Y)
    alone = [NBSVM(random_state=0).fit(X, Y[:, label]) for label in range(3)]
    values = np.column_stack([each.decision_function(X) for each in alone])
    np.testing.assert_allclose(model.decision_function(X), values)
    np.testing.assert_array_equal(model.predict(X), (values > 0).astype(int))
    Y[:, 0], Y[:, 1] = 0, 1
    np.testing.assert_array_equal(NBSVM().fit(X, Y).predict(X)[:, :2], Y[:, :2])
