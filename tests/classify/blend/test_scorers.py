"""The scorers of the blend, against scikit-learn's ridge regression and naive Bayes, and on any columns."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import ComplementNB
from sklearn.preprocessing import normalize

from textspace.classify.blend import _ridge as module
from textspace.classify.blend._blend import Blend, fit_scorers, held_out_scores
from textspace.classify.blend._calibration import Calibration
from textspace.classify.blend._centroids import CentroidScorer
from textspace.classify.blend._complement import ComplementScorer
from textspace.classify.blend._latent import LatentScorer
from textspace.classify.blend._ridge import RidgeScorer, discriminant_positions, ridge_scores
from textspace.tuning import fold_rows

TERMS = slice(0, 200)
SCORERS = {
    "ridge": lambda columns: RidgeScorer(columns, 0.3),
    "complement": ComplementScorer,
    "latent": lambda columns: LatentScorer(columns, 0.3, 10, 0),
    "centroids": CentroidScorer,
}


@pytest.fixture
def precise(monkeypatch):
    """Let the ridge regression be solved to many digits."""
    monkeypatch.setattr(module, "_TOLERANCE", 1e-5)


def test_the_ridge_scorer_equals_scikit_learns_ridge(precise, documents):
    X, y = documents()
    fitted = RidgeScorer(TERMS, 0.3).fit(X, np.unique(y, return_inverse=True)[1], n_classes=5)
    expected = Ridge(alpha=0.3).fit(X.toarray(), y[:, None] == np.unique(y))
    np.testing.assert_allclose(fitted.scores(X)[0], expected.predict(X.toarray()), atol=1e-4)
    np.testing.assert_array_equal(fitted.sizes, np.unique(y, return_counts=True)[1])


def test_some_classes_at_a_time_equal_all_at_once(monkeypatch, precise, documents):
    X, y = documents()
    codes = np.unique(y, return_inverse=True)[1]
    folds = fold_rows(np.arange(len(y)) % 3)
    scorer = RidgeScorer(TERMS, 0.3)
    fitted, (_, held_out) = (
        scorer.fit(X, codes, n_classes=5),
        scorer.held_out(X, codes, folds, n_classes=5),
    )
    monkeypatch.setattr(module, "_ENTRIES", 2 * X.shape[1])
    again = scorer.fit(X, codes, n_classes=5)
    np.testing.assert_allclose(again.coef, fitted.coef, atol=1e-5)
    np.testing.assert_allclose(again.intercept, fitted.intercept, atol=1e-5)
    np.testing.assert_allclose(scorer.held_out(X, codes, folds, n_classes=5)[1], held_out, atol=1e-4)


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
def test_scores_are_those_of_a_scorer_without_the_other_columns(name, documents):
    X, y = documents()
    codes, folds = np.unique(y, return_inverse=True)[1], fold_rows(np.arange(len(y)) % 3)
    others = sparse.csr_array(np.random.default_rng(0).random((len(y), 40), dtype=np.float32))
    wide = sparse.hstack([others, X, others], format="csr")
    found = []
    for rows, columns in ((X, slice(0, 200)), (wide, slice(40, 240))):
        scorer = SCORERS[name](columns).prepared(rows)
        [chosen], scores = held_out_scores([scorer], rows, codes, folds, n_classes=5)
        [fitted] = fit_scorers([chosen], rows, codes, n_classes=5)
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
    X, y = documents()
    codes = np.unique(y, return_inverse=True)[1]
    [fitted] = fit_scorers([SCORERS[name](TERMS).prepared(X)], X, codes, n_classes=6)
    assert all(np.isfinite(score).all() for score in fitted.scores(X[:, fitted.columns]))
