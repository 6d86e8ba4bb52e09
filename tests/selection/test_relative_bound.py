"""Theorem 2 of the SRLS paper, against its letters and against what is observed."""

import numpy as np
import pytest

from textspace.selection import TermSelector, decision_change, relative_error_bound


@pytest.fixture
def problem():
    """Give 8 training documents over 60 terms, their classes, and 20 mixtures of them."""
    rng = np.random.default_rng(1)
    X = rng.random((8, 60))
    y = np.arange(8) % 2
    return X, y, rng.standard_normal((20, 8)) @ X


def test_gamma_is_that_of_the_theorem(problem):
    X, y, queries = problem
    selector = TermSelector("weighted", n_terms=50, mode="top").fit(X)
    found = relative_error_bound(selector, X, y, queries, lambda_=0.7)
    A, signs = X.T, np.where(y == 1, 1.0, -1.0)
    _, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    x_opt = Vt.T @ np.diag(1 / (sigma**2 + 0.7)) @ Vt @ signs  # eq. 5
    for row, q in enumerate(queries):
        alpha = np.linalg.lstsq(A, q, rcond=None)[0]
        v = np.linalg.inv(np.eye(8) + 0.7 * np.diag(sigma**-2.0)) @ Vt @ alpha
        value = q @ A @ x_opt
        assert v @ Vt @ signs == pytest.approx(value)
        gamma = np.linalg.norm(v) * np.linalg.norm(Vt @ signs) / abs(value)
        assert found.gamma[row, 1] == pytest.approx(gamma)
        assert gamma >= 1


def test_no_change_is_beyond_the_bound(problem):
    X, y, queries = problem
    scores = 1 + np.random.default_rng(2).random(60)
    selector = TermSelector(lambda X, y: scores, n_terms=56, mode="top").fit(X)
    found = relative_error_bound(selector, X, y, queries, lambda_=0.7)
    assert np.isfinite(found.bound).all()
    change = decision_change(selector, X, y, queries, lambda_=0.7, tol=1e-10)
    assert np.all(change.size <= found.bound * np.abs(change.full) + 1e-8)


def test_outside_of_the_span_there_is_no_bound(problem):
    X, y, queries = problem
    selector = TermSelector("weighted", n_terms=59, mode="top").fit(X)
    new = np.vstack([queries[:1], np.eye(60)[:1]])
    bound = relative_error_bound(selector, X, y, new, lambda_=0.7).bound
    assert np.isfinite(bound[0]).all()
    assert np.isinf(bound[1]).all()


def test_lambda_zero_is_refused(problem):
    X, y, queries = problem
    selector = TermSelector("weighted", n_terms=59, mode="top").fit(X)
    with pytest.raises(ValueError, match="above zero"):
        relative_error_bound(selector, X, y, queries, lambda_=0.0)
