"""The study of the default classifier: how labels are drawn, what is measured, and the committed results."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import f1_score
from sklearn.naive_bayes import ComplementNB
from sklearn.pipeline import make_pipeline

from experiments import EXPERIMENTS, blend
from experiments.markdown import select
from textspace.datasets import load

RESULTS = Path(__file__).parents[2] / "results"


def test_labels_are_drawn_class_by_class():
    y = np.repeat(["a", "b", "c"], [100, 30, 2])
    share = blend.draw_labels(y, 0.1, seed=0)
    assert [int(np.sum(y[share] == label)) for label in "abc"] == [10, 3, 2]
    number = blend.draw_labels(y, 10, seed=0)
    assert [int(np.sum(y[number] == label)) for label in "abc"] == [10, 10, 2]
    assert len(np.unique(number)) == len(number)
    assert not np.array_equal(number, blend.draw_labels(y, 10, seed=1))
    assert blend.draw_labels(y, 1.0, seed=0).tolist() == list(range(132))


def test_every_draw_of_every_method_is_one_task():
    tasks = blend.tasks()
    assert [task["seed"] for task in select(tasks, corpus="imdb", regime="5 %", method="svm")] == [0, 1, 2]
    assert len(select(tasks, corpus="imdb", regime="all")) == len(blend.METHODS)
    read = select(tasks, corpus="imdb", regime="all, test texts read")
    assert [task["method"] for task in read] == ["default", "svm"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("regime", "method"),
    [("all", "default"), ("10 a class", "nb"), ("10 a class", "svm"), ("all, test texts read", "svm")],
)
def test_a_record_tells_what_was_right(regime, method):
    [record] = blend.measure("demo", regime, 0, method)
    test = load("demo").test
    right = blend.unpack(record)
    assert right.sum() / len(test) == pytest.approx(record["accuracy"])
    assert 2 / 12 < record["accuracy"] <= 1
    assert 0 < record["macro"] <= 1
    if method == "nb":  # complement naive Bayes on the labelled texts, worked out again
        train = load("demo").train
        kept = train.subset(blend.draw_labels(train.labels, 10, seed=0))
        model = make_pipeline(
            TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2)), ComplementNB(alpha=record["setting"])
        ).fit(kept.texts, kept.labels)
        answers = model.predict(test.texts)
        np.testing.assert_array_equal(right, answers == test.labels)
        assert record["macro"] == pytest.approx(f1_score(test.labels, answers, average="macro"))
    assert (record["error"] is None) == (method == "svm" and regime == "10 a class")
    assert record["n_labelled"] == (120 if regime == "10 a class" else len(load("demo").train))


@pytest.mark.skipif(find_spec("fasttext") is not None, reason="fastText is installed")
def test_fasttext_is_left_out_where_it_is_not_installed():
    with pytest.warns(UserWarning, match="pip install fasttext-community"):
        assert blend.measure("demo", "all", 0, "fasttext") == []


def test_sign_test():
    ours, theirs = np.zeros(40, bool), np.zeros(40, bool)
    ours[:9], theirs[8:12] = True, True
    assert blend.sign_test(ours, theirs) == ""  # 8 against 3
    ours[:14] = True
    theirs[:8] = False
    assert blend.sign_test(ours, theirs) == ">"  # 10 against none
    assert blend.sign_test(theirs, ours) == "<"
    assert blend.sign_test(ours, ours) == ""


def test_published_figures_stand_beside_ours():
    record = {"corpus": "reuters-r8", "regime": "all", "seed": 0, "accuracy": 0.9, "macro": 0.8}
    record |= {"error": None, "seconds": 1.0, "right": "/wA="}
    text = blend.report([record | {"method": "svm"}, record | {"method": "default", "right": "AAA="}])
    rows = [line.split(" | ") for line in text.splitlines()]
    assert [row[1] for row in rows if row[0] == "| LinearSVC, words and pairs"] == [
        "0.9000 <",
        "0.8000",
        "1.0",
    ]
    assert [row[1] for row in rows if row[0] == "| BERT, published"] == ["0.978"]


@pytest.fixture(scope="module")
def records():
    if not (RESULTS / "blend" / "records.jsonl").exists():
        pytest.skip("the results of the experiment are not here")
    return EXPERIMENTS["blend"].load(RESULTS)


def test_the_table_holds_every_method_that_was_measured(records):
    text = EXPERIMENTS["blend"].table(records)
    assert text == (RESULTS / "blend" / "table.md").read_text(encoding="utf-8")
    for method in {record["method"] for record in records}:
        assert f"| {blend.METHODS[method]} |" in text
