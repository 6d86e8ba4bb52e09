"""The experiment with the blend: how labels are drawn, its baselines, and the committed results."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from experiments import EXPERIMENTS, blend
from experiments.markdown import mean_of, select

RESULTS = Path(__file__).parents[2] / "results"


def test_labels_are_drawn_class_by_class():
    y = np.repeat(["a", "b", "c"], [100, 30, 2])
    share = blend.draw_labels(y, 0.1, seed=0)
    assert [int(np.sum(y[share] == label)) for label in "abc"] == [10, 3, 2]
    number = blend.draw_labels(y, 10, seed=0)
    assert [int(np.sum(y[number] == label)) for label in "abc"] == [10, 10, 2]
    assert len(np.unique(number)) == len(number)
    assert not np.array_equal(number, blend.draw_labels(y, 10, seed=1))


def test_every_draw_is_one_task():
    tasks = blend.tasks()
    few = select(tasks, corpus="reuters-r52", regime="5 %")
    assert [task["seed"] for task in few] == [0, 1, 2, 3, 4]
    assert len(select(tasks, corpus="reuters-r52", regime="all")) == 1
    assert len(select(tasks, corpus="tdt2-30", regime="all")) == 5  # it has no split of its own


def test_the_calibrated_svm_says_how_often_it_is_right():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 900)
    X = sparse.csr_array(np.eye(3)[y] + rng.normal(size=(900, 3)))
    model = blend.CalibratedSVM(LinearSVC(random_state=0)).fit(X[:600], y[:600])
    probabilities = model.predict_proba(X[600:])
    right = np.mean(model.predict(X[600:]) == y[600:])
    assert 0.5 < right < 0.9
    assert abs(probabilities.max(axis=1).mean() - right) < 0.06


@pytest.fixture(scope="module")
def records():
    if not (RESULTS / "blend" / "records.jsonl").exists():
        pytest.skip("the results of the experiment are not here")
    return EXPERIMENTS["blend"].load(RESULTS)


@pytest.mark.parametrize(
    ("corpus", "micro", "macro"),
    [("reuters-r52", 0.955, 0.8), ("20newsgroups", 0.865, 0.86), ("ohsumed-23", 0.717, 0.645)],
)
def test_committed_results_on_all_labels(records, corpus, micro, macro):
    [found] = select(records, corpus=corpus, regime="all", method="blend")
    assert found["micro"] >= micro
    assert found["macro"] >= macro
    assert found["error"] <= 0.04


@pytest.mark.parametrize(
    ("corpus", "few", "more"),
    [
        ("reuters-r52", 0.892, 0.913),
        ("20newsgroups", 0.725, 0.805),
        ("ohsumed-23", 0.455, 0.5),
        ("tdt2-30", 0.965, 0.974),
    ],
)
def test_committed_results_on_few_labels(records, corpus, few, more):
    found = select(records, corpus=corpus, regime="5 %")
    assert mean_of(found, "micro", method="blend") >= few
    assert mean_of(found, "micro", method="blend-unlabelled") >= more


@pytest.mark.parametrize("corpus", list(blend.CORPORA))
@pytest.mark.parametrize("regime", ["5 %", "10 %", "all"])
def test_the_blend_is_nowhere_far_below_the_svm(records, corpus, regime):
    found = select(records, corpus=corpus, regime=regime)
    assert mean_of(found, "micro", method="blend") >= mean_of(found, "micro", method="svm") - 0.003


def test_the_table_holds_every_method(records):
    text = EXPERIMENTS["blend"].table(records)
    assert text == (RESULTS / "blend" / "table.md").read_text(encoding="utf-8")
    for title in blend.CONTENDERS.values():
        assert f"| {title} |" in text
