"""The measurements of the STM experiments, against a miniature worked out by hand."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score
from sklearn.svm import LinearSVC

from experiments import stm
from textspace.datasets import Corpus
from textspace.tuning import share_splits


def test_terms_stand_in_the_order_of_their_document_frequency(monkeypatch):
    texts = ["corn rice wheat", "rice wheat rice", "wheat", "wheat rice maize maize maize"]
    monkeypatch.setattr(stm, "load_once", lambda name: Corpus(name, texts, ["a", "b", "a", "b"]))
    X = stm.ordered_corpus.__wrapped__("small").texts.toarray()
    # wheat stands in four documents, rice in three, corn and maize in one each, in the order of the alphabet
    np.testing.assert_array_equal(np.count_nonzero(X, axis=0), [4, 3, 1, 1])
    np.testing.assert_allclose(X[3], np.array([1, 1, 0, 3]) / np.sqrt(11), rtol=1e-6)


@pytest.fixture
def small(monkeypatch):
    """Give unit rows of three topics of different sizes: not every document is accepted by one machine."""
    rng = np.random.default_rng(0)
    topics = np.repeat([0, 1, 2], [60, 25, 15])
    X = rng.poisson(0.25, (100, 60)) + (rng.random((100, 60)) < 0.12) * (np.arange(60) % 3 == topics[:, None])
    X[:, 0] += 1
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    labels = np.array(["corn", "rice", "wheat"])[topics]
    corpus = Corpus("small", sparse.csr_array(X.astype(np.float32)), labels)
    monkeypatch.setattr(stm, "ordered_corpus", lambda name: corpus)
    return X, labels


def test_each_rule_has_its_own_scores(small):
    X, labels = small
    records = stm.measure("small", 0.3, 4)
    assert [(r["rule"], r["method"]) for r in records].count(("sign", "svm")) == 1
    [(train, test)] = share_splits(labels, 0.3, random_state=4)
    classes = np.unique(labels)
    values = np.column_stack(
        [
            LinearSVC(C=10.0, loss="hinge", dual="auto", max_iter=10_000, random_state=0)
            .fit(X[train], labels[train] == label)
            .decision_function(X[test])
            for label in classes
        ]
    )
    truth = labels[test][:, None] == classes
    best = np.arange(3) == values.argmax(axis=1)[:, None]
    expected = {"sign": values > 0, "argmax": best}
    assert not np.array_equal(expected["sign"], best)  # so that the rules differ
    for rule, answers in expected.items():
        [record] = [r for r in records if (r["rule"], r["method"]) == (rule, "svm")]
        scores = {average: f1_score(truth, answers, average=average) for average in ("micro", "macro")}
        assert (record["micro"], record["macro"]) == pytest.approx((scores["micro"], scores["macro"]))
        np.testing.assert_allclose(record["f1"], f1_score(truth, answers, average=None))
        assert record["n_train"] == len(train)
        assert record["sizes"] == [int(np.sum(labels[train] == label)) for label in classes]
    sign, argmax = (
        [r["micro"] for r in records if r["rule"] == rule and r["method"] == "svm"] for rule in stm.RULES
    )
    assert sign != argmax


def test_the_tests_compare_the_tensor_machines_with_the_svm(small):
    for record in stm.measure("small", 0.3, 4):
        assert ({"s", "S", "T"} <= set(record)) == (record["method"] != "svm")
