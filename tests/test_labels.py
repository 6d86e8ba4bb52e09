"""Tests of the split of a label column into labelled and unlabelled rows."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer

from textspace import TextClassifier
from textspace._labels import split_labelled
from textspace.classify import RLSC, EMNaiveBayes, SubspaceBlend
from textspace.linear import LRWMMC
from textspace.selection import chi2
from textspace.text import FoldedTensorSpace

LABELLED = [True, False, True, True, False]
MARKS = pytest.mark.parametrize("mark", [-1, "", None, float("nan"), np.int64(-1)], ids=str)


@MARKS
@pytest.mark.parametrize("container", [list, tuple, lambda values: np.array(values, dtype=object)])
def test_every_mark_works_with_text(mark, container):
    labelled, codes, classes = split_labelled(container(["b", mark, "a", "b", mark]))
    assert labelled.tolist() == LABELLED
    assert codes.tolist() == [1, -1, 0, 1, -1]
    assert classes.tolist() == ["a", "b"]


@MARKS
def test_every_mark_works_with_numbers(mark):
    labelled, codes, classes = split_labelled([7, mark, 3, 7, mark])
    assert labelled.tolist() == LABELLED
    assert codes.tolist() == [1, -1, 0, 1, -1]
    assert classes.tolist() == [3, 7]


@pytest.mark.parametrize(
    "y",
    [
        np.array([7, -1, 3, 7, -1]),
        np.array([7.0, -1, 3, 7, -1]),
        np.array([7, np.nan, 3, 7, np.nan]),
        np.array(["b", "", "a", "b", ""]),
        np.array([True, None, False, True, None]),
    ],
    ids=["int", "float", "nan", "text", "bool"],
)
def test_typed_arrays(y):
    labelled, codes, classes = split_labelled(y)
    assert labelled.tolist() == LABELLED
    assert classes[codes[labelled]].tolist() == [y[0], y[2], y[3]]


def test_a_table_column():
    polars = pytest.importorskip("polars")
    labelled, _, classes = split_labelled(polars.Series(["b", None, "a", "b", None]))
    assert labelled.tolist() == LABELLED
    assert classes.tolist() == ["a", "b"]


@pytest.mark.parametrize("y", [[0, 2, 5, 2], ["x", "-1", "y", "x"], [True, False, True, True]])
def test_all_rows_labelled_is_what_numpy_says(y):
    labelled, codes, classes = split_labelled(y)
    expected_classes, expected_codes = np.unique(y, return_inverse=True)
    assert labelled.all()
    np.testing.assert_array_equal(codes, expected_codes)
    np.testing.assert_array_equal(classes, expected_classes)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a", "", "b", None], r"None \(row 3\) and the empty string \(row 1\)"),
        ([0.0, -1.0, 1.0, np.nan, -1.0], r"-1 \(row 1\) and NaN \(row 3\)"),
        (["a", -1, "b", ""], r"-1 \(row 1\) and the empty string \(row 3\)"),
    ],
)
def test_two_marks_in_one_column_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        split_labelled(y)


@pytest.mark.parametrize(
    ("y", "mark"),
    [([-1, -1], "-1"), (["", ""], "the empty string"), ([None, None], "None"), ([np.nan] * 2, "NaN")],
)
def test_no_labelled_row_is_refused(y, mark):
    with pytest.raises(ValueError, match=f"2 rows are marked as unlabelled, by {mark}"):
        split_labelled(y)


@pytest.mark.parametrize(("y", "one"), [([4, -1, 4, -1], "4"), (["a", "a"], "a"), ([1, -1, 1], "1")])
def test_one_class_is_refused(y, one):
    with pytest.raises(ValueError, match=f"only one class, '{one}'"):
        split_labelled(y)


def test_signs_are_two_classes_where_asked_for_with_a_warning():
    with pytest.warns(UserWarning, match="both are taken as classes"):
        labelled, codes, classes = split_labelled([1, -1, 1], signs=True)
    assert labelled.all()
    assert codes.tolist() == [1, 0, 1]
    assert classes.tolist() == [-1, 1]
    assert split_labelled([1, -1, 2], signs=True)[0].tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y"),
        ([0.5, 1.5, 0.2, -1], "Unknown label type"),
        ([0.0, np.inf, 1.0], "infinity"),
        (["a", 3, None], "both text and other labels, such as 'a' and 3"),
        (["a", "\0", "b"], r"label '\\x00' ends with the character NUL"),
        ([["a", "b"], ["c", "d"]], "1d array"),
        ([], "no label"),
    ],
)
def test_what_are_no_labels_is_refused(y, message):
    with pytest.raises(ValueError, match=message):
        split_labelled(y)


def odd_columns():
    pandas = pytest.importorskip("pandas")
    return {
        "NA": pandas.Series(["b", pandas.NA, "a", "b", pandas.NA], dtype="string"),
        "NA of numbers": pandas.Series([7, None, 3, 7, None], dtype="Int64"),
        "NA of truths": pandas.Series([True, None, False, True, None], dtype="boolean"),
        "masked": np.ma.array([7, 1, 3, 7, 1], mask=[0, 1, 0, 0, 1]),
        "text of any length": np.array(["b", None, "a", "b", None], np.dtypes.StringDType(na_object=None)),
    }


@pytest.mark.parametrize("name", odd_columns())
def test_what_marks_missing_labels_elsewhere_is_understood(name):
    labelled, codes, classes = split_labelled(odd_columns()[name])
    assert labelled.tolist() == LABELLED
    assert codes.tolist() == [1, -1, 0, 1, -1]
    texts = ["corn wheat", "a vessel", "ship at sea", "wheat field", "corn"]
    model = TextClassifier(method="rlsc").fit(texts, odd_columns()[name])
    assert model.classes_.tolist() == classes.tolist()
    with pytest.raises(ValueError, match=r"y has no label in row 1, but None|y contains NaN"):
        LRWMMC(1).fit(np.eye(5), odd_columns()[name])


@pytest.mark.parametrize("y", [["a", None, "b"], ["a", 1, "b"]], ids=str)
@pytest.mark.parametrize("estimator", [LRWMMC(1), RLSC(), FoldedTensorSpace("square", "class_profile")])
def test_labels_that_cannot_be_sorted_are_refused(estimator, y):
    y = np.array(y, dtype=object)
    with pytest.raises(ValueError, match=r"no label in row 1|both text and other labels"):
        estimator.fit(np.eye(3), y)
    with pytest.raises(ValueError, match=r"no label in row 1|both text and other labels"):
        chi2(np.eye(3), y)


@pytest.mark.parametrize("estimator", [LRWMMC(1), RLSC(), EMNaiveBayes(), SubspaceBlend()])
@pytest.mark.parametrize("several", [["a", "b"], ("a", "b"), {"a", "b"}], ids=["list", "tuple", "set"])
def test_rows_of_several_labels_are_refused_where_one_is_learned(estimator, several):
    y = np.empty(4, dtype=object)
    y[:] = ["a", "b", "a", several]
    for labels in (y, y.tolist()):
        with pytest.raises(ValueError, match=r"row 3 of y holds .*give one label a row"):
            estimator.fit(np.eye(4), labels)


def test_dates_are_no_labels():
    with pytest.raises(ValueError, match=r"y holds datetime64.*labels are text, whole numbers or booleans"):
        EMNaiveBayes().fit(np.eye(2), np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[D]"))


@pytest.mark.parametrize("y", [None, 3, "abc"])
def test_labels_of_texts_come_in_a_list_or_column(y):
    with pytest.raises(TypeError, match="y must be a list or one column of labels"):
        TextClassifier().fit(["corn", "ship", "sea"], y)


def test_labels_of_texts_may_be_read_once():
    texts = ["corn wheat", "wheat field", "ship at sea", "sea port"]
    model = TextClassifier(method="rlsc").fit(texts, (label for label in "aabb"))
    assert model.classes_.tolist() == ["a", "b"]


@pytest.mark.parametrize("weight", [-1, np.nan, np.inf, "2", None])
@pytest.mark.parametrize("estimator", [RLSC(), SubspaceBlend(), TextClassifier()])
def test_what_no_class_can_count_is_refused(estimator, weight):
    texts, labels = ["corn crop", "a ship", "ripe corn", "the ship"] * 3, ["grain", "ship"] * 6
    X = texts if isinstance(estimator, TextClassifier) else CountVectorizer().fit_transform(texts)
    with pytest.raises(ValueError, match=f"class_weight is {weight!r} for the class 'ship': give a number"):
        clone(estimator).set_params(class_weight={"ship": weight}).fit(X, labels)
