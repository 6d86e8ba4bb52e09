"""Columns of a document in ascending order."""

import numpy as np
import pytest

from textspace.text._counts import sort_columns


@pytest.mark.parametrize("n_columns", [1, 2, 1000, 400_000, 2**31 - 1])
@pytest.mark.parametrize("size", [0, 1, 5, 100, 5000])
def test_columns_are_sorted_however_many_there_are(size, n_columns):
    columns = np.random.default_rng(size).integers(0, n_columns, size, dtype=np.int32)
    columns[:1] = n_columns - 1
    expected = np.sort(columns)
    sort_columns(columns, n_columns)
    np.testing.assert_array_equal(columns, expected)
