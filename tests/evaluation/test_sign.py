"""The sign rule: yes/no answers of a run, and what a comparison makes of them."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, precision_score, recall_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

from textspace.evaluation import Comparison, compare, repeat_interval, resampled_t_test, significance
from textspace.methods import Method
from textspace.text import VectorSpace


def method(name, build):
    return Method(name, name, "", "", build, {})


def weak_svm():
    return LinearSVC(C=0.05)  # so unsure that it says no to many documents


def fitted(corpus, estimator):
    """The classifier on the corpus's split, its class names, and the test documents."""
    space = VectorSpace()
    X_train, X_test = space.fit_transform(corpus.train.texts), space.transform(corpus.test.texts)
    return estimator.fit(X_train, corpus.train.labels), X_test


def accepted_names(comparison, run):
    return [[comparison.corpus["classes"][c] for c in row] for row in run["sign"]["accepted"]]


@pytest.fixture(scope="module")
def comparison(new_corpus):
    return compare(new_corpus(), [method("weak", weak_svm), "svm", "logreg", "nb", "lsi"], n_jobs=1)


@pytest.fixture(scope="module")
def repeated(new_corpus):
    methods = [method("weak", weak_svm), "logreg", "nb"]
    return compare(new_corpus(), methods, train_share=0.4, repeats=3, baseline="logreg", n_jobs=1)


def test_a_document_is_in_every_class_with_a_positive_value(corpus, comparison):
    estimator, X_test = fitted(corpus, LinearSVC(C=0.05, random_state=0))
    values = estimator.decision_function(X_test)
    expected = [[name for name, v in zip(estimator.classes_, row, strict=True) if v > 0] for row in values]
    run = comparison.runs[0]
    assert accepted_names(comparison, run) == expected
    lengths = list(map(len, expected))
    assert 0 in lengths
    assert run["sign"]["unassigned"] == lengths.count(0) / len(lengths)
    truth = np.array([[name == label for name in corpus.classes] for label in corpus.test.labels])
    scored = run["sign"]["scores"]
    for average in ("micro", "macro"):
        for name, score in (("precision", precision_score), ("recall", recall_score), ("f1", f1_score)):
            expected_score = score(truth, values > 0, average=average, zero_division=0)
            assert scored[f"{average}_{name}"] == pytest.approx(expected_score)
    assert scored["accuracy"] == np.mean((truth == (values > 0)).all(1))
    assert scored["auc"] == run["scores"]["auc"]


def test_of_a_model_with_probabilities_a_class_takes_more_than_one_half(corpus, comparison):
    run = next(run for run in comparison.runs if run["method"] == "logreg")
    estimator, X_test = fitted(corpus, LogisticRegression(max_iter=200, tol=1e-3, **run["params"]))
    probable = estimator.predict_proba(X_test) > 0.5
    assert accepted_names(comparison, run) == [estimator.classes_[row].tolist() for row in probable]


def test_only_classifiers_with_a_zero_say_yes_and_no(corpus, comparison):
    answering = {run["method"] for run in comparison.runs if run["sign"] is not None}
    assert answering == {"weak", "svm", "logreg"}
    pairs = partial(SVC, kernel="linear", decision_function_shape="ovo")
    run = compare(corpus, [method("pairs", pairs)], n_jobs=1).runs[0]
    assert run["error"] is run["sign"] is None


def test_the_last_step_of_a_pipeline_counts(corpus):
    chain = make_pipeline(TruncatedSVD(5), LinearSVC())
    run = compare(corpus, [method("chain", lambda: chain)], n_jobs=1).runs[0]
    sole = [row[0] for row in run["sign"]["accepted"] if len(row) == 1]
    both = [p for p, row in zip(run["predicted"], run["sign"]["accepted"], strict=True) if len(row) == 1]
    assert sole == both  # where one class is accepted it has the highest value


def test_two_classes_are_each_others_opposite(new_corpus):
    corpus = new_corpus((20, 20, 0))
    run = compare(corpus, [method("weak", weak_svm)], n_jobs=1).runs[0]
    assert run["sign"]["accepted"] == [[label] for label in run["predicted"]]
    for name, score in run["sign"]["scores"].items():
        assert score == pytest.approx(run["scores"][name])


def test_classes_without_training_or_test_documents(new_corpus):
    corpus = new_corpus((30, 30, 20))
    # Nobody learns "ship"; nobody tests "metal".
    split = np.where(corpus.labels == "ship", "test", corpus.split)
    split = np.where(corpus.labels == "metal", "train", split)
    comparison = compare(replace(corpus, split=split), [method("weak", weak_svm)], n_jobs=1)
    run = comparison.runs[0]
    grain, metal, ship = 0, 1, 2
    assert not any(ship in row for row in run["sign"]["accepted"])
    truth = np.array(comparison.truth[0])
    answer = np.array([[c in row for c in (grain, metal, ship)] for row in run["sign"]["accepted"]])
    assert answer[:, metal].any()  # so it counts, as wrong answers do
    each = [f1_score(truth == c, answer[:, c], zero_division=0) for c in (grain, metal, ship)]
    assert run["sign"]["scores"]["macro_f1"] == pytest.approx(np.mean(each))
    micro = f1_score((truth[:, None] == [grain, metal, ship]).ravel(), answer.ravel())
    assert run["sign"]["scores"]["micro_f1"] == pytest.approx(micro)
    [row] = comparison.leaderboard("sign")
    assert row["intervals"]["macro_f1"][0] <= row["scores"]["macro_f1"] <= row["intervals"]["macro_f1"][1]


def test_the_leaderboard_of_one_split(comparison):
    rows = {row["method"]: row for row in comparison.leaderboard(rule="sign")}
    assert set(rows) == {"weak", "svm", "logreg"}
    runs = {run["method"]: run for run in comparison.runs}
    shares = [row["scores"]["micro_f1"] for row in comparison.leaderboard(rule="sign")]
    assert shares == sorted(shares, reverse=True)
    truth = np.array([[c == label for c in range(3)] for label in comparison.truth[0]])

    def matrix(name):
        return np.array([[c in row for c in range(3)] for row in runs[name]["sign"]["accepted"]])

    for name, row in rows.items():
        sign = runs[name]["sign"]
        assert row["scores"] == sign["scores"] | {"unassigned": sign["unassigned"]}
        low, high = row["intervals"]["micro_f1"]
        assert low <= row["scores"]["micro_f1"] <= high
        if name != "svm":
            found = significance(truth, matrix(name), matrix("svm"))
            for test in "sST":
                assert row["against_baseline"][test]["p_value"] == getattr(found, test).p_value
    assert rows["svm"]["against_baseline"] is None
    assert rows["weak"]["against_baseline"]["s"]["mark"] == "<<"


def test_the_leaderboard_of_several_splits(repeated):
    rows = {row["method"]: row for row in repeated.leaderboard(rule="sign")}
    assert set(rows) == {"weak", "logreg"}
    f1 = {
        name: np.array([run["sign"]["scores"]["micro_f1"] for run in repeated.runs_of(name)]) for name in rows
    }
    assert rows["weak"]["scores"]["micro_f1"] == pytest.approx(f1["weak"].mean())
    assert rows["weak"]["intervals"]["micro_f1"] == repeat_interval(f1["weak"])
    ratio = repeated.corpus["n_test"] / repeated.corpus["n_train"]
    expected = resampled_t_test(f1["weak"] - f1["logreg"], ratio)
    assert rows["weak"]["against_baseline"]["micro_f1"]["p_value"] == expected.p_value


def test_the_table_says_what_it_shows(comparison):
    from rich.console import Console

    console = Console(width=200)
    with console.capture() as capture:
        console.print(comparison.table(rule="sign"))
    text = capture.get()
    weak = next(run for run in comparison.runs if run["method"] == "weak")
    assert f"{weak['sign']['unassigned']:.1%}" in text
    assert "By the sign rule" in text
    assert "left out: nb, lsi." in text
    assert "= accuracy" not in text
    assert "sign rule" not in str(comparison)


def test_failed_methods_stay_in_the_table(corpus):
    broken = method("broken", lambda: LinearSVC(C=-1))
    rows = compare(corpus, ["svm", "nb", broken], n_jobs=1).leaderboard("sign")
    assert [(row["method"], row["error"] is None) for row in rows] == [("svm", True), ("broken", False)]


def test_files_without_the_answers_are_read(comparison, repeated, tmp_path):
    content = comparison.to_dict()
    content["runs"] = [{k: v for k, v in run.items() if k != "sign"} for run in content["runs"]]
    (tmp_path / "old.json").write_text(json.dumps(content))
    old = Comparison.load(tmp_path / "old.json")
    assert old.leaderboard() == comparison.leaderboard()
    assert str(old) == str(comparison)
    assert old.leaderboard("sign") == []
    # Published results of several splits keep the scores alone.
    bare = [
        run | {"predicted": None, "sign": run["sign"] and run["sign"] | {"accepted": None}}
        for run in repeated.runs
    ]
    published = replace(repeated, truth=[[] for _ in repeated.truth], runs=bare)
    assert published.leaderboard("sign") == repeated.leaderboard("sign")
    with pytest.raises(ValueError, match="without its predictions"):
        published.f1_by_size("weak")


def test_an_unknown_rule_gets_a_sentence(comparison):
    with pytest.raises(ValueError, match="rule is 'max': choose from argmax, sign"):
        comparison.leaderboard(rule="max")
