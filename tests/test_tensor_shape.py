"""Tests of the resolution of a tensor shape against a number of columns."""

from math import prod

import numpy as np
import pytest

from textspace._tensor_shape import resolve_shape


@pytest.mark.parametrize("n_columns", [1, 49, 50, 51, 1000])
@pytest.mark.parametrize("shape", [(None, 50), (None, 4, 3), (4, None, 3), (7, None), (None,)])
def test_none_is_the_least_size_that_holds_the_columns(shape, n_columns):
    resolved = resolve_shape(shape, n_columns)
    free = shape.index(None)
    assert [size for mode, size in enumerate(resolved) if mode != free] == [
        size for size in shape if size is not None
    ]
    one_less = [size - (mode == free) for mode, size in enumerate(resolved)]
    assert prod(one_less) < n_columns <= prod(resolved)


@pytest.mark.parametrize("n_columns", range(1, 60))
def test_square_is_the_paper_s_condition_with_the_least_sum(n_columns):
    rows, columns = resolve_shape("square", n_columns)
    assert rows >= columns
    assert (rows - 1) * columns < n_columns <= rows * columns
    sums = [n1 + n2 for n1 in range(1, 61) for n2 in range(1, 61) if n1 * n2 >= n_columns]
    assert rows + columns == min(sums)
    assert resolve_shape("square", rows * columns) == (rows, columns)  # of the folded matrix too


@pytest.mark.parametrize("shape", [(6, 4), (24, 1), (1, 24), (2, 3, 4), [4, np.int64(6)], np.array([6, 4])])
def test_sizes_that_fit_stay_as_they_are(shape):
    resolved = resolve_shape(shape, 24)
    assert resolved == tuple(shape)
    assert all(type(size) is int for size in resolved)


@pytest.mark.parametrize("n_columns", [23, 25])
def test_a_product_other_than_the_columns_is_an_error_with_both_numbers(n_columns):
    with pytest.raises(ValueError, match=rf"\(6, 4\) has 24 .* {n_columns} columns: .* None"):
        resolve_shape((6, 4), n_columns)


@pytest.mark.parametrize(
    "shape", [(None, None), (None, 0), (3, -8), (2.0, 12), (True, 24), (), 24, None, "24"]
)
def test_a_shape_that_is_none_names_what_one_is(shape):
    with pytest.raises(ValueError, match=r"tuple of whole numbers .* given as"):
        resolve_shape(shape, 24)
