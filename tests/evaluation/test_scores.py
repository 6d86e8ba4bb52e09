import warnings

import numpy as np
import pytest
from sklearn import metrics

from textspace.evaluation import confusion, per_class, scores

AVERAGES = ["micro", "macro"]


def answers(seed, n=200, n_classes=6, share_right=0.6):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n)
    guess = np.where(rng.random(n) < share_right, truth, rng.integers(n_classes - 1, size=n))
    return np.array(list("abcdefgh"))[truth], np.array(list("abcdefgh"))[guess]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("classes", [None, list("abcdefgh")])
def test_precision_recall_and_f1_are_those_of_scikit_learn(seed, classes):
    # Class "f" is never answered and, with all classes, "g" and "h" never occur: their F1 is 0.
    truth, guess = answers(seed)
    result = scores(truth, guess, classes=classes)
    for average in AVERAGES:
        expected = metrics.precision_recall_fscore_support(
            truth, guess, average=average, labels=classes, zero_division=0
        )
        found = [result[f"{average}_{name}"] for name in ("precision", "recall", "f1")]
        np.testing.assert_allclose(found, expected[:3], rtol=1e-12)
    assert result["accuracy"] == metrics.accuracy_score(truth, guess)
    assert result["auc"] is None


def test_single_label_micro_averages_are_the_accuracy():
    truth, guess = answers(0)
    result = scores(truth, guess, classes=["a", "b"])
    assert result["micro_f1"] == result["micro_precision"] == result["micro_recall"] == result["accuracy"]


def test_second_macro_convention_is_the_harmonic_mean_of_the_means():
    result = scores(*answers(1))
    p, r = result["macro_precision"], result["macro_recall"]
    assert result["macro_f1_of_means"] == pytest.approx(2 * p * r / (p + r))
    assert result["macro_f1_of_means"] != pytest.approx(result["macro_f1"])


def test_indicator_matrices_are_scored_as_by_scikit_learn():
    rng = np.random.default_rng(0)
    truth, guess = rng.random((2, 50, 4)) < 0.3
    result = scores(truth, guess)
    for average in AVERAGES:
        expected = metrics.f1_score(truth, guess, average=average)
        assert result[f"{average}_f1"] == pytest.approx(expected)
    assert result["accuracy"] == metrics.accuracy_score(truth, guess)


@pytest.mark.parametrize("classes", [None, [2, 0], [4, 1, 3]])
def test_decisions_of_none_one_or_several_categories(classes):
    """Against a count, pair by pair; nothing is in category 4, and some documents are put nowhere."""
    rng = np.random.default_rng(1)
    truth, guess = rng.random((2, 40, 5)) < 0.25
    truth[:, 4] = False
    assert not guess.any(axis=1).all()
    counts = np.zeros((5, 3))  # rightly put into the category, put into it, belonging to it
    for document in range(40):
        for column in range(5):
            t, g = truth[document, column], guess[document, column]
            counts[column] += t and g, g, t
    each = [(h / max(g, 1), h / max(t, 1), 2 * h / max(g + t, 1)) for h, g, t in counts]
    right, given, true = counts.sum(axis=0)
    result = scores(truth, guess, classes=classes)
    macro = np.mean([each[column] for column in (range(5) if classes is None else classes)], axis=0)
    found = [[result[f"{average}_{name}"] for name in ("precision", "recall", "f1")] for average in AVERAGES]
    np.testing.assert_allclose(found, [[right / given, right / true, 2 * right / (given + true)], macro])
    assert result["accuracy"] == np.mean([list(t) == list(g) for t, g in zip(truth, guess, strict=True)])
    wanted = range(5) if classes is None else classes
    np.testing.assert_allclose(per_class(truth, guess, classes)["f1"], [each[column][2] for column in wanted])


def test_auc_is_the_mean_over_classes_of_one_against_rest():
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=100)
    decision = np.eye(4)[truth] + rng.normal(size=(100, 4))
    expected = np.mean([metrics.roc_auc_score(truth == c, decision[:, c]) for c in range(4)])
    found = scores(truth, decision.argmax(1), decision)["auc"]
    assert found == pytest.approx(expected)
    # A fifth class without documents has no curve and changes nothing.
    wider = np.column_stack([decision, rng.normal(size=100)])
    assert scores(truth, decision.argmax(1), wider, classes=range(5))["auc"] == pytest.approx(expected)


def test_auc_of_two_classes_takes_one_column():
    truth = np.array(["no", "yes", "yes", "no"])
    assert scores(truth, truth, np.array([-1.0, 2.0, 0.5, 0.7]))["auc"] == 0.75


def test_auc_is_none_where_all_documents_have_one_class():
    assert scores(["a", "a"], ["a", "b"], np.eye(2), classes=["a", "b"])["auc"] is None


def test_decision_of_another_shape_is_an_error():
    with pytest.raises(ValueError, match=r"shape \(2, 3\).*name the classes"):
        scores(["a", "b"], ["a", "b"], np.zeros((2, 3)))


def test_no_warning_where_a_denominator_is_zero():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = scores(["a", "a"], ["b", "b"], classes=["a", "b", "c"])
    assert {result[name] for name in result if name != "auc"} == {0.0}


def test_per_class_is_that_of_scikit_learn():
    truth, guess = answers(2)
    classes = list("fedcba")
    result = per_class(truth, guess, classes)
    expected = metrics.precision_recall_fscore_support(truth, guess, labels=classes, zero_division=0)
    for name, values in zip(("precision", "recall", "f1", "support"), expected, strict=True):
        np.testing.assert_allclose(result[name], values)
    assert result["classes"].tolist() == classes


@pytest.mark.parametrize("classes", [None, list("cab"), list("abcdefgh")])
def test_confusion_is_that_of_scikit_learn(classes):
    truth, guess = answers(3)
    expected = metrics.confusion_matrix(truth, guess, labels=classes)
    np.testing.assert_array_equal(confusion(truth, guess, classes), expected)


@pytest.mark.parametrize(
    ("truth", "guess", "message"),
    [
        ([], [], "no document"),
        (["a"], ["a", "b"], r"shapes \[\(1,\), \(2,\)\]"),
        (["a"], [[True]], "same form"),
    ],
)
def test_wrong_answers_get_a_sentence(truth, guess, message):
    with pytest.raises(ValueError, match=message):
        scores(truth, guess)


def test_wrong_classes_get_a_sentence():
    with pytest.raises(ValueError, match="same label twice"):
        scores(["a"], ["a"], classes=["a", "a"])
    for classes in (list("abc"), [0, 2], [-1, 0]):
        with pytest.raises(
            ValueError, match="do not fit decisions with 2 columns: give column numbers, from 0 to 1"
        ):
            scores(np.eye(2), np.eye(2), classes=classes)
