"""examples/cluster.py from its start to its end."""

import re
import runpy
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

EXAMPLE = Path(__file__).parents[2] / "examples" / "cluster.py"


def test_the_example_survives_the_worker_that_it_kills_and_agrees_with_memory(capsys, monkeypatch):
    settings = ["--corpus", "demo", "--documents", "700", "--block", "200", "--components", "5"]
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), *settings])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    out = capsys.readouterr().out
    assert "700 documents from demo in 4 blocks" in out
    assert "1.0000 of the rows are equal" in out
    predictions = float(re.search(r"([\d.]+) of the predictions are equal", out)[1])
    assert predictions > 0.99
    cosines = [float(each) for each in re.findall(r"at least ([\d.]+)", out)]
    assert len(cosines) == 2  # of discriminant analysis, and of LRWMMC, whose worker is killed
    assert min(cosines) > 0.99
    assert "a worker was killed on the way; workers at the end: 1 of 2" in out
