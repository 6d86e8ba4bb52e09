"""Studies: their machinery, with measurements that cost nothing."""

import json

import pytest

from experiments import Study

CALLS = []


def measure(a, b):
    CALLS.append((a, b))
    if b == 3:
        raise KeyboardInterrupt
    return [{"sum": a + b / 3, "kind": "one"}, {"sum": a - b, "kind": "two"}]


@pytest.fixture
def study():
    CALLS.clear()
    return Study(
        name="small",
        title="A small study",
        summary="Sums.",
        tasks=lambda: [{"a": 1, "b": 1}, {"a": 1, "b": 2}],
        measure=measure,
        report=lambda records: f"{len(records)} records",
        draw=lambda records, folder: [folder / "figure.svg"],
    )


def test_records_hold_their_tasks_and_are_written_and_read(study, tmp_path):
    text = study.run(tmp_path, n_jobs=1)
    assert text.startswith("# A small study\n\nSums.\n\n4 records\n")
    assert text.endswith("figure.svg")
    assert study.load(tmp_path)[0] == {"a": 1, "b": 1, "sum": 1.333333, "kind": "one"}
    assert [record["kind"] for record in study.load(tmp_path)] == ["one", "two"] * 2
    assert (tmp_path / "small" / "table.md").read_text() == study.table(study.load(tmp_path))


def test_processes_give_the_same(study, tmp_path):
    study.run(tmp_path / "one", n_jobs=1)
    study.run(tmp_path / "two", n_jobs=2)
    assert study.load(tmp_path / "one") == study.load(tmp_path / "two")


def test_what_was_measured_before_ctrl_c_is_not_measured_again(study, tmp_path, capsys):
    from dataclasses import replace

    longer = replace(study, tasks=lambda: [*study.tasks(), {"a": 1, "b": 3}])
    with pytest.raises(KeyboardInterrupt):
        longer.run(tmp_path, n_jobs=1)
    assert "after 2 of 3 measurements" in capsys.readouterr().err
    assert not (tmp_path / "small" / "records.jsonl").exists()
    study.run(tmp_path, n_jobs=1)
    assert CALLS == [(1, 1), (1, 2), (1, 3)]


def test_a_finished_study_is_measured_anew(study, tmp_path):
    study.run(tmp_path, n_jobs=1)
    study.run(tmp_path, n_jobs=1)
    assert len(CALLS) == 4
    lines = (tmp_path / "small" / "records.jsonl").read_text().splitlines()
    assert [json.loads(line)["b"] for line in lines] == [1, 1, 2, 2]
