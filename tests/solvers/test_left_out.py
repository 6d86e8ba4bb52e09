"""Leave-one-out predictions of ridge regressions, against those of models that have not seen a document."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.preprocessing import normalize

from textspace.solvers import SpectralRidge, left_out, ridge_path
from textspace.solvers import _left_out as module

ALPHAS = [0.1, 1.0, 30.0]


def problem(n_samples=40, n_features=60, *, n_responses=4, seed=0):
    """Give unit rows, of which one is zero, and responses that hang on the first terms."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_samples, n_features)) * (rng.random((n_samples, n_features)) < 0.4)
    X[3] = 0
    X = normalize(X)
    return X, 3 + 5 * X[:, :n_responses] + rng.normal(size=(n_samples, n_responses))


def exactly_left_out(X, Y, alphas):
    spectrum = SpectralRidge(X, Y, center=True)
    return np.concatenate([predictions for _, predictions in spectrum.left_out(alphas)], axis=1)


def test_many_probes_equal_leaving_one_document_out(monkeypatch):
    monkeypatch.setattr(module, "_PROBES", 2000)
    monkeypatch.setattr(module, "_FEW", 0)
    X, Y = problem()
    predictions, _ = left_out(sparse.csr_array(X), Y, ALPHAS, tol=1e-6)
    for alpha, values in zip(ALPHAS, predictions, strict=True):
        expected = cross_val_predict(Ridge(alpha=alpha, solver="svd"), X, Y, cv=LeaveOneOut())
        assert np.abs(values - expected).max() < 0.1 * np.abs(Y - expected).max()
        assert (
            np.abs(values - Y).mean() > 1.02 * np.abs(Ridge(alpha=alpha).fit(X, Y).predict(X) - Y).mean()
        )  # those of a model that has seen the document are nearer


def test_few_documents_are_left_out_exactly():
    X, Y = problem()
    predictions, _ = left_out(sparse.csr_array(X), Y, ALPHAS, tol=1e-8)
    for alpha, values in zip(ALPHAS, predictions, strict=True):
        expected = cross_val_predict(Ridge(alpha=alpha, solver="svd"), X, Y, cv=LeaveOneOut())
        np.testing.assert_allclose(values, expected, atol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_leave_one_out_is_as_near_to_the_exact_one_as_32_probes_can_tell(dtype):
    X, Y = problem(500, 600)
    predictions, duals = left_out(X.astype(dtype), Y.astype(dtype), ALPHAS, tol=1e-3)
    assert predictions.dtype == duals.dtype == dtype
    np.testing.assert_allclose(duals, ridge_path(X, Y, ALPHAS, tol=1e-3), atol=0.01 * np.abs(duals).max())
    middle = np.eye(500) - 1 / 500
    gram = middle @ X @ X.T @ middle
    for alpha, values, dual in zip(ALPHAS, predictions, duals, strict=True):
        inverse = np.linalg.inv(gram + alpha * np.eye(500)) - 1 / (500 * alpha)
        found, exact = (dual / (Y - values))[:, 0], np.diag(inverse)
        spread = np.sqrt((np.sum(inverse**2, axis=1) - exact**2) / 32)
        inside = found < 0.999 / alpha  # not cut off
        assert inside.mean() > 0.5
        assert np.sqrt(np.mean(((found - exact) / spread)[inside] ** 2)) < 1.15
    errors = [np.mean((Y - each) ** 2) for each in predictions]
    exact = [np.mean((Y - each) ** 2) for each in exactly_left_out(X, Y, ALPHAS)]
    np.testing.assert_allclose(errors, exact, rtol=0.1)
    assert np.argmin(errors) == np.argmin(exact)


def test_the_seed_of_the_probes():
    X, Y = problem(300)
    first, second, other = (left_out(X, Y, [1.0], random_state=seed)[0] for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, second)
    assert np.any(first != other)


def test_a_document_that_stands_alone_is_left_out_with_bounds():
    # orthogonal rows and hardly a penalty: what is left of a residual is all rounding and noise of the probes
    predictions, _ = left_out(np.eye(30), np.eye(30), [1e-3, 1.0])
    assert np.isfinite(predictions).all()
    assert np.abs(predictions).max() < 1 / 0.02
