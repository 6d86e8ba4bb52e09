"""Several labels a document: what indicator matrices and lists become, and what is refused."""

import numpy as np
import pytest
from scipy import sparse

from textspace._label_lists import are_lists, check_indicators, split_label_lists


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array, sparse.coo_matrix, sparse.csc_array])
@pytest.mark.parametrize("dtype", [bool, np.int8, np.float64])
def test_indicators_in_one_form(convert, dtype):
    Y = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 1]], dtype=dtype)
    truth = check_indicators(convert(Y))
    assert truth.format == "csr"
    assert truth.dtype == np.float32
    assert truth.has_sorted_indices
    np.testing.assert_array_equal(truth.toarray(), Y)


def test_an_entry_that_is_held_twice_is_refused_as_a_two():
    twice = sparse.coo_array((np.ones(2), ([0, 0], [1, 1])), shape=(2, 2)).tocsr()
    with pytest.raises(ValueError, match="Y holds 2 in row 0, column 1"):
        check_indicators(twice)


def test_lists_tuples_sets_and_arrays():
    y = [["b", "a", "b"], ("a",), {"c"}, np.array(["a", "c"]), None, []]
    labelled, truth, classes = split_label_lists(y)
    assert labelled.tolist() == [True, True, True, True, False, True]
    assert classes.tolist() == ["a", "b", "c"]
    assert truth.toarray().tolist() == [[1, 1, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1], [0, 0, 0]]


def test_whole_numbers_are_sorted_as_text():
    _, truth, classes = split_label_lists([[10, 9], [9], [np.int64(100)]])
    assert classes.tolist() == [10, 100, 9]
    assert truth.toarray().tolist() == [[1, 0, 1], [0, 0, 1], [0, 1, 0]]


def test_what_comes_as_lists():
    assert are_lists([None, ["a"]])
    assert not are_lists(["a", None, "b"])
    assert not are_lists(np.array(["a", "b"]))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([["a"], "b"], "row 1 holds 'b', while others hold lists of labels"),
        ([["a"], 3.5], "row 1 holds 3.5"),
        ([["a", None]], "row 0 has None among its labels"),
        ([["a"], ["b", ""]], "row 1 has an empty text"),
        ([["a"], [True]], "row 1 has True"),
        ([["a"], [["b"]]], r"row 1 has \['b'\]"),
        ([["a"], [3]], "both text and other labels"),
        ([[], None, []], "y has no label: all of its 3 rows are empty lists or None"),
    ],
)
def test_what_are_no_lists_of_labels_is_refused(y, message):
    with pytest.raises(ValueError, match=message):
        split_label_lists(y)
