import pytest

from textspace._label_sets import indicators, known_labels, label_lists


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
