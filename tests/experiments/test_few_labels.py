"""What the experiments with few labels measure, against miniatures worked out by hand."""

import numpy as np
import pytest
from sklearn.metrics import f1_score
from sklearn.svm import LinearSVC

from experiments import lrwmmc, unlabelled
from experiments.few_labels import f1_scores, folds, with_the_others, without_the_others
from textspace.classify import EMNaiveBayes
from textspace.datasets import Corpus
from textspace.tuning import TrainTest

SVM = {"C": (0.3, 1.0, 3.0, 10.0)}


def make_documents(n_train=90, n_test=40, seed=0):
    rng = np.random.default_rng(seed)
    topics = rng.choice(3, n_train + n_test, p=[0.5, 0.3, 0.2])
    X = rng.random((len(topics), 15)) * (rng.random((len(topics), 15)) < 0.4)
    X += 0.6 * (rng.random(X.shape) < 0.3) * (np.arange(15) % 3 == topics[:, None])
    y = np.array(["corn", "rice", "wheat"])[topics]
    return TrainTest(X[:n_train], y[:n_train], X[n_train:], y[n_train:], {})


def test_macro_f1_is_over_the_classes_that_are_tested():
    # "tea" is answered once but never tested: it takes a point from recall, and is no class of the mean
    found = f1_scores(np.array(["a", "a", "b", "b"]), np.array(["a", "tea", "b", "a"]))
    # a: 1 of 2 right, 1 of 2 found; b: 1 of 1, 1 of 2
    assert found["micro"] == pytest.approx(1 / 2)
    assert found["macro"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    precision, recall = (1 / 2 + 1) / 2, 1 / 2
    assert found["macro_of_means"] == pytest.approx(2 * precision * recall / (precision + recall))


def svm_scores(X, y, X_test, y_test, C):
    machine = LinearSVC(C=C, dual="auto", random_state=0).fit(X, y)
    predicted = machine.predict(X_test)
    return {
        each: f1_score(y_test, predicted, average=each, labels=np.unique(y_test))
        for each in ("micro", "macro")
    }


def test_measurement_of_figure_4(monkeypatch):
    whole = make_documents()
    monkeypatch.setattr(lrwmmc, "all_documents", lambda corpus, scheme: whole)
    monkeypatch.setattr(lrwmmc, "REPEATS", 2)
    records = lrwmmc.measure_figure4("small", 30, "svm")
    drawn = [np.sort(np.random.default_rng(seed).permutation(90)[:30]) for seed in (0, 1)]
    of_draw = [(whole.X_train[rows], whole.y_train[rows], whole.X_test, whole.y_test) for rows in drawn]

    on_test = {C: svm_scores(*of_draw[0], C) for C in SVM["C"]}
    tried = [r for r in records if r["by"] == "grid"]
    assert [r["settings"] for r in tried] == [f"C={C:g}" for C in SVM["C"]]
    for record, C in zip(tried, SVM["C"], strict=True):
        assert (record["micro"], record["macro"]) == pytest.approx((on_test[C]["micro"], on_test[C]["macro"]))

    first_fold = next(folds(without_the_others(whole, drawn[0])))
    held_out = {C: svm_scores(*first_fold, C)["micro"] for C in SVM["C"]}
    chosen = {
        "labelled": max(SVM["C"], key=held_out.get),
        "test": max(SVM["C"], key=lambda C: on_test[C]["micro"]),
    }
    for by, C in chosen.items():
        for seed in (0, 1):
            [record] = [r for r in records if (r["by"], r["seed"]) == (by, seed)]
            expected = svm_scores(*of_draw[seed], C)
            assert record["settings"] == f"C={C:g}"
            assert (record["micro"], record["macro"]) == pytest.approx((expected["micro"], expected["macro"]))


def test_measurement_of_what_unlabelled_text_is_worth(monkeypatch):
    rng = np.random.default_rng(2)
    words = np.array(["corn maize ear", "rice paddy", "wheat flour mill"])
    topics = np.arange(120) % 3
    texts = [" ".join(rng.choice(f"{words[t]} {words[(t + 1) % 3]} farm price".split(), 3)) for t in topics]
    corpus = Corpus(
        "small", texts, np.array(["corn", "rice", "wheat"])[topics], ["train"] * 90 + ["test"] * 30
    )
    for module in ("experiments.unlabelled", "experiments.few_labels"):
        monkeypatch.setattr(f"{module}.load_once", lambda name: corpus)
    monkeypatch.setattr(unlabelled, "DRAWS", 2)
    everything = unlabelled.all_documents.__wrapped__("small", "tfidf")
    monkeypatch.setattr(unlabelled, "_all_in_space", lambda corpus, scheme, name: everything)
    records = unlabelled.measure("small", 2, "em-nb")
    assert [(r["seed"], r["unlabelled"]) for r in records] == [(0, False), (0, True), (1, False), (1, True)]
    for seed in (0, 1):
        labelled = unlabelled.draw_labelled(everything.y_train, 2, seed)
        alone = unlabelled._labelled_alone("small", "tfidf", labelled)
        right = {}
        for record, documents in zip(
            records[2 * seed : 2 * seed + 2], (alone, with_the_others(everything, labelled)), strict=True
        ):
            settings = dict(part.split("=") for part in record["settings"].split(", "))
            model = EMNaiveBayes(**{name: float(value) for name, value in settings.items()})
            predicted = model.fit(documents.X_train, documents.y_train).predict(documents.X_test)
            right[record["unlabelled"]] = predicted == corpus.test.labels
            assert record["n_labels"] == 6
            assert record["micro"] == pytest.approx(np.mean(right[record["unlabelled"]]))
            assert record["macro"] == pytest.approx(f1_score(corpus.test.labels, predicted, average="macro"))
        before, after = records[2 * seed : 2 * seed + 2]
        assert (before["helped"], before["harmed"]) == (0, 0)
        assert after["helped"] != after["harmed"]  # so that the two cannot be exchanged
        assert after["helped"] == sum(right[True] & ~right[False])
        assert after["harmed"] == sum(right[False] & ~right[True])
