import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copytree, ignore_patterns
from types import SimpleNamespace

import pytest

import experiments
import textspace

CHECKOUT = Path(experiments.__file__).parents[1]
IGNORED = ignore_patterns("__pycache__")


@pytest.fixture
def small_experiment(monkeypatch):
    """An experiment that writes its arguments."""

    def run(folder, *, n_jobs, progress):
        (folder / "small.txt").write_text(f"{n_jobs}")
        (folder / "data.txt").write_text(os.environ.get("TEXTSPACE_DATA", ""))
        return "| ours | theirs |"

    small = SimpleNamespace(name="small-table1", title="A small table", summary="Small.", run=run, brought="")
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


def test_all_leaves_out_what_needs_data_that_must_be_brought(run, tmp_path, monkeypatch, small_experiment):
    small = experiments.EXPERIMENTS["small-table1"]
    brought = SimpleNamespace(**vars(small) | {"brought": "TechTC-100", "run": None})
    both = {"small-table1": small, "small-table2": brought}
    monkeypatch.setattr(experiments, "EXPERIMENTS", both)
    outcome = run("reproduce", "--all")
    assert (outcome.code, outcome.out) == (0, "| ours | theirs |\n")


def test_the_data_folder_can_be_named(run, tmp_path, monkeypatch, small_experiment):
    monkeypatch.setenv("TEXTSPACE_DATA", "elsewhere")  # and put back afterwards
    (tmp_path / "mine").mkdir()
    assert run("reproduce", "small-table1", "--data", "mine").code == 0
    assert (tmp_path / "results" / "data.txt").read_text() == "mine"
    outcome = run("reproduce", "small-table1", "--data", "yours")
    assert outcome.code == 2
    assert "yours" in outcome.err


@pytest.mark.parametrize("words", [[], ["small-table1", "--all"], ["--all", "--list"]])
def test_one_thing_at_a_time(run, small_experiment, words):
    outcome = run("reproduce", *words)
    assert outcome.code == 2
    assert "give the name of one experiment, or --all, or --list" in outcome.err


def test_unknown_name(run, small_experiment):
    outcome = run("reproduce", "smal-table1")
    assert outcome.code == 2
    assert "Did you mean 'small-table1'?" in outcome.err


@pytest.fixture
def installed(tmp_path):
    """Give a function that runs the command line of a package that lies apart from its source."""
    package = copytree(Path(textspace.__file__).parent, tmp_path / "site" / "textspace", ignore=IGNORED)

    def run(*words, folder):
        command = [sys.executable, "-m", "textspace", *words]
        environment = os.environ | {"PYTHONPATH": str(package.parent)}
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8")

    return run


def test_elsewhere_than_in_the_source_a_sentence_says_where_they_are(installed, tmp_path):
    (tmp_path / "experiments").mkdir()  # of somebody else
    outcome = installed("reproduce", "--list", folder=tmp_path)
    assert (outcome.returncode, outcome.stdout) == (1, "")
    assert "error: the experiments come with the source" in outcome.stderr
    assert "git clone" in outcome.stderr
    assert "make reproduce" in outcome.stderr


def test_an_installed_package_finds_them_in_the_current_folder(installed):
    outcome = installed("reproduce", "--list", "--json", folder=CHECKOUT)
    assert [each["name"] for each in json.loads(outcome.stdout)] == list(experiments.EXPERIMENTS)


def test_the_wheel_holds_the_package_alone():
    declared = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    assert declared["tool"]["hatch"]["build"]["targets"]["wheel"] == {"packages": ["src/textspace"]}
