import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from textspace.datasets import Corpus
from textspace.evaluation import compare
from textspace.methods import BASELINES, DEFAULT_METHODS, METHODS, find_methods, for_several_labels
from textspace.models import TextClassifier
from textspace.report import write_report

FOUNDATION = ["lsi", "clsi", "cm", "mmc", "lda", "dne", "lrwmmc", "svm", "knn", "nmf", "nb", "logreg"]


def test_the_foundation_is_there_under_its_own_names():
    assert set(FOUNDATION) <= set(METHODS)
    assert all(name == method.name for name, method in METHODS.items())
    assert set(DEFAULT_METHODS) <= set(METHODS)


def test_find_by_string_by_list_and_by_method():
    own = replace(METHODS["svm"], name="my-svm", grid={})
    assert [m.name for m in find_methods("lsi, cm")] == ["lsi", "cm"]
    assert find_methods(["svm", own]) == [METHODS["svm"], own]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("lsi,svn", "no method 'svn': choose from lsi, clsi"),
        ("svm,svm", "'svm' is named twice"),
        ([], "at least one"),
    ],
)
def test_wrong_names_get_a_sentence(names, message):
    with pytest.raises(ValueError, match=message):
        find_methods(names)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_learns_sparse_documents_with_every_setting(name):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 20)
    X = (rng.random((60, 30)) < 0.2).astype(np.float32)
    X[np.arange(60), y] += 3
    X[:, 3] = 1
    X = sparse.csr_array(X / np.linalg.norm(X, axis=1, keepdims=True))
    method = METHODS[name]
    estimator = method.build()
    assert estimator is not method.build()
    if "space" in dict(getattr(estimator, "steps", [])):
        assert isinstance(estimator, Pipeline)
        assert [step for step, _ in estimator.steps] == ["space", "classify"]
        estimator.set_params(**{k: 3 for k in estimator.get_params() if k == "space__n_components"})
    first = {parameter: values[0] for parameter, values in method.grid.items()}
    for parameter, values in method.grid.items():
        for value in values:
            fitted = clone(estimator).set_params(**(first | {parameter: value})).fit(X, y)
            assert np.mean(fitted.predict(X) == y) > 0.8


def test_methods_learn_from_a_dozen_labelled_documents_and_some_without_a_label():
    topics = {"grain": ["corn", "wheat", "crop", "maize"], "ship": ["port", "vessel", "cargo", "crew"]}
    rng = np.random.default_rng(0)
    labels = np.repeat(list(topics), 22)
    texts = [" ".join([*rng.choice(topics[y], 3), *rng.choice(["day", "year", "rise"], 2)]) for y in labels]
    place = np.tile(np.arange(22), 2)
    split = np.select([place < 6, place < 12], ["train", "test"], "unlabelled")
    names = ["em-nb", "self-training", "k-lsi", "nadp", "slsi"]
    comparison = compare(Corpus("few", texts, labels, split=split), names, n_jobs=1)
    assert [run["error"] for run in comparison.runs] == [None] * 7
    found = {row["method"]: row["scores"]["micro_f1"] for row in comparison.leaderboard()}
    for name in ("em-nb", "em-nb-labelled", "self-training", "self-training-labelled"):
        assert found[name] >= 0.75


@pytest.mark.parametrize("name", METHODS)
def test_the_catalogue_says_who_uses_a_tree(name):
    parameters = METHODS[name].build().get_params()
    assert METHODS[name].tree == any(parameter.split("__")[-1] == "tree" for parameter in parameters)


@pytest.mark.parametrize("name", [name for name in METHODS if name != "blend"])
def test_methods_learn_several_labels_or_name_those_that_do(name):
    if not METHODS[name].several:
        with pytest.raises(
            ValueError, match=f"'{name}' learns one label a document: for several labels choose"
        ):
            for_several_labels(METHODS[name])
        return
    rng = np.random.default_rng(0)
    Y = (rng.random((60, 3)) < 0.4).astype(int)
    X = (rng.random((60, 30)) < 0.1).astype(np.float32)
    X[:, :3] += 3 * Y
    X[:, 3] = 1
    X = sparse.csr_array(X / np.linalg.norm(X, axis=1, keepdims=True))
    method = for_several_labels(METHODS[name])
    estimator = method.build()
    estimator.set_params(**{k: 3 for k in estimator.get_params() if k == "space__n_components"})
    estimator.set_params(**{parameter: values[0] for parameter, values in method.grid.items()})
    answers = estimator.fit(X, sparse.csr_array(Y)).predict(X)
    assert answers.shape == Y.shape
    assert np.mean(answers == Y) > 0.8


def test_importing_the_catalogue_does_not_import_the_methods():
    code = (
        "import sys, textspace.methods; print([m for m in ('sklearn', 'numba', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


GOODS = Corpus(
    "goods",
    ["Corn and wheat rose.", "The wheat harvest!", "Ships at sea", "A ship sank at sea"] * 6,
    ["grain", "grain", "ship", "ship"] * 6,
)


def test_baselines_read_texts_by_themselves():
    names = [name for name in BASELINES if name != "fasttext"]
    comparison = compare(GOODS, [*names, "svm"], n_jobs=1)
    assert [run["error"] for run in comparison.runs] == [None] * 4
    assert all(run["scores"]["micro_f1"] == 1 for run in comparison.runs)
    words, letters, counts, stems = (run["n_terms"] for run in comparison.runs)
    assert words == counts != letters != stems  # each has terms of its own


def test_baselines_need_texts_and_make_no_model():
    counts = Corpus("counts", sparse.csr_array(np.eye(12)), ["a", "b"] * 6)
    run, other = compare(counts, "svm-sklearn,svm", n_jobs=1).runs
    assert "needs texts" in run["error"]
    assert other["error"] is None
    with pytest.raises(ValueError, match="takes part in comparisons only"):
        TextClassifier("nb-svm").fit(GOODS.texts, GOODS.labels)


def test_estimators_of_ones_own_are_named_by_module_and_class():
    names = "sklearn.linear_model:RidgeClassifier,textspace:TextClassifier"
    ridge, texts = find_methods(names)
    assert (ridge.scheme, texts.scheme) == ("tfidf", "texts")
    runs = compare(GOODS, names, n_jobs=1).runs
    assert [run["scores"]["micro_f1"] for run in runs] == [1, 1]


@pytest.mark.parametrize(
    "name", ["no_such_module:One", "sklearn.svm:Machine", "sklearn.linear_model:Lasso2", "json:dumps"]
)
def test_what_cannot_be_made_gets_a_sentence(name):
    with pytest.raises(ValueError, match="cannot be made"):
        find_methods(name)
    with pytest.raises(ValueError, match="is no classifier"):
        find_methods("sklearn.preprocessing:MaxAbsScaler")


def test_a_widened_grid_is_saved_and_reported(tmp_path):
    method = replace(METHODS["svm"], grid={"C": [1e-7, 3e-7, 1e-6]})  # far too small
    comparison = compare(GOODS, [method, "nb"], n_jobs=1)
    tried = [entry["params"]["C"] for entry in comparison.runs_of("svm")[0]["search"]]
    comparison.save(tmp_path / "results.json")
    again = type(comparison).load(tmp_path / "results.json")
    assert [entry["params"]["C"] for entry in again.runs_of("svm")[0]["search"]] == tried
    write_report(again, tmp_path / "report.html")
