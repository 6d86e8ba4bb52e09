"""Ridge regressions of many penalties at once, against one regression after another."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from textspace.solvers import ConvergenceError, KrylovRidge, SpectralRidge

ALPHAS = [30.0, 1.0, 0.03]
every_shape = pytest.mark.parametrize("shape", [(40, 15), (15, 40), (30, 30)])
with_and_without_centering = pytest.mark.parametrize("center", [True, False])


def problem(n_samples, n_features, *, n_responses=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n_samples, n_features)) * (rng.random((n_samples, n_features)) < 0.4)
    return X, rng.normal(size=(n_samples, n_responses)) + 3


def left_out(spectrum, alphas):
    return np.concatenate([predictions for _, predictions in spectrum.left_out(alphas)], axis=1)


@every_shape
@with_and_without_centering
def test_coefficients_equal_scikit_learns(shape, center):
    X, Y = problem(*shape)
    spectrum = SpectralRidge(X, Y, center=center)
    for alpha in ALPHAS:
        expected = Ridge(alpha=alpha, fit_intercept=center, solver="svd").fit(X, Y).coef_.T
        np.testing.assert_allclose(spectrum.coef(alpha), expected, atol=1e-9)


@every_shape
@with_and_without_centering
def test_leave_one_out_equals_leaving_one_document_out(shape, center):
    X, Y = problem(*shape)
    predictions = left_out(SpectralRidge(X, Y, center=center), ALPHAS)
    for alpha, values in zip(ALPHAS, predictions, strict=True):
        model = Ridge(alpha=alpha, fit_intercept=center, solver="svd")
        np.testing.assert_allclose(values, cross_val_predict(model, X, Y, cv=LeaveOneOut()), atol=1e-8)


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array])
@every_shape
@with_and_without_centering
def test_spectrum_of_sparse_documents(container, shape, center):
    X, Y = problem(*shape)
    dense = SpectralRidge(X, Y, center=center)
    ours = SpectralRidge(container(X), Y, center=center)
    np.testing.assert_allclose(ours.coef(0.5), dense.coef(0.5), atol=1e-10)
    np.testing.assert_allclose(left_out(ours, [0.5]), left_out(dense, [0.5]), atol=1e-10)


@every_shape
@with_and_without_centering
def test_no_penalty_is_the_limit_of_small_ones(shape, center):
    X, Y = problem(*shape)
    means = X.mean(axis=0) if center else 0
    expected = np.linalg.pinv(X - means) @ (Y - Y.mean(axis=0) if center else Y)
    np.testing.assert_allclose(SpectralRidge(X, Y, center=center).coef(0.0), expected, atol=1e-5)


def test_leave_one_out_without_penalty_where_documents_are_independent():
    X, Y = problem(15, 40)
    model = Ridge(alpha=1e-9, fit_intercept=False, solver="svd")
    expected = cross_val_predict(model, X, Y, cv=LeaveOneOut())
    np.testing.assert_allclose(left_out(SpectralRidge(X, Y), [0.0])[0], expected, atol=1e-4)


def test_batches_of_documents_make_no_difference(monkeypatch):
    X, Y = problem(50, 10)
    whole = left_out(SpectralRidge(X, Y, center=True), ALPHAS)
    monkeypatch.setattr("textspace.solvers._spectral_ridge._BATCH", 7)
    np.testing.assert_allclose(left_out(SpectralRidge(X, Y, center=True), ALPHAS), whole, atol=1e-12)


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array, sparse.csr_matrix])
@every_shape
@with_and_without_centering
def test_krylov_predictions_equal_scikit_learns(convert, shape, center):
    X, Y = problem(*shape)
    train = np.arange(len(X)) % 4 > 0
    path = KrylovRidge(convert(X), Y, train=train, center=center)
    for alpha in ALPHAS:
        assert path.reach(alpha, tol=1e-10)
        model = Ridge(alpha=alpha, fit_intercept=center, solver="svd").fit(X[train], Y[train])
        np.testing.assert_allclose(path.held_out(alpha), model.predict(X[~train]), atol=1e-8)


@with_and_without_centering
def test_krylov_residual_is_that_of_the_dual_and_bounds_the_error(center):
    X, Y = problem(400, 300, seed=1)
    Y = Y + 20 * X[:, :4]
    train = np.arange(len(X)) % 5 > 0
    gram = X[train] @ X[train].T
    if center:
        middle = np.eye(len(gram)) - 1 / len(gram)
        gram = middle @ gram @ middle
    responses = Y[train] - Y[train].mean(axis=0) * center
    path = KrylovRidge(X, Y, train=train, center=center)
    sizes = []
    for alpha in (100.0, 3.0, 0.1):
        assert path.reach(alpha, tol=1e-2)
        dual = path._basis[: path.n_vectors].T @ path._coefficients(alpha)
        residual = gram @ dual + alpha * dual - responses
        norms = np.linalg.norm(residual, axis=0) / np.linalg.norm(responses, axis=0)
        assert path.residual(alpha) == pytest.approx(norms.max(), rel=1e-6)
        assert norms.max() <= 1e-2
        sizes.append(path.n_vectors)
    assert sizes[0] < sizes[-1] < train.sum()  # smaller penalties need more vectors, but not all


def test_krylov_basis_stays_orthonormal_and_centred_in_single_precision():
    X, Y = problem(600, 500)
    path = KrylovRidge(X.astype(np.float32), Y, train=np.arange(600) % 5 > 0, center=True)
    path.reach(1e-3, tol=1e-4)
    basis = path._basis[: path.n_vectors].astype(np.float64)
    assert len(basis) > 200
    np.testing.assert_allclose(basis @ basis.T, np.eye(len(basis)), atol=1e-5)
    np.testing.assert_allclose(basis.sum(axis=1), 0, atol=1e-4)
    assert path.held_out(1.0).dtype == np.float32


def test_krylov_says_when_a_penalty_is_out_of_reach():
    X, Y = problem(600, 500)
    train = np.arange(600) % 5 > 0
    path = KrylovRidge(X, Y, train=train, max_vectors=80)
    assert path.reach(1e4)
    assert not path.reach(1e-4)
    assert path.n_vectors <= 80
    assert path.residual(1e-4) > 1e-2
    huge = KrylovRidge((1e5 * X).astype(np.float32), Y, train=train)
    assert huge.reach(1e10)
    assert not huge.reach(1e-3)  # eigenvalues of 1e13, known to seven digits


def test_krylov_of_constant_and_dependent_responses():
    X, Y = problem(40, 30)
    train = np.arange(40) % 4 > 0
    Y = np.column_stack([Y[:, 0], -2 * Y[:, 0], np.full(40, 3.0)])
    path = KrylovRidge(X, Y, train=train, center=True)
    assert path.reach(0.5, tol=1e-10)
    values = path.held_out(0.5)
    np.testing.assert_allclose(values[:, 1], -2 * values[:, 0])
    np.testing.assert_allclose(values[:, 2], 3)
    alone = KrylovRidge(X, Y[:, 2:], train=train, center=True)
    assert alone.reach(0.5)
    np.testing.assert_allclose(alone.held_out(0.5), 3)


@pytest.mark.parametrize("center", [False, True])
def test_weighted_predictions_are_those_of_copies(center):
    rng = np.random.default_rng(1)
    X, Y, train = rng.random((40, 15)), rng.random((40, 2)), np.arange(40) < 30
    weights = rng.integers(1, 4, 40)
    rows = np.repeat(np.arange(40), np.where(train, weights, 1))
    ours = KrylovRidge(X, Y, train=train, center=center, sample_weight=weights.astype(float))
    copied = KrylovRidge(X[rows], Y[rows], train=train[rows], center=center)
    assert ours.reach(0.5, tol=1e-8)
    assert copied.reach(0.5, tol=1e-8)
    np.testing.assert_allclose(ours.held_out(0.5), copied.held_out(0.5), atol=1e-6)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e10, 1e20])
def test_a_penalty_lost_in_rounding_is_told(size):
    X, Y = problem(6, 2)
    path = KrylovRidge(size * X, Y, train=np.arange(6) < 4)
    assert not path.reach(1.0)
    with pytest.raises(ConvergenceError, match=r"alpha=1 is lost in rounding .* increase alpha"):
        path.held_out(1.0)
