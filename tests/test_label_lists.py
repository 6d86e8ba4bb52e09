import numpy as np
import pytest
from scipy import sparse

from textspace._label_lists import check_indicators, indicators, is_several, known_labels, label_lists


def test_a_label_that_comes_twice_counts_once_and_none_differs_from_unknown():
    lists = label_lists([["b", "a", "b"], ("a",), [], None, {"c", "a"}])
    assert lists.tolist() == [("b", "a"), ("a",), (), None, ("a", "c")]
    assert known_labels(lists).tolist() == ["a", "b", "c"]
    assert indicators(lists, ["a", "c"]).toarray().tolist() == [
        [True, False],
        [True, False],
        [False, False],
        [False, False],
        [True, True],
    ]


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([["a"], "b"], "document 2 has the single label 'b' where others have lists"),
        ([["a", 3]], "document 1 has 3 among its labels"),
        ([["a", " "]], "document 1 has ' ' among its labels"),
    ],
)
def test_what_is_no_list_of_texts_is_named(labels, said):
    with pytest.raises(ValueError, match=said):
        label_lists(labels)


def test_single_labels_are_told_from_lists():
    assert is_several(label_lists([None, ["a"]]))
    assert not is_several(["a", None, ""])
    assert not is_several(np.array(["a", "b"]))


@pytest.mark.parametrize("container", [np.array, sparse.csr_array, sparse.csc_matrix])
@pytest.mark.parametrize(("odd", "said"), [(2.0, "holds 2 "), (np.nan, "holds nan "), (-1.0, "holds -1 ")])
def test_an_indicator_is_yes_or_no(container, odd, said):
    Y = np.array([[1.0, 0.0], [0.0, 1.0]])
    kept = check_indicators(container(Y))
    assert kept.dtype == bool
    assert sparse.issparse(kept) == (container is not np.array)
    Y[1, 1] = odd
    with pytest.raises(ValueError, match=said):
        check_indicators(container(Y))
