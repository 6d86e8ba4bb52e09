"""Shares of the classes among other documents: known ones are found, and equal ones change nothing."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import softmax
from scipy.stats import norm

from textspace.classify import (
    adjusted,
    complete_shares,
    estimate_shares,
    label_shares,
    new_shares,
    shares_noise,
)

PRIOR = np.array([0.5, 0.3, 0.2])
SHARES = np.array([0.1, 0.2, 0.7])
CENTRES = np.array([-1.5, 0.0, 1.5])


def draw(shares, n_documents, seed=0):
    """Draw classes and a number for each document; give the exact probabilities under PRIOR too."""
    rng = np.random.default_rng(seed)
    y = rng.choice(len(shares), n_documents, p=shares)
    values = rng.normal(CENTRES[y])
    return y, values, bayes(values, PRIOR)


def bayes(values, shares):
    densities = norm.pdf(values[:, None], CENTRES) * shares
    return densities / densities.sum(axis=1, keepdims=True)


def objective(probabilities, shares, strength):
    return np.log(probabilities @ (shares / PRIOR)).sum() + strength * PRIOR @ np.log(shares)


def test_known_shares_are_found():
    _, _, probabilities = draw(SHARES, 40_000)
    np.testing.assert_allclose(estimate_shares(probabilities, PRIOR), SHARES, atol=0.015)
    np.testing.assert_allclose(new_shares(probabilities, PRIOR, 100), SHARES, atol=0.015)


def test_shares_of_the_prior_stay():
    _, _, probabilities = draw(PRIOR, 40_000)
    np.testing.assert_allclose(estimate_shares(probabilities, PRIOR), PRIOR, atol=0.015)
    assert new_shares(probabilities, PRIOR, 400) is PRIOR
    sure = np.eye(3)[[0] * 5 + [1] * 3 + [2] * 2]
    np.testing.assert_allclose(estimate_shares(sure, PRIOR), PRIOR, atol=1e-12)


def test_sure_answers_are_counted():
    sure = np.eye(3)[[0] * 10 + [1] * 20 + [2] * 70]
    np.testing.assert_allclose(estimate_shares(sure, PRIOR), SHARES, atol=1e-12)
    counted = (100 * SHARES + 60 * PRIOR) / 160
    np.testing.assert_allclose(estimate_shares(sure, PRIOR, 60), counted, atol=1e-12)


@pytest.mark.parametrize("strength", [1.0, 25.0])
def test_the_estimate_has_the_largest_likelihood(strength):
    _, _, probabilities = draw(SHARES, 300)
    found = estimate_shares(probabilities, PRIOR, strength)
    best = minimize(lambda at: -objective(probabilities, softmax(at), strength), np.zeros(3), tol=1e-10).x
    np.testing.assert_allclose(found, softmax(best), atol=1e-4)


@pytest.mark.parametrize("strength", [0.0, 25.0])
def test_no_step_lowers_the_likelihood(strength, monkeypatch):
    _, _, probabilities = draw(SHARES, 300)
    values = []
    for n_steps in range(1, 40):
        monkeypatch.setattr("textspace.classify._shares._STEPS", n_steps)
        values.append(objective(probabilities, estimate_shares(probabilities, PRIOR, strength), strength))
    assert np.all(np.diff(values) > -1e-9)
    assert values[-1] > values[0]


def test_few_documents_change_nothing():
    for n_documents in (0, 1, 5):
        assert new_shares(np.eye(3)[[2] * n_documents], PRIOR, 100) is PRIOR


def test_answers_that_are_wrong_about_held_out_documents_tell_no_shares():
    _, _, right = draw(PRIOR, 3000)
    assert shares_noise(right, PRIOR) < 1e-3
    wrong = adjusted(right, PRIOR, np.array([0.4, 0.3, 0.3]))  # sees the last class too often
    noise = shares_noise(wrong, PRIOR)
    assert noise > 0.005
    assert new_shares(wrong, PRIOR, 3000) is not PRIOR
    assert new_shares(wrong, PRIOR, 3000, noise) is PRIOR
    _, _, others = draw(SHARES, 3000)
    assert new_shares(others, PRIOR, 3000, noise) is not PRIOR  # whose shares differ by more


def test_a_class_that_is_not_there_does_not_vanish():
    sure = np.eye(3)[[0] * 1000]
    assert estimate_shares(sure, PRIOR)[2] == 0
    np.testing.assert_allclose(new_shares(sure, PRIOR, 100)[2], 0.2 * 100 / 1100)


def test_adjusted_probabilities_are_those_of_the_other_shares():
    y, values, probabilities = draw(SHARES, 2000)
    found = adjusted(probabilities, PRIOR, SHARES)
    np.testing.assert_allclose(found, bayes(values, SHARES), rtol=1e-10)
    np.testing.assert_allclose(adjusted(probabilities, PRIOR, PRIOR), probabilities, rtol=1e-12)
    assert np.mean(found.argmax(axis=1) == y) > np.mean(probabilities.argmax(axis=1) == y)


def test_shares_of_labels():
    classes = np.array([10, 9])  # sorted as text
    np.testing.assert_allclose(label_shares(["9", "9", "10", "9"], classes), [0.25, 0.75])
    np.testing.assert_allclose(label_shares(["b", "b", "b"], np.array(["a", "b"])), [0.25, 0.75])


def test_the_rest_is_divided_as_before():
    names = np.array(["a", "b", "c"])
    np.testing.assert_allclose(complete_shares({"c": 0.6}, names, PRIOR), [0.25, 0.15, 0.6])
    np.testing.assert_allclose(complete_shares({"c": 0.6, "a": 0.1, "b": 0.3}, names, PRIOR), [0.1, 0.3, 0.6])
    np.testing.assert_allclose(complete_shares({}, names, PRIOR), PRIOR)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"grian": 0.2}, "no class 'grian'. Did you mean 'grain'?"),
        ({"grain": -0.1}, "'grain' has -0.1, but a share lies above 0"),
        ({"grain": 0}, "'grain' has 0, but a share lies above 0"),
        ({"grain": float("nan")}, "'grain' has nan"),
        ({"grain": "much"}, "'grain' has 'much'"),
        ({"grain": 0.7, "ship": 0.4}, r"sum to 1.1, which is above 1"),
        ({"grain": 0.6, "ship": 0.4}, "nothing is left for 'tin'"),
        ({"grain": 0.2, "ship": 0.2, "tin": 0.2}, "all classes sum to 0.6, not to 1"),
    ],
)
def test_shares_that_cannot_be_are_named(given, message):
    with pytest.raises(ValueError, match=message):
        complete_shares(given, np.array(["grain", "ship", "tin"]), PRIOR)
