import numpy as np
import pytest

from textspace.tuning import deal_folds, has_others, held_out, judged_folds

CODES = np.array([0, 0, -1, 1, 2, 2, 2, -1, 0, 3])  # 1 and 3 have one document each


def test_cards_are_dealt_class_by_class():
    y = np.repeat([0, 1, 2], [7, 5, 3])
    folds = deal_folds(3, y, n_samples=15)
    for code in range(3):
        sizes = np.bincount(folds[y == code], minlength=3)
        assert sizes.max() - sizes.min() <= 1


def test_the_only_document_of_a_class_and_one_without_a_label_are_never_held_out():
    np.testing.assert_array_equal(np.flatnonzero(has_others(CODES)), [0, 1, 4, 5, 6, 8])
    folds = judged_folds(2, CODES)
    np.testing.assert_array_equal(np.flatnonzero(folds >= 0), [0, 1, 4, 5, 6, 8])
    for code in (0, 2):
        assert set(folds[code == CODES]) == {0, 1}


@pytest.mark.parametrize("y", [[0, 1, 2], [-1, -1]])
def test_nothing_to_hold_out(y):
    folds = judged_folds(5, np.array(y))
    assert (folds == -1).all()
    np.testing.assert_array_equal(held_out(None, folds, np.ones((len(y), 2))), 1)


def test_every_fold_is_judged_once_by_what_all_others_teach():
    folds, seen = judged_folds(3, CODES), []

    def judge(train, test):
        seen.extend(test)
        np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(len(CODES)))
        return test[:, None] * [1.0, 10.0]

    values = held_out(judge, folds, np.full((len(CODES), 2), np.nan, dtype=np.float32))
    judged = np.flatnonzero(folds >= 0)
    np.testing.assert_array_equal(np.sort(seen), judged)
    np.testing.assert_array_equal(values[judged], judged[:, None] * [1, 10])
    assert np.isnan(values[folds < 0]).all()
