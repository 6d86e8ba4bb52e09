import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsClassifier

from textspace.graphs import relevance_graph
from textspace.kernel import KernelLRWMMC
from textspace.kernel._kernels import kernel_matrix
from textspace.linear import LRWMMC
from textspace.neighbors import class_neighbors, kernel_neighbors
from textspace.solvers import top_combinations, top_directions


def smallest_cosine(first, second):
    return np.cos(subspace_angles(first.astype(float), second.astype(float)).max())


def test_linear_kernel_is_lrwmmc(documents):
    X, y = documents
    linear, kernel = LRWMMC(5).fit(X, y), KernelLRWMMC(5, kernel="linear").fit(X, y)
    np.testing.assert_allclose(kernel.eigenvalues_, linear.eigenvalues_, rtol=1e-9)
    np.testing.assert_allclose(np.abs(kernel.transform(X)), np.abs(linear.transform(X)), atol=1e-9)


@pytest.mark.parametrize("n_samples", [900, 2500], ids=["exact", "lanczos"])
def test_linear_kernel_is_lrwmmc_on_reuters(r52, n_samples):
    X, y, test, _ = r52
    rows = np.random.default_rng(0).permutation(len(y))[:n_samples]
    settings = {"n_components": 20, "tol": 1e-3, "random_state": 0}
    linear = LRWMMC(**settings).fit(X[rows], y[rows]).transform(test)
    kernel = KernelLRWMMC(kernel="linear", **settings).fit(X[rows], y[rows]).transform(test)
    assert kernel.dtype == np.float32
    assert smallest_cosine(linear, kernel) >= 0.9999


@pytest.mark.parametrize("kernel", ["gaussian", "polynomial"])
@pytest.mark.parametrize("relevance", ["input", "kernel"])
def test_criterion_and_constraint(documents, kernel, relevance):
    X, y = documents
    fitted = KernelLRWMMC(4, kernel=kernel, sigma=1.5, n_neighbors=3, relevance=relevance).fit(X, y)
    K = kernel_matrix(X, X, kernel=kernel, sigma=1.5)
    find = class_neighbors if relevance == "input" else kernel_neighbors
    L = relevance_graph(find(X if relevance == "input" else K, y, n_neighbors=3))
    W = fitted.dual_coef_
    np.testing.assert_allclose(W.T @ K @ W, np.eye(4), atol=1e-8)
    np.testing.assert_allclose(W.T @ K @ (L @ (K @ W)), np.diag(fitted.eigenvalues_), atol=1e-7)
    reference = np.linalg.eigvals(L @ K).real
    np.testing.assert_allclose(fitted.eigenvalues_, np.sort(reference)[::-1][:4], rtol=1e-8)


def test_the_papers_coefficients(documents):
    X, y = documents
    fitted = KernelLRWMMC(4, sigma=1.5, relevance="kernel", normalize="coefficients").fit(X, y)
    K = kernel_matrix(X, X, sigma=1.5)
    L = relevance_graph(kernel_neighbors(K, y, n_neighbors=5))
    values, vectors = np.linalg.eigh(K @ (L @ K))
    np.testing.assert_allclose(fitted.eigenvalues_, values[::-1][:4])
    np.testing.assert_allclose(np.abs(fitted.dual_coef_), np.abs(vectors[:, ::-1][:, :4]), atol=1e-8)


def test_algorithm_2_as_printed(documents):
    """Regions and relevance of the images, and unit eigenvectors of K L K, pair by pair."""
    X, y = documents[0].toarray()[:50], documents[1][:50]
    k = 3
    K = np.array([[np.exp(-np.sum((a - b) ** 2) / 1.5**2) for b in X] for a in X])
    relevance = lambda i, j: K[i, j] / np.sqrt(K[i, i] * K[j, j])  # noqa: E731
    within, between = [], []
    for i in range(50):
        order = sorted((j for j in range(50) if j != i), key=lambda j: -relevance(i, j))
        within.append([j for j in order if y[j] == y[i]][:k])
        between.append([j for j in order if y[j] != y[i]][:k])
    W = np.zeros((50, 50))
    for i in range(50):
        for j in range(50):
            if j in between[i] or i in between[j]:
                W[i, j] = relevance(i, j)  # eq. 3.7
            elif j in within[i] or i in within[j]:
                W[i, j] = relevance(i, j) - 1
    L = np.diag(W.sum(axis=1)) - W
    values, alphas = np.linalg.eigh(K @ L @ K)
    settings = {"relevance": "kernel", "normalize": "coefficients", "n_neighbors": k}
    space = KernelLRWMMC(4, sigma=1.5, **settings).fit(X, y)
    np.testing.assert_allclose(space.eigenvalues_, values[::-1][:4], rtol=1e-8)
    expected = K @ alphas[:, ::-1][:, :4]
    np.testing.assert_allclose(np.abs(space.transform(X)), np.abs(expected), atol=1e-8)


def test_wide_gaussian_tends_to_the_linear_kernel(documents):
    X, y = documents
    linear = KernelLRWMMC(4, kernel="linear").fit(X, y).transform(X)
    linear -= linear.mean(axis=0)
    cosines = []
    for sigma in (1.0, 4.0, 30.0):
        wide = KernelLRWMMC(4, sigma=sigma).fit(X, y).transform(X)
        cosines.append(smallest_cosine(wide - wide.mean(axis=0), linear))
    assert cosines == sorted(cosines)
    assert cosines[-1] > 0.9999


def test_kernel_neighbors_of_a_linear_kernel_are_class_neighbors(documents):
    X, y = documents
    X = X.toarray() * np.random.default_rng(0).uniform(0.5, 2, (120, 1))
    X[7] = 0
    for found, expected in zip(
        kernel_neighbors(X @ X.T, y, n_neighbors=4), class_neighbors(X, y, n_neighbors=4), strict=True
    ):
        np.testing.assert_allclose(np.where(np.abs(found) < 1e-12, 0, found), expected, atol=1e-12)


def test_combinations_are_directions(documents):
    X, y = documents
    graph = relevance_graph(class_neighbors(X, y, n_neighbors=4))
    dense = X.toarray()
    values, combinations = top_combinations(dense @ dense.T, graph, n_components=5)
    expected_values, directions = top_directions(X, graph, n_components=5)
    np.testing.assert_allclose(values, expected_values)
    np.testing.assert_allclose(np.abs(combinations @ dense), np.abs(directions), atol=1e-9)


def test_rings_are_told_apart(rings):
    X, y = rings
    fitted = KernelLRWMMC(2, sigma=1.0).fit(X[:100], y[:100])
    nearest = KNeighborsClassifier(1).fit(fitted.transform(X[:100]), y[:100])
    assert nearest.score(fitted.transform(X[100:]), y[100:]) == 1


@pytest.mark.parametrize("relevance", ["input", "kernel"])
def test_all_documents_as_landmarks_are_exact(documents, relevance):
    X, y = documents
    settings = {"n_components": 4, "sigma": 1.5, "relevance": relevance}
    exact = KernelLRWMMC(**settings).fit(X, y)
    features = KernelLRWMMC(approximation="nystroem", n_landmarks=120, **settings).fit(X, y)
    np.testing.assert_allclose(features.eigenvalues_, exact.eigenvalues_, rtol=1e-6)
    coordinates = [each.transform(X) for each in (exact, features)]
    np.testing.assert_allclose(*[np.abs(each - each.mean(axis=0)) for each in coordinates], atol=1e-5)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kernel": "cosine"}, "'kernel' parameter"),
        ({"kernel": "polynomial", "degree": 0}, "'degree' parameter"),
        ({"relevance": "cosine"}, "'relevance' parameter"),
        ({"normalize": "alpha"}, "'normalize' parameter"),
        (
            {"normalize": "coefficients", "approximation": "nystroem", "n_landmarks": 3},
            "approximation='exact'",
        ),
        ({"approximation": "random"}, "'approximation' parameter"),
        ({"sigma": 0.0}, "'sigma' parameter"),
        ({"sigma": np.nan}, "'sigma' parameter"),
        ({"n_components": 0}, "'n_components' parameter"),
        ({"n_components": 2.5}, "'n_components' parameter"),
        ({"tol": -1}, "'tol' parameter"),
        ({"n_neighbors": 0}, "'n_neighbors' parameter"),
    ],
)
def test_bad_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        KernelLRWMMC(**settings).fit(np.eye(6), [0, 0, 0, 1, 1, 1])


def test_reuters_figures(nearest_in):
    truth, predicted = nearest_in(KernelLRWMMC(random_state=0))
    assert f1_score(truth, predicted, average="micro") >= 0.89
    assert f1_score(truth, predicted, average="macro") >= 0.54
