"""The measurements of the settings of the tensor machine, against miniatures worked out by hand."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score
from sklearn.svm import LinearSVC

from experiments import stm_settings
from textspace.datasets import Corpus
from textspace.tuning import fold_splits, share_splits


def test_a_plain_split_draws_a_share_of_all_and_sees_to_two_of_each_class():
    labels = np.array(["large"] * 90 + ["small"] * 5 + ["tiny"] * 5)
    train, test = stm_settings.plain_split(labels, 0.1, 3)
    assert sorted([*train, *test]) == list(range(100))
    order = np.random.default_rng(3).permutation(100)
    assert set(order[:10]) <= set(train)
    added = set(train) - set(order[:10])
    for label in ("small", "tiny"):
        drawn = sum(labels[row] == label for row in order[:10])
        of_class = [row for row in order[10:] if labels[row] == label]
        assert [row for row in of_class if row in added] == of_class[: max(0, 2 - drawn)]
    assert not any(labels[row] == "large" for row in added)
    assert added  # so that the rule has something to do


def test_f1_by_rule_counted_by_hand():
    values = np.array([[1.0, 0.5, -1.0], [-0.1, -0.2, -0.3], [-1.0, 2.0, 1.0]])
    y, classes = np.array(["a", "b", "c"]), np.array(["a", "b", "c"])
    # yes: a and b for the first, none for the second, b and c for the third; two are right of four
    sign = stm_settings.f1_by_rule(values, y, classes, "sign")
    assert sign == pytest.approx({"micro": 4 / 7, "macro": (1 + 0 + 1) / 3})
    # the largest: a, a and b; one is right of three
    argmax = stm_settings.f1_by_rule(values, y, classes, "argmax")
    assert argmax == pytest.approx({"micro": 1 / 3, "macro": (2 / 3 + 0 + 0) / 3})


@pytest.fixture
def small(monkeypatch):
    rng = np.random.default_rng(0)
    topics = np.repeat([0, 1, 2], [60, 25, 15])
    X = rng.poisson(0.25, (100, 30)) + (rng.random((100, 30)) < 0.3) * (np.arange(30) % 3 == topics[:, None])
    X[:, 0] += 1
    X = (X / np.linalg.norm(X, axis=1, keepdims=True)).astype(np.float32)
    labels = np.array(["corn", "rice", "wheat"])[topics]
    train, test = slice(0, 100, 2), slice(1, 100, 2)
    documents = sparse.csr_array(X[train]), labels[train], sparse.csr_array(X[test]), labels[test]
    monkeypatch.setattr(stm_settings, "documents", lambda variant, seed: documents)
    return X[train], labels[train], X[test], labels[test]


def hinge_values(X, y, C, X_new):
    classes = np.unique(y)
    machines = [
        LinearSVC(C=C, loss="hinge", dual="auto", max_iter=10_000, random_state=0).fit(X, y == label)
        for label in classes
    ]
    return classes, np.column_stack([machine.decision_function(X_new) for machine in machines])


def test_each_penalty_and_rule_has_its_own_record_and_training_documents_choose(small):
    X, y, X_test, y_test = small
    records = stm_settings.measure("stratified", 0, "svm")
    assert [(r["C"], r["rule"]) for r in records] == [
        (C, rule) for C in (1.0, 10.0, 100.0) for rule in ("sign", "argmax")
    ]
    held_out = {}
    for C in stm_settings.PENALTIES:
        found = []
        for train, rest in fold_splits(y, 2, random_state=0):
            classes, values = hinge_values(X[train], y[train], C, X[rest])
            found.append(f1_score(y[rest][:, None] == classes, values > 0, average="micro"))
        held_out[C] = np.mean(found)
    best = max(held_out, key=held_out.get)
    for record in records:
        assert record["chosen"] == (record["C"] == best)
        assert record["held_out"] == pytest.approx(held_out[record["C"]])
        classes, values = hinge_values(X, y, record["C"], X_test)
        yes = values > 0 if record["rule"] == "sign" else values == values.max(axis=1, keepdims=True)
        for average in ("micro", "macro"):
            expected = f1_score(y_test[:, None] == classes, yes, average=average)
            assert record[average] == pytest.approx(expected)
    assert len({record["micro"] for record in records}) > 2  # so that C and the rule matter


@pytest.mark.parametrize("machine", [name for name in stm_settings.MACHINES if name != "svm"])
def test_machines_have_the_order_and_rank_of_their_names(small, machine):
    X, y, *_ = small
    _, shape, rank, _ = stm_settings.MACHINES[machine]
    fitted = stm_settings.build(machine, 10.0).fit(np.tile(X, 8), y)
    assert fitted.C == 10.0
    assert fitted.tensor_shape_[1:] == shape[1:]
    assert fitted.factors_[0].shape[2] == rank


def test_terms_of_the_training_documents_leave_out_those_of_test_documents(monkeypatch):
    texts = ["corn rice", "rice", "rice wheat", "wheat maize", "maize", "maize barley"] * 4
    labels = np.array(["a", "a", "a", "b", "b", "b"] * 4)
    monkeypatch.setattr(stm_settings, "load_once", lambda name: Corpus(name, texts, labels))
    monkeypatch.setattr(stm_settings, "SHARE", 0.25)
    X, y, X_test, y_test = stm_settings.documents.__wrapped__("training terms", 1)
    [(train, test)] = share_splits(labels, 0.25, random_state=1)
    words = sorted({word for row in train for word in texts[row].split()})
    counts = [sum(word in texts[row].split() for row in train) for word in words]
    order = sorted(range(len(words)), key=lambda place: -counts[place])
    assert X.shape == (len(train), len(words))
    np.testing.assert_array_equal(np.count_nonzero(X.toarray(), axis=0), [counts[place] for place in order])
    for row, text in zip(X_test.toarray(), (texts[row] for row in test), strict=True):
        assert {words[order[place]] for place in np.flatnonzero(row)} == set(text.split()) & set(words)
    np.testing.assert_array_equal(y, labels[train])
    np.testing.assert_array_equal(y_test, labels[test])


def test_best_on_test_is_taken_in_each_split():
    records = [
        {"machine": "stm", "seed": seed, "C": C, "macro": value}
        for seed, values in enumerate([(0.1, 0.5), (0.7, 0.2)])
        for C, value in zip((1, 10), values, strict=True)
    ]
    assert stm_settings.best_on_test(records, "macro", machine="stm") == pytest.approx(0.6)
