"""Semi-supervised discriminant analysis, against the eigenproblem that it avoids."""

import numpy as np
import pytest
from scipy import linalg, sparse
from scipy.linalg import subspace_angles

from textspace.linear import SDA, SpectralRegressionLDA
from textspace.linear._sda import scatter_graph
from textspace.solvers import ConvergenceError


def documents(n_samples=120, n_features=50, n_classes=4, seed=0):
    """Give sparse rows of some classes, and labels of which two in three are missing."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    X = rng.random((n_samples, n_features)) * (rng.random((n_samples, n_features)) < 0.15)
    X[np.arange(n_samples), rng.integers(0, 8, n_samples) + 8 * y] += 1
    return sparse.csr_array(X), np.where(rng.permutation(n_samples) < n_samples // 3, y, -1)


def reference(X, y, *, smoothness, alpha, n_neighbors, weights):
    """Write the generalised eigenproblem of Cai, He & Han (2007) out; eigenvalues and vectors descending."""
    X = X.toarray()
    labelled = X[y >= 0]
    centred = labelled - labelled.mean(axis=0)
    between = np.zeros((X.shape[1], X.shape[1]))
    for label in np.unique(y[y >= 0]):
        mean = centred[y[y >= 0] == label].mean(axis=0)
        between += np.sum(y == label) * np.outer(mean, mean)
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    penalty = np.zeros_like(between)
    nearest = np.argsort(-(unit @ unit.T - 2 * np.eye(len(X))), axis=1)[:, :n_neighbors]
    pairs = {(min(i, j), max(i, j)) for i in range(len(X)) for j in nearest[i]}
    for i, j in pairs:
        weight = unit[i] @ unit[j] if weights == "cosine" else 1.0
        penalty += weight * np.outer(X[i] - X[j], X[i] - X[j])
    total = centred.T @ centred + smoothness * penalty + alpha * np.eye(len(between))
    values, vectors = linalg.eigh(between, total)
    return values[::-1], vectors[:, ::-1]


@pytest.mark.parametrize("n_features", [50, 300])
@pytest.mark.parametrize("smoothness", [0.0, 0.01, 1.0])
@pytest.mark.parametrize(("alpha", "weights"), [(0.1, "cosine"), (2.0, "cosine"), (2.0, "binary")])
def test_solves_the_eigenproblem_of_the_paper(smoothness, alpha, weights, n_features):
    X, y = documents(n_features=n_features)
    settings = {"smoothness": smoothness, "alpha": alpha, "n_neighbors": 4, "weights": weights}
    fitted = SDA(**settings).fit(X, y)
    values, vectors = reference(X, y, **settings)
    assert fitted.n_iter_ == 1
    assert fitted.components_.shape == (3, n_features)
    np.testing.assert_allclose(fitted.eigenvalues_, values[:3], atol=1e-8)
    np.testing.assert_allclose(fitted.components_ @ fitted.components_.T, np.eye(3), atol=1e-12)
    for size in (1, 2, 3):
        assert subspace_angles(fitted.components_[:size].T, vectors[:, :size]).max() < 1e-6


@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_without_smoothness_equals_discriminant_analysis_of_labelled_rows(alpha):
    X, y = documents()
    ours = SDA(0.0, alpha=alpha).fit(X, y)
    theirs = SpectralRegressionLDA(alpha=alpha).fit(X[y >= 0], y[y >= 0])
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-7)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, atol=1e-8)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-6)


def test_larger_problems_are_solved_to_the_tolerance(monkeypatch):
    X, y = documents()
    exact = SDA(0.1).fit(X, y).components_
    monkeypatch.setattr("textspace.solvers._ridge.SMALL", 10)
    for tol, angle in ((1e-2, 0.04), (1e-12, 1e-9)):
        fitted = SDA(0.1, tol=tol).fit(X, y)
        assert fitted.n_iter_ > 1
        assert subspace_angles(fitted.components_.T, exact.T).max() < angle
    with pytest.raises(ConvergenceError, match="increase alpha"):
        SDA(alpha=1e-6, tol=1e-8, max_iter=2).fit(X, y)


def test_the_graph_is_the_scatter_of_labelled_rows_and_the_laplacian():
    rng = np.random.default_rng(0)
    X, labelled = rng.random((9, 4)), np.arange(9) % 3 > 0
    ties = sparse.csr_array(np.triu(rng.random((9, 9)), 1))
    ties = ties + ties.T
    total = np.cov(X[labelled].T, bias=True) * labelled.sum()
    expected = total + 0.3 * X.T @ (np.diag(ties.sum(axis=1)) - ties.toarray()) @ X
    np.testing.assert_allclose(X.T @ (scatter_graph(labelled, ties, smoothness=0.3) @ X), expected)


def test_terms_in_which_like_documents_differ_count_less():
    rng = np.random.default_rng(0)
    y = np.append(np.repeat(["a", "b"], 5), [""] * 70)
    side = np.append(np.repeat([0, 1], 5), rng.integers(0, 2, 70))
    X = np.column_stack([3 * side, 3 - 3 * side, rng.standard_normal(80)])
    X[:10, 2] = side[:10]  # what the labelled documents say of the third term is chance
    weights = [np.abs(SDA(smoothness).fit(X, y).components_[0, 2]) for smoothness in (0.0, 0.1, 1.0)]
    assert weights[0] > 0.15
    assert weights[0] > 3 * weights[1] > 9 * weights[2]


@pytest.mark.parametrize("mark", ["", None, np.nan, -1], ids=str)
def test_every_mark_of_unlabelled_rows_gives_the_same(mark):
    X, y = documents(n_classes=3)
    expected = SDA().fit(X, y)
    words = ["zinc" if code == 0 else "corn" if code == 1 else "gold" if code == 2 else mark for code in y]
    fitted = SDA().fit(X, words)
    np.testing.assert_allclose(fitted.components_, expected.components_, atol=1e-6)
    assert fitted.classes_.tolist() == ["corn", "gold", "zinc"]


def test_all_rows_labelled_works():
    X, y = documents()
    assert SDA().fit(X, np.arange(len(y)) % 4).components_.shape == (3, 50)


def test_empty_documents_change_nothing():
    X, y = documents()
    padded = sparse.vstack([X, sparse.csr_array((5, X.shape[1]))], format="csr")
    fitted = SDA().fit(padded, np.append(y, [-1] * 5))
    np.testing.assert_allclose(fitted.components_, SDA().fit(X, y).components_, atol=1e-6)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.full(120, -1), "no label"),
        (np.where(np.arange(120) < 9, 4, -1), "only one class, '4'"),
        (np.array(["a", "b", None] + [""] * 117, dtype=object), "in different ways"),
    ],
    ids=["none", "one class", "two marks"],
)
def test_labels_that_do_not_serve_are_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        SDA().fit(documents()[0], labels)


@pytest.mark.parametrize(
    ("name", "value"),
    [("smoothness", -1.0), ("alpha", -1.0), ("n_neighbors", 0), ("tol", 0.0), ("max_iter", 0)],
)
def test_bad_arguments_are_refused(name, value):
    with pytest.raises(ValueError, match=f"'{name}' parameter of SDA must be"):
        SDA(**{name: value}).fit(*documents())
