"""Experiments of many small measurements, with measurements that cost nothing."""

import json
from dataclasses import replace
from importlib.metadata import version

import pytest

from experiments import Experiment, Records

CALLS = []


def measure(a, b):
    CALLS.append((a, b))
    if b == 3:
        raise KeyboardInterrupt
    return [{"sum": a + b / 3, "kind": "one"}, {"sum": a - b, "kind": "two"}]


def tasks():
    return [{"a": 1, "b": 1}, {"a": 1, "b": 2}]


@pytest.fixture
def small():
    CALLS.clear()
    return Experiment(
        name="small",
        title="A small experiment",
        summary="Sums.",
        results=Records(tasks, measure),
        report=lambda records: f"{len(records)} records",
        draw=lambda records, folder: [folder / "figure.svg"],
    )


def test_records_hold_their_tasks_and_are_written_and_read(small, tmp_path):
    text = small.run(tmp_path, n_jobs=1)
    assert text.startswith("# A small experiment\n\nSums.\n\n4 records\n")
    assert text.endswith("figure.svg")
    assert small.load(tmp_path)[0] == {"a": 1, "b": 1, "sum": 1.333333, "kind": "one"}
    assert [record["kind"] for record in small.load(tmp_path)] == ["one", "two"] * 2
    assert (tmp_path / "small" / "table.md").read_text() == small.table(small.load(tmp_path))


def test_processes_give_the_same(small, tmp_path):
    small.run(tmp_path / "one", n_jobs=1)
    small.run(tmp_path / "two", n_jobs=2)
    assert small.load(tmp_path / "one") == small.load(tmp_path / "two")


@pytest.fixture
def interrupted(small, tmp_path):
    """A folder in which an experiment with one more task was stopped by Ctrl-C in that task."""
    longer = replace(small, results=Records(lambda: [*tasks(), {"a": 1, "b": 3}], measure))
    with pytest.raises(KeyboardInterrupt):
        longer.run(tmp_path, n_jobs=1)
    return tmp_path


def test_what_was_measured_before_ctrl_c_is_not_measured_again(capsys, small, interrupted):
    err = capsys.readouterr().err
    assert "after 2 of 3 runs" in err
    assert "run the same experiment again" in err
    assert not (interrupted / "small" / "records.jsonl").exists()
    small.run(interrupted, n_jobs=1)
    assert CALLS == [(1, 1), (1, 2), (1, 3)]
    assert not (interrupted / "small" / "runs").exists()


def test_another_version_begins_anew(small, interrupted):
    runs = interrupted / "small" / "runs"
    (runs / version("textspace")).rename(runs / "0.0.1")
    small.run(interrupted, n_jobs=1)
    assert CALLS == [(1, 1), (1, 2), (1, 3), (1, 1), (1, 2)]


def test_a_finished_experiment_is_measured_anew(small, tmp_path):
    small.run(tmp_path, n_jobs=1)
    small.run(tmp_path, n_jobs=1)
    assert len(CALLS) == 4
    lines = (tmp_path / "small" / "records.jsonl").read_text().splitlines()
    assert [json.loads(line)["b"] for line in lines] == [1, 1, 2, 2]


@pytest.mark.parametrize(("line", "said"), [('{"a": 1', "not valid JSON"), ("[1]", "expected a JSON object")])
def test_a_damaged_file_is_named_with_its_line(small, tmp_path, line, said):
    small.run(tmp_path, n_jobs=1)
    with open(tmp_path / "small" / "records.jsonl", "a") as file:
        file.write(line)
    with pytest.raises(ValueError, match=rf"records\.jsonl, line 5: {said}.*: run the experiment again"):
        small.load(tmp_path)
