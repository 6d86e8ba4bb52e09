"""A portion of the damaged files of ``tests/adversary/tables.py``: always the same ones."""

import multiprocessing
from types import SimpleNamespace

import pytest
from tests.adversary import tables
from tests.adversary.tables import KINDS, attempt

SEED = 1
NUMBERS = {"parquet": 200, "comparison": 80, "evaluation": 200}


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_read_whole_or_refused(tmp_path, kind):
    for number in range(NUMBERS.get(kind, 150)):
        attempt(kind, SEED, number, tmp_path)


@pytest.mark.parametrize("code", [0, -6])
def test_findings_do_not_end_a_run_and_a_process_that_ends_is_one(monkeypatch, capsys, code):
    def try_two(seed, tried, seconds, pipe):
        pipe.send(("csv", None))
        pipe.send(("csv", "attempt('csv', 7, 0, folder): wrong"))
        pipe.send(("tsv", None))

    class Process:
        exitcode = code

        def __init__(self, target, args):
            self.start = lambda: target(*args)
            self.join = self.kill = lambda: None

    context = SimpleNamespace(Pipe=multiprocessing.Pipe, Process=Process)
    monkeypatch.setattr(tables, "_try_all", try_two)
    monkeypatch.setattr(multiprocessing, "get_context", lambda _: context)
    n_trials, n_findings = tables.run(7, 0.05)
    said = capsys.readouterr().out
    assert n_trials > 0
    assert n_findings == (n_trials if code else n_trials / 2)
    assert "attempt('csv', 7, 0, folder): wrong" in said
    assert ("attempt('tsv', 7, 0, folder) ended the process" in said) is bool(code)
