"""F1 over the number of terms, and the documents it is measured on."""

import numpy as np
import pytest

from textspace.datasets import load
from textspace.evaluation import f1_curve, held_out_rows
from textspace.evaluation._term_curve import curve_sizes
from textspace.selection import TermSelector, score_terms


def test_the_split_of_the_documents_is_taken_or_one_is_drawn():
    labels = np.array(["grain", "ship"] * 20)
    split = np.array(["train"] * 30 + ["test"] * 10)
    train, test = held_out_rows(labels, split)
    np.testing.assert_array_equal(np.sort(train), np.arange(30))
    np.testing.assert_array_equal(np.sort(test), np.arange(30, 40))
    train, test = held_out_rows(labels, random_state=3)
    assert sorted([*train, *test]) == list(range(40))
    assert sorted(labels[test]) == ["grain"] * 4 + ["ship"] * 4
    np.testing.assert_array_equal(held_out_rows(labels, random_state=3)[1], test)


@pytest.mark.parametrize("mode", ["top", "sample"])
def test_more_terms_classify_better(mode):
    train, test = load("demo").train, load("demo").test
    selector = TermSelector("weighted", n_terms=30, mode=mode, exact_budget=True, random_state=0)
    scored = score_terms(train.texts, train.labels, selector)
    points = f1_curve(scored, test.texts, test.labels, progress=False)
    sizes = [point["n_terms"] for point in points]
    assert sizes == sorted(set(sizes))
    assert sizes[-1] == scored.X.shape[1]
    assert points[-1]["micro_f1"] > points[0]["micro_f1"] + 0.2


def test_sizes_end_with_all_and_hold_the_wanted_one():
    assert curve_sizes(7, n_useful=7, wanted=3) == [1, 2, 3, 5, 7]
    assert curve_sizes(400, n_useful=60, wanted=1000) == [1, 2, 5, 10, 20, 50, 60, 400]
