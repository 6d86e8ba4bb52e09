import json
from dataclasses import replace

import pytest
from sklearn.naive_bayes import MultinomialNB
from tests.comparisons import make_comparison

from textspace.evaluation import Comparison, compare, leaderboard
from textspace.methods import METHODS


def broken():
    return MultinomialNB(alpha=-1)


@pytest.fixture
def comparison(corpus):
    methods = [
        "knn",
        "svm",
        "lsi",
        replace(METHODS["nb"], name="broken", title="Broken", build=broken, grid={}),
    ]
    return compare(corpus, methods, n_jobs=1)


@pytest.fixture
def repeated(corpus):
    return compare(corpus, ["nb", "knn"], train_share=0.4, repeats=3, n_jobs=1)


def test_survives_a_round_trip_through_a_file(comparison, tmp_path):
    comparison.save(tmp_path / "results.json")
    assert Comparison.load(tmp_path / "results.json") == comparison
    content = json.loads((tmp_path / "results.json").read_text())
    assert (content["format"], content["version"]) == ("textspace-comparison", 2)
    assert content == comparison.to_dict()


def test_a_file_of_version_1_has_cells_for_runs(comparison, tmp_path):
    content = comparison.to_dict()
    content["version"], content["cells"] = 1, content.pop("runs")
    (tmp_path / "old.json").write_text(json.dumps(content))
    assert Comparison.load(tmp_path / "old.json") == comparison


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("text", "it is not JSON"),
        ("[1, 2]", "does not say 'textspace-comparison'"),
        ('{"format": "other"}', "does not say 'textspace-comparison'"),
        ('{"format": "textspace-comparison", "version": 3}', "version 3 .* run the comparison again"),
        (
            '{"format": "textspace-comparison", "version": 2, "map": null}',
            "damaged: it lacks corpus, protocol",
        ),
        ('{"format": "textspace-comparison", "version": 1, "map": null}', "lacks corpus, .*truth, runs"),
    ],
)
def test_a_foreign_file_gets_a_sentence(tmp_path, content, message):
    path = tmp_path / "foreign.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=message) as caught:
        Comparison.load(path)
    assert str(path) in str(caught.value)


def test_rows_are_sorted_by_micro_f1_with_failures_last(comparison):
    rows = comparison.leaderboard()
    finished = [row["scores"]["micro_f1"] for row in rows[:-1]]
    assert finished == sorted(finished, reverse=True)
    assert rows[-1]["method"] == "broken"
    assert "alpha" in rows[-1]["error"]
    assert comparison.best() == rows[0]["method"]


def test_one_split_has_the_tests_of_yang_and_liu_and_bootstrap_intervals(comparison):
    for row in leaderboard(comparison)[:-1]:
        low, high = row["intervals"]["micro_f1"]
        assert low <= row["scores"]["micro_f1"] <= high
        assert (row["against_baseline"] is None) == (row["method"] == "svm")
        if row["against_baseline"]:
            assert list(row["against_baseline"]) == ["s", "S", "T"]


def test_several_splits_have_means_and_the_resampled_t_test(repeated):
    assert repeated.protocol["baseline"] == "nb"
    for row in repeated.leaderboard():
        values = [run["scores"]["macro_f1"] for run in repeated.runs_of(row["method"])]
        assert row["scores"]["macro_f1"] == pytest.approx(sum(values) / 3)
        low, high = row["intervals"]["macro_f1"]
        assert low <= row["scores"]["macro_f1"] <= high
    row = next(row for row in repeated.leaderboard() if row["method"] == "knn")
    assert list(row["against_baseline"]) == ["micro_f1", "macro_f1"]


def test_the_table_names_every_method_the_chosen_settings_and_the_failure(comparison):
    text = str(comparison)
    for word in (
        "Linear SVM",
        "LSI",
        "kNN",
        "n_neighbors=",
        "C=",
        "baseline",
        "Broken",
        "failed",
        "[low, high]",
    ):
        assert word in text
    assert text.index("Broken") > text.index("Linear SVM")
    assert "\x1b" not in text


def test_the_table_of_several_splits_says_so(repeated):
    assert "3 splits" in str(repeated)
    assert "corrected resampled t-test" in str(repeated)


def test_nothing_is_best_if_everything_failed(corpus):
    method = replace(METHODS["nb"], name="broken", build=broken, grid={})
    failed = compare(corpus, [method], n_jobs=1)
    with pytest.raises(ValueError, match=r"no method finished; 'broken' failed with .*alpha"):
        failed.best()
    assert "failed" in str(failed)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_results_come_as_tables(library):
    pytest.importorskip(library)
    comparison = make_comparison(failed=[("svm", 0)])
    frame = comparison.to_frame(library)
    board = comparison.leaderboard()
    assert list(frame["method"]) == [row["method"] for row in board]
    assert frame["micro_f1"][0] == board[0]["scores"]["micro_f1"]
    assert list(frame["error"])[-1] == "The solver did not converge."


def test_another_library_gets_a_sentence():
    with pytest.raises(ValueError, match="choose from pandas, polars"):
        make_comparison().to_frame("tables")
