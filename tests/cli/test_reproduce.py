import json
from types import SimpleNamespace

import pytest

import experiments


@pytest.fixture
def small_experiment(monkeypatch):
    """An experiment that writes its arguments."""

    def run(folder, *, n_jobs, progress):
        (folder / "small.txt").write_text(f"{n_jobs}")
        return "| ours | theirs |"

    small = SimpleNamespace(name="small-table1", title="A small table", summary="Small.", run=run)
    monkeypatch.setitem(experiments.EXPERIMENTS, "small-table1", small)


def test_list_names_every_experiment(run):
    listed = json.loads(run("reproduce", "--list", "--json").out)
    assert [each["name"] for each in listed] == list(experiments.EXPERIMENTS)
    shown = run("reproduce", "--list").out
    assert all(each["title"] in shown for each in listed)


def test_one_experiment(run, tmp_path, small_experiment):
    outcome = run("reproduce", "small-table1", "-o", "figures", "--jobs", "3")
    assert (outcome.code, outcome.out) == (0, "| ours | theirs |\n")
    assert (tmp_path / "figures" / "small.txt").read_text() == "3"


def test_all(run, tmp_path, monkeypatch, small_experiment):
    small = {"small-table1": experiments.EXPERIMENTS["small-table1"]}
    monkeypatch.setattr(experiments, "EXPERIMENTS", small)
    assert run("reproduce", "--all").code == 0
    assert (tmp_path / "results" / "small.txt").is_file()


@pytest.mark.parametrize("words", [[], ["small-table1", "--all"], ["--all", "--list"]])
def test_one_thing_at_a_time(run, small_experiment, words):
    outcome = run("reproduce", *words)
    assert outcome.code == 2
    assert "give the name of one experiment, or --all, or --list" in outcome.err


def test_unknown_name(run, small_experiment):
    outcome = run("reproduce", "smal-table1")
    assert outcome.code == 2
    assert "Did you mean 'small-table1'?" in outcome.err
