import numpy as np
import pytest
from scipy.sparse import csr_array

from textspace.datasets import Corpus


@pytest.fixture
def corpus():
    return Corpus(
        "five",
        ["a", "b", "c", "d", "e"],
        ["x", "y", "", "x", "y"],
        ["train", "train", "unlabelled", "test", "test"],
        tree={"x": "root", "y": "root"},
        notes=("A note.",),
    )


def test_splits_cover_the_corpus_once(corpus):
    splits = [corpus.train, corpus.test, corpus.unlabelled]
    assert sorted(text for split in splits for text in split.texts) == corpus.texts
    assert [len(split) for split in splits] == [2, 2, 1]
    assert corpus.test.labels.tolist() == ["x", "y"]


def test_classes_leave_out_the_empty_label(corpus):
    assert corpus.classes.tolist() == ["x", "y"]


def test_labels_are_numpy_text(corpus):
    assert corpus.labels.dtype.kind == corpus.split.dtype.kind == "U"


def test_subset_by_mask_and_by_positions_agree(corpus):
    mask = np.array([True, False, False, True, False])
    by_mask, by_position = corpus.subset(mask), corpus.subset([0, 3])
    assert by_mask.texts == by_position.texts == ["a", "d"]
    assert by_mask.labels.tolist() == by_position.labels.tolist() == ["x", "x"]
    assert by_mask.split.tolist() == ["train", "test"]


def test_subset_keeps_order_of_positions_and_what_is_not_per_document(corpus):
    chosen = corpus.subset([4, 0])
    assert chosen.texts == ["e", "a"]
    assert (chosen.name, chosen.tree, chosen.notes) == (corpus.name, corpus.tree, corpus.notes)


def test_subset_may_be_empty(corpus):
    assert len(corpus.subset([])) == 0


def test_mask_of_wrong_length_is_refused(corpus):
    with pytest.raises(ValueError, match=r"mask of shape \(2,\) does not fit 5 documents"):
        corpus.subset([True, False])


def test_counts_instead_of_texts():
    counts = csr_array(np.array([[1, 0], [0, 2], [3, 0]]))
    corpus = Corpus("counts", counts, ["x", "", "y"])
    assert len(corpus) == 3
    assert corpus.subset([2, 0]).texts.toarray().tolist() == [[3, 0], [1, 0]]
    assert corpus.unlabelled.texts.toarray().tolist() == [[0, 2]]


def test_no_split_is_said_in_a_sentence():
    with pytest.raises(ValueError, match="'plain' comes without a split"):
        Corpus("plain", ["a"], ["x"]).train  # noqa: B018


@pytest.mark.parametrize("field", ["labels", "split"])
def test_wrong_number_of_values_is_refused(field):
    fields = {"labels": ["x", "y"], "split": ["train", "test"], field: ["one"]}
    with pytest.raises(ValueError, match=f"2 documents but {field} of shape"):
        Corpus("short", ["a", "b"], **fields)


def test_fields_cannot_be_set(corpus):
    with pytest.raises(AttributeError):
        corpus.name = "other"


def test_repr_is_one_short_line(corpus):
    assert repr(corpus) == "Corpus('five': 5 documents, 2 classes, 2 train, 2 test, 1 unlabelled)"
