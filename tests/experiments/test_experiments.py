"""Experiments: their machinery on the demo corpus, and the committed results against what is claimed."""

import json
from dataclasses import replace
from functools import partial
from inspect import signature
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from experiments import EXPERIMENTS, Comparisons, Experiment, Records
from experiments.comparisons import best_on_test, report
from experiments.estimators import vector_space
from experiments.experiment import save_figure
from experiments.markdown import mean_of, select
from experiments.srls_pairs import TASK_SIZES
from textspace.evaluation import Comparison, compare
from textspace.methods import METHODS

pytestmark = pytest.mark.slow

RESULTS = Path(__file__).parents[2] / "results"


def draw(comparisons, folder):
    (folder / "figure.svg").write_text(" ".join(comparisons))
    return [folder / "figure.svg"]


@pytest.fixture
def small():
    return Experiment(
        name="small",
        title="A small table",
        summary="Two methods.",
        results=Comparisons(
            corpora={"Paper's data": "demo"},
            methods=lambda: [METHODS["cm"], replace(METHODS["nb"], grid={"alpha": [0.1, 1.0]})],
            space=partial(vector_space, "tfidf"),
            protocol={"oracle": True},
        ),
        report=partial(
            report,
            published={"Paper's data": {"cm": (0.5, 0.25)}},
            measures={"micro": "micro_f1", "macro": "macro_f1_of_means"},
        ),
        draw=draw,
    )


def test_results_are_written_and_shown_beside_the_papers(small, tmp_path):
    text = small.run(tmp_path, n_jobs=1)
    comparison = Comparison.load(tmp_path / "small" / "demo.json")
    assert comparison.map is None  # it would quote documents
    [run] = comparison.runs_of("cm")
    row = next(line for line in text.splitlines() if line.startswith("| Class centroids"))
    assert row.split(" | ")[1:3] == ["0.5000", f"{run['scores']['micro_f1']:.4f}"]
    assert f"{run['scores']['macro_f1_of_means']:.4f}" in row
    assert (tmp_path / "small" / "table.md").read_text().startswith("# A small table")
    assert (tmp_path / "small" / "figure.svg").read_text() == "Paper's data"


def test_repeated_splits_show_their_spread_and_times(small, tmp_path):
    repeated = replace(
        small,
        results=replace(small.results, protocol={"train_share": 0.5, "repeats": 3}),
        report=partial(
            report,
            published={"Paper's data": {"cm": (0.5, 23.9)}},
            measures={"accuracy": "accuracy", "time": "fit"},
        ),
    )
    text = repeated.run(tmp_path, n_jobs=1)
    [row] = [line.split(" | ") for line in text.splitlines() if line.startswith("| Class centroids")]
    runs = Comparison.load(tmp_path / "small" / "demo.json").runs_of("cm")
    mean = sum(run["scores"]["accuracy"] for run in runs) / 3
    assert len(runs) == 3
    assert all(run["predicted"] is None for run in runs)  # megabytes that nobody reads
    assert row[1] == "0.5000"
    assert row[2].startswith(f"{mean:.4f} ± 0.")
    assert row[3] == "23.9"
    assert "3 random splits" in text


def test_a_second_run_says_what_changed(small, tmp_path):
    small.run(tmp_path, n_jobs=1)
    path = tmp_path / "small" / "demo.json"
    content = json.loads(path.read_text())
    content["runs"][1]["scores"]["micro_f1"] -= 0.25
    path.write_text(json.dumps(content))
    assert "+0.2500 (nb)" in small.run(tmp_path, n_jobs=1)


def test_best_on_test_takes_the_best_that_worked():
    trials = [
        {"params": {"k": 1}, "scores": {"micro_f1": 0.5}, "error": None},
        {"params": {"k": 2}, "scores": {"micro_f1": 0.7}, "error": None},
        {"params": {"k": 3}, "scores": None, "error": "ValueError: k"},
    ]
    assert best_on_test({"oracle": trials})["params"] == {"k": 2}


def test_a_comparison_that_was_stopped_goes_on(small, tmp_path, monkeypatch):
    def stop(self, measured, folder):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Comparisons, "write", stop)
        with pytest.raises(KeyboardInterrupt):
            small.run(tmp_path, n_jobs=1)
    [kept] = (tmp_path / "small" / "runs").rglob("cm-0.json")
    run = json.loads(kept.read_text())
    kept.write_text(json.dumps(run | {"seconds": run["seconds"] | {"fit": 42.0}}))
    small.run(tmp_path, n_jobs=1)
    [run] = small.load(tmp_path)["Paper's data"].runs_of("cm")
    assert run["seconds"]["fit"] == 42.0
    assert not (tmp_path / "small" / "runs").exists()


MEASURED = {name: each for name, each in EXPERIMENTS.items() if not each.brought}  # on data that are there


@pytest.mark.parametrize("experiment", MEASURED.values(), ids=list(MEASURED))
def test_committed_tables_are_those_of_the_committed_results(experiment):
    table = (RESULTS / experiment.name / "table.md").read_text(encoding="utf-8")
    assert table == experiment.table(experiment.load(RESULTS))


def of_kind(kind):
    chosen = [each for each in MEASURED.values() if isinstance(each.results, kind)]
    return pytest.mark.parametrize("experiment", chosen, ids=lambda each: each.name)


@of_kind(Records)
def test_committed_records_are_those_of_the_declared_tasks(experiment):
    records, tasks = experiment.load(RESULTS), experiment.results.tasks()
    measured = [{name: record[name] for name in tasks[0]} for record in records]
    assert [task for task in tasks if task not in measured] == []
    assert [task for task in measured if task not in tasks] == []


@of_kind(Comparisons)
def test_committed_comparisons_are_those_of_the_declared_methods_and_protocol(experiment):
    methods = experiment.results.methods()
    for dataset, comparison in experiment.load(RESULTS).items():
        assert experiment.results.protocol.items() <= comparison.protocol.items()
        assert list(comparison.methods) == [method.name for method in methods]
        assert set(experiment.report.keywords["published"][dataset]) <= set(comparison.methods)
        for method in methods:
            found = comparison.methods[method.name]
            assert (found["grid"], found["scheme"]) == (method.grid, method.scheme)


@of_kind(Comparisons)
def test_every_argument_of_a_comparison_is_given(experiment):
    given = {"corpus", "methods", "space", "language", "n_jobs", "resume", "progress"}
    assert given | experiment.results.protocol.keys() == set(signature(compare).parameters)


@pytest.mark.parametrize(
    ("corpus", "micro", "over_dne", "over_lsi"),
    [("reuters-r52", 0.925, 0.01, 0.015), ("20newsgroups", 0.78, 0.04, 0.05)],
)
def test_lrwmmc_figures_in_the_committed_results(corpus, micro, over_dne, over_lsi):
    comparison = Comparison.load(RESULTS / "lrwmmc-table2" / f"{corpus}.json")

    def best(method, **params):
        [run] = comparison.runs_of(method)
        return max(
            trial["scores"]["micro_f1"]
            for trial in run["oracle"]
            if all(trial["params"][f"space__{name}"] == value for name, value in params.items())
        )

    lrwmmc = best("lrwmmc", n_neighbors=5)
    assert lrwmmc >= micro
    assert lrwmmc - best("dne", n_neighbors=3) >= over_dne
    assert lrwmmc - best("lsi") >= over_lsi


@pytest.mark.parametrize(
    ("corpus", "accuracy", "f1", "auc", "over_dgpp", "dgpp"),
    [("reuters-r52", 0.935, 0.69, 0.98, 0.01, 0.915), ("20newsgroups", 0.88, 0.88, 0.98, 0.03, 0.83)],
)
def test_kdgpp_figures_in_the_committed_results(corpus, accuracy, f1, auc, over_dgpp, dgpp):
    rows = {
        row["method"]: row
        for row in Comparison.load(RESULTS / "kdgpp-table1" / f"{corpus}.json").leaderboard()
    }
    scores = rows["kdgpp"]["scores"]
    assert scores["accuracy"] >= accuracy
    assert scores["macro_f1"] >= f1
    assert scores["auc"] >= auc
    assert rows["dgpp"]["scores"]["accuracy"] >= dgpp
    assert scores["accuracy"] - rows["dgpp"]["scores"]["accuracy"] >= over_dgpp


@pytest.mark.parametrize(("corpus", "micro"), [("reuters-tree-a", 0.91), ("reuters-tree-b", 0.93)])
def test_label_driven_lsi_in_the_committed_results(corpus, micro):
    comparison = Comparison.load(RESULTS / "slsi-table1" / f"{corpus}.json")
    found = {row["method"]: row["scores"]["micro_f1"] for row in comparison.leaderboard()}
    assert found["slsi"] >= micro
    assert found["slsi"] > found["k-lsi"]


def test_tensor_machine_figures_in_the_committed_results():
    records = EXPERIMENTS["stm-table3"].load(RESULTS)

    def mean(method, rule, score):
        return mean_of(records, score, share=0.05, method=method, rule=rule)

    assert mean("svm", "sign", "micro") == pytest.approx(0.858, abs=0.01)
    assert mean("svm", "sign", "macro") == pytest.approx(0.37, abs=0.03)
    assert mean("svm", "argmax", "micro") == pytest.approx(0.887, abs=0.006)
    assert mean("svm", "argmax", "macro") == pytest.approx(0.60, abs=0.03)
    assert mean("stm", "sign", "micro") >= mean("svm", "sign", "micro")
    assert mean("stm", "sign", "macro") >= mean("svm", "sign", "macro") + 0.045


def test_sampled_terms_in_the_committed_results():
    records = EXPERIMENTS["srls-fig3"].load(RESULTS)

    def mean(choice, n_terms):
        place = TASK_SIZES.index(n_terms)
        return sum(r["micro"][place] for r in select(records, choice=choice)) / 100

    assert all(mean("SS(10)", n) > mean("SS(rank)", n) for n in TASK_SIZES if n <= 100)
    assert mean("SS(rank)", 1000) >= 0.97


def test_sampled_terms_of_newsgroups_in_the_committed_results():
    records = EXPERIMENTS["srls-fig5"].load(RESULTS)

    def mean(choice, n_terms):
        return mean_of(records, "micro", corpus="20newsgroups", choice=choice, n_terms=n_terms)

    few = [mean(choice, 500) for choice in ("SS(100)", "SS(1000)", "WS", "US")]
    assert few == sorted(few, reverse=True)
    assert mean("SS(1000)", 5000) >= 0.92
    assert mean("IG per class", 5000) >= 0.935
    assert mean("US", 5000) < 0.55
    assert mean_of(records, "full", corpus="20newsgroups") >= 0.885


def test_a_figure_is_whole_or_absent(tmp_path):
    class Cut(Figure):
        def savefig(self, file, **_):
            file.write(b"<svg>")
            raise OSError(28, "No space left on device")

    path = tmp_path / "figure.svg"
    with pytest.raises(OSError, match=r"figure\.svg"):
        save_figure(Cut(), path)
    assert list(tmp_path.iterdir()) == []
    assert save_figure(Figure(), path).read_text().rstrip().endswith("</svg>")
