import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score
from sklearn.preprocessing import label_binarize

from textspace.evaluation import SignificanceTest, resampled_t_test, significance


def systems(seed, n=300, n_classes=8, shares=(0.8, 0.7)):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n)
    return truth, *(np.where(rng.random(n) < s, truth, rng.integers(n_classes, size=n)) for s in shares)


def test_a_case_counted_by_hand():
    truth = ["x", "x", "y", "y", "z"]
    a = ["x", "x", "y", "x", "z"]
    b = ["x", "y", "y", "y", "y"]
    # Only A is right: on document 2 about x and y, on document 5 about z and y. Only B: on 4 about x and y.
    # F1 of A: x 4/5, y 2/3, z 1. F1 of B: x 2/3, y 2/3, z 0.
    result = significance(truth, a, b)
    assert (result.s.statistic, result.s.n, result.s.direction) == (4, 6, 1)
    assert result.s.p_value == pytest.approx((15 + 6 + 1) * 2 / 64)
    assert (result.S.statistic, result.S.n) == (2, 2)
    assert result.S.p_value == pytest.approx(0.5)
    differences = np.array([4 / 5 - 2 / 3, 0, 1])
    t = differences.mean() / (differences.std(ddof=1) / np.sqrt(3))
    assert result.T.statistic == pytest.approx(t)
    assert result.T.p_value == pytest.approx(2 * stats.t.sf(t, 2))


@pytest.mark.parametrize("seed", range(3))
def test_against_scipy_and_scikit_learn(seed):
    truth, a, b = systems(seed)
    result = significance(truth, a, b)
    a_f1, b_f1 = (f1_score(truth, x, average=None) for x in (a, b))
    expected = stats.ttest_rel(a_f1, b_f1)
    assert (result.T.statistic, result.T.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    wins, losses = np.sum(a_f1 > b_f1), np.sum(a_f1 < b_f1)
    assert result.S.p_value == pytest.approx(stats.binomtest(wins, wins + losses).pvalue)
    wins = losses = 0
    for t, x, y in zip(truth, a, b, strict=True):
        for c in range(8):
            right = ((x == c) == (t == c), (y == c) == (t == c))
            wins, losses = wins + (right == (True, False)), losses + (right == (False, True))
    assert (result.s.statistic, result.s.n) == (wins, wins + losses)
    assert result.s.p_value == pytest.approx(stats.binomtest(wins, wins + losses).pvalue)


def test_swapping_the_systems_turns_the_direction():
    truth, a, b = systems(0, shares=(0.9, 0.5))
    one, other = significance(truth, a, b), significance(truth, b, a)
    for name in "sST":
        left, right = getattr(one, name), getattr(other, name)
        assert (left.p_value, left.direction) == pytest.approx((right.p_value, -right.direction))
        assert (left.mark, right.mark) == (">>", "<<")


def test_indicator_matrices_give_the_same_as_labels():
    truth, a, b = systems(1)
    matrices = [label_binarize(x, classes=range(8)).astype(bool) for x in (truth, a, b)]
    assert significance(*matrices) == significance(truth, a, b)


def test_decisions_of_no_category_at_all_are_allowed_in_matrices():
    truth = np.eye(3, dtype=bool)
    result = significance(truth, truth, np.zeros((3, 3), dtype=bool))
    assert (result.s.statistic, result.s.n) == (3, 3)


def test_yes_and_no_answers_counted_pair_by_pair():
    rng = np.random.default_rng(3)
    truth = rng.random((60, 7)) < 0.2
    a, b = (truth ^ (rng.random(truth.shape) < share) for share in (0.05, 0.12))
    truth[:, 2] = False  # a category without a document: in s, but not in S and T
    a[:5] = False  # documents without an answer
    wins = losses = 0
    for document in range(60):
        for category in range(7):
            t, x, y = (matrix[document, category] for matrix in (truth, a, b))
            wins, losses = wins + (x == t != y), losses + (y == t != x)
    kept = [category for category in range(7) if category != 2]
    a_f1, b_f1 = (np.array([f1_score(truth[:, c], x[:, c]) for c in kept]) for x in (a, b))
    result = significance(truth, a, b)
    assert (result.s.statistic, result.s.n) == (wins, wins + losses)
    assert (result.S.statistic, result.S.n) == (np.sum(a_f1 > b_f1), np.sum(a_f1 != b_f1))
    assert result.T.p_value == pytest.approx(stats.ttest_rel(a_f1, b_f1).pvalue)
    some = significance(truth, a, b, classes=[5, 1, 0])
    assert some.s == result.s
    chosen = [kept.index(c) for c in (5, 1, 0)]
    assert some.T.p_value == pytest.approx(stats.ttest_rel(a_f1[chosen], b_f1[chosen]).pvalue)


def test_categories_without_a_document_take_no_part():
    truth, a, b = systems(2)
    assert significance(truth, a, b, classes=range(20)) == significance(truth, a, b)
    b[:5] = 99  # answers outside of the categories are wrong answers, not categories
    assert significance(truth, a, b).T.n == 8


def test_equal_systems_and_single_categories_show_no_difference():
    truth, a, _ = systems(0)
    for result in (significance(truth, a, a), significance(["x"] * 3, ["x"] * 3, ["x", "x", "y"])):
        for test in (result.S, result.T):
            assert test.mark == "~"
    assert significance(truth, a, a).s == SignificanceTest(0.0, 0, 1.0, 0)


def test_marks_change_at_the_usual_levels():
    marks = [SignificanceTest(1.0, 9, p, d).mark for p, d in [(0.01, 1), (0.011, 1), (0.05, -1), (0.051, -1)]]
    assert marks == [">>", ">", "<", "~"]


def test_resampled_t_test_without_test_documents_is_the_plain_t_test():
    rng = np.random.default_rng(0)
    differences = rng.normal(0.5, size=10)
    expected = stats.ttest_1samp(differences, 0)
    found = resampled_t_test(differences, 0.0)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert resampled_t_test(differences, 0.5).p_value > found.p_value


def test_resampled_t_test_of_equal_differences():
    assert resampled_t_test([0.1, 0.1, 0.1], 0.3).mark == ">>"
    assert resampled_t_test([0.0, 0.0], 0.3).mark == "~"
    assert resampled_t_test([0.1], 0.3).mark == "~"


@pytest.mark.parametrize(("differences", "ratio"), [([np.nan, 0.1], 0.5), ([0.1, 0.2], -1), ([0.1], np.inf)])
def test_repeats_without_a_number_are_refused(differences, ratio):
    with pytest.raises(ValueError, match="must be finite"):
        resampled_t_test(differences, ratio)
