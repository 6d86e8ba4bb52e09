"""Regularised least squares classification, against scikit-learn's ridge regressions."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import Ridge, RidgeClassifier, RidgeCV
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import LeaveOneOut, PredefinedSplit, cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.utils.class_weight import compute_sample_weight

from textspace._folds import deal_folds
from textspace.classify import RLSC
from textspace.classify import _rlsc as module
from textspace.classify._penalty_search import micro_f1, tally
from textspace.solvers import ConvergenceError
from textspace.text import VectorSpace

LAMBDAS = np.geomspace(0.03, 30, 5)
with_and_without_intercept = pytest.mark.parametrize("fit_intercept", [True, False])


def documents(n_samples=90, n_features=150, n_classes=4, seed=0):
    """Give unit rows of classes that share most of their terms, and string labels."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_samples)
    X = rng.random((n_samples, n_features)) * (rng.random((n_samples, n_features)) < 0.1)
    X[np.arange(n_samples)[:, None], rng.integers(0, 10, (n_samples, 2)) + 10 * y[:, None]] += 0.8
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return sparse.csr_array(X), np.array([f"class {each}" for each in y])


def responses(y):
    return np.where(y[:, None] == np.unique(y), 1.0, -1.0)


def indicators(n_samples, n_labels=3, seed=1):
    return np.random.default_rng(seed).integers(0, 2, (n_samples, n_labels))


def iterate(monkeypatch):
    """Let small problems be solved like large ones."""
    monkeypatch.setattr(module, "_EXACT", 0)


@with_and_without_intercept
@pytest.mark.parametrize("shape", [(90, 150), (150, 90)])
def test_every_class_and_lambda_equals_scikit_learns_ridge(shape, fit_intercept):
    X, y = documents(*shape)
    for lambda_ in LAMBDAS:
        ours = RLSC(lambda_, fit_intercept=fit_intercept).fit(X, y)
        for position, label in enumerate(ours.classes_):
            theirs = Ridge(lambda_, fit_intercept=fit_intercept, solver="svd")
            theirs.fit(X.toarray(), np.where(y == label, 1.0, -1.0))
            np.testing.assert_allclose(ours.coef_[position], theirs.coef_, atol=1e-6)
            np.testing.assert_allclose(ours.intercept_[position], theirs.intercept_, atol=1e-6)


@with_and_without_intercept
def test_leave_one_out_curves_equal_leaving_one_document_out(fit_intercept):
    X, y = documents(40, 60)
    ours = RLSC(LAMBDAS, fit_intercept=fit_intercept).fit(X, y)
    np.testing.assert_allclose(ours.lambdas_, LAMBDAS)
    for lambda_, score, error in zip(LAMBDAS, ours.scores_, ours.errors_, strict=True):
        model = Ridge(lambda_, fit_intercept=fit_intercept, solver="svd")
        values = cross_val_predict(model, X.toarray(), responses(y), cv=LeaveOneOut())
        assert error == pytest.approx(np.mean((values - responses(y)) ** 2), abs=1e-9)
        assert score == pytest.approx(f1_score(responses(y) > 0, values > 0, average="micro"))
    assert ours.lambda_ == LAMBDAS[ours.scores_.argmax()]


@with_and_without_intercept
def test_squared_error_chooses_as_scikit_learns_leave_one_out(fit_intercept):
    X, y = documents()
    ours = RLSC(LAMBDAS, criterion="squared_error", fit_intercept=fit_intercept).fit(X, y)
    theirs = RidgeCV(LAMBDAS, fit_intercept=fit_intercept).fit(X.toarray(), responses(y))
    assert ours.lambda_ == theirs.alpha_
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)
    assert ours.errors_.min() == pytest.approx(-theirs.best_score_)


@with_and_without_intercept
def test_predicts_as_scikit_learns_ridge_classifier(fit_intercept):
    X, y = documents()
    ours = RLSC(0.5, fit_intercept=fit_intercept).fit(X, y)
    theirs = RidgeClassifier(0.5, fit_intercept=fit_intercept).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-3)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@with_and_without_intercept
@pytest.mark.parametrize("criterion", ["micro_f1", "squared_error"])
def test_krylov_curves_equal_one_ridge_regression_a_fold(fit_intercept, criterion, monkeypatch):
    iterate(monkeypatch)
    monkeypatch.setattr("textspace.classify._penalty_search._TOLERANCE", 1e-8)
    X, y = documents(250, 300)
    ours = RLSC(LAMBDAS, fit_intercept=fit_intercept, criterion=criterion, tol=1e-8).fit(X, y)
    folds = deal_folds(5, y, n_samples=250)
    values = np.empty((len(LAMBDAS), *responses(y).shape))
    for fold in range(5):
        train = folds != fold
        for lambda_, each in zip(LAMBDAS, values, strict=True):
            model = Ridge(lambda_, fit_intercept=fit_intercept, solver="svd")
            each[~train] = model.fit(X[train].toarray(), responses(y)[train]).predict(X[~train].toarray())
    scores = np.array([f1_score(responses(y) > 0, each > 0, average="micro") for each in values])
    errors = np.mean((values - responses(y)) ** 2, axis=(1, 2))
    tried = np.isfinite(ours.scores_)
    assert tried.sum() >= 3
    np.testing.assert_allclose(ours.scores_[tried], scores[tried])
    np.testing.assert_allclose(ours.errors_[tried], errors[tried], rtol=1e-6)
    best = scores.argmax() if criterion == "micro_f1" else errors.argmin()
    assert ours.lambda_ == pytest.approx(LAMBDAS[best])
    exact = Ridge(ours.lambda_, fit_intercept=fit_intercept, solver="svd").fit(X.toarray(), responses(y))
    np.testing.assert_allclose(ours.coef_, exact.coef_, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, exact.intercept_, atol=1e-6)


def test_small_lambdas_are_left_out_openly(monkeypatch):
    iterate(monkeypatch)
    X, y = documents(400, 500)
    ours = RLSC(np.geomspace(1e-4, 1e3, 15)).fit(X, y)
    untried = np.isnan(ours.scores_)
    assert untried.any()
    assert np.all(np.diff(untried.astype(int)) <= 0)  # the smallest ones
    np.testing.assert_array_equal(untried, np.isnan(ours.errors_))
    assert ours.lambda_ == ours.lambdas_[np.nanargmax(ours.scores_)]


def test_the_search_passes_penalties_that_decide_for_the_larger_class_alone(monkeypatch):
    iterate(monkeypatch)
    X, y = documents(300, 200, n_classes=4)
    y = np.where(y == "class 0", "small", "large")
    ours = RLSC(np.geomspace(0.1, 1e5, 13)).fit(X, y)
    share = np.mean(y == "large")
    np.testing.assert_allclose(ours.scores_[-6:], share)  # nothing changes there
    assert np.nanmax(ours.scores_) > share + 0.05
    assert ours.lambda_ < 10


def test_a_full_space_that_ends_the_search_is_reported(monkeypatch):
    iterate(monkeypatch)
    monkeypatch.setattr(
        "textspace.classify._penalty_search.KrylovRidge.reach", lambda path, alpha, tol: alpha >= 1
    )
    X, y = documents(400, 500)
    with pytest.warns(UserWarning, match="lambda = 1 did best, but the 2 smaller ones could not be solved"):
        RLSC([0.01, 0.1, 1.0, 10.0]).fit(X, y)
    with pytest.raises(ConvergenceError, match=r"no penalty up to 0\.5 could be solved"):
        RLSC([0.1, 0.5]).fit(X, y)


@pytest.mark.slow
def test_many_classes_are_searched_in_groups(monkeypatch):
    iterate(monkeypatch)
    X, y = documents(400, 300, n_classes=12)
    whole = RLSC(LAMBDAS).fit(X, y)
    monkeypatch.setattr("textspace.classify._penalty_search._GROUP", 5)
    grouped = RLSC(LAMBDAS).fit(X, y)
    tried = np.isfinite(whole.scores_) & np.isfinite(grouped.scores_)
    assert tried.sum() >= 3
    np.testing.assert_allclose(grouped.scores_[tried], whole.scores_[tried], atol=1e-2)
    np.testing.assert_allclose(grouped.errors_[tried], whole.errors_[tried], rtol=1e-2)


def test_folds_of_few_terms_with_an_intercept():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 120)
    X = 2 * rng.normal(size=(3, 2))[y] + rng.normal(size=(120, 2))  # centred responses are dependent
    ours = RLSC(LAMBDAS, cv=4, fit_intercept=True).fit(X, y)
    folds = deal_folds(4, y, n_samples=120)
    tried = np.isfinite(ours.errors_)
    assert tried.sum() >= 3
    for lambda_, error in zip(LAMBDAS[tried], ours.errors_[tried], strict=True):
        values = cross_val_predict(Ridge(lambda_), X, responses(y), cv=PredefinedSplit(folds))
        assert error == pytest.approx(np.mean((values - responses(y)) ** 2), rel=1e-2)


@with_and_without_intercept
def test_a_class_of_one_document_is_missing_from_a_fold(fit_intercept, monkeypatch):
    iterate(monkeypatch)
    X, y = documents(200, 150)
    y[17] = "alone"
    ours = RLSC(LAMBDAS, fit_intercept=fit_intercept).fit(X.astype(np.float32), y)
    assert np.isfinite(ours.coef_).all()
    assert np.isfinite(ours.scores_).sum() >= 3


def test_two_classes_have_one_function():
    X, y = documents(40, 60, n_classes=2)
    ours = RLSC(LAMBDAS).fit(X, y)
    assert ours.coef_.shape == (1, 60)
    assert ours.decision_function(X).shape == (40,)
    np.testing.assert_array_equal(ours.predict(X) == ours.classes_[1], ours.decision_function(X) > 0)
    for lambda_, score in zip(LAMBDAS, ours.scores_, strict=True):
        model = Ridge(lambda_, fit_intercept=False, solver="svd")
        values = cross_val_predict(model, X.toarray(), np.where(y == "class 1", 1, -1), cv=LeaveOneOut())
        assert score == pytest.approx(accuracy_score(y == "class 1", values > 0))


@pytest.mark.parametrize(
    "convert", [np.asarray, sparse.csr_matrix, sparse.csr_array, lambda y: y.astype(bool)]
)
def test_several_labels_a_document(convert):
    X, _ = documents()
    Y = indicators(90)
    ours = RLSC(0.5).fit(X, convert(Y))
    np.testing.assert_array_equal(ours.classes_, [0, 1, 2])
    theirs = OneVsRestClassifier(RLSC(0.5)).fit(X, Y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-10)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_several_labels_a_document_by_folds(monkeypatch):
    iterate(monkeypatch)
    X, y = documents(300, 200)
    Y = (responses(y) > 0).astype(int)
    Y[::7] = 0  # documents of no class
    Y[::5, 1] = 1  # and of several
    Y = np.column_stack([Y, np.zeros(300, dtype=int)])  # a class without documents
    ours = RLSC(LAMBDAS).fit(X, Y)
    assert np.nanmax(ours.scores_) > 0.5
    assert ours.predict(X).shape == Y.shape
    assert not ours.predict(X)[:, -1].any()


def test_ties_go_to_the_smaller_squared_error():
    X = np.eye(6)[:, :3] + np.eye(6)[:, 3:]
    X[3:, :] = np.eye(3) * 2
    y = np.array([0, 0, 1, 0, 0, 1])
    ours = RLSC(LAMBDAS).fit(X, y)
    assert len(set(ours.scores_)) == 1
    assert ours.lambda_ == LAMBDAS[ours.errors_.argmin()]


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array])
def test_sparse_equals_dense(container):
    X, y = documents()
    dense = RLSC().fit(X.toarray(), y)
    ours = RLSC().fit(container(X), y)
    assert ours.lambda_ == dense.lambda_
    np.testing.assert_allclose(ours.coef_, dense.coef_, atol=1e-10)
    np.testing.assert_allclose(ours.decision_function(X), dense.decision_function(X.toarray()), atol=1e-10)


@pytest.mark.parametrize("large", [True, False])
def test_single_precision_stays_and_agrees(large, monkeypatch):
    if large:
        iterate(monkeypatch)
    X, y = documents(300, 400)
    double, single = (RLSC(LAMBDAS, tol=1e-4).fit(X.astype(dtype), y) for dtype in (np.float64, np.float32))
    assert single.coef_.dtype == single.decision_function(X.astype(np.float32)).dtype == np.float32
    assert single.lambda_ == double.lambda_
    np.testing.assert_allclose(single.coef_, double.coef_, atol=5e-3)


def test_empty_documents_have_the_value_zero_and_do_no_harm():
    X, y = documents()
    X = sparse.vstack([X, sparse.csr_array((3, 150))], format="csr")
    y = np.concatenate([y, y[:3]])
    values = RLSC().fit(X, y).decision_function(X)
    assert np.isfinite(values).all()
    np.testing.assert_array_equal(values[-3:], 0)


def test_no_penalty_interpolates_where_terms_are_many():
    X, y = documents(40, 200)
    values = RLSC(0.0).fit(X, y).decision_function(X)
    np.testing.assert_allclose(values, responses(y), atol=1e-6)
    assert np.isfinite(RLSC([0.0, 1.0]).fit(X, y).errors_).all()


def test_one_lambda_needs_no_search():
    X, y = documents()
    ours = RLSC(0.3).fit(X, y)
    assert ours.lambda_ == 0.3
    assert np.isnan(ours.scores_).all()
    np.testing.assert_array_equal(ours.coef_, RLSC([0.3]).fit(X, y).coef_)


def test_folds_spread_every_class():
    y = np.repeat([2, 0, 1], [13, 26, 4])
    folds = deal_folds(5, y, n_samples=43)
    np.testing.assert_allclose(np.bincount(folds), 43 / 5, atol=1)
    for label in range(3):
        counts = np.bincount(folds[y == label], minlength=5)
        assert counts.max() - counts.min() <= 1


def test_tally_adds_up_to_micro_f1():
    rng = np.random.default_rng(0)
    values, truth = rng.normal(size=(3, 50, 4)), np.where(rng.random((50, 4)) < 0.3, 1.0, -1.0)
    counts = tally(values[:, :20], truth[:20], np.ones(20)) + tally(values[:, 20:], truth[20:], np.ones(30))
    expected = [f1_score(truth > 0, each > 0, average="micro") for each in values]
    np.testing.assert_allclose(micro_f1(counts), expected)
    np.testing.assert_allclose(counts[:, 3], np.sum((values - truth) ** 2, axis=(1, 2)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"lambdas": -1}, "'lambdas' parameter of RLSC must be .* Got -1"),
        ({"lambdas": [1, -0.5]}, "at least 0, but there is -0.5"),
        ({"lambdas": np.nan}, "'lambdas' parameter of RLSC must be .* Got nan"),
        ({"lambdas": [1, np.inf]}, "finite and at least 0, but there is inf"),
        ({"lambdas": []}, "a number or a list of numbers"),
        ({"lambdas": "auto"}, "'lambdas' parameter of RLSC must be .* Got 'auto'"),
        ({"fit_intercept": "no"}, "'fit_intercept' parameter"),
        ({"criterion": "accuracy"}, "'criterion' parameter of RLSC must be a str among"),
        ({"cv": 1}, r"'cv' parameter of RLSC must be an int in the range \[2"),
        ({"cv": 91}, "90 documents cannot be dealt into cv=91 folds"),
        ({"tol": 0}, "'tol' parameter"),
    ],
)
def test_bad_settings_are_named(settings, message):
    X, y = documents()
    with pytest.raises(ValueError, match=message):
        RLSC(**settings).fit(X, y)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.full(90, "only"), "only one class: 'only'"),
        (np.linspace(0, 1, 90), "Unknown label type: continuous"),
        (np.arange(270).reshape(90, 3) % 3, "its values must be 0 and 1"),
        (2 * indicators(90), r"holds 0 and 1, but this one has \[0 2\]"),
    ],
)
def test_bad_labels_are_named(y, message):
    X, _ = documents()
    with pytest.raises(ValueError, match=message):
        RLSC().fit(X, y)


def test_clone_and_pickle():
    X, y = documents()
    fitted = RLSC(lambdas=[0.1, 1.0]).fit(X, y)
    assert clone(fitted).get_params() == fitted.get_params()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X), fitted.predict(X))


def test_reuters(corpus_or_skip):
    corpus = corpus_or_skip("reuters-r52")
    vectors = VectorSpace().fit(corpus.train.texts)
    X, new = vectors.transform(corpus.train.texts), vectors.transform(corpus.test.texts)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = RLSC(np.geomspace(0.2, 5, 6)).fit(X, corpus.train.labels)
    truth = corpus.test.labels[:, None] == model.classes_
    assert f1_score(truth, model.decision_function(new) > 0, average="micro") >= 0.925
    assert np.mean(model.predict(new) == corpus.test.labels) >= 0.94


@pytest.fixture
def weighted():
    """Give documents, their classes, weights that are whole numbers, and the rows that these stand for."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 60)
    X = rng.random((60, 90)) * (rng.random((60, 90)) < 0.2) + np.eye(3, 90)[y]
    weights = rng.integers(0, 4, 60)
    return X, y, weights, np.repeat(np.arange(60), weights)


@pytest.mark.parametrize("n_terms", [90, 20], ids=["more terms", "more documents"])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_a_document_of_weight_two_is_there_twice(weighted, n_terms, fit_intercept):
    X, y, weights, rows = weighted
    X = sparse.csr_array(X[:, :n_terms])
    ours = RLSC(fit_intercept=fit_intercept).fit(X, y, sample_weight=weights)
    copied = RLSC(fit_intercept=fit_intercept).fit(X[rows], y[rows])
    assert ours.lambda_ == copied.lambda_
    np.testing.assert_allclose(ours.scores_, copied.scores_, atol=1e-9)  # leave-one-out of the copies
    np.testing.assert_allclose(ours.errors_, copied.errors_, atol=1e-9)
    np.testing.assert_allclose(ours.coef_, copied.coef_, atol=1e-9)
    np.testing.assert_allclose(ours.intercept_, copied.intercept_, atol=1e-9)


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_weights_count_where_problems_are_large(weighted, fit_intercept, monkeypatch):
    X, y, weights, rows = weighted
    monkeypatch.setattr("textspace.classify._rlsc._EXACT", 10)
    ours = RLSC(1.0, fit_intercept=fit_intercept, tol=1e-8).fit(X, y, sample_weight=weights)
    copied = RLSC(1.0, fit_intercept=fit_intercept, tol=1e-8).fit(X[rows], y[rows])
    np.testing.assert_allclose(ours.coef_, copied.coef_, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, copied.intercept_, atol=1e-6)
    kept = weights > 0
    chosen = RLSC(cv=3, fit_intercept=fit_intercept).fit(X[kept], y[kept], sample_weight=weights[kept])
    assert np.isfinite(chosen.errors_).any()


def test_fractions_of_documents_lie_between(weighted):
    X, y, _, _ = weighted
    half = RLSC(2.0).fit(X, y, sample_weight=np.full(60, 0.5))
    np.testing.assert_allclose(half.coef_, RLSC(4.0).fit(X, y).coef_, atol=1e-9)


def test_balanced_classes_count_alike(weighted):
    X, y, _, _ = weighted
    y = np.where(np.arange(60) < 50, 0, y)  # few of the others
    balanced = RLSC(1.0, class_weight="balanced").fit(X, y)
    by_hand = RLSC(1.0).fit(X, y, sample_weight=compute_sample_weight("balanced", y))
    np.testing.assert_allclose(balanced.coef_, by_hand.coef_)
    plain, balanced = (RLSC(100.0, class_weight=each).fit(X, y) for each in (None, "balanced"))
    assert np.mean(balanced.predict(X) == 0) < np.mean(plain.predict(X) == 0)


def test_weights_that_cannot_be_get_a_sentence(weighted):
    X, y, _, _ = weighted
    with pytest.raises(ValueError, match="non-zero"):
        RLSC().fit(X, y, sample_weight=np.zeros(60))
    with pytest.raises(ValueError, match="class_weight is for one class a document"):
        RLSC(class_weight="balanced").fit(X, np.eye(3, dtype=int)[y])
