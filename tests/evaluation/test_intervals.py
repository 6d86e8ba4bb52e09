import numpy as np
import pytest
from scipy import sparse, stats

from textspace.evaluation import bootstrap_intervals, repeat_interval, scores


def answers(n, seed=0, n_classes=4):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n)
    return truth, np.where(rng.random(n) < 0.8, truth, rng.integers(n_classes, size=n))


def test_agrees_with_resampling_and_scoring_one_by_one():
    truth, guess = answers(60)
    rng = np.random.default_rng(5)
    draws = []
    for _ in range(1500):
        rows = rng.integers(60, size=60)
        draws.append(scores(truth[rows], guess[rows]))
    intervals = bootstrap_intervals(truth, guess, n_resamples=1500)
    for name in ("accuracy", "micro_f1", "macro_f1", "macro_f1_of_means"):
        expected = np.quantile([draw[name] for draw in draws], [0.025, 0.975])
        np.testing.assert_allclose(intervals[name], expected, atol=0.03)


def test_yes_and_no_answers():
    truth, guess = answers(80)
    matrices = [labels[:, None] == np.arange(4) for labels in (truth, guess)]
    assert bootstrap_intervals(*matrices) == bootstrap_intervals(truth, guess)
    matrices[1][::3] = False  # documents without an answer
    matrices[1][::5] = True  # and in every category
    assert bootstrap_intervals(*map(sparse.csr_array, matrices)) == bootstrap_intervals(*matrices)
    rng = np.random.default_rng(2)
    draws = []
    for _ in range(1500):
        a, b = (matrix[rows] for rows in [rng.integers(80, size=80)] for matrix in matrices)
        draws.append(scores(a, b, classes=np.flatnonzero(a.any(0))))
    intervals = bootstrap_intervals(*matrices, n_resamples=1500)
    for name in ("accuracy", "micro_f1", "macro_f1"):
        expected = np.quantile([draw[name] for draw in draws], [0.025, 0.975])
        np.testing.assert_allclose(intervals[name], expected, atol=0.03)


def test_accuracy_interval_is_near_the_binomial_one():
    truth, guess = answers(2000)
    accuracy = np.mean(truth == guess)
    expected = stats.binomtest(int(accuracy * 2000), 2000).proportion_ci()
    np.testing.assert_allclose(bootstrap_intervals(truth, guess)["accuracy"], expected, atol=0.004)


def test_contains_the_score_though_a_class_is_rare():
    truth = np.array([0] * 50 + [1] * 50 + [2])
    low, high = bootstrap_intervals(truth, truth)["macro_f1"]
    assert (low, high) == (1.0, 1.0)


@pytest.mark.parametrize("seed", range(5))
def test_stands_around_the_score_though_all_classes_are_rare(seed):
    truth, guess = answers(800, seed=seed, n_classes=200)  # resamples lack some of four documents a class
    low, high = bootstrap_intervals(truth, guess, n_resamples=200)["macro_f1"]
    score = scores(truth, guess)["macro_f1"]
    assert low < score - 0.01 < score + 0.01 < high


def test_same_seed_same_interval_and_the_level_widens_it():
    truth, guess = answers(200)
    assert bootstrap_intervals(truth, guess) == bootstrap_intervals(truth, guess)
    narrow = bootstrap_intervals(truth, guess, level=0.5)["macro_f1"]
    wide = bootstrap_intervals(truth, guess, level=0.95)["macro_f1"]
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_repeat_interval_is_students():
    values = [0.91, 0.93, 0.9, 0.95]
    expected = stats.t.interval(0.95, 3, np.mean(values), stats.sem(values))
    assert repeat_interval(values) == pytest.approx(expected)


@pytest.mark.parametrize("values", [[], [0.5], [0.5, np.nan]])
def test_an_interval_needs_two_repeats(values):
    with pytest.raises(ValueError, match="two finite values"):
        repeat_interval(values)
