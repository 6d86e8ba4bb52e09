"""The runner itself: what fails must be seen to fail."""

import subprocess
import sys

import pytest
from tests.adversary import __main__ as runner


@pytest.mark.parametrize(("result", "fails"), [((5, 0), False), ((5, 1), True), ((0, 0), True)])
def test_findings_and_runs_without_a_trial_fail(monkeypatch, result, fails):
    monkeypatch.setattr("tests.adversary.texts.run", lambda seed, seconds: result)
    assert runner.run_here("texts", 0, 1.0) is fails


@pytest.mark.parametrize("code", [0, 1, -6])
def test_a_process_that_is_ended_fails_and_is_named(monkeypatch, capsys, code):
    ended = subprocess.Popen
    command = [sys.executable, "-c", f"import os; os.abort() if {code} < 0 else os._exit({code})"]
    monkeypatch.setattr(subprocess, "Popen", lambda _: ended(command))
    monkeypatch.setattr(sys, "argv", ["adversary", "texts", "--jobs", "2", "--seed", "41"])
    with pytest.raises(SystemExit) as exit_:
        runner.main()
    assert bool(exit_.value.code) is bool(code)
    assert (f"texts, seed 83: failed with exit code {code}" in capsys.readouterr().out) is bool(code)
