"""A bounded portion of what ``python -m tests.adversary model_files`` does without end."""

import pytest

from .model_files import tally, write_models


@pytest.mark.slow
def test_no_forged_file_does_harm(tmp_path):
    """A row, then a column, of every array of every model is dropped; then files are forged at random."""
    write_models(tmp_path)
    counts, wrong = tally(tmp_path, "dropped")
    assert not wrong
    assert counts["refused"] > 0.85 * sum(counts.values()) > 500
    counts, wrong = tally(tmp_path, seed=0, last=250)
    assert not wrong
    assert sum(counts.values()) == 250
    assert counts["refused"] > 100
