"""Self-training of the blend: several labellings together, and what it learns from in the end."""

import numpy as np

from textspace._folds import fold_rows
from textspace.classify.blend._blend import Blend, fit_scorers, judge
from textspace.classify.blend._calibration import calibrate
from textspace.classify.blend._complement import ComplementScorer
from textspace.classify.blend._latent import LatentScorer
from textspace.classify.blend._ridge import RidgeScorer
from textspace.classify.blend._unlabelled import self_train

TERMS = slice(0, 200)


def prepared(documents):
    """Give documents, classes of which the last are not known, judged scorers and their calibrations."""
    X, y = documents(200, strength=0.7)
    y = np.unique(y, return_inverse=True)[1]
    scorers = [RidgeScorer(TERMS), ComplementScorer(TERMS), LatentScorer(TERMS, 20, 0).prepared(X)]
    judged = judge(scorers, X[:80], y[:80], fold_rows(np.arange(80) % 4), n_classes=5)
    scores = [score for own in judged for score in own.scores]  # two of the regression, then one, then two
    calibrations = calibrate(scores, y[:80]), calibrate(scores[:3], y[:80])
    y[80:] = -1
    return X, y, [own.scorer for own in judged], calibrations


def test_labellings_do_not_know_of_each_other(documents, monkeypatch):
    monkeypatch.setattr(RidgeScorer, "tolerance", (1e-5, 1e-5))
    X, y, scorers, calibrations = prepared(documents)
    several = np.tile(y, (3, 1))
    several[0, :20] = several[1, 20:40] = -1
    together = self_train(X, several, scorers, calibrations, n_classes=5)
    for place, labels in enumerate(several):
        alone = self_train(X, labels[None], scorers, calibrations, n_classes=5)
        np.testing.assert_array_equal(together.y[place], alone.y[0])
        for found, expected in zip(together, alone, strict=True):
            np.testing.assert_allclose(found[place], expected[0], atol=1e-2)


def test_decision_values_are_those_of_blends_that_learn_from_labels_and_then_from_answers(
    documents, monkeypatch
):
    monkeypatch.setattr(RidgeScorer, "tolerance", (1e-5, 1e-5))
    X, y, scorers, calibrations = prepared(documents)
    found = self_train(X, y[None], scorers, calibrations, n_classes=5)
    before = Blend(fit_scorers(scorers, X[:80], y[:80], n_classes=5), calibrations[0]).decide(X)
    np.testing.assert_allclose(found.before[0], before, atol=1e-2)
    np.testing.assert_array_equal(found.y[0, :80], y[:80])
    np.testing.assert_array_equal(found.weights[0, :80], 1)
    taken = np.flatnonzero(found.weights[0])
    assert len(taken) > 80
    fitted = fit_scorers(
        scorers[:2], X[taken], found.y[0, taken], n_classes=5, weights=found.weights[0, taken]
    )
    np.testing.assert_allclose(found.after[0], Blend(fitted, calibrations[1]).decide(X), atol=1e-2)
