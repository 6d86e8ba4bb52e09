"""Calibration of scores, against scikit-learn's logistic regression and by what it must undo."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import log_softmax, softmax
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from textspace.classify.blend import Calibration, calibrate, fit_calibration
from textspace.classify.blend import _calibration as module
from textspace.classify.blend._calibration import calibrate_few, sobered


def scores_of(y, n_classes, *, strength=2.0, seed=0):
    """Give scores that are higher for the own class by `strength`, among normal noise."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(len(y), n_classes)) + strength * (y[:, None] == np.arange(n_classes))


@pytest.fixture
def truth():
    return np.random.default_rng(3).integers(0, 4, 4000)


@pytest.mark.parametrize(
    ("n_samples", "bias_penalty"), [(4000, 0.02 * 4000 / 4), (16, 1.0)], ids=["many", "few"]
)
def test_the_loss_is_the_smallest_there_is(truth, n_samples, bias_penalty):
    truth = truth[:n_samples]
    scores = [scores_of(truth, 4, strength=s, seed=i) for i, s in enumerate((0.5, 1.0))]
    found = fit_calibration(scores, truth)

    def penalised(weights, bias):
        values = log_softmax(Calibration(found.scales, weights, bias)(scores), axis=1)
        penalty = 0.3 * np.sum(weights) ** 2 + 1e-3 * np.sum(np.log(weights) ** 2)
        penalty += bias_penalty * np.sum(bias**2)
        doubt = 2 / (n_samples + 2)  # of each document, shared by all classes
        own = values[np.arange(len(truth)), truth].sum()
        return penalty - (1 - doubt) * own - doubt * values.mean(axis=1).sum()

    best = penalised(found.weights, found.bias)
    rng = np.random.default_rng(0)
    for size in (1e-2, 1e-1):
        for _ in range(20):
            weights = found.weights * np.exp(size * rng.normal(size=2))
            assert penalised(weights, found.bias + size * rng.normal(size=4)) > best


def test_normal_scores_get_the_weights_of_the_likelihood_ratio(truth):
    # of normal scores with unit variance whose means differ by m, the log-likelihood is m times the score
    scores = [scores_of(truth, 4, strength=m, seed=seed) for seed, m in enumerate((0.5, 1.5))]
    np.testing.assert_allclose(fit_calibration(scores, truth).factors, [0.5, 1.5], rtol=0.1)


def test_two_classes_equal_logistic_regression():
    y = np.random.default_rng(0).integers(0, 2, 5000)
    score = scores_of(y, 2, strength=1.0)
    values = fit_calibration([score], y)([score])
    model = LogisticRegression(C=1e6).fit(score[:, 1:] - score[:, :1], y)
    theirs = model.decision_function(score[:, 1:] - score[:, :1])
    np.testing.assert_allclose(values[:, 1] - values[:, 0], theirs, atol=0.02)


def test_scale_and_shift_of_a_score_change_nothing(truth):
    scores = [scores_of(truth, 4, seed=seed) for seed in range(2)]
    plain = fit_calibration(scores, truth)(scores)
    changed = [1000 * scores[0] + 7, scores[1] / 1000]
    np.testing.assert_allclose(
        softmax(fit_calibration(changed, truth)(changed), axis=1), softmax(plain, axis=1), atol=1e-4
    )


def test_probabilities_are_right_as_often_as_they_say(truth):
    scores = [scores_of(truth, 4, strength=1.0, seed=seed) for seed in range(2)]
    half = len(truth) // 2
    found = fit_calibration([score[:half] for score in scores], truth[:half])
    shares = softmax(found([score[half:] for score in scores]), axis=1)
    confidence, right = shares.max(axis=1), shares.argmax(axis=1) == truth[half:]
    for low, high in ((0.3, 0.6), (0.6, 0.8), (0.8, 1.0)):
        chosen = (confidence > low) & (confidence <= high)
        assert chosen.sum() > 100
        assert abs(confidence[chosen].mean() - right[chosen].mean()) < 0.05


def test_a_useless_score_is_hardly_heard(truth):
    good, noise = scores_of(truth, 4), np.random.default_rng(9).normal(size=(len(truth), 4))
    found = fit_calibration([good, noise], truth)
    assert found.weights[1] < 0.05 * found.weights[0]
    alone = fit_calibration([good], truth)
    both, one = softmax(found([good, noise]), axis=1), softmax(alone([good]), axis=1)
    assert abs(log_loss(truth, both) - log_loss(truth, one)) < 1e-3


@pytest.mark.parametrize("y", [np.arange(40) % 2, np.arange(2)], ids=["many", "one a class"])
def test_rounding_is_no_score(y):
    good, rounding = scores_of(y, 2, strength=3.0), np.tile([0.0, 1e-8], (len(y), 1))
    found = calibrate([good, rounding], y)
    assert found.scales[1] == 1
    np.testing.assert_allclose(found([good, 10 * rounding]), found([good, rounding]), atol=1e-5)


def test_few_documents_draw_weights_half_way_towards_each_other():
    y = np.arange(200) % 4
    scores = [scores_of(y, 4, strength=s, seed=i) for i, s in enumerate((2.0, 1.0))] + [np.zeros((200, 4))]
    own, found = calibrate(scores, y), calibrate_few(scores, y)
    even = calibrate([sum(score / scale for score, scale in zip(scores, own.scales, strict=True))], y)
    assert own.weights[0] / own.weights[1] > found.weights[0] / found.weights[1] > 1
    middle = own.weights + even.factors
    np.testing.assert_allclose(found.weights / found.weights[0], middle / middle[0], rtol=1e-6)
    loss = found.log_loss(scores, y)
    for factor in (0.5, 3.0):  # the sum of both was calibrated
        other = replace(found, weights=factor * found.weights, bias=factor * found.bias)
        assert other.log_loss(scores, y) > loss
    alone = calibrate_few([score[:4] for score in scores], y[:4])
    np.testing.assert_array_equal(alone.weights, np.full(3, 1 / 3))


def ahead(n_small):
    """Give how much the constant of a class of 900 is ahead of that of a small one, found on noisy scores."""
    y = np.repeat([0, 1], [900, n_small])
    found = fit_calibration([scores_of(y, 2, strength=1.0)], y)
    return found.bias[0] - found.bias[1]


def test_the_constants_follow_the_sizes_of_the_classes_but_not_all_the_way(monkeypatch):
    assert abs(ahead(900)) < 0.1
    assert ahead(300) > 0.2
    assert 1.0 < ahead(100) < np.log(9) - 0.2
    monkeypatch.setattr(module, "_BIAS_PENALTY", 0.0)  # then it is 1, however many documents
    assert ahead(100) == pytest.approx(np.log(9), abs=0.15)


def test_a_start_changes_the_way_and_not_the_end(truth):
    scores = [scores_of(truth, 4, strength=s, seed=i) for i, s in enumerate((0.5, 1.0, 2.0))]
    alone = fit_calibration(scores, truth)
    first = fit_calibration(scores[:2], truth)
    both = fit_calibration(scores[:2], truth, start=alone.among([0, 1]))
    np.testing.assert_allclose(both.weights, first.weights, rtol=1e-2)
    np.testing.assert_allclose(both.bias, first.bias, atol=1e-2)


def test_the_log_loss_is_scikit_learns(truth):
    scores = [scores_of(truth, 4, seed=seed) for seed in range(2)]
    found = fit_calibration(scores, truth)
    expected = log_loss(truth, softmax(found(scores), axis=1), normalize=False)
    assert found.log_loss(scores, truth) == pytest.approx(expected)
    part = found.among(np.array([False, True]))
    np.testing.assert_allclose(part(scores[1:]), found.factors[1] * scores[1] + found.bias)


def test_the_only_document_of_a_class_takes_no_part(truth):
    y = np.append(truth[:100], 4)
    score = scores_of(y, 5)
    score[-1] = [1e6, 0, 0, 0, -1e6]  # as wrong as can be
    found, expected = calibrate([score], y), fit_calibration([score[:-1]], y[:-1])
    np.testing.assert_allclose(found.factors, expected.factors)
    np.testing.assert_allclose(found.bias, expected.bias)
    for y in ([0, 1], [0, 0], [1, 0]):  # one class, or none, to hold out
        alone = calibrate([np.array([[5.0, 1.0], [1.0, 5.0]])] * 2, np.array(y))
        np.testing.assert_array_equal(alone.factors, [0.25, 0.25])
        assert not alone.bias.any()


def test_what_is_always_right_is_believed_the_more_the_more_documents_there_are():
    doubts = []
    for n_samples in (4, 20, 400):
        y = np.arange(n_samples) % 2
        score = np.eye(2)[y]
        shares = softmax(fit_calibration([score], y)([score]), axis=1)
        doubts.append(1 - shares[np.arange(n_samples), y].mean())
    # half of what is dealt out to both classes goes to the other one; the penalty on the weight adds to it
    for doubt, n_samples in zip(doubts, (4, 20, 400), strict=True):
        assert 1 / (n_samples + 2) < doubt < 2 / (n_samples + 2)


@pytest.mark.parametrize("score", [np.zeros((6, 3)), 100 * np.eye(3)[[0, 1, 2, 0, 1, 2]]], ids=["0", "all"])
def test_stays_finite_where_nothing_or_all_is_right(score):
    found = fit_calibration([score.astype(np.float32)], np.array([0, 1, 2, 0, 1, 2]))
    assert np.isfinite(found.factors).all()
    assert np.isfinite(found.bias).all()


def test_batches_change_nothing(truth, monkeypatch):
    scores = [scores_of(truth, 4, seed=seed).astype(np.float32) for seed in range(2)]
    whole = fit_calibration(scores, truth)
    monkeypatch.setattr(module, "_BATCH", 1000)
    batched = fit_calibration(scores, truth)
    np.testing.assert_allclose(batched.weights, whole.weights, rtol=1e-4)
    np.testing.assert_allclose(batched.bias, whole.bias, atol=1e-4)


def test_answers_are_made_no_surer_than_they_are_right():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, 3000)
    score = rng.normal(size=(3000, 5)) + 1.5 * (y[:, None] == np.arange(5))
    fitted = fit_calibration([score], y)
    too_sure = Calibration(fitted.scales, 1.5 * fitted.weights, 1.5 * fitted.bias)
    sober = sobered(too_sure, [score], y)
    values = sober([score])
    assert softmax(values, axis=1).max(axis=1).mean() == pytest.approx(
        (values.argmax(axis=1) == y).mean(), abs=1e-3
    )
    np.testing.assert_allclose(sober([score]) / too_sure([score]), sober.weights[0] / too_sure.weights[0])
    too_modest = Calibration(fitted.scales, 0.5 * fitted.weights, 0.5 * fitted.bias)
    assert sobered(too_modest, [score], y) is too_modest
    wild = Calibration(fitted.scales, 50 * fitted.weights, 50 * fitted.bias)
    assert sobered(wild, [score], y).weights == pytest.approx(0.5 * wild.weights)


def test_weights_of_documents_count_in_how_sure_answers_may_be():
    y, score = np.array([0, 0, 0, 1] * 2), np.log([[0.9, 0.1]] * 8)
    sure = Calibration(np.ones(1), np.ones(1), np.zeros(2))
    twice = np.array([2.0 if own == 1 else 1.0 for own in y])
    rows = np.repeat(np.arange(8), twice.astype(int))
    np.testing.assert_allclose(
        sobered(sure, [score], y, sample_weight=twice).weights, sobered(sure, [score[rows]], y[rows]).weights
    )
