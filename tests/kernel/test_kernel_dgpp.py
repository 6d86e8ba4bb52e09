"""Kernel DGPP, against the matrices that the paper prints."""

import numpy as np
import pytest

from textspace.kernel import KernelDGPP, KMeansNystroem
from textspace.linear import DGPP


def printed_matrix(X, y, *, sigma2, regularization, scatter, alpha=1.0):
    """Give M of eq. 12, pair by pair; the second case of eq. 3 read as other classes.

    The paper has no weight between its terms, alpha.
    """
    n = len(y)
    H, W = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            size = np.sum(y == y[i])
            near = np.exp(-np.sum((X[i] - X[j]) ** 2) / sigma2)
            H[i, j] = near * (1 / n - 1 / size) if y[i] == y[j] else 1 / n
        others = [j for j in range(n) if y[j] == y[i] and j != i]
        # eq. 4: the local Gram matrix, with the penalty that makes it regular
        C = (X[i] - X[others]) @ (X[i] - X[others]).T + regularization * np.eye(len(others))
        w = np.linalg.solve(C, np.ones(len(others)))
        W[i, others] = w / w.sum()
    L = np.diag(H.sum(axis=1)) - H
    residual = np.eye(n) - W
    return alpha * (L @ L.T if scatter == "squared" else L) - residual.T @ residual


def gaussian(A, B, sigma):
    return np.exp(-((A[:, None] - B[None]) ** 2).sum(axis=2) / sigma**2)


def top_eigenvectors(matrix, k):
    values, vectors = np.linalg.eig(matrix)
    order = np.argsort(-values.real)[:k]
    return values.real[order], vectors.real[:, order]


@pytest.fixture
def small(documents):
    X, y = documents
    return X.toarray()[:60], y[:60], X.toarray()[60:]


@pytest.mark.parametrize("scatter", ["laplacian", "squared"])
@pytest.mark.parametrize("normalize", ["directions", "coefficients"])
def test_coordinates_are_those_of_equations_12_and_13(scatter, normalize, small):
    X, y, new = small
    settings = {"sigma2": 2.0, "regularization": 0.7, "scatter": scatter, "alpha": 1.3}
    space = KernelDGPP(3, sigma=1.5, normalize=normalize, **settings).fit(X, y)
    M = printed_matrix(X, y, **settings)
    K = gaussian(X, X, 1.5)
    values, alphas = top_eigenvectors(M @ K, 3)
    np.testing.assert_allclose(space.eigenvalues_, values, rtol=1e-7)
    lengths = alphas.T @ K @ alphas if normalize == "directions" else alphas.T @ alphas
    alphas = alphas / np.sqrt(np.diag(lengths))
    expected = gaussian(new, X, 1.5) @ alphas
    np.testing.assert_allclose(np.abs(space.transform(new)), np.abs(expected), atol=1e-7)


@pytest.mark.parametrize("normalize", ["directions", "coefficients"])
def test_nystroem_stands_for_the_kernel_in_both_equations(normalize, small):
    X, y, new = small
    settings = {"sigma": 1.5, "n_landmarks": 20, "random_state": 0}
    space = KernelDGPP(3, approximation="nystroem", normalize=normalize, **settings).fit(X, y)
    Z = KMeansNystroem(**settings).fit(X).landmarks_
    np.testing.assert_array_equal(space.X_fit_, Z)
    W_inverse = np.linalg.inv(gaussian(Z, Z, 1.5))
    E, E_new = gaussian(X, Z, 1.5), gaussian(new, Z, 1.5)
    M = printed_matrix(X, y, sigma2=5.0, regularization=1.0, scatter="laplacian")
    K = E @ W_inverse @ E.T  # eq. 19
    values, alphas = top_eigenvectors(M @ K, 3)
    np.testing.assert_allclose(space.eigenvalues_, values, rtol=1e-6)
    lengths = alphas.T @ K @ alphas if normalize == "directions" else alphas.T @ alphas
    expected = E_new @ W_inverse @ E.T @ alphas / np.sqrt(np.diag(lengths))
    np.testing.assert_allclose(np.abs(space.transform(new)), np.abs(expected), atol=1e-6)


def test_a_linear_kernel_is_dgpp(documents):
    X, y = documents
    linear, kernel = DGPP(4).fit(X, y), KernelDGPP(4, kernel="linear").fit(X, y)
    np.testing.assert_allclose(kernel.eigenvalues_, linear.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(np.abs(kernel.transform(X)), np.abs(linear.transform(X)), atol=1e-8)


def test_a_class_of_one_document(documents):
    X, y = documents
    y[0] = 7
    linear, kernel = DGPP(4).fit(X, y), KernelDGPP(4, kernel="linear").fit(X, y)
    np.testing.assert_allclose(np.abs(kernel.transform(X)), np.abs(linear.transform(X)), atol=1e-8)


def test_rings_come_apart(rings):
    X, y = rings
    space = KernelDGPP(1, sigma=1.0, alpha=2.0).fit(X[:150], y[:150])
    inner, outer = (space.transform(X[150:][y[150:] == ring]).ravel() for ring in (0, 1))
    assert inner.max() < outer.min() or outer.max() < inner.min()
