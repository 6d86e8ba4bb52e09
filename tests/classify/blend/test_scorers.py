"""The scorers of the blend, against scikit-learn's ridge regression and naive Bayes, and on any columns."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.naive_bayes import ComplementNB
from sklearn.preprocessing import normalize

from textspace.classify.blend import _ridge, _scaled_ridge
from textspace.classify.blend._blend import Blend, fit_scorers, judge
from textspace.classify.blend._calibration import Calibration
from textspace.classify.blend._centroids import CentroidScorer
from textspace.classify.blend._complement import ComplementScorer
from textspace.classify.blend._latent import LatentScorer
from textspace.classify.blend._ridge import (
    RidgeScorer,
    best_penalty,
    discriminant_positions,
    indicators,
    ridge_scores,
)
from textspace.classify.blend._scaled_ridge import ScaledRidgeScorer
from textspace.tuning import fold_rows

TERMS = slice(0, 200)
SCORERS = {
    "ridge": RidgeScorer,
    "scaled": ScaledRidgeScorer,
    "complement": ComplementScorer,
    "latent": lambda columns: LatentScorer(columns, 10, 0),
    "centroids": CentroidScorer,
}


def coded(documents, **settings):
    """Give rows, classes from 0 to 4 and three folds."""
    X, y = documents(**settings)
    return X, np.unique(y, return_inverse=True)[1], fold_rows(np.arange(len(y)) % 3)


@pytest.fixture
def precise(monkeypatch):
    """Let the ridge regressions be solved to many digits."""
    monkeypatch.setattr(_ridge, "_TOLERANCE", 1e-5)
    monkeypatch.setattr(_scaled_ridge, "_TOLERANCE", 1e-5)


@pytest.mark.parametrize("weighted", [False, True], ids=["even", "weighted"])
def test_the_ridge_scorer_equals_scikit_learns_ridge(weighted, precise, documents):
    X, y, _ = coded(documents)
    weights = np.random.default_rng(0).random(len(y)) + 0.1 if weighted else None
    fitted = RidgeScorer(TERMS, (0.3,)).fit(X, y, n_classes=5, weights=weights)
    expected = Ridge(alpha=0.3).fit(X.toarray(), np.eye(5)[y], sample_weight=weights)
    np.testing.assert_allclose(fitted.scores(X)[0], expected.predict(X.toarray()), atol=1e-4)
    np.testing.assert_allclose(fitted.sizes, np.bincount(y, weights))


def left_out(X, y, alpha):
    """Give the values of ridge regressions without each document in turn."""
    return cross_val_predict(Ridge(alpha=alpha), X.toarray(), np.eye(5)[y], cv=LeaveOneOut())


def test_held_out_values_of_few_documents_are_those_of_leaving_out_each(documents):
    X, y, folds = coded(documents, strength=0.6)
    scorer, scores, _ = RidgeScorer(TERMS).held_out(X, y, folds, n_classes=5)
    errors = {
        alpha: np.sum((left_out(X, y, alpha) - np.eye(5)[y]) ** 2) for alpha in RidgeScorer(TERMS).alphas
    }
    assert scorer.alpha == min(errors, key=errors.get)
    assert RidgeScorer(TERMS).alpha is None  # before it is chosen
    values = left_out(X, y, scorer.alpha)
    np.testing.assert_allclose(scores[0], values, atol=1e-4)
    np.testing.assert_allclose(scores[1], ridge_scores(values, np.bincount(y).astype(float))[1], atol=1e-4)


def test_held_out_values_of_many_documents_are_near_those(monkeypatch, precise, documents):
    X, y, folds = coded(documents, n_samples=600, strength=0.6)
    exact = RidgeScorer(TERMS).held_out(X, y, folds, n_classes=5)
    monkeypatch.setattr(_ridge, "_SMALL", 100)
    probed = RidgeScorer(TERMS).held_out(X, y, folds, n_classes=5)
    assert probed.scorer == exact.scorer
    for ours, expected in zip(probed.scores, exact.scores, strict=True):
        assert ours.dtype == np.float32
        assert np.sqrt(np.mean((ours - expected) ** 2)) < 0.1 * expected.std()
    np.testing.assert_allclose(probed.fitted().coef, exact.fitted().coef, atol=1e-4)


def test_the_only_document_of_a_class_chooses_no_penalty():
    y = np.array([0, 0, 1, 1, 2])
    right, wrong = np.eye(5)[y], 1 - np.eye(5)[y]
    values = np.array([wrong, right])
    values[1, 4] = 1000 * wrong[4]
    assert best_penalty((0.1, 1.0), values, y) == 1.0
    for alone in ([0, 1, 2, 2, 2], [0, 1, 2, 3, 4]):
        assert best_penalty((0.1, 1.0), values, np.array(alone)) == 0.1


def test_documents_choose_the_penalty_by_squared_errors(documents):
    _, y, _ = coded(documents)
    values = np.random.default_rng(0).random((6, len(y), 5))
    errors = np.sum((values - indicators(y, 5)) ** 2, axis=(1, 2))
    assert best_penalty(tuple(range(6)), values, y) == errors.argmin()


def log_ratios(X, y, weights):
    """Give the logarithms of the shares of terms in each class over those in the others, class by class."""
    ratios = []
    for c in range(5):
        own = 1 + (weights[:, None] * X)[y == c].sum(axis=0)
        others = 1 + (weights[:, None] * X)[y != c].sum(axis=0)
        ratios.append(np.log((own / own.sum()) / (others / others.sum())))
    return np.array(ratios)


def scaled_values(X, y, X_new, *, alpha, weights=None):
    """Give the values of scikit-learn's ridge regression on columns times their log ratios."""
    ratios = log_ratios(X, y, np.ones(len(y)) if weights is None else weights)
    models = [
        Ridge(alpha=alpha).fit(X * own, (y == c).astype(float), sample_weight=weights)
        for c, own in enumerate(ratios)
    ]
    return np.column_stack([model.predict(X_new * own) for model, own in zip(models, ratios, strict=True)])


@pytest.mark.parametrize("weighted", [False, True], ids=["even", "weighted"])
def test_the_scaled_ridge_equals_scikit_learns_ridge_on_scaled_columns(weighted, precise, documents):
    X, y, _ = coded(documents)
    weights = np.random.default_rng(0).random(len(y)) + 0.1 if weighted else None
    fitted = ScaledRidgeScorer(TERMS, (0.3,)).fit(X, y, n_classes=5, weights=weights)
    dense = X.toarray().astype(np.float64)
    expected = scaled_values(dense, y, dense, alpha=0.3, weights=weights)
    np.testing.assert_allclose(fitted.scores(X)[0], expected, atol=1e-4)
    assert fitted.coef.dtype == np.float32


def test_held_out_values_of_the_scaled_ridge_are_those_of_folds(precise, documents):
    X, y, folds = coded(documents, strength=0.6)
    scorer, [values], fitted = ScaledRidgeScorer(TERMS).held_out(X, y, folds, n_classes=5)
    dense, found = X.toarray().astype(np.float64), {}
    for alpha in ScaledRidgeScorer(TERMS).alphas:
        found[alpha] = np.empty((len(y), 5))
        for train, test in folds:
            found[alpha][test] = scaled_values(dense[train], y[train], dense[test], alpha=alpha)
    errors = {alpha: np.sum((each - np.eye(5)[y]) ** 2) for alpha, each in found.items()}
    assert scorer.alpha == min(errors, key=errors.get)
    np.testing.assert_allclose(values, found[scorer.alpha], atol=1e-4)
    expected = scaled_values(dense, y, dense, alpha=scorer.alpha)
    np.testing.assert_allclose(fitted().scores(X)[0], expected, atol=1e-4)


@pytest.mark.parametrize("n_words", [120, 200])
def test_naive_bayes_equals_scikit_learns_on_unit_rows_of_words(n_words, documents):
    X, y = documents()
    weights = np.random.default_rng(0).random(len(y))
    X, codes = X[:, :n_words], np.unique(y, return_inverse=True)[1]
    fitted = ComplementScorer(slice(0, n_words)).fit(X, codes, n_classes=5, weights=weights)
    words = normalize(X.astype(np.float64))
    theirs = ComplementNB(alpha=0.3).fit(words, y, sample_weight=weights).predict_joint_log_proba(words)
    theirs = normalize(theirs - theirs.mean(axis=1, keepdims=True))
    np.testing.assert_allclose(fitted.scores(X)[0], theirs, atol=1e-5)


def test_cosines_are_those_of_spectral_regression(documents):
    # regress onto orthonormal, centred functions of the class themselves and compare with their class points
    X, y = documents()
    codes, sizes = np.unique(y, return_inverse=True)[1], np.unique(y, return_counts=True)[1].astype(float)
    rng = np.random.default_rng(0)
    basis = np.linalg.qr(np.column_stack([np.sqrt(sizes), rng.normal(size=(5, 4))]))[0][:, 1:]
    points = basis / np.sqrt(sizes)[:, None]
    model = Ridge(alpha=0.3).fit(X.toarray(), points[codes])
    positions = model.predict(X.toarray())
    values = Ridge(alpha=0.3).fit(X.toarray(), np.eye(5)[codes]).predict(X.toarray())
    expected = normalize(positions) @ normalize(points).T
    np.testing.assert_allclose(ridge_scores(values, sizes)[1], expected, atol=1e-5)
    ours = discriminant_positions(values, sizes)
    assert ours.shape == (150, 4)
    np.testing.assert_allclose(ours @ ours.T, positions @ positions.T, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("name", SCORERS)
def test_scores_are_those_of_a_scorer_without_the_other_columns(name, precise, documents):
    X, y, folds = coded(documents)
    others = sparse.csr_array(np.random.default_rng(0).random((len(y), 40), dtype=np.float32))
    wide = sparse.hstack([others, X, others], format="csr")
    found = []
    for rows, columns in ((X, slice(0, 200)), (wide, slice(40, 240))):
        scorer = SCORERS[name](columns).prepared(rows)
        [(chosen, scores, learned)] = judge([scorer], rows, y, folds, n_classes=5)
        [fitted] = fit_scorers([chosen], rows, y, n_classes=5)
        np.testing.assert_allclose(
            learned().scores(rows[:, fitted.columns]), fitted.scores(rows[:, fitted.columns]), atol=1e-3
        )
        calibration = Calibration(np.ones(fitted.n_scores), np.arange(1.0, 1 + fitted.n_scores), np.zeros(5))
        blend = Blend([fitted], calibration)
        x = sparse.csr_array(rows[[3]]).astype(np.float64)
        contributions, constant = blend.contributions(x)
        values = blend.decide(rows)
        np.testing.assert_allclose(contributions.sum(axis=0) + constant, blend.decide(x)[0], atol=1e-5)
        inside = (x.indices >= columns.start) & (x.indices < columns.stop)
        assert not contributions[~inside].any()
        found.append((scores, values, contributions[inside]))
    for alone, among in zip(*found, strict=True):
        np.testing.assert_allclose(alone, among, atol=1e-5)


@pytest.mark.parametrize("name", SCORERS)
def test_a_class_without_a_document_does_no_harm(name, documents):
    X, y, folds = coded(documents)
    [(chosen, *_)] = judge([SCORERS[name](TERMS).prepared(X)], X, y, folds, n_classes=5)
    [fitted] = fit_scorers([chosen], X, y, n_classes=6)
    assert all(np.isfinite(score).all() for score in fitted.scores(X[:, fitted.columns]))
