"""The error bound, against dense algebra and against what is observed."""

import numpy as np
import pytest
from scipy import sparse

from textspace.selection import TermSelector, decision_change, error_bound


def random_documents(n_samples, n_features, seed, density=0.1):
    rng = np.random.default_rng(seed)
    X = sparse.random_array((n_samples, n_features), density=density, format="csr", rng=rng)
    lengths = np.sqrt(np.maximum(X.multiply(X).sum(axis=1), 1e-12))
    return sparse.csr_array(sparse.diags_array(1 / lengths) @ X)


@pytest.fixture
def problem():
    """Give 25 training documents, their classes, and 40 others, 5 of them mixtures of training documents."""
    X_train, X = random_documents(25, 800, 0), random_documents(35, 800, 1)
    mixtures = sparse.csr_array(np.random.default_rng(2).random((5, 25))) @ X_train
    y = np.arange(25) % 3
    return X_train, y, sparse.vstack([X, mixtures], format="csr")


def dense_decisions(X_train, Y, X, lambda_):
    """Solve the dual as the paper states it: ``min ||K x - y||^2 + lambda x.T K x``."""
    kernel = X_train @ X_train.T
    coefficients = np.linalg.lstsq(kernel + lambda_ * np.eye(len(kernel)), Y, rcond=1e-12)[0]
    return X @ X_train.T @ coefficients


@pytest.mark.parametrize("lambda_", [0.0, 0.01, 0.4, 10.0])
def test_change_is_that_of_the_dense_dual(lambda_, problem):
    X_train, y, X = problem
    selector = TermSelector("weighted", n_terms=400, exact_budget=True, random_state=0).fit(X_train)
    change = decision_change(selector, X_train, y, X, lambda_=lambda_, tol=1e-10)
    Y = np.where(y[:, None] == [0, 1, 2], 1.0, -1.0)
    full = dense_decisions(X_train.toarray(), Y, X.toarray(), lambda_)
    kept_train, kept = (selector.transform(each).toarray() for each in (X_train, X))
    selected = dense_decisions(kept_train, Y, kept, lambda_)
    np.testing.assert_allclose(change.full, full, atol=1e-6)
    np.testing.assert_allclose(change.selected, selected, atol=1e-6)
    np.testing.assert_allclose(change.size, np.abs(full - selected), atol=1e-6)


def test_quantities_are_those_of_the_dense_decomposition(problem):
    X_train, _, X = problem
    selector = TermSelector("weighted", n_terms=450, exact_budget=True, random_state=0).fit(X_train)
    found = error_bound(selector, X_train, X, lambda_=0.4)
    A, Q, S = X_train.toarray().T, X.toarray(), np.diag(selector.scale_**2)
    U, values, _ = np.linalg.svd(A, full_matrices=False)
    inside = np.linalg.pinv(A) @ Q.T
    outside = Q.T - A @ inside
    assert found.condition_number == pytest.approx(values[0] / values[-1])
    assert found.largest_singular_value == pytest.approx(values[0])
    assert found.epsilon == pytest.approx(np.linalg.norm(np.eye(25) - U.T @ S @ U, 2))
    np.testing.assert_allclose(found.inside, np.linalg.norm(inside, axis=0))
    np.testing.assert_allclose(found.outside, np.linalg.norm(outside, axis=0), atol=1e-9)
    np.testing.assert_allclose(
        found.epsilon_outside[:35],
        (np.linalg.norm(U.T @ S @ outside, axis=0) / np.linalg.norm(outside, axis=0))[:35],
    )
    np.testing.assert_allclose(found.share_outside[:35], found.outside[:35] / np.linalg.norm(Q[:35], axis=1))
    np.testing.assert_array_equal(found.share_outside[35:], 0)
    epsilon = np.maximum(found.epsilon, found.epsilon_outside)
    theorem = 2 * epsilon * values[0] / values[-1] * 5 * (found.inside + found.outside / values[0])
    np.testing.assert_allclose(found.bound, theorem)


@pytest.mark.parametrize("lambda_", [0.0, 1e-3, 0.4, 30.0])
@pytest.mark.parametrize("mode", ["sample", "top"])
@pytest.mark.parametrize("seed", range(3))
def test_no_change_exceeds_the_bound(lambda_, mode, seed, problem):
    X_train, y, X = problem
    selector = TermSelector("weighted", n_terms=450, exact_budget=True, mode=mode, random_state=seed)
    found = error_bound(selector.fit(X_train), X_train, X, lambda_=lambda_)
    assert np.isfinite(found.bound).all()
    change = decision_change(selector, X_train, y, X, lambda_=lambda_, tol=1e-10).size.max(axis=1)
    assert np.all(change <= found.worst_case + 1e-6)
    assert np.all(found.worst_case <= found.bound + 1e-6)
    assert change.max() > 1e-4  # there is something to bound


@pytest.mark.parametrize("n_terms", [10, 120])
def test_worst_case_is_attained_and_needs_no_premise(n_terms, problem):
    X_train, _, X = problem
    selector = TermSelector("weighted", n_terms=n_terms, exact_budget=True, random_state=0).fit(X_train)
    found = error_bound(selector, X_train, X, lambda_=0.4)
    assert found.epsilon > 0.5
    assert np.isinf(found.bound).all()
    dense = (X_train.toarray(), X.toarray())
    kept = (selector.transform(X_train).toarray(), selector.transform(X).toarray())
    weights = [dense_decisions(train, np.eye(25), new, 0.4) for train, new in (dense, kept)]
    worst_labels = np.sign(weights[0] - weights[1])  # one labelling a document
    np.testing.assert_allclose(
        np.sum((weights[0] - weights[1]) * worst_labels, axis=1), found.worst_case, atol=1e-9
    )
    # no other labels change more
    labels = np.sign(np.random.default_rng(0).standard_normal((25, 500)))
    assert np.all(np.abs((weights[0] - weights[1]) @ labels) <= found.worst_case[:, None] + 1e-12)


def test_fewer_terms_than_documents_leave_no_bound(problem):
    X_train, _, X = problem
    selector = TermSelector("weighted", n_terms=20, mode="top").fit(X_train)
    found = error_bound(selector, X_train, X, lambda_=1.0)
    assert found.epsilon >= 1 - 1e-9
    assert np.isinf(found.bound).all()


def test_all_terms_change_nothing(problem):
    X_train, y, X = problem
    selector = TermSelector("weighted", n_terms=800).fit(X_train)
    found = error_bound(selector, X_train, X, lambda_=0.4)
    np.testing.assert_allclose(found.epsilon, 0, atol=1e-9)
    np.testing.assert_allclose(found.bound, 0, atol=1e-6)
    np.testing.assert_allclose(found.worst_case, 0, atol=1e-9)
    np.testing.assert_allclose(decision_change(selector, X_train, y, X, lambda_=0.4).size, 0, atol=1e-5)


def test_without_regularisation_documents_in_the_span_do_not_change(problem):
    X_train, _, X = problem
    selector = TermSelector("weighted", n_terms=450, exact_budget=True, random_state=0).fit(X_train)
    found = error_bound(selector, X_train, X, lambda_=0)
    np.testing.assert_array_equal(found.bound[35:], 0)
    np.testing.assert_allclose(found.worst_case[35:], 0, atol=1e-8)
    assert np.all(found.bound[:35] > 0)


def test_documents_that_occur_twice_or_are_empty(problem):
    X_train, y, X = problem
    twice = sparse.vstack([X_train, X_train[:5], sparse.csr_array((1, 800))], format="csr")
    labels = np.concatenate([y, y[:5], [0]])
    selector = TermSelector("weighted", n_terms=450, exact_budget=True, random_state=0).fit(twice)
    new = sparse.vstack([X, sparse.csr_array((1, 800))], format="csr")
    found = error_bound(selector, twice, new, lambda_=0.4)
    assert found.condition_number < 1e3
    change = decision_change(selector, twice, labels, new, lambda_=0.4).size.max(axis=1)
    assert np.all(change <= found.worst_case + 1e-5)
    assert np.all(found.worst_case <= found.bound + 1e-9)
    assert found.bound[-1] == found.share_outside[-1] == 0


def test_sparse_equals_dense_in_any_precision(problem):
    X_train, y, X = problem
    selector = TermSelector("weighted", n_terms=450, exact_budget=True, random_state=0).fit(X_train)
    expected = error_bound(selector, X_train, X, lambda_=0.4)
    for convert in (lambda X: X.toarray(), lambda X: X.astype(np.float32), sparse.csr_matrix):
        found = error_bound(selector, convert(X_train), convert(X), lambda_=0.4)
        np.testing.assert_allclose(found.bound[:35], expected.bound[:35], rtol=1e-4)
        change = decision_change(selector, convert(X_train), y, convert(X), lambda_=0.4)
        np.testing.assert_allclose(
            change.full, decision_change(selector, X_train, y, X, lambda_=0.4).full, atol=1e-4
        )


def test_bad_arguments_are_refused(problem):
    X_train, y, X = problem
    selector = TermSelector("weighted", n_terms=400).fit(X_train)
    with pytest.raises(ValueError, match="lambda_ must be zero or more, not -1"):
        error_bound(selector, X_train, X, lambda_=-1)
    with pytest.raises(ValueError, match="lambda_ must be zero or more, not -1"):
        decision_change(selector, X_train, y, X, lambda_=-1)
    with pytest.raises(ValueError, match="799 features"):
        error_bound(selector, X_train[:, :799], X[:, :799], lambda_=1)
    with pytest.raises(ValueError, match="every entry of X_train is zero"):
        error_bound(selector, 0 * X_train, X, lambda_=1)
    with pytest.raises(ValueError, match="only one class"):
        decision_change(selector, X_train, 0 * y, X, lambda_=1)
