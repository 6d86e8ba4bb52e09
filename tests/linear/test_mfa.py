"""Marginal Fisher analysis, against dense generalised eigenvectors."""

import numpy as np
import pytest
from scipy import linalg
from scipy.linalg import subspace_angles
from sklearn.metrics.pairwise import cosine_similarity

from textspace.linear import MFA


@pytest.fixture
def documents():
    rng = np.random.default_rng(0)
    y = np.arange(150) % 3
    X = rng.random((150, 30)) + 0.8 * np.eye(30)[y]
    return X, y


def dense_laplacian(cosines, allowed, n_neighbors):
    W = np.zeros_like(cosines)
    scores = np.where(allowed, cosines, -np.inf)
    np.put_along_axis(W, np.argsort(-scores, axis=1)[:, :n_neighbors], 1.0, axis=1)
    W = np.maximum(W, W.T)
    return np.diag(W.sum(axis=1)) - W


def test_same_space_as_the_dense_problem(documents):
    X, y = documents
    cosines, same = cosine_similarity(X), y[:, None] == y
    within = dense_laplacian(cosines, same & ~np.eye(len(y), dtype=bool), 4)
    between = dense_laplacian(cosines, ~same, 9)
    values, vectors = linalg.eigh(X.T @ between @ X, X.T @ within @ X)
    fitted = MFA(5, n_neighbors=4, n_between=9).fit(X, y)
    np.testing.assert_allclose(fitted.eigenvalues_, values[::-1][:5], rtol=1e-3)
    for k in range(1, 6):
        cosine = np.cos(subspace_angles(fitted.components_[:k].T, vectors[:, ::-1][:, :k]).max())
        assert cosine > 0.9999


def test_the_papers_penalty_graph_has_the_nearest_pairs_across_the_border_of_each_class(documents):
    X, y = documents
    cosines = cosine_similarity(X)
    W = np.zeros_like(cosines)
    for label in range(3):
        inside, outside = np.flatnonzero(y == label), np.flatnonzero(y != label)
        pairs = sorted(((i, j) for i in inside for j in outside), key=lambda pair: -cosines[pair])
        for i, j in pairs[:20]:
            W[i, j] = W[j, i] = 1
    between = np.diag(W.sum(axis=1)) - W
    within = dense_laplacian(cosines, (y[:, None] == y) & ~np.eye(len(y), dtype=bool), 4)
    values, vectors = linalg.eigh(X.T @ between @ X, X.T @ within @ X)
    fitted = MFA(3, n_neighbors=4, n_between=20, penalty="classes").fit(X, y)
    np.testing.assert_allclose(fitted.eigenvalues_, values[::-1][:3], rtol=1e-3)
    assert np.cos(subspace_angles(fitted.components_.T, vectors[:, ::-1][:, :3]).max()) > 0.9999


def test_planted_direction_is_found():
    """Two classes that differ along one direction, beneath a far larger spread along another."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 6)) * [0.3, 6, 0.3, 0.3, 0.3, 0.3] + [10, 0, 10, 0, 0, 0]
    y = np.arange(200) % 2
    X[:, 0] += np.where(y, 4, -4)
    assert MFA(1).fit(X, y).components_[0, 0] > 0.99


def test_regularization_shrinks_the_ratio(documents):
    X, y = documents
    tops = [MFA(1, regularization=share).fit(X, y).eigenvalues_[0] for share in (1e-6, 0.1, 10)]
    assert tops[0] > tops[1] > tops[2] > 0


def test_small_classes_are_no_trouble(documents):
    X, y = documents
    y = np.where(np.arange(150) < 2, 7, y)  # a class of two documents
    y[2] = 9  # and one of a single document
    assert np.isfinite(MFA(3).fit(X, y).components_).all()


def test_bad_arguments_are_refused(documents):
    X, y = documents
    for name in ("n_components", "n_neighbors", "n_between", "n_latent", "regularization"):
        with pytest.raises(ValueError, match=f"'{name}' parameter of MFA must be"):
            MFA(**{name: 0}).fit(X, y)
    with pytest.raises(ValueError, match="no ratio"):
        MFA(1).fit(np.eye(3), [0, 1, 2])  # nobody has a friend


def test_capped_with_a_warning(documents):
    with pytest.warns(UserWarning, match="the latent space has 30 dimensions"):
        fitted = MFA(100).fit(*documents)
    assert fitted.components_.shape == (30, 30)


def test_reuters_figures(nearest_in):
    mfa = MFA(random_state=0)
    truth, predicted = nearest_in(mfa)
    assert np.mean(predicted == truth) >= 0.87
    assert mfa.components_.dtype == np.float32
