"""Ridge regressions of several penalties at once, against scikit-learn's one after another."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.preprocessing import normalize

from textspace.solvers import ConvergenceError, ridge_path, ridge_predictions
from textspace.solvers import _ridge_path as module

ALPHAS = [0.1, 1.0, 30.0]


def problem(n_samples=40, n_features=60, *, n_responses=4, seed=0):
    """Give unit rows, of which one is zero, and responses that hang on the first terms."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_samples, n_features)) * (rng.random((n_samples, n_features)) < 0.4)
    X[3] = 0
    X = normalize(X)
    return X, 3 + 5 * X[:, :n_responses] + rng.normal(size=(n_samples, n_responses))


def solved(X, Y, alpha, *, scale=None, sample_weight=None):
    """Give the coefficients by scikit-learn, each response on columns of its own scale."""
    scale = np.ones((X.shape[1], Y.shape[1])) if scale is None else scale
    coefs = [
        own * Ridge(alpha=alpha, solver="svd").fit(X * own, y, sample_weight=sample_weight).coef_
        for own, y in zip(scale.T, Y.T, strict=True)
    ]
    return np.column_stack(coefs)


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array, sparse.csr_matrix])
@pytest.mark.parametrize("scaled", [False, True], ids=["alike", "scaled"])
@pytest.mark.parametrize("weighted", [False, True], ids=["even", "weighted"])
@pytest.mark.parametrize("shape", [(60, 20), (20, 60)])
def test_coefficients_equal_scikit_learns_for_every_penalty(shape, weighted, scaled, convert):
    X, Y = problem(*shape)
    rng = np.random.default_rng(1)
    scale = rng.normal(size=(shape[1], 4)) if scaled else None
    weights = rng.random(shape[0]) + 0.1 if weighted else None
    duals = ridge_path(convert(X), Y, ALPHAS, scale=scale, sample_weight=weights, tol=1e-10)
    assert duals.shape == (3, shape[0], 4)
    np.testing.assert_allclose(duals.sum(axis=1), 0, atol=1e-8)
    for alpha, dual in zip(ALPHAS, duals, strict=True):
        expected = solved(X, Y, alpha, scale=scale, sample_weight=weights)
        coef = (1 if scale is None else scale**2) * (X.T @ dual)
        np.testing.assert_allclose(coef, expected, atol=1e-7)


@pytest.mark.parametrize("n_nowhere", [0, 15])  # documents that no response learns from
@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("scaled", [False, True], ids=["alike", "scaled"])
def test_predictions_are_those_of_scikit_learn_without_the_documents_that_are_held_out(
    scaled, convert, n_nowhere
):
    X, Y = problem()
    rng = np.random.default_rng(1)
    scale = rng.normal(size=(60, 4)) if scaled else np.ones((60, 4))
    learned = (rng.random((40, 4)) < 0.7).astype(float)
    learned[:n_nowhere] = 0
    given = {"scale": scale} if scaled else {}
    found, duals = ridge_predictions(convert(X), Y, ALPHAS, sample_weight=learned, tol=1e-10, **given)
    alone = ridge_path(convert(X), Y, ALPHAS, sample_weight=learned, tol=1e-10, **given)
    np.testing.assert_allclose(duals, alone, atol=1e-10)
    for alpha, predictions in zip(ALPHAS, found, strict=True):
        for j, rows in enumerate(learned.T > 0):
            model = Ridge(alpha=alpha, solver="svd").fit(X[rows] * scale[:, j], Y[rows, j])
            np.testing.assert_allclose(predictions[:, j], model.predict(X * scale[:, j]), atol=1e-7)


@pytest.mark.parametrize("scaled", [False, True], ids=["alike", "scaled"])
def test_responses_of_the_same_weights_equal_each_with_its_own(scaled):
    X, Y = problem(n_responses=6)
    X, weights = sparse.csr_array(X), np.random.default_rng(1).random((40, 3))
    given = {"scale": np.random.default_rng(1).normal(size=(60, 6))} if scaled else {}
    together = ridge_predictions(X, Y, ALPHAS, sample_weight=weights, tol=1e-9, **given)
    alone = ridge_predictions(X, Y, ALPHAS, sample_weight=np.repeat(weights, 2, axis=1), tol=1e-9, **given)
    for found, expected in zip(together, alone, strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-7)


def test_responses_of_one_space_take_fewer_products_than_each_by_itself(monkeypatch):
    X, Y = problem(300, 400, n_responses=60)
    widths = []

    def counted(products, V, squares=None):
        widths.append(V.shape[1])
        return multiply(products, V, squares)

    multiply = module.GramProducts.__call__
    monkeypatch.setattr(module.GramProducts, "__call__", counted)
    ridge_path(X, Y, ALPHAS, tol=0.01)
    together = sum(widths)
    widths.clear()
    ridge_path(X, Y, ALPHAS, tol=0.01, sample_weight=np.ones((300, 60)))
    assert together < 0.8 * sum(widths)


def test_responses_that_depend_on_each_other_are_solved_alike():
    X, Y = problem()
    Y = np.column_stack([Y, Y[:, 0], 2 * Y[:, 1] - Y[:, 2], np.ones(40)])
    [dual] = ridge_path(X, Y, [0.1], tol=1e-8)
    np.testing.assert_allclose(dual[:, 4], dual[:, 0], atol=1e-7)
    np.testing.assert_allclose(dual[:, 5], 2 * dual[:, 1] - dual[:, 2], atol=1e-7)
    assert not dual[:, 6].any()


def test_a_term_of_scale_zero_does_not_move():
    X, Y = problem()
    scale = np.ones((60, 4))
    scale[:30, 1] = 0
    [dual] = ridge_path(X, Y, [0.5], scale=scale, tol=1e-10)
    coef = scale**2 * (X.T @ dual)
    np.testing.assert_allclose(coef[30:, 1], solved(X[:, 30:], Y[:, 1:2], 0.5)[:, 0], atol=1e-7)
    assert not coef[:30, 1].any()


def test_whole_weights_count_documents_so_often():
    X, Y = problem()
    times = np.arange(40) % 3 + 1
    [weighted] = ridge_path(X, Y, [0.5], sample_weight=times, tol=1e-10)
    [repeated] = ridge_path(np.repeat(X, times, axis=0), np.repeat(Y, times, axis=0), [0.5], tol=1e-10)
    np.testing.assert_allclose(X.T @ weighted, np.repeat(X, times, axis=0).T @ repeated, atol=1e-8)


def test_the_tolerance_bounds_the_residuals_of_all_penalties():
    X, Y = problem(300, 400)
    middle = np.eye(300) - 1 / 300
    gram = middle @ X @ X.T @ middle
    for tol in (0.1, 1e-3):
        for alpha, dual in zip(ALPHAS, ridge_path(X, Y, ALPHAS, tol=tol), strict=True):
            residuals = middle @ Y - gram @ dual - alpha * dual
            shares = np.linalg.norm(residuals, axis=0) / np.linalg.norm(middle @ Y, axis=0)
            assert shares.max() <= tol * 1.0001


def test_single_precision_stays_single_and_agrees_with_double():
    X, Y = problem()
    scale = np.random.default_rng(1).normal(size=(60, 4))
    single = ridge_path(X.astype(np.float32), Y, ALPHAS, scale=scale, tol=1e-4)
    assert single.dtype == np.float32
    double = ridge_path(X, Y, ALPHAS, scale=scale, tol=1e-10)
    np.testing.assert_allclose(single, double, atol=1e-3 * np.abs(double).max())


@pytest.mark.parametrize("scaled", [False, True], ids=["alike", "scaled"])
def test_some_responses_at_a_time_equal_all_at_once(scaled, monkeypatch):
    X, Y = problem(n_responses=20)
    given = {"scale": np.random.default_rng(1).normal(size=(60, 20))} if scaled else {}
    whole = ridge_path(X, Y, ALPHAS, tol=1e-8, **given)
    for limit, most in (("_SCALES", 2 * 60), ("_VALUES", 1)):
        monkeypatch.setattr(module, limit, most)
    np.testing.assert_allclose(ridge_path(X, Y, ALPHAS, tol=1e-8, **given), whole, atol=1e-7)


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array])
def test_documents_far_from_zero_lose_little_to_rounding(convert):
    X, Y = problem()
    near = ridge_path(X, Y, ALPHAS, tol=1e-8)
    far = ridge_path(convert((X + 1000).astype(np.float32)), Y, ALPHAS, tol=1e-3)
    np.testing.assert_allclose(far, near, atol=1e-2 * np.abs(near).max())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_samples", [7, 33, 1000])
def test_a_constant_response_has_no_coefficients(n_samples, dtype):
    X, Y = problem(n_samples)
    X[:, 1] += 1
    Y[:, 1], Y[:, 2] = 0.3, 0.0
    duals = ridge_path(X.astype(dtype), Y, ALPHAS, sample_weight=np.arange(n_samples) % 5 + 0.7)
    assert not duals[:, :, 1:3].any()
    assert duals[:, :, [0, 3]].any(axis=1).all()


def test_documents_that_do_not_vary_tell_nothing():
    Y = np.eye(7)[[5, 5, 1, 4, 5, 2, 3, 0, 6, 3]]
    held_out = 1 - np.eye(5)[np.arange(10) % 5]  # a column a fold
    means = (held_out.T @ Y / held_out.sum(axis=0)[:, None]).ravel()
    for size in range(1, 30):  # of some, rounding leaves next to nothing when the mean is taken away
        X = np.full((10, size), size**-0.5, dtype=np.float32)
        values, _ = ridge_predictions(X, np.tile(Y, 5), ALPHAS, sample_weight=held_out)
        np.testing.assert_allclose(values[0], np.tile(means, (10, 1)), atol=1e-5)


def test_says_that_weights_do_not_fit():
    X, Y = problem()
    with pytest.raises(ValueError, match="4 responses cannot share 3 weights"):
        ridge_path(X, Y, ALPHAS, sample_weight=np.ones((40, 3)))


def test_says_how_many_did_not_converge():
    X, Y = problem(300, 400)
    Y[:, 1] = 1
    message = r"3 of 4 ridge regressions did not converge to tol=1e-08 in 2 iterations: .* \(now 0.001\)"
    with pytest.raises(ConvergenceError, match=message):
        ridge_path(X, Y, [0.001, 1.0], tol=1e-8, max_iter=2)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("n_samples", "sizes", "dtype", "scaled"),
    [(5, (1e8, 1e9, 1e10, 1e11), np.float64, False), (6, (3e6, 6e6, 1e7), np.float32, True)],
)
def test_a_penalty_lost_in_rounding_is_no_solution(n_samples, sizes, dtype, scaled):
    """Without a scale a system can be singular; with one residuals can grow until they are no numbers.

    Of which documents, depends on how the processor adds up.
    """
    said = 0
    for size, seed in itertools.product(sizes, range(60)):
        rng = np.random.default_rng(seed)
        X = (size * rng.integers(0, 9, (n_samples, 3))).astype(dtype)
        scale = rng.random((3, 2)) if scaled else None
        try:
            assert np.isfinite(ridge_path(X, np.eye(2)[np.arange(n_samples) % 2], [0.3], scale=scale)).all()
        except ConvergenceError:
            said += 1
    assert said
