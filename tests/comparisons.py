"""Synthetic comparisons: the truth with errors of a known rate."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from textspace.evaluation import Comparison, scores

N_TERMS = 5321
# Title, share of right answers, grid, dimensions.
METHODS = {
    "svm": ("Linear SVM", 0.93, {"C": [0.1, 1.0, 10.0]}, N_TERMS),
    "lda": ("SR-LDA", 0.945, {"classify__metric": ["euclidean", "cosine"]}, 11),
    "cm": ("Class centroids", 0.94, {}, 12),
    "lrwmmc": (
        "LRWMMC",
        0.935,
        {"space__n_neighbors": [1, 3, 5, 7], "classify__metric": ["cosine", "euclidean"]},
        100,
    ),
    "dne": ("DNE", 0.91, {"space__n_neighbors": [1, 3, 5], "space__n_components": [50, 100]}, 100),
    "lsi": ("LSI", 0.87, {"space__n_components": [50, 100, 200]}, 100),
    "clsi": ("CLSI", 0.88, {}, 120),
    "mmc": ("MMC", 0.9, {"space__n_components": [50, 100]}, 100),
    "knn": ("kNN", 0.86, {"n_neighbors": [1, 5, 15]}, N_TERMS),
    "nmf": ("NMF", 0.8, {"space__n_components": [50, 100]}, 50),
    "nb": ("Complement naive Bayes", 0.89, {"alpha": [0.1, 0.3, 1.0]}, N_TERMS),
    "logreg": ("Logistic regression", 0.925, {"C": [1.0, 10.0]}, N_TERMS),
}
RESULTS = (
    "predicted", "scores", "sign", "params", "seconds", "cpu_seconds", "search", "oracle", "n_dimensions",
    "n_terms",
)  # fmt: skip
ANSWERING = ("svm", "logreg")  # they have yes/no answers too


def make_comparison(
    *, n_documents=300, n_classes=12, repeats=1, failed=(), oracle=False, methods=tuple(METHODS), seed=0
):
    """Make a comparison; `failed` holds pairs of method and repeat."""
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(1, n_classes + 1) ** 0.8
    weights /= weights.sum()
    # Every class once, the rest by chance.
    truth = [
        np.r_[np.arange(n_classes), rng.choice(n_classes, n_documents - n_classes, p=weights)]
        for _ in range(repeats)
    ]
    runs = []
    for repeat, name in product(range(repeats), methods):
        if (name, repeat) in failed:
            run = dict.fromkeys(RESULTS) | {"error": "The solver did not converge."}
        else:
            run = _finished_run(name, truth[repeat], n_classes, oracle, rng)
        runs.append({"method": name, "repeat": repeat, **run})
    return Comparison(
        corpus={
            "name": "synthetic",
            "n_train": 700,
            "n_test": n_documents,
            "n_terms": N_TERMS,
            "classes": [f"topic-{number:02d}" for number in range(n_classes)],
            "train_sizes": [int(2 + 700 * weight) for weight in weights],
            "test_sizes": np.bincount(truth[0], minlength=n_classes).tolist(),
            "mean_length": 63.2,
            "notes": ["The text column 'body' was guessed by its name."],
        },
        protocol={
            "split": "given" if repeats == 1 else "share",
            "train_share": None if repeats == 1 else 0.7,
            "repeats": repeats,
            "folds": None,
            "cv": 3,
            "random_state": 0,
            "baseline": "svm",
        },
        environment={"textspace": "0.1.0", "platform": "Linux", "cores": 2, "date": "2025-01-31T12:00:00"},
        methods={
            name: {"title": title, "summary": "A method.", "paper": "A paper.", "grid": grid}
            for name, (title, _, grid, _) in METHODS.items()
            if name in methods
        },
        truth=[labels.tolist() for labels in truth],
        runs=runs,
        map=_map(runs, truth[0], n_classes, rng),
    )


def _finished_run(name, truth, n_classes, oracle, rng):
    _, share, grid, n_dimensions = METHODS[name]
    wrong = rng.random(len(truth)) > share
    predicted = np.where(wrong, (truth + rng.integers(1, 3, len(truth))) % n_classes, truth)
    scored = scores(truth, predicted)
    seconds = {"search": 8 * rng.random(), "fit": 5 * rng.random(), "predict": rng.random()}
    points = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    search = [{"params": point, "mean": share - 0.02 * rng.random(), "std": 0.01} for point in points]
    on_test = [
        {"params": point, "scores": scored | {"micro_f1": scored["micro_f1"] + 0.01 * rng.random()}}
        for point in points
    ]
    return {
        "predicted": predicted.tolist(),
        "scores": scored,
        "sign": _sign(predicted, truth, n_classes) if name in ANSWERING else None,
        "params": max(search, key=lambda entry: entry["mean"])["params"],
        "seconds": seconds,
        "cpu_seconds": seconds,
        "search": search if grid else [],
        "oracle": on_test if oracle else [],
        "n_dimensions": n_dimensions,
        "n_terms": N_TERMS,
        "warnings": [],
        "error": None,
    }


def _sign(predicted, truth, n_classes):
    """The predictions, but for every fifth document without a class and every seventh with a second one."""
    accepted = [[] if i % 5 == 0 else [label] for i, label in enumerate(predicted.tolist())]
    for row in accepted[::7]:
        row.append(0)
    accepted = [sorted(set(row)) for row in accepted]
    answer = np.array([[c in row for c in range(n_classes)] for row in accepted])
    return {
        "accepted": accepted,
        "unassigned": float(np.mean(~answer.any(axis=1))),
        "scores": scores(truth[:, None] == np.arange(n_classes), answer),
    }


def _map(runs, truth, n_classes, rng):
    shown = next((run for run in runs if run["method"] == "lda" and run["predicted"]), None)
    if shown is None:
        return None
    places = rng.normal(scale=20, size=(n_classes, 2))[truth] + rng.normal(scale=3, size=(len(truth), 2))
    return {
        "method": "lda",
        "repeat": 0,
        "layout": "t-SNE",
        "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(),
        "label": truth.tolist(),
        "predicted": shown["predicted"],
        "text": [f"first words of document {number}" for number in range(len(truth))],
    }


@pytest.fixture(scope="session")
def comparison_maker():
    """Give the function that makes synthetic comparisons."""
    return make_comparison


@pytest.fixture(scope="session")
def with_tree():
    """Give the function that puts the classes of a comparison into a tree, as far as there are any."""

    def with_tree(comparison):
        names = comparison.corpus["classes"]
        parents = {name: f"area-{number % 3}" for number, name in enumerate(names[:-1])} | {names[-1]: None}
        roots = {f"area-{number}": None for number in range(min(3, len(names) - 1))}
        tree = parents | {"empty": "area-0"} | roots
        return replace(comparison, corpus=comparison.corpus | {"tree": tree})

    return with_tree


@pytest.fixture(scope="session")
def with_twins():
    """Give the function that makes class centroids the twin of SR-LDA without unlabelled documents."""

    def with_twins(comparison):
        methods = {
            ("lda-labelled" if name == "cm" else name): each for name, each in comparison.methods.items()
        }
        runs = [
            run | ({"method": "lda-labelled"} if run["method"] == "cm" else {}) for run in comparison.runs
        ]
        corpus = comparison.corpus | {"n_unlabelled": 1234}
        return replace(comparison, corpus=corpus, methods=methods, runs=runs)

    return with_twins
