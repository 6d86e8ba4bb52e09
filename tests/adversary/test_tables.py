"""A portion of the damaged files of ``tests/adversary/tables.py``: always the same ones."""

import pytest
from tests.adversary.tables import KINDS, attempt

SEED = 1
NUMBERS = {"parquet": 200, "comparison": 80, "evaluation": 200}


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_read_whole_or_refused(tmp_path, kind):
    for number in range(NUMBERS.get(kind, 150)):
        attempt(kind, SEED, number, tmp_path)
