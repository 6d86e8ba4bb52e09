import numpy as np
import pytest
from sklearn.metrics import f1_score

from textspace.evaluation import compare, f1_by_size


def answers(seed=0, n=200, n_classes=9):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n)
    return truth, np.where(rng.random(n) < 0.7, truth, rng.integers(n_classes, size=n))


def test_classes_of_one_size_are_averaged():
    truth, guess = answers()
    sizes = np.array([8, 2, 2, 100, 8, 2, 5, 40, 5])
    curve = f1_by_size(truth, guess, sizes)
    each = f1_score(truth, guess, average=None)
    assert curve["size"].tolist() == [2, 5, 8, 40, 100]
    assert curve["n_categories"].tolist() == [3, 2, 2, 1, 1]
    np.testing.assert_allclose(curve["f1"], [each[sizes == size].mean() for size in curve["size"]])


def test_all_classes_together_give_macro_f1():
    truth, guess = answers(1)
    curve = f1_by_size(truth, guess, np.arange(9) // 2)
    mean = np.average(curve["f1"], weights=curve["n_categories"])
    assert mean == pytest.approx(f1_score(truth, guess, average="macro"))


def test_labels_and_decisions_give_the_same():
    truth, guess = answers(2)
    sizes = [3, 1, 4, 1, 5, 9, 2, 6, 5]
    matrices = [labels[:, None] == np.arange(9) for labels in (truth, guess)]
    for key, values in f1_by_size(truth, guess, sizes).items():
        np.testing.assert_array_equal(f1_by_size(*matrices, sizes)[key], values)


def test_classes_without_a_test_document_take_no_part():
    curve = f1_by_size(["a", "b"], ["a", "c"], [7, 3, 7, 1], classes=list("abcd"))
    assert curve["size"].tolist() == [3, 7]
    assert curve["f1"].tolist() == [0, 1]
    assert curve["n_categories"].tolist() == [1, 1]


def test_sizes_that_do_not_fit_get_a_sentence():
    with pytest.raises(ValueError, match="2 sizes do not fit 3 classes"):
        f1_by_size(["a", "b"], ["a", "c"], [7, 3])


@pytest.mark.parametrize("rule", ["argmax", "sign"])
def test_of_a_comparison_it_is_the_mean_over_the_splits(corpus, rule):
    comparison = compare(corpus, "svm", train_share=0.4, repeats=3, n_jobs=1)
    total = np.zeros(3)
    for truth, run in zip(comparison.truth, comparison.runs, strict=True):
        accepted = run["sign"]["accepted"] if rule == "sign" else [[label] for label in run["predicted"]]
        for c in range(3):
            total[c] += f1_score(np.array(truth) == c, [c in row for row in accepted]) / 3
    curve = comparison.f1_by_size("svm", rule)
    order = np.argsort(comparison.corpus["train_sizes"])
    assert curve["size"].tolist() == sorted(comparison.corpus["train_sizes"])
    np.testing.assert_allclose(curve["f1"], total[order])


def test_a_class_counts_in_the_splits_that_test_it(new_corpus):
    corpus = new_corpus((8, 8, 2))  # in two of four folds no document of "ship" is tested
    comparison = compare(corpus, "nb", folds=4, n_jobs=1)
    scored = [
        f1_score(np.array(truth) == 2, np.array(run["predicted"]) == 2, zero_division=0)
        for truth, run in zip(comparison.truth, comparison.runs, strict=True)
        if 2 in truth
    ]
    curve = comparison.f1_by_size("nb")
    assert len(scored) == 2
    assert curve["f1"][0] == pytest.approx(np.mean(scored))


def test_a_method_without_answers_gets_a_sentence(corpus):
    with pytest.raises(ValueError, match="'nb' has no finished results by this rule"):
        compare(corpus, "nb", n_jobs=1).f1_by_size("nb", "sign")
