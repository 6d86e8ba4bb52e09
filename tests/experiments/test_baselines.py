"""Baselines of the study of the default classifier: NB-SVM, fastText, and how a setting is chosen."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from experiments.baselines import BASELINES, NBSVM, SVM, choose, log_count_ratio
from experiments.fast_text import FastText, tokenise


class Above(ClassifierMixin, BaseEstimator):
    """Say yes above a limit, which is its only setting."""

    def __init__(self, limit=1.0):
        self.limit = limit

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, 0] > self.limit


@pytest.mark.parametrize("limit", [0.001, 0.01, 0.3, 3.0, 30.0, 100.0])
def test_a_range_is_widened_until_its_edge_is_not_the_best(limit):
    X = 10 ** np.linspace(-4, 4, 801)[:, None]
    assert choose(Above(), X, X[:, 0] > limit, "limit", range(-2, 2)) == {"limit": limit}


def test_an_edge_that_gains_nothing_is_enough():
    X = np.full((12, 1), 1000.0)
    assert choose(Above(), X, np.arange(12) % 2 == 0, "limit", range(-2, 2)) == {"limit": 0.1}


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
    machine = clone(SVM).set_params(C=0.1).fit(X.multiply(ratio).tocsr(), y)
    np.testing.assert_array_equal(
        NBSVM(C=0.1).fit(X, y).predict(X), machine.predict(X.multiply(ratio).tocsr())
    )


def test_nbsvm_finds_planted_classes(words):
    X, y = words
    model = NBSVM(C=0.1).fit(X[::2], y[::2])
    assert model.coef_.shape == (3, 30)
    assert np.mean(model.predict(X[1::2]) == y[1::2]) > 0.75


TEXTS = ["Corn and wheat rose.", "The wheat harvest!", "Ships at sea", "A ship sank at sea"] * 6
LABELS = np.array(["grain", "grain", "ship", "ship"] * 6)


@pytest.mark.parametrize("name", [name for name in BASELINES if name != "fasttext"])
def test_baselines_learn_from_texts(name):
    model = BASELINES[name].fit(TEXTS, LABELS, [])
    assert model.predict(["wheat", "at sea"]).tolist() == ["grain", "ship"]
    if name in ("logreg", "nb"):
        assert model.predict_proba(["wheat"])[0].argmax() == 0
    else:
        assert not hasattr(model, "predict_proba")


def test_texts_without_labels_train_a_machine_further():
    unlabelled = ["a wheat field in Kansas", "fields in Kansas", "Kansas fields", "at sea near a reef"] * 3
    model = BASELINES["svm"].fit(TEXTS, LABELS, unlabelled)
    assert model.predict(["Kansas"]).tolist() == ["grain"]
    assert model.predict_proba(["Kansas"]).shape == (1, 2)


def test_fasttext_learns_from_texts():
    pytest.importorskip("fasttext")
    texts = tokenise(TEXTS)
    model = FastText(lr=1.0, dim=10, bucket=1000).fit(texts, LABELS)
    shares = model.predict_proba(tokenise(["Wheat", "at sea", ""]))
    assert model.predict(tokenise(["Wheat", "at sea"])).tolist() == ["grain", "ship"]
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-3)
