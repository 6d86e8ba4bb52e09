from collections import Counter

import numpy as np
import pytest
from scipy import sparse

from textspace.tuning import fold_splits, given_split, share_splits


def labels_of(sizes, unlabelled=7, seed=0):
    labels = np.concatenate([np.repeat([f"c{i}" for i in range(len(sizes))], sizes), [""] * unlabelled])
    return np.random.default_rng(seed).permutation(labels)


SIZES = (40, 17, 6, 3, 2, 1)


def check_partition(labels, train, test):
    both = np.concatenate([train, test])
    assert len(np.unique(both)) == len(both)
    np.testing.assert_array_equal(np.sort(both), np.flatnonzero(labels != ""))
    for rows in (train, test):
        np.testing.assert_array_equal(rows, np.sort(rows))


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.7, 0.99])
def test_shares_hold_in_each_class_with_two_documents_or_more_in_training(share):
    labels = labels_of(SIZES)
    for train, test in share_splits(labels, share, repeats=3):
        check_partition(labels, train, test)
        for i, size in enumerate(SIZES):
            learned, tested = (np.sum(labels[rows] == f"c{i}") for rows in (train, test))
            assert learned >= min(2, size)
            assert tested >= (size >= 3)
            if 2 < share * size < size - 1:
                assert abs(learned - share * size) <= 0.5


def test_shares_depend_on_the_seed_and_the_repeat_and_nothing_else():
    labels = labels_of(SIZES)
    first = share_splits(labels, 0.5, repeats=3, random_state=1)
    again = share_splits(labels, 0.5, repeats=2, random_state=1)
    for (train, test), (train2, test2) in zip(first, again, strict=False):
        np.testing.assert_array_equal(train, train2)
        np.testing.assert_array_equal(test, test2)
    trains = [tuple(train) for train, _ in first + share_splits(labels, 0.5, random_state=2)]
    assert len(set(trains)) == 4


@pytest.mark.parametrize("folds", [2, 3, 10])
def test_every_document_of_a_class_of_two_or_more_is_tested_once(folds):
    labels = labels_of(SIZES)
    splits = fold_splits(labels, folds)
    assert len(splits) == folds
    tested = np.concatenate([test for _, test in splits])
    np.testing.assert_array_equal(np.sort(tested), np.flatnonzero((labels != "") & (labels != "c5")))
    sizes = [len(test) for _, test in splits]
    assert max(sizes) - min(sizes) <= 1
    for train, test in splits:
        check_partition(labels, train, test)
        for i, size in enumerate(SIZES[:-1]):
            n_tested = np.sum(labels[test] == f"c{i}")
            assert size // folds <= n_tested <= -(-size // folds)


def test_folds_are_drawn_anew_in_each_repeat():
    labels = labels_of(SIZES)
    splits = fold_splits(labels, 3, repeats=2)
    assert len(splits) == 6
    assert not np.array_equal(splits[0][1], splits[3][1])


def test_numbers_serve_as_labels():
    splits = fold_splits(np.array([0, 0, 1, 1, 1]), 2)
    assert sum(len(test) for _, test in splits) == 5


def test_fewer_documents_than_folds():
    assert [len(test) for _, test in fold_splits(["a", "a"], 5)] == [1, 1]


def test_given_leaves_out_what_is_unlabelled_or_unmarked():
    labels = ["a", "b", "", "a", "b", "b"]
    split = ["train", "train", "train", "test", "unlabelled", "test"]
    [(train, test)] = given_split(labels, split)
    assert (train.tolist(), test.tolist()) == ([0, 1], [3, 5])


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: given_split(["a", "b"], ["train", "train"]), "no labelled document marked 'test'"),
        (lambda: given_split(["", "b"], ["train", "test"]), "no labelled document marked 'train'"),
        (lambda: share_splits(["a", "a", "b"], 0.5), "no class has three"),
        (lambda: share_splits(["", ""], 0.5), "no class has three"),
        (lambda: fold_splits(["a", "b"], 2), "no class has two"),
        (lambda: share_splits(["a"] * 5, 1.0), "train_share is 1.0"),
        (lambda: fold_splits(["a"] * 5, 1), "folds is 1: give 2 or more"),
        (lambda: share_splits(["a"] * 5, 0.5, repeats=0), "repeats is 0"),
    ],
)
def test_impossible_splits_get_a_sentence(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


def label_sets(n=400, n_labels=30, seed=0):
    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(1, n_labels + 1)  # the last has about a thirtieth of the documents of the first
    return [tuple(f"{j:02d}" for j in np.flatnonzero(rng.random(n_labels) < 0.4 * shares)) for _ in range(n)]


def counts(labels, rows):
    return Counter(label for row in rows for label in labels[row] or ())


@pytest.mark.parametrize("share", [0.1, 0.7, 0.9])
def test_rare_labels_are_on_both_sides(share):
    labels = [*label_sets(), ("rare",), ("rare",), ("once", "00"), (), None]
    [(train, test)] = share_splits(labels, share, random_state=3)
    assert sorted([*train, *test]) == list(range(len(labels) - 1))  # None is in neither
    learned, tested = counts(labels, train), counts(labels, test)
    for label, size in (learned + tested).items():
        if size > 1:
            assert min(learned[label], tested[label]) > 0, label
    assert learned["once"] == 1
    assert abs(len(train) - share * len(labels)) < 0.06 * len(labels)
    again = share_splits(labels, share, random_state=3)
    np.testing.assert_array_equal(again[0][0], train)
    assert not np.array_equal(share_splits(labels, share, random_state=4)[0][0], train)


def test_folds_have_equal_shares_of_every_label():
    labels = [*label_sets(), None]
    splits = fold_splits(labels, 5)
    assert len(splits) == 5
    tested = [counts(labels, test) for _, test in splits]
    for label, size in sum(tested, Counter()).items():
        found = [each[label] for each in tested]
        assert max(found) - min(found) <= max(3, 0.15 * size), label
    np.testing.assert_array_equal(np.sort(np.concatenate([test for _, test in splits])), np.arange(400))
    for train, test in splits:
        assert not set(train) & set(test)
        assert len(train) + len(test) == 400
        assert 76 <= len(test) <= 84


def test_a_given_split_leaves_out_documents_whose_labels_are_unknown():
    [(train, test)] = given_split([("a",), (), None, ("b", "a")], ["train", "test", "train", "train"])
    assert train.tolist() == [0, 3]
    assert test.tolist() == [1]


def test_indicators_are_split_as_lists_of_labels():
    Y = sparse.csr_array(np.random.default_rng(0).random((90, 12)) < 0.15)
    lists = [[f"{label:02d}" for label in np.flatnonzero(row)] for row in Y.toarray()]
    for one, other in zip(fold_splits(Y, 3), fold_splits(lists, 3), strict=True):
        np.testing.assert_array_equal(one[1], other[1])
    [(train, test)] = share_splits(Y, 0.5)
    assert (Y[train].sum(0) > 0).all()
    assert (Y[test].sum(0) > 0).all()
