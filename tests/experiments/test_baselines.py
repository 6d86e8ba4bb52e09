"""Baselines of the study of the default classifier, and how a setting of them is chosen."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from experiments.baselines import BASELINES, choose


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
