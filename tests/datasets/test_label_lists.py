import pytest

from textspace.datasets import check_documents, list_separator


@pytest.mark.parametrize(
    ("labels", "sign"),
    [
        (["a;b", "b;c", "a", "c"], ";"),
        (["a, b", "b, c", "c, a"], ","),
        (["a|b|c", "c|a", "b"], "|"),
        (["['a', 'b']", "['b']", "['a']", "['b', 'a', 'c']", "['c', 'a']"], ","),
        (["Food, drink", "Arts, crafts", "Food, drink"], None),
        (["Austin, TX", "Dallas, TX", "Houston, TX"], None),
        (["sport/golf", "sport/hockey"], None),
        (["3,5", "2,5", "1,5"], None),
        (["a", "b"], None),
        (["a;b", *["a", "b"] * 100], None),
        ([""], None),
    ],
)
def test_lists_are_told_from_names(labels, sign):
    assert list_separator(labels) == sign


def test_check_says_how_to_read_them():
    labels = ["grain;ship", "ship;trade", "grain", "trade"] * 2
    texts = [f"text number {n} of all" for n in range(8)]
    found = {each.kind: each for each in check_documents(texts, labels)}
    said = "labels look like lists separated by ';': add --several ';' or --several none."
    assert found["label lists"].sentence == said
    assert found["label lists"].groups == [[0], [1], [4], [5]]
