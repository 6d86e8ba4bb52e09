"""The verb that lists the catalogue of methods."""

import importlib
import json
import re

import pytest

from textspace.methods import BASELINES
from textspace.methods import METHODS as CATALOGUE

METHODS = CATALOGUE | BASELINES


def test_every_method_is_listed_with_its_paper(run):
    shown = run("methods")
    assert shown.code == 0
    for method in METHODS.values():
        assert all(text in shown.out for text in (method.name, method.title, method.summary, method.paper))
    listed = json.loads(run("methods", "--json").out)
    assert [one["name"] for one in listed] == list(METHODS)
    assert {one["name"] for one in listed if one["tree"]} == {"hsvm", "nadp", "slsi"}
    assert {one["name"] for one in listed if one["unlabelled"]} >= {"em-nb", "self-training", "blend"}


@pytest.mark.parametrize("name", METHODS)
def test_one_method_has_its_settings_and_classes_that_can_be_imported(run, name):
    method, shown = METHODS[name], run("methods", name)
    found = json.loads(run("methods", name, "--json").out)
    assert shown.code == 0
    assert all(text in shown.out for text in (method.title, method.summary, method.paper, method.scheme))
    assert found["grid"] == {key: list(values) for key, values in method.grid.items()}
    assert all(f"{key}: {values[0]}" in shown.out for key, values in method.grid.items())
    assert found["classes"]
    for path in found["classes"]:
        module, kind = path.rsplit(".", 1)
        assert isinstance(getattr(importlib.import_module(module), kind), type)
        assert path in shown.out


def test_a_wrong_name(run):
    outcome = run("methods", "lrwmc")
    assert (outcome.code, outcome.out) == (2, "")
    assert "there is no method 'lrwmc'. Did you mean 'lrwmmc'?" in outcome.err


def test_lines_fit_a_terminal(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for words in ([], ["self-training"]):
        lines = re.sub("\x1b[^m]*m", "", run("methods", *words).out).splitlines()
        assert 60 < max(map(len, lines)) <= 80
