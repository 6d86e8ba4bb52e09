"""A few kills of one verb; ``tests/adversary/kills.py`` kills them all."""

import os
import random

import pytest
from tests.adversary import kills


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs the signals of POSIX")
def test_a_verb_that_is_killed_leaves_no_half_file_and_runs_again(tmp_path, nursery, monkeypatch):
    monkeypatch.setattr(kills, "N_ROWS", 300)
    kills.prepare(tmp_path)
    rng = random.Random(0)
    codes = [kills.kill_once(nursery, "predict csv", tmp_path, rng, seconds=1) for _ in range(3)]
    assert min(codes) < 0
    kills.finish(nursery, "predict csv", tmp_path)
