import copy
import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, f1_score

from textspace.evaluation import summarise

pytestmark = pytest.mark.slow


def predictions(comparison, method):
    """Truth and answers of all finished repeats, gathered the slow way."""
    truth, predicted = [], []
    for run in comparison.runs:
        if run["method"] == method and run["error"] is None:
            truth += comparison.truth[run["repeat"]]
            predicted += run["predicted"]
    return np.array(truth), np.array(predicted)


@pytest.fixture(scope="module", params=["one split", "five splits, some failed"])
def comparison(request, comparison_maker):
    if request.param == "one split":
        return comparison_maker(oracle=True)
    return comparison_maker(repeats=5, failed=[("nmf", 2), *(("knn", repeat) for repeat in range(5))])


@pytest.fixture(scope="module")
def summary(comparison):
    return summarise(comparison)


def test_summary_is_plain_and_leaves_its_input_alone(comparison):
    before = copy.deepcopy(comparison.to_dict())
    summary = summarise(comparison)
    assert comparison.to_dict() == before
    assert summarise(comparison) == summary
    assert json.loads(json.dumps(summary)).keys() == summary.keys()


def test_best_has_the_highest_micro_f1_and_failed_methods_stand_apart(comparison, summary):
    finished = {row["method"] for row in summary["leaderboard"]}
    failed = {row["method"] for row in summary["failed"]}
    assert finished | failed == set(comparison.methods)
    assert not finished & failed
    means = {
        name: np.mean(
            [
                f1_score(comparison.truth[run["repeat"]], run["predicted"], average="micro")
                for run in comparison.runs_of(name)
            ]
        )
        for name in finished
    }
    assert means[summary["best"]["method"]] == pytest.approx(max(means.values()))


def test_confusions_are_scikit_learns(comparison, summary):
    truth, predicted = predictions(comparison, summary["best"]["method"])
    names = comparison.corpus["classes"]
    order = [names.index(name) for name in summary["confusion"]["classes"]]
    np.testing.assert_array_equal(
        summary["confusion"]["counts"], confusion_matrix(truth, predicted, labels=order)
    )
    largest = summary["confusion"]["largest"]
    assert [pair["count"] for pair in largest] == sorted([pair["count"] for pair in largest], reverse=True)
    for pair in largest:
        of_class = truth == names.index(pair["truth"])
        assert pair["count"] == np.sum(predicted[of_class] == names.index(pair["predicted"]))
        assert pair["total"] == of_class.sum()


def test_class_scores_are_scikit_learns(comparison, summary):
    names = comparison.corpus["classes"]
    for column, row in (("ours", summary["best"]), ("theirs", summary["rival"])):
        expected = f1_score(
            *predictions(comparison, row["method"]), labels=range(len(names)), average=None, zero_division=0
        )
        for score in summary["per_class"]:
            assert score[column] == pytest.approx(expected[names.index(score["name"])])
    supports = [score["support"] for score in summary["per_class"]]
    assert supports == sorted(supports, reverse=True)


def test_documents_that_only_one_method_gets_right(comparison, summary):
    pairs = []
    for first, second in (("best", "rival"), ("rival", "best")):
        count = 0
        for run in comparison.runs_of(summary[first]["method"]):
            other = comparison.runs_of(summary[second]["method"])[run["repeat"]]
            truth = comparison.truth[run["repeat"]]
            answers = zip(truth, run["predicted"], other["predicted"], strict=True)
            count += sum(a == t != b for t, a, b in answers)
        pairs.append(count)
    assert summary["only_right"] == pairs


def test_rows_by_the_sign_rule(comparison, summary):
    assert summary["sign"] == [row for row in comparison.leaderboard("sign") if row["error"] is None]
    assert {row["method"] for row in summary["sign"]} == {"svm", "logreg"}


def test_curves_over_class_size_average_the_classes_of_a_bin(comparison, summary):
    """Against scikit-learn's F1, class by class and split by split."""
    assert [chart["rule"] for chart in summary["by_size"]] == ["argmax", "sign"]
    sizes, names = np.array(comparison.corpus["train_sizes"]), comparison.corpus["classes"]
    titles = {method["title"]: name for name, method in comparison.methods.items()}
    for chart in summary["by_size"]:
        shown = [row["title"] for row in summary["leaderboard" if chart["rule"] == "argmax" else "sign"][:3]]
        assert [line["title"] for line in chart["lines"]][: len(shown)] == shown
        assert "Linear SVM" in [line["title"] for line in chart["lines"]]  # the baseline
        assert sum(bin["n_classes"] for bin in chart["bins"]) == len(names)
        firsts = [bin["first"] for bin in chart["bins"]]
        assert firsts == [firsts[0] * 2**step for step in range(len(firsts))]  # gaps are drawn as gaps
        for line in chart["lines"]:
            f1 = []
            for run in comparison.runs_of(titles[line["title"]]):
                answers = [[p] for p in run["predicted"]]
                answers = run["sign"]["accepted"] if chart["rule"] == "sign" else answers
                truth = np.array(comparison.truth[run["repeat"]])
                f1.append([f1_score(truth == c, [c in row for row in answers]) for c in range(len(names))])
            f1 = np.mean(f1, axis=0)
            for point in line["points"]:
                bin = chart["bins"][point["position"]]
                members = (sizes >= bin["first"]) & (sizes <= bin["last"])
                assert bin["n_classes"] == members.sum()
                assert bin["last"] < 2 * bin["first"]
                assert point["f1"] == pytest.approx(f1[members].mean())


def test_few_classes_or_sizes_make_no_curve(comparison_maker):
    assert summarise(comparison_maker(n_classes=5))["by_size"] == []
    comparison = comparison_maker()
    equal = replace(comparison, corpus=comparison.corpus | {"train_sizes": [60] * 12})
    assert summarise(equal)["by_size"] == []


def test_a_class_without_training_documents_has_a_bin_of_its_own(comparison_maker):
    comparison = comparison_maker()
    sizes = [0, 1, *comparison.corpus["train_sizes"][2:]]
    chart = summarise(replace(comparison, corpus=comparison.corpus | {"train_sizes": sizes}))["by_size"][0]
    assert [(bin["first"], bin["last"], bin["n_classes"]) for bin in chart["bins"][:2]] == [
        (0, 0, 1),
        (1, 1, 1),
    ]


def test_results_of_several_splits_without_predictions(comparison_maker):
    """As they are published."""
    comparison = comparison_maker(repeats=3)
    bare = [
        run | {"predicted": None, "sign": run["sign"] and run["sign"] | {"accepted": None}}
        for run in comparison.runs
    ]
    summary = summarise(replace(comparison, truth=[[], [], []], runs=bare, map=None))
    full = summarise(comparison)
    assert summary["leaderboard"] == full["leaderboard"]
    assert summary["sign"] == full["sign"]
    assert summary["confusion"] is summary["per_class"] is summary["only_right"] is None
    assert summary["by_size"] == []


def test_only_large_confusion_matrices_are_cut(comparison_maker):
    shown = summarise(comparison_maker(n_documents=900, n_classes=80, methods=("svm", "lda")))["confusion"]
    assert len(shown["classes"]) == len(shown["counts"]) == 60
    assert shown["n_left_out"] == 20


def test_every_grid_point_is_drawn_once(comparison, summary):
    titles = {method["title"]: name for name, method in comparison.methods.items()}
    for sweep in summary["sweeps"]:
        runs = comparison.runs_of(titles[sweep["title"]])
        points = [point for line in sweep["lines"] for point in line["points"]]
        assert len(points) == len(runs[0]["search"])
        assert sum(point["chosen"] for point in points) == len(runs)
        assert {(line["name"], p["position"]) for line in sweep["lines"] for p in line["points"]} == {
            (line["name"], position) for line in sweep["lines"] for position in range(len(sweep["values"]))
        }
        means = [np.mean([run["search"][i]["mean"] for run in runs]) for i in range(len(points))]
        assert sorted(point["mean"] for point in points) == pytest.approx(sorted(means))
    assert {titles[sweep["title"]] for sweep in summary["sweeps"]} == {
        row["method"] for row in summary["leaderboard"] if comparison.methods[row["method"]]["grid"]
    }


def test_best_on_test_is_the_maximum_over_the_grid(comparison_maker):
    comparison = comparison_maker(oracle=True)
    titles = {method["title"]: name for name, method in comparison.methods.items()}
    for sweep in summarise(comparison)["sweeps"]:
        [run] = comparison.runs_of(titles[sweep["title"]])
        expected = max(entry["scores"]["micro_f1"] for entry in run["oracle"])
        assert sweep["best_on_test"]["score"] == pytest.approx(expected)
    assert all(sweep["best_on_test"] is None for sweep in summarise(comparison_maker())["sweeps"])


def test_a_grid_point_that_failed_is_left_out(comparison_maker):
    comparison = comparison_maker(methods=("svm",))
    run = comparison.runs[0]
    run["search"][0] |= {"mean": None, "std": None, "error": "it does not converge"}
    [sweep] = summarise(comparison)["sweeps"]
    assert [point["position"] for line in sweep["lines"] for point in line["points"]] == [1, 2]


def test_the_map_holds_every_document_under_its_own_name(comparison, summary):
    found, names = comparison.map, comparison.corpus["classes"]
    data = summary["map"]["data"]
    assert [data["names"][group] for group in data["group"]] == [names[label] for label in found["label"]]
    assert [data["names"][group] for group in data["predicted"]] == [names[p] for p in found["predicted"]]
    assert min(data["x"]) == min(data["y"]) == 0
    assert max(data["x"]) == max(data["y"]) == 1
    groups = summary["map"]["groups"]
    assert [group["name"] for group in groups] == data["names"][: len(groups)]
    assert sum(len(group["x"]) for group in groups) == len(found["x"])
    assert sum(map(sum, (group["wrong"] for group in groups))) == summary["map"]["n_wrong"]
    for mistake in summary["map"]["mistakes"]:
        assert mistake["truth"] != mistake["predicted"]


def test_rival_is_the_runner_up_where_the_baseline_is_best_or_absent(comparison_maker):
    comparison = comparison_maker()
    first, second = (row["method"] for row in comparison.leaderboard()[:2])
    for baseline in (first, "absent"):
        summary = summarise(replace(comparison, protocol=comparison.protocol | {"baseline": baseline}))
        assert summary["rival"]["method"] == second
        assert (summary["baseline"] is None) == (baseline == "absent")


def test_nothing_finished(comparison_maker):
    summary = summarise(comparison_maker(methods=("svm", "lda"), failed=[("svm", 0), ("lda", 0)]))
    assert summary["best"] is summary["confusion"] is summary["per_class"] is summary["map"] is None
    assert summary["leaderboard"] == summary["sweeps"] == []
    assert {row["method"] for row in summary["failed"]} == {"svm", "lda"}
