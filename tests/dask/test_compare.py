"""A comparison on a cluster."""

import json

import pytest

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

from typer.testing import CliRunner

from textspace.cli._main import app
from textspace.dask import _client
from textspace.datasets import load
from textspace.evaluation import compare


def test_compare_on_a_cluster_gives_the_same_table(client):
    arguments = ["compare", "demo", "--methods", "nb,cm", "--json", "--dask"]
    outcome = CliRunner().invoke(app, [*arguments, client.scheduler.address])
    assert outcome.exit_code == 0, outcome.output
    expected = compare(load("demo"), "nb,cm", n_jobs=1)
    found = json.loads(outcome.stdout)["runs"]
    assert [run["scores"] for run in found] == [run["scores"] for run in expected.to_dict()["runs"]]


def test_a_cluster_that_is_not_there(monkeypatch):
    monkeypatch.setattr(_client, "_TIMEOUT_SECONDS", 0.2)
    outcome = CliRunner().invoke(app, ["compare", "demo", "--methods", "nb", "--dask", "tcp://127.0.0.1:9"])
    assert outcome.exit_code != 0
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in str(outcome.exception) + outcome.output
