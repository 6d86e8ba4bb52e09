"""The algorithm of the SRLS paper to the letter, in miniatures worked out by hand."""

import numpy as np
import pytest
from scipy import sparse

from experiments import srls, srls_printed
from textspace.datasets import Corpus
from textspace.tuning import TrainTest

PENALTY = 2.0


def make_documents():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.random((60, 12)) * (rng.random((60, 12)) < np.linspace(0.05, 0.4, 12))
    X[np.arange(60), y] += 0.6 * (rng.random(60) < 0.7)
    return TrainTest(sparse.csr_array(X[:40]), y[:40], sparse.csr_array(X[40:]), y[40:], {})


def kernel_solution(train, signs, penalty):
    """Solve equation 7 by its own normal equations."""
    kernel = train @ train.T
    return np.linalg.solve(kernel @ kernel + penalty * kernel + 1e-10 * np.eye(len(kernel)), kernel @ signs)


def test_terms_are_drawn_with_min_of_one_and_r_p_and_rescaled():
    documents = make_documents()
    scores = srls.term_scores("WS", documents.X_train, documents.y_train, seed=0)
    values, n_kept = srls_printed.decide_as_printed(
        "WS", scores, documents, n_terms=6, sample=5, penalty=PENALTY
    )
    chances = np.minimum(1, 6 * scores / scores.sum())
    kept = np.flatnonzero(np.random.RandomState(5).random_sample(12) < chances)
    assert 0 < len(kept) < 12
    assert n_kept == len(kept)
    train, test = (
        X.toarray()[:, kept] / np.sqrt(chances[kept]) for X in (documents.X_train, documents.X_test)
    )
    solution = kernel_solution(train, np.where(documents.y_train == 1, 1.0, -1.0), PENALTY)
    np.testing.assert_allclose(values, test @ train.T @ solution, atol=1e-5)


def test_the_best_terms_are_not_drawn():
    documents = make_documents()
    scores = srls.term_scores("DF", documents.X_train, documents.y_train, seed=0)
    values, n_kept = srls_printed.decide_as_printed(
        "DF", scores, documents, n_terms=4, sample=0, penalty=PENALTY
    )
    expected = srls.decide_on_terms("DF", scores, documents, n_terms=4, sample=0, penalty=PENALTY)
    np.testing.assert_array_equal(values, expected)
    assert n_kept == 4


def test_a_value_of_zero_is_yes_by_one_rule_and_no_by_the_other():
    values, y = np.array([0.0, 0.0, 1.0, -1.0]), np.array([1, 0, 1, 0])
    assert srls.performance(values, y)["recall"] == pytest.approx(1 / 2)
    generous = srls.performance(values, y, zero_is_positive=True)
    assert (generous["recall"], generous["precision"]) == pytest.approx((1, 2 / 3))


def test_documents_with_several_topics_are_counted_by_hand():
    truth = np.array([[1, 1], [0, 1], [0, 0]])
    found = srls.performance(np.array([[1.0, -1.0], [1.0, 1.0], [-1.0, 0.0]]), truth)
    # topic 0: one of two right, one of one found; topic 1: one of one, one of two
    assert found == pytest.approx({"micro": 4 / 6, "macro": 2 / 3, "precision": 3 / 4, "recall": 3 / 4})


def test_the_printed_penalty_is_the_best_on_test(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((240, 30))
    y = (X @ rng.standard_normal(30) + 4 * rng.standard_normal(240) > 0).astype(int)
    documents = TrainTest(sparse.csr_array(X[:40]), y[:40], sparse.csr_array(X[40:]), y[40:], {})
    monkeypatch.setattr(srls_printed, "LAMBDAS", [0.001, 30.0, 1000.0])
    found = {}
    for penalty in (0.001, 30.0, 1000.0):
        signs = np.where(y[:40] == 1, 1.0, -1.0)
        weights = np.linalg.solve(X[:40].T @ X[:40] + penalty * np.eye(30), X[:40].T @ signs)
        found[penalty] = np.mean((documents.X_test @ weights > 0) == (documents.y_test == 1))
    assert found[srls_printed.best_penalty(documents)] == max(found.values())
    assert min(found.values()) < max(found.values())


def test_every_way_is_relative_to_itself_on_all_terms(monkeypatch):
    documents = make_documents()
    monkeypatch.setattr(srls_printed, "best_penalty", lambda documents: PENALTY)
    full = srls_printed.references(documents)
    assert full["printed"][0] == full["printed, f > 0"][0] == PENALTY
    assert full["ours"] == srls.on_all_terms(documents)
    records = srls_printed.measure_choice("DF", documents, full, [3])
    assert [record["way"] for record in records] == list(srls_printed.WAYS)
    scores = srls.term_scores("DF", documents.X_train, documents.y_train, seed=0)
    for record in records:
        way = record["way"]
        values = srls.decide_on_terms("DF", scores, documents, n_terms=3, sample=0, penalty=full[way][0])
        expected = srls.performance(values, documents.y_test, zero_is_positive=way == "printed")
        for name in srls.MEASURES:
            assert record[name] == pytest.approx(expected[name] / full[way][1][name])
        assert record["n_kept"] == (3 if way != "ours" else None)
    assert records[0]["recall"] > records[1]["recall"]  # documents without any of the terms


def test_draws_and_splits_are_averaged(monkeypatch):
    monkeypatch.setattr(srls_printed, "SMALL", ["WS", "DF"])
    monkeypatch.setattr(srls_printed, "TASK_SIZES", [3, 5])
    monkeypatch.setattr(srls_printed, "_pair", lambda collection, number: (collection, number))
    monkeypatch.setattr(srls_printed, "split", lambda pair, seed: (pair, seed))
    monkeypatch.setattr(srls_printed, "references", lambda documents: None)

    def measured(choice, documents, full, sizes):
        (collection, number), seed = documents
        assert (collection, number) == ("mine", 7)
        return [
            {"way": way, "n_terms": n, "sample": sample, "n_kept": n, "micro": n + seed + 0.1 * sample,
             "macro": 1.0, "precision": 1.0, "recall": None}
            for way in srls_printed.WAYS for n in sizes for sample in range(2)
        ]  # fmt: skip

    monkeypatch.setattr(srls_printed, "measure_choice", measured)
    records = srls_printed.measure_pair("mine", 7)
    assert len(records) == 2 * 3 * 2
    assert [record["micro"] for record in records[:2]] == pytest.approx([3.55, 5.55])
    assert records[0]["recall"] is None


def test_topics_of_the_training_documents_are_columns(monkeypatch):
    texts = ["corn wheat", "gold", "gold corn", "wheat", "gold"]
    labels = [("grain", "corn"), ("metal",), ("metal", "corn"), ("grain",), ("metal", "trade")]
    corpus = Corpus("several", texts, labels, ["train", "train", "train", "test", "test"])
    monkeypatch.setattr(srls_printed, "load_once", lambda name: corpus)
    with pytest.warns(UserWarning, match="unknown class"):
        documents = srls_printed.topics_split.__wrapped__("several")
    np.testing.assert_array_equal(documents.y_train, [[1, 1, 0], [0, 0, 1], [1, 0, 1]])
    np.testing.assert_array_equal(documents.y_test, [[0, 1, 0], [0, 0, 1]])
    assert documents.X_train.shape == (3, 3)
    np.testing.assert_allclose(np.linalg.norm(documents.X_test.toarray(), axis=1), 1, rtol=1e-6)


def test_vectors_that_are_brought_are_taken_as_they_are(monkeypatch):
    from textspace import datasets

    given = {
        split: datasets.load_rcv1.__globals__["TopicVectors"](
            sparse.csr_array(np.eye(n, 4)), sparse.csr_array(np.eye(n, 2)), np.array(["a", "b"]), np.arange(n)
        )
        for split, n in (("train", 3), ("test", 2))
    }
    monkeypatch.setattr(datasets, "load_rcv1", given.__getitem__)
    documents = srls_printed.topics_split.__wrapped__("rcv1")
    assert documents.X_train is given["train"].X
    np.testing.assert_array_equal(documents.y_test, np.eye(2))


def test_each_way_has_its_own_values_and_penalty(monkeypatch):
    y = np.array([1, 1, 0, 0])
    documents = TrainTest(sparse.csr_array(np.eye(4)), y, sparse.csr_array(np.eye(4)), y, {})

    def printed(choice, scores, documents, *, penalty, **own):
        return {0.4: np.array([1.0, 0.0, -1.0, 0.0])}[penalty], 7

    def ours(choice, scores, documents, *, penalty, **own):
        return {9.0: np.array([-1.0, -1.0, -1.0, 1.0])}[penalty]

    monkeypatch.setattr(srls_printed, "decide_as_printed", printed)
    monkeypatch.setattr(srls_printed, "decide_on_terms", ours)
    one = dict.fromkeys(srls.MEASURES, 1.0)
    full = {"printed": (0.4, one), "printed, f > 0": (0.4, one), "ours": (9.0, one)}
    records = srls_printed.measure_choice("DF", documents, full, [3])
    # zero is yes: both found, of three; zero is no: one found, of one; ours: none, of one
    np.testing.assert_allclose([r["recall"] for r in records], [1, 1 / 2, 0])
    np.testing.assert_allclose([r["precision"] for r in records], [2 / 3, 1, 0])
    assert [r["micro"] for r in records] == [0.75, 0.75, 0.25]
    assert [r["n_kept"] for r in records] == [7, 7, None]
