"""examples/cluster.py from its start to its end."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

EXAMPLE = Path(__file__).parents[2] / "examples" / "cluster.py"


def test_the_example_survives_the_worker_that_it_kills_and_agrees_with_memory():
    settings = ["--corpus", "demo", "--documents", "1500", "--block", "400", "--components", "5"]
    done = subprocess.run([sys.executable, EXAMPLE, *settings], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "1500 documents from demo in 4 blocks" in done.stdout
    assert "1.0000 of the rows are equal" in done.stdout
    predictions = float(re.search(r"([\d.]+) of the predictions are equal", done.stdout)[1])
    assert predictions > 0.99
    cosines = [float(each) for each in re.findall(r"at least ([\d.]+)", done.stdout)]
    assert len(cosines) == 2  # of discriminant analysis, and of LRWMMC, whose worker is killed
    assert min(cosines) > 0.99
    assert "a worker was killed on the way; workers at the end: 1 of 2" in done.stdout
