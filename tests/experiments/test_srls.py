"""The measurements of the SRLS experiments, against miniatures worked out by hand."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score, precision_score, recall_score

from experiments import srls, srls_pairs
from textspace.datasets import Corpus
from textspace.tuning import TrainTest

PENALTY = 30.0  # far from what training documents would choose: who chooses again is found out


def make_documents(n_classes, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(60) % n_classes
    X = rng.random((60, 12)) * (rng.random((60, 12)) < np.linspace(0.1, 0.7, 12))
    X[np.arange(60), y] += 0.6
    X = sparse.csr_array(X)
    return TrainTest(X[:40], y[:40], X[40:], y[40:], {})


def ridge_values(train, signs, test, penalty):
    """Give decision values of regularised least squares."""
    return test @ np.linalg.solve(train.T @ train + penalty * np.eye(train.shape[1]), train.T @ signs)


def decisions(documents, columns, penalty, scale=1.0):
    """Give decision values on some terms, each class against the rest; of two classes the second."""
    train, test = (X.toarray()[:, columns] * scale for X in (documents.X_train, documents.X_test))
    classes = np.unique(documents.y_train)
    classes = classes if len(classes) > 2 else classes[1:]
    signs = np.where(documents.y_train[:, None] == classes, 1.0, -1.0)
    values = ridge_values(train, signs, test, penalty)
    return values if len(classes) > 1 else values[:, 0]


def scored(values, y):
    """Give micro and macro F1, precision and recall by the sign, with scikit-learn's."""
    yes = values > 0
    if values.ndim == 1:
        named = {"labels": [0, 1], "zero_division": 0}
        return {
            "micro": np.mean(yes == (y == 1)),
            "macro": f1_score(y, yes.astype(int), average="macro", **named),
            "precision": precision_score(y, yes, zero_division=0),
            "recall": recall_score(y, yes, zero_division=0),
        }
    truth = y[:, None] == np.arange(values.shape[1])
    return {
        "micro": f1_score(truth, yes, average="micro", zero_division=0),
        "macro": f1_score(truth, yes, average="macro", zero_division=0),
        "precision": precision_score(truth, yes, average="macro", zero_division=0),
        "recall": recall_score(truth, yes, average="macro", zero_division=0),
    }


def most_frequent(documents, n_terms):
    frequency = np.count_nonzero(documents.X_train.toarray(), axis=0)
    return sorted(np.argsort(-frequency, kind="stable")[:n_terms])


def test_performance_of_two_classes_counted_by_hand():
    y = np.array([1, 1, 1, 0, 0, 0, 0])
    found = srls.performance(np.array([0.2, -1, -1, 0.1, -1, -1, -1]), y)
    # one of three found, one of two answers right; of the other class three of four, three of five
    assert found == pytest.approx(
        {"micro": 4 / 7, "macro": (0.4 + 2 / 3) / 2, "precision": 1 / 2, "recall": 1 / 3}
    )


def test_performance_of_three_classes_counted_by_hand():
    values = np.array([[1, 1, -1], [1, -1, -1], [-1, -1, 1], [-1, 1, 1.0]])
    found = srls.performance(values, np.array([0, 1, 2, 2]))
    # class 0: 1 of 2 right, 1 of 1 found; class 1: 0 of 2, 0 of 1; class 2: 2 of 2, 2 of 2
    assert found == pytest.approx(
        {"micro": 6 / 10, "macro": (2 / 3 + 0 + 1) / 3, "precision": 1.5 / 3, "recall": 2 / 3}
    )


def test_relative_performance_is_a_ratio_and_nothing_for_zero():
    full = {"micro": 0.5, "macro": 0.0, "precision": 1.0, "recall": 0.25}
    found = srls.relative({"micro": 0.4, "macro": 0.3, "precision": 0.5, "recall": 0.25}, full)
    assert found == {"micro": 0.8, "macro": None, "precision": 0.5, "recall": 1.0}


def test_scores_of_terms_are_those_of_their_names():
    documents = make_documents(3)
    X, y = documents.X_train, documents.y_train
    vectors = np.linalg.svd(X.toarray())[2]
    for choice, rank in (("SS(10)", 10), ("SS(rank)", 12)):
        expected = np.sum(vectors[:rank] ** 2, axis=0)
        np.testing.assert_allclose(srls.term_scores(choice, X, y, seed=0), expected, atol=1e-8)
    np.testing.assert_allclose(srls.term_scores("WS", X, y, seed=0), np.sum(X.toarray() ** 2, axis=0))
    np.testing.assert_allclose(srls.term_scores("DF", X, y, seed=0), np.count_nonzero(X.toarray(), axis=0))
    assert srls.term_scores("IG per class", X, y, seed=0).shape == (3, 12)
    per_class = srls.term_scores("IG per class", X, y, seed=0)
    np.testing.assert_allclose(srls.term_scores("IG", X, y, seed=0), per_class.max(axis=0))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_best_terms_are_kept_as_they_are_with_the_penalty_that_is_given(n_classes):
    documents = make_documents(n_classes)
    scores = srls.term_scores("DF", documents.X_train, documents.y_train, seed=0)
    values = srls.decide_on_terms("DF", scores, documents, n_terms=4, sample=0, penalty=PENALTY)
    expected = decisions(documents, most_frequent(documents, 4), PENALTY)
    np.testing.assert_allclose(values, expected, atol=1e-8)


def test_drawn_terms_are_rescaled_and_r_on_average():
    documents = make_documents(3)
    scores = srls.term_scores("WS", documents.X_train, documents.y_train, seed=0)
    values = srls.decide_on_terms("WS", scores, documents, n_terms=5, sample=7, penalty=PENALTY)
    low, high = 0.0, 1e6
    for _ in range(200):  # the multiplier with which five terms are expected
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(1, middle * scores).sum() < 5 else (low, middle)
    chances = np.minimum(1, low * scores)
    kept = np.flatnonzero(np.random.RandomState(7).random_sample(12) < chances)
    expected = decisions(documents, kept, PENALTY, scale=1 / np.sqrt(chances[kept]))
    np.testing.assert_allclose(values, expected, atol=1e-6)


def test_each_class_has_its_own_terms():
    documents = make_documents(3)
    scores = np.eye(3, 12) + 0.1 * np.eye(3, 12, k=4) + 1e-9
    values = srls.decide_on_terms("IG per class", scores, documents, n_terms=2, sample=0, penalty=PENALTY)
    for label in range(3):
        expected = decisions(documents, [label, label + 4], PENALTY)[:, label]
        np.testing.assert_allclose(values[:, label], expected, atol=1e-8)


@pytest.fixture
def large(monkeypatch):
    documents = make_documents(3)
    full = {"micro": 0.8, "macro": 0.7, "precision": 0.9, "recall": 0.6}
    monkeypatch.setattr(srls, "_large_split", lambda corpus, seed: (documents, PENALTY, full))
    monkeypatch.setattr(srls, "SIZES", {"small": [3, 6]})
    monkeypatch.setattr(srls, "LAMBDAS", [0.1, 300.0])
    return documents, full


def test_measurement_of_figure_5(large):
    documents, full = large
    records = srls.measure_large("small", 0, "DF")
    assert [(r["n_terms"], r["sample"], r["full"]) for r in records] == [(3, 0, 0.8), (6, 0, 0.8)]
    for record in records:
        expected = scored(decisions(documents, most_frequent(documents, record["n_terms"]), PENALTY),
                          documents.y_test)  # fmt: skip
        assert {name: record[name] for name in full} == pytest.approx(
            {name: expected[name] / full[name] for name in full}
        )
    again = [scored(decisions(documents, most_frequent(documents, 6), penalty), documents.y_test)["recall"]
             for penalty in (0.1, 1.0, PENALTY)]  # fmt: skip
    assert again[2] < min(again[:2])  # so that another penalty would show


def test_terms_that_are_drawn_are_drawn_several_times(large, monkeypatch):
    monkeypatch.setattr(srls, "SIZES", {"small": [8]})
    assert [r["sample"] for r in srls.measure_large("small", 0, "US")] == list(range(srls.SAMPLES))


def test_measurement_of_figure_2(large):
    documents, _ = large
    records = srls.measure_lambdas("small", 0)
    assert [(r["penalty"], r["chosen"]) for r in records] == [(0.1, PENALTY), (300.0, PENALTY)]
    for record in records:
        expected = scored(decisions(documents, np.arange(12), record["penalty"]), documents.y_test)
        assert {name: record[name] for name in expected} == pytest.approx(expected)
    assert records[0]["recall"] > records[1]["recall"]


def test_the_penalty_of_all_terms_is_chosen_on_training_documents():
    documents = make_documents(3)
    penalty, found = srls.on_all_terms(documents)
    X, y = documents.X_train.toarray(), documents.y_train
    held_out = {}
    for tried in np.geomspace(0.01, 100, 20):
        values = np.empty((40, 3))
        for row in range(40):
            others = np.arange(40) != row
            signs = np.where(y[others, None] == np.arange(3), 1.0, -1.0)
            values[row] = ridge_values(X[others], signs, X[[row]], tried)
        held_out[tried] = scored(values, y)["micro"]
    assert held_out[penalty] == pytest.approx(max(held_out.values()))
    expected = scored(decisions(documents, np.arange(12), penalty), documents.y_test)
    assert found == pytest.approx(expected)


def test_four_fifths_are_for_training_unless_the_corpus_has_its_own_split():
    texts = [f"{word} grain number" for word in ("corn", "rice") for _ in range(25)]
    labels = np.repeat(["corn", "rice"], 25)
    drawn = srls.split(Corpus("20newsgroups", texts, labels, ["train"] * 20 + ["test"] * 30), 0)
    assert (len(drawn.y_train), len(drawn.y_test)) == (40, 10)
    own = srls.split(Corpus("mine", texts, labels, (["train"] * 15 + ["test"] * 10) * 2), 0)
    assert (np.bincount(own.y_train).tolist(), np.bincount(own.y_test).tolist()) == ([15, 15], [10, 10])


def hellinger(p, q):
    """Give the distance as the paper defines it, without its factor: the root of a sum of squares."""
    return sum((np.sqrt(a / p.sum()) - np.sqrt(b / q.sum())) ** 2 for a, b in zip(p, q, strict=True)) ** 0.5


def test_distances_of_scores_are_hellingers(monkeypatch):
    monkeypatch.setattr(srls_pairs, "RANKS", [1, 4, 12])
    documents = make_documents(2)
    X = documents.X_train.toarray()
    vectors = np.linalg.svd(X)[2]
    expected = [hellinger(np.sum(vectors[:k] ** 2, axis=0), np.sum(X**2, axis=0)) for k in (1, 4, 12)]
    np.testing.assert_allclose(srls_pairs._distances(documents), expected, atol=1e-8)


def test_measurement_of_figures_3_and_4(monkeypatch):
    splits = [make_documents(2, seed) for seed in range(4)]
    full = {"micro": 0.9, "macro": 0.8, "precision": 0.7, "recall": 0.95}
    monkeypatch.setattr(srls_pairs, "_pair", lambda number: None)
    monkeypatch.setattr(srls_pairs, "split", lambda corpus, seed: splits[seed])
    monkeypatch.setattr(srls_pairs, "on_all_terms", lambda documents: (PENALTY, full))
    monkeypatch.setattr(srls_pairs, "TASK_SIZES", [2, 5])
    monkeypatch.setattr(srls_pairs, "SMALL", ["DF", "IG"])
    monkeypatch.setattr(srls_pairs, "RANKS", [1, 3])
    frequent, informative, distance = srls_pairs.measure_pair(0)
    assert (frequent["choice"], informative["choice"]) == ("DF", "IG")
    for place, n_terms in enumerate((2, 5)):
        found = [
            scored(decisions(documents, most_frequent(documents, n_terms), PENALTY), documents.y_test)
            for documents in splits
        ]
        for name in full:
            expected = np.mean([each[name] for each in found]) / full[name]
            assert frequent[name][place] == pytest.approx(expected)
    np.testing.assert_allclose(
        distance["distance"], np.mean([srls_pairs._distances(each) for each in splits], axis=0)
    )
