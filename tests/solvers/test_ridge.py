"""Ridge regression by products, against direct solutions."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge

from textspace.solvers import ConvergenceError, graph_ridge, ridge
from textspace.solvers._conjugate_gradients import conjugate_gradients

SHAPES = [(60, 15), (15, 60)]


def problem(n_samples, n_features, *, n_responses=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n_samples, n_features)) * (rng.random((n_samples, n_features)) < 0.4)
    return X, rng.normal(size=(n_samples, n_responses)) + 3


SOLVERS = [{"tol": 1e-10}, {"solver": "auto"}]


@pytest.mark.parametrize("settings", SOLVERS, ids=["cg", "exact"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("alpha", [0.01, 1.0, 30.0])
def test_equals_scikit_learns_ridge(shape, center, alpha, settings):
    X, Y = problem(*shape)
    coef, _ = ridge(X, Y, alpha=alpha, center=center, **settings)
    expected = Ridge(alpha=alpha, fit_intercept=center, solver="svd").fit(X, Y)
    np.testing.assert_allclose(coef, expected.coef_.T, atol=1e-7)
    if center:
        np.testing.assert_allclose(Y.mean(axis=0) - X.mean(axis=0) @ coef, expected.intercept_, atol=1e-7)


@pytest.mark.parametrize("settings", [{"tol": 1e-12}, {"solver": "auto"}], ids=["cg", "exact"])
@pytest.mark.parametrize("shape", SHAPES)
def test_without_penalty_gives_the_least_squares_solution_of_least_norm(shape, settings):
    X, Y = problem(*shape)
    X[:, 3] = X[:, 4]  # a pair of terms that cannot be told apart
    coef, _ = ridge(X, Y, alpha=0.0, **settings)
    expected = np.linalg.pinv(X - X.mean(axis=0)) @ (Y - Y.mean(axis=0))
    np.testing.assert_allclose(coef, expected, atol=1e-6)


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array])
def test_sparse_equals_dense_and_the_arguments_stay_as_they_are(container):
    X, Y = problem(40, 30)
    rows, responses = container(X), Y.copy()
    dense, _ = ridge(X, Y, alpha=0.5, tol=1e-10)
    coef, _ = ridge(rows, responses, alpha=0.5, tol=1e-10)
    np.testing.assert_allclose(coef, dense, atol=1e-8)
    np.testing.assert_array_equal(rows.toarray(), X)
    np.testing.assert_array_equal(responses, Y)


def test_a_response_does_not_depend_on_the_others_in_the_block():
    X, Y = problem(80, 50)
    Y[:, 0] = X[:, 0]  # converges at another pace than the noise beside it
    together, slowest = ridge(X, Y, alpha=0.1, tol=1e-3)
    alone = [ridge(X, Y[:, [column]], alpha=0.1, tol=1e-3) for column in range(Y.shape[1])]
    np.testing.assert_allclose(together, np.hstack([coef for coef, _ in alone]), atol=1e-10)
    assert slowest == max(n_iter for _, n_iter in alone)
    assert len({n_iter for _, n_iter in alone}) > 1


def test_dual_coefficients_follow_from_the_residual():
    X, Y = problem(20, 50)
    centred, responses = X - X.mean(axis=0), Y - Y.mean(axis=0)
    coef, _ = ridge(X, Y, alpha=2.0, tol=1e-12)
    dual = np.linalg.solve(centred @ centred.T + 2.0 * np.eye(20), responses)
    np.testing.assert_allclose((responses - centred @ coef) / 2.0, dual, atol=1e-8)


def test_float32_stays_float32_and_converges_on_large_numbers():
    X, Y = problem(200, 30)
    X = (1000 * X).astype(np.float32)  # eigenvalues up to 1e8 times alpha: the dual would not converge
    coef, _ = ridge(X, Y, alpha=1.0, tol=1e-3)
    assert coef.dtype == np.float32
    expected = Ridge(alpha=1.0).fit(X.astype(np.float64), Y).coef_.T
    np.testing.assert_allclose(coef, expected, atol=1e-2 * np.abs(expected).max())


def test_constant_responses_need_no_coefficients():
    X, Y = problem(20, 10)
    Y[:, 1] = 0.0
    coef, _ = ridge(X, Y, alpha=1.0)
    np.testing.assert_array_equal(coef[:, 1], 0.0)
    coef, n_iter = ridge(X, np.zeros((20, 2)), alpha=0.0)
    assert n_iter == 0
    np.testing.assert_array_equal(coef, 0.0)


def test_tolerance_bounds_the_gradient():
    X, Y = problem(100, 60)
    centred, responses = X - X.mean(axis=0), Y - Y.mean(axis=0)
    counts = []
    for tol in (1e-1, 1e-3, 1e-5):
        coef, n_iter = ridge(X, Y, alpha=0.1, tol=tol)
        gradient = centred.T @ (responses - centred @ coef) - 0.1 * coef
        start = np.linalg.norm(centred.T @ responses, axis=0)
        assert np.all(np.linalg.norm(gradient, axis=0) <= 1.001 * tol * start)
        counts.append(n_iter)
    assert counts == sorted(set(counts))


def test_no_convergence_raises_and_says_what_to_change():
    X, Y = problem(100, 60)
    with pytest.raises(ConvergenceError, match=r"4 of 4 .* increase alpha \(now 1e-06\), tol or max_iter"):
        ridge(X, Y, alpha=1e-6, tol=1e-8, max_iter=3)


@pytest.mark.parametrize("settings", SOLVERS, ids=["cg", "exact"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("center", [True, False])
def test_weights_equal_scikit_learns(shape, center, settings):
    X, Y = problem(*shape)
    weights = np.random.default_rng(1).random(len(X))
    coef, _ = ridge(X, Y, alpha=0.5, center=center, sample_weight=weights, **settings)
    expected = Ridge(alpha=0.5, fit_intercept=center, solver="cholesky").fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(coef, expected.coef_.T, atol=1e-7)


def test_whole_weights_are_repeated_documents_and_zero_is_none():
    X, Y = problem(30, 20)
    times = np.arange(30) % 4
    weighted, _ = ridge(sparse.csr_array(X), Y, alpha=0.5, sample_weight=times, tol=1e-10)
    repeated, _ = ridge(np.repeat(X, times, axis=0), np.repeat(Y, times, axis=0), alpha=0.5, tol=1e-10)
    np.testing.assert_allclose(weighted, repeated, atol=1e-8)


@pytest.mark.parametrize("center", [True, False])
def test_a_start_near_the_solution_saves_iterations(center):
    X, Y = problem(100, 60)
    settings = {"alpha": 0.1, "center": center, "sample_weight": np.arange(100.0)}
    exact, n_iter = ridge(X, Y, **settings, tol=1e-10)
    found, n_none = ridge(X, Y, **settings, start=exact, tol=1e-8)
    assert n_none == 0
    np.testing.assert_array_equal(found, exact)
    near = exact + 1e-6 * np.random.default_rng(0).normal(size=exact.shape)
    again, n_few = ridge(X, Y, **settings, start=near, tol=1e-10)
    assert 0 < n_few < n_iter
    np.testing.assert_allclose(again, exact, atol=1e-7)


@pytest.mark.parametrize("alpha", [0.01, 1.0])
@pytest.mark.parametrize("center", [True, False])
def test_scaled_gradients_lead_to_the_same_coefficients(monkeypatch, center, alpha):
    X, Y = problem(80, 30)
    plain, _ = ridge(X, Y, alpha=alpha, center=center, tol=1e-11)
    monkeypatch.setattr("textspace.solvers._ridge._MANY", 10)
    scaled, _ = ridge(X, Y, alpha=alpha, center=center, tol=1e-11)
    assert np.any(scaled != plain)
    np.testing.assert_allclose(scaled, plain, atol=1e-7)


def test_number_of_iterations_does_not_grow_with_very_many_documents(monkeypatch):
    """Frequent terms weigh more the more documents there are, but each gradient is divided by that."""
    monkeypatch.setattr("textspace.solvers._ridge._MANY", 100)
    rng = np.random.default_rng(0)
    n_iter = []
    for n_samples in (500, 4500):
        X = (rng.random((n_samples, 300)) < 1 / np.arange(1, 301)) * rng.uniform(0.5, 1, (n_samples, 300))
        Y = X[:, ::50] + rng.standard_normal((n_samples, 6))
        n_iter.append(ridge(sparse.csr_array(X), Y, alpha=1.0, tol=1e-3)[1])
    assert n_iter[1] <= n_iter[0]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array, sparse.csr_matrix])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_small_problems_are_solved_exactly(shape, container, dtype):
    X, Y = problem(*shape)
    X = (1000 * X).astype(dtype)  # eigenvalues up to 1e8 times alpha
    coef, n_iter = ridge(container(X), Y, alpha=1.0, solver="auto")
    expected = Ridge(alpha=1.0, solver="svd").fit(X.astype(np.float64), Y).coef_.T
    assert n_iter == 0
    assert coef.dtype == dtype
    assert np.abs(coef - expected).max() < np.sqrt(np.finfo(dtype).eps) * np.abs(expected).max()


def test_problems_with_a_longer_shorter_side_are_iterated(monkeypatch):
    X, Y = problem(60, 15)
    monkeypatch.setattr("textspace.solvers._ridge.SMALL", 14)
    assert ridge(X, Y, alpha=1.0, solver="auto")[1] > 0
    with pytest.raises(ValueError, match="solver must be 'cg' or 'auto', not 'lu'"):
        ridge(X, Y, alpha=1.0, solver="lu")


@pytest.mark.parametrize("solver", ["cg", "auto"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_features", [25, 90])
def test_errors_may_be_measured_by_a_graph(dtype, solver, n_features):
    rng = np.random.default_rng(0)
    X = sparse.random_array((60, n_features), density=0.3, rng=rng, dtype=np.float64).tocsr().astype(dtype)
    weights, Y = rng.random(60).astype(dtype), rng.standard_normal((60, 3)).astype(dtype)
    graph = sparse.diags_array(weights)
    matrix = X.toarray().T * weights @ X.toarray() + 0.5 * np.eye(n_features)
    settings = {"alpha": 0.5, "solver": solver, "tol": 1e-5, "max_iter": 100}
    coef, _ = graph_ridge(X, Y, graph, **settings)
    assert coef.dtype == dtype
    np.testing.assert_allclose(coef, np.linalg.solve(matrix, X.T @ Y), atol=1e-4)
    alone, _ = graph_ridge(X, Y[:, :1], graph, **settings)
    np.testing.assert_allclose(coef[:, :1], alone, atol=1e-4)


@pytest.mark.parametrize("solver", ["cg", "auto"])
def test_the_graph_that_takes_the_mean_away_gives_ridge_regression(solver):
    X, Y = problem(40, 25)
    Y = Y - Y.mean(axis=0)
    centre = np.eye(40) - 1 / 40
    coef, n_iter = graph_ridge(X, Y, centre, alpha=0.5, solver=solver, tol=1e-10)
    expected, n_expected = ridge(X, Y, alpha=0.5, solver=solver, tol=1e-10)
    assert n_iter == n_expected
    np.testing.assert_allclose(coef, expected, atol=1e-10)


def test_gradients_that_are_no_numbers_have_not_converged():
    def forth(V):
        return np.full_like(V, np.nan), np.ones(V.shape[1])

    with pytest.raises(ConvergenceError, match="1 of 1 ridge regressions did not converge"):
        conjugate_gradients(forth, np.copy, np.ones((3, 1)), alpha=1.0)


def test_a_penalty_lost_in_the_rounding_of_constant_columns_is_told():
    X, Y = np.full((13, 2), 1e10), np.eye(2)[np.arange(13) % 2]
    with pytest.raises(ConvergenceError, match="alpha=1 is lost in rounding: increase alpha"):
        ridge(X, Y, alpha=1.0, solver="auto")


def test_graph_that_is_not_semi_definite_is_told():
    X, Y = np.eye(2), np.array([[1.0], [1.0]])
    with pytest.raises(ConvergenceError, match="positive semi-definite"):
        graph_ridge(X, Y, sparse.diags_array([-3.0, 1.0]), alpha=1.0)  # the first direction has no curvature
