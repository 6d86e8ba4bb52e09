"""The scorers of the blend, against scikit-learn's ridge regression and naive Bayes, and on any columns."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import ComplementNB
from sklearn.preprocessing import normalize

from textspace._folds import fold_rows
from textspace.classify.blend._blend import Blend, fit_scorers, judge, score_all
from textspace.classify.blend._calibration import Calibration, calibrated_losses, fit_calibration
from textspace.classify.blend._complement import ComplementScorer
from textspace.classify.blend._latent import LatentScorer
from textspace.classify.blend._ridge import RidgeScorer, discriminant_positions, ridge_scores
from textspace.classify.blend._scaled_ridge import ScaledRidgeScorer

TERMS = slice(0, 200)
SCORERS = {
    "ridge": RidgeScorer,
    "scaled": ScaledRidgeScorer,
    "complement": ComplementScorer,
    "latent": lambda columns: LatentScorer(columns, 10, 0),
}


def coded(documents, **settings):
    """Give rows, classes from 0 to 4 and three folds."""
    X, y = documents(**settings)
    return X, np.unique(y, return_inverse=True)[1], fold_rows(np.arange(len(y)) % 3)


@pytest.fixture
def precise(monkeypatch):
    """Let the ridge regressions be solved to many digits."""
    for scorer in (RidgeScorer, ScaledRidgeScorer):
        monkeypatch.setattr(scorer, "tolerance", (1e-5, 1e-5))


def test_the_only_document_of_a_class_chooses_no_penalty():
    y = np.array([0, 0, 1, 1, 2])
    right, wrong = np.eye(5)[y], 1 - np.eye(5)[y]
    values = np.array([wrong, right])
    values[1, 4] = 1000 * wrong[4]
    assert calibrated_losses(values, y).argmin() == 1
    for alone in ([0, 1, 2, 2, 2], [0, 1, 2, 3, 4]):  # one class, or none, to hold out
        assert calibrated_losses(values, np.array(alone)).argmin() == 0


def test_documents_choose_the_penalty_by_squared_errors(documents):
    _, y, _ = coded(documents)
    values = np.random.default_rng(0).random((6, len(y), 5))
    errors = np.sum((values - np.eye(5)[y]) ** 2, axis=(1, 2))
    assert calibrated_losses(values, y).argmin() == errors.argmin()


def test_penalties_next_to_one():
    scorer = RidgeScorer(TERMS, (0.1, 0.3, 1.0, 3.0))
    assert scorer.near(None) is scorer
    assert [scorer.near(alpha).alphas for alpha in (0.1, 1.0, 3.0)] == [
        (0.1, 0.3),
        (0.3, 1.0, 3.0),
        (1.0, 3.0),
    ]
    assert scorer.alpha is None
    assert RidgeScorer(TERMS, (0.3,)).alpha == 0.3


def ridge_values(X, y, X_new, *, alpha, weights=None):
    """Give the values of scikit-learn's ridge regression onto the indicators."""
    return Ridge(alpha=alpha).fit(X, np.eye(y.max() + 1)[y], sample_weight=weights).predict(X_new)


def log_ratios(X, y, weights):
    """Give the logarithms of the shares of terms in each class over those in the others, class by class."""
    ratios = []
    for c in range(y.max() + 1):
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


REGRESSIONS = {"ridge": (RidgeScorer, ridge_values), "scaled": (ScaledRidgeScorer, scaled_values)}


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("weighted", [False, True], ids=["even", "weighted"])
@pytest.mark.parametrize("name", REGRESSIONS)
def test_regressions_equal_scikit_learns_ridge(name, weighted, n_classes, precise, documents):
    scorer, reference = REGRESSIONS[name]
    X, y, _ = coded(documents, n_classes=n_classes)
    weights = np.random.default_rng(0).random(len(y)) + 0.1 if weighted else None
    fitted = scorer(TERMS, (0.3,)).fit(X, y, n_classes=n_classes, weights=weights)
    dense = X.toarray().astype(np.float64)
    expected = reference(dense, y, dense, alpha=0.3, weights=weights)
    np.testing.assert_allclose(fitted.scores(X)[0], expected, atol=1e-4)
    assert fitted.coef.dtype == np.float32
    assert fitted.coef.shape == (200, n_classes)


@pytest.mark.parametrize("name", REGRESSIONS)
def test_held_out_values_of_regressions_are_those_of_folds(name, precise, documents):
    scorer, reference = REGRESSIONS[name]
    X, y, folds = coded(documents, strength=0.6)
    chosen, scores, fitted, *_ = scorer(TERMS).held_out(X, y, folds, n_classes=5)
    dense, found = X.toarray().astype(np.float64), {}
    for alpha in scorer(TERMS).alphas:
        found[alpha] = np.empty((len(y), 5))
        for train, test in folds:
            found[alpha][test] = reference(dense[train], y[train], dense[test], alpha=alpha)
    losses = {alpha: fit_calibration([each], y).log_loss([each], y) for alpha, each in found.items()}
    assert chosen.alpha == min(losses, key=losses.get)
    np.testing.assert_allclose(scores[0], found[chosen.alpha], atol=1e-4)
    if name == "ridge":
        sizes = np.bincount(y).astype(float)
        np.testing.assert_allclose(scores[1], ridge_scores(found[chosen.alpha], sizes)[1], atol=1e-3)
    shares = np.bincount(y) / len(y)
    expected = reference(dense, y, dense, alpha=chosen.alpha) - shares
    expected = shares + np.sqrt(2 / 3) * expected  # three folds learn from two thirds of the documents
    np.testing.assert_allclose(fitted().scores(X)[0], expected, atol=1e-4)


@pytest.mark.parametrize("name", SCORERS)
def test_what_is_learned_from_all_does_not_depend_on_when(name, precise, documents):
    X, y, folds = coded(documents)
    scorer = SCORERS[name](TERMS).prepared(X)
    [with_it], [later] = (judge([scorer], X, y, folds, n_classes=5, whole=whole) for whole in (True, False))
    assert with_it.scorer.alpha == later.scorer.alpha
    for first, second in zip(with_it.scores, later.scores, strict=True):
        np.testing.assert_allclose(first, second, atol=1e-4)
    rows = X[:, with_it.scorer.columns]
    np.testing.assert_allclose(with_it.fitted().scores(rows), later.fitted().scores(rows), atol=1e-3)


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("name", SCORERS)
def test_labellings_learned_together_are_each_learned_alone(name, n_classes, precise, documents):
    X, y, folds = coded(documents, n_classes=n_classes)
    [(scorer, *_)] = judge([SCORERS[name](TERMS).prepared(X)], X, y, folds, n_classes=n_classes)
    rng = np.random.default_rng(0)
    labels = np.where(rng.random((3, len(y))) < 0.8, y, rng.integers(0, n_classes, (3, len(y))))
    weights = (rng.random(labels.shape) * (rng.random(labels.shape) < 0.7)).astype(np.float32)
    weights[:, :60] = 0  # learned from nowhere
    weights[1, labels[1] == 1] = 0  # a class without a document
    together = score_all([scorer], X, labels, weights, n_classes=n_classes)
    for own, counts, *scores in zip(labels, weights, *together, strict=True):
        rows = np.flatnonzero(counts)
        [fitted] = fit_scorers([scorer], X[rows], own[rows], n_classes=n_classes, weights=counts[rows])
        expected = fitted.scores(X[:, fitted.columns])
        for score, alone in zip(scores, expected, strict=True):
            np.testing.assert_allclose(score, alone, atol=2e-3)


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
        [(chosen, scores, *_)] = judge([scorer], rows, y, folds, n_classes=5)
        [fitted] = fit_scorers([chosen], rows, y, n_classes=5)
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


def test_a_step_with_scaled_terms_is_dearer(documents):
    X, y, folds = coded(documents)
    plain, scaled = judge([RidgeScorer(TERMS), ScaledRidgeScorer(TERMS)], X, y, folds, n_classes=5)
    assert scaled.work == 6 * plain.work > 0
    assert scaled.n_entries == plain.n_entries == X.nnz


def test_naive_bayes_of_two_classes_tells_more_than_a_side(documents):
    X, y, folds = coded(documents, strength=0.6)
    X, codes = X[:, :120], (y > 1).astype(int)  # without the other columns, rows are no longer of unit length
    held = ComplementScorer(slice(0, 120)).held_out(X, codes, folds, n_classes=2)
    fitted = held.fitted()
    words = normalize(X.astype(np.float64))
    theirs = ComplementNB(alpha=0.3).fit(words, codes).predict_joint_log_proba(words)
    theirs -= theirs.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(fitted.scores(X)[0], theirs, atol=1e-4)
    contributions, constant = fitted.contributions(X[[3]].astype(np.float64), np.array([2.0]))
    np.testing.assert_allclose(contributions.sum(axis=0) + constant, 2 * theirs[3], atol=1e-4)
    for train, test in folds:
        own = ComplementScorer(slice(0, 120)).fit(X[train], codes[train], n_classes=2)
        np.testing.assert_allclose(held.scores[0][test], own.scores(X[test])[0], atol=1e-4)
