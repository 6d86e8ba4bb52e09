"""Figure 1 of the SRLS paper, against a transcription that goes term by term."""

import numpy as np
import pytest
from scipy import sparse

from textspace.classify import RLSC
from textspace.selection import SampledLeastSquares, error_bound, subspace


def figure_1(A, y, q, lambda_, p, r, draws):
    """Give x_opt, Z and f, with the paper's letters: terms are rows of A, documents its columns."""
    A_sampled, q_sampled = [], []
    for i in range(len(A)):
        chance = min(1, r * p[i])
        if draws[i] < chance:
            A_sampled.append(A[i] / np.sqrt(chance))
            q_sampled.append(q[i] / np.sqrt(chance))
    A_sampled, q_sampled = np.array(A_sampled), np.array(q_sampled)
    K = A_sampled.T @ A_sampled
    # eq. 7 as a least squares problem of stacked rows: |K x - y|^2 + lambda |A~ x|^2
    stacked = np.vstack([K, np.sqrt(lambda_) * A_sampled])
    x = np.linalg.lstsq(stacked, np.append(y, np.zeros(len(A_sampled))), rcond=1e-12)[0]
    return x, np.sum((K @ x - y) ** 2) + lambda_ * x @ K @ x, q_sampled @ A_sampled @ x


@pytest.fixture
def documents():
    rng = np.random.default_rng(0)
    X = rng.random((12, 40)) * (rng.random((12, 40)) < 0.4)
    return X, np.arange(12) % 3, rng.random((5, 40))


@pytest.mark.parametrize("lambda_", [0.0, 0.1, 2.0])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_is_the_figure_of_the_paper(lambda_, container, documents):
    X, y, queries = documents
    model = SampledLeastSquares(25, penalty=lambda_, random_state=3).fit(container(X), y)
    p = subspace(X, rank="rank") / 12
    draws = np.random.RandomState(3).random_sample(40)
    np.testing.assert_allclose(model.probabilities_, np.minimum(1, 25 * p), atol=1e-10)
    values = model.decision_function(container(queries))
    for label in range(3):
        signs = np.where(y == label, 1.0, -1.0)
        for row, query in enumerate(queries):
            x, Z, f = figure_1(X.T, signs, query, lambda_, p, 25, draws)
            assert model.Z_[label] == pytest.approx(Z, abs=1e-6)
            assert values[row, label] == pytest.approx(f, abs=1e-6)
        kernel = model.transform(X) @ model.transform(X).T
        np.testing.assert_allclose(kernel @ model.x_opt_[:, label], kernel @ x, atol=1e-6)


def test_fewer_than_r_terms_are_picked_where_one_has_a_large_share():
    X, p = np.eye(10), np.array([0.91] + [0.01] * 9)
    model = SampledLeastSquares(10, probabilities=p, random_state=0).fit(X, np.arange(10) % 2)
    np.testing.assert_allclose(model.probabilities_, [1] + [0.1] * 9)


def test_a_value_of_zero_is_positive_or_not(documents):
    X, y, _ = documents
    nothing = np.zeros((1, 40))
    labels = np.where(y == 0, "a", "b")
    yes = SampledLeastSquares(20, random_state=0).fit(X, labels)
    no = SampledLeastSquares(20, random_state=0, zero_is_positive=False).fit(X, labels)
    assert yes.decision_function(nothing) == 0
    assert (yes.predict(nothing), no.predict(nothing)) == (["b"], ["a"])
    indicators = (y[:, None] == np.arange(3)).astype(int)
    many = SampledLeastSquares(20, random_state=0).fit(X, indicators)
    np.testing.assert_array_equal(many.predict(nothing), [[1, 1, 1]])
    np.testing.assert_array_equal(many.set_params(zero_is_positive=False).predict(nothing), [[0, 0, 0]])


def test_with_every_term_certain_it_is_least_squares(documents):
    X, y, queries = documents
    model = SampledLeastSquares(40, probabilities="uniform", penalty=0.3).fit(X, y)
    same = RLSC(lambdas=0.3).fit(X, y)
    np.testing.assert_allclose(model.decision_function(queries), same.decision_function(queries), atol=1e-8)
    np.testing.assert_array_equal(model.predict(queries), same.predict(queries))


def test_without_any_term_every_value_is_zero():
    X, p = np.eye(4), [1.0, 1.0, 1.0, 1.0]
    model = SampledLeastSquares(1, probabilities=p, random_state=3)
    assert np.random.RandomState(3).random_sample(4).min() > 0.25  # so that no term is picked
    model.fit(X, [0, 0, 1, 1])
    assert model.transform(X).shape == (4, 0)
    np.testing.assert_array_equal(model.decision_function(X), 0)
    np.testing.assert_allclose(model.Z_, 4)


@pytest.mark.parametrize("wrong", [[0.5, 0.5], [1.0, -1.0, 0, 0], [np.nan, 1, 1, 1], [0, 0, 0, 0]])
def test_wrong_probabilities_are_refused(wrong):
    with pytest.raises(ValueError, match="probabilit"):
        SampledLeastSquares(probabilities=wrong).fit(np.eye(4), [0, 0, 1, 1])


def test_the_bound_takes_it(documents):
    X, y, queries = documents
    model = SampledLeastSquares(39, penalty=0.5, random_state=0).fit(X, y)
    bound = error_bound(model, X, queries, lambda_=0.5).worst_case
    full = SampledLeastSquares(40, probabilities="uniform", penalty=0.5).fit(X, y)
    change = np.abs(model.decision_function(queries) - full.decision_function(queries))
    assert np.all(change <= bound[:, None] + 1e-9)
