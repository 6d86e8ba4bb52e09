"""Damaged results files: each is refused, or what it says can be shown."""

from dataclasses import asdict, replace
from functools import cache
from unittest import mock

from tests.adversary.damage import damaged_json, refusal
from tests.comparisons import make_comparison

from textspace.datasets import Corpus
from textspace.evaluation import (
    Comparison,
    Evaluation,
    compare_multilabel,
    evaluate,
    load_comparison,
    summarise,
)
from textspace.report import render, write_report


@cache
def _comparisons():
    methods = ("svm", "lda", "lrwmmc", "nb")
    one = make_comparison(n_documents=40, n_classes=9, methods=methods, oracle=True)
    several = make_comparison(
        n_documents=30, n_classes=4, repeats=3, methods=methods, failed=[("nb", 0), ("lda", 1)]
    )
    names = one.corpus["classes"]
    tree = {name: f"area {number % 3}" for number, name in enumerate(names)}
    in_tree = replace(one, corpus=one.corpus | {"tree": tree | {f"area {area}": None for area in range(3)}})
    return [each.to_dict() for each in (one, several, in_tree)]


def comparison(folder, rng):
    path = folder / "results.json"
    path.write_bytes(damaged_json(rng.choice(_comparisons()), rng))
    with refusal(path, rows="") as said:
        found = Comparison.load(path)
    if not said:
        str(found)
        found.leaderboard("sign")
        render(summarise(found)).encode("utf-8", "replace")


@cache
def _label_comparisons():
    texts = ["corn and wheat", "wheat by ship", "a ship at sea", "corn crop", "ship with corn"] * 6
    labels = [["grain"], ["grain", "ship"], ["ship"], ["grain"], []] * 6
    corpus = Corpus("goods", texts, labels, tree={"grain": "goods", "ship": None})
    names = ["svm", "logistic", "sklearn.naive_bayes:CategoricalNB"]
    ways = {"train_share": 0.6}, {"folds": 2}, {"train_share": 0.5, "repeats": 2}
    return [asdict(compare_multilabel(corpus, names, **way)) for way in ways]


def label_comparison(folder, rng):
    path = folder / "results.json"
    path.write_bytes(damaged_json(rng.choice(_label_comparisons()), rng))
    with refusal(path, rows="") as said:
        found = load_comparison(path)
    if not said:
        write_report(found, folder / "report.html")


@cache
def _evaluations():
    import numpy as np

    rng = np.random.default_rng(0)
    found = []
    for n_classes in (2, 4):
        model = mock.Mock(several_=False, classes_=np.array([f"topic {c}" for c in range(n_classes)]))
        shares = rng.dirichlet(np.ones(n_classes), 30)
        labels = [f"topic {c}" for c in rng.integers(0, n_classes + 1, 30)]
        evaluation = evaluate(model, [f"text {n}" for n in range(30)], labels, probabilities=shares)
        curve = [{"n_train": n, "micro_f1": 0.5, "macro_f1": 0.4} for n in (10, 20)]
        found.append(asdict(evaluation) | {"learning_curve": curve})
    return found


def evaluation(folder, rng):
    path = folder / "evaluation.json"
    path.write_bytes(damaged_json(rng.choice(_evaluations()), rng))
    with refusal(path, rows="") as said:
        found = Evaluation.load(path)
    if not said:
        for name in ("reliability", "reject_curve", "confusion", "per_class"):
            getattr(found, name)()
