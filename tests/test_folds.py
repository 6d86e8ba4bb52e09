import numpy as np
import pytest

from textspace._folds import deal_folds, fold_rows, judged_folds

CODES = np.array([0, 0, -1, 1, 2, 2, 2, -1, 0, 3])  # 1 and 3 have one document each


def test_cards_are_dealt_class_by_class():
    y = np.repeat([0, 1, 2], [7, 5, 3])
    folds = deal_folds(3, y, n_samples=15)
    for code in range(3):
        sizes = np.bincount(folds[y == code], minlength=3)
        assert sizes.max() - sizes.min() <= 1


def test_the_only_document_of_a_class_and_one_without_a_label_are_never_held_out():
    folds = judged_folds(2, CODES)
    np.testing.assert_array_equal(np.flatnonzero(folds >= 0), [0, 1, 4, 5, 6, 8])
    for code in (0, 2):
        assert set(folds[code == CODES]) == {0, 1}


@pytest.mark.parametrize("y", [[0, 1, 2], [-1, -1]])
def test_nothing_to_hold_out(y):
    folds = judged_folds(5, np.array(y))
    assert (folds == -1).all()
    assert fold_rows(folds) == []


def test_every_fold_is_judged_once_by_what_all_others_teach():
    folds = judged_folds(3, CODES)
    pairs = fold_rows(folds)
    for train, test in pairs:
        np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(len(CODES)))
        assert len(set(folds[test])) == 1
    judged = np.concatenate([test for _, test in pairs])
    np.testing.assert_array_equal(np.sort(judged), np.flatnonzero(folds >= 0))
