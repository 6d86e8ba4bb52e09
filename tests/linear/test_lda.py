"""Spectral regression LDA, against the eigenproblem that it avoids and scikit-learn's LDA."""

import numpy as np
import pytest
from scipy import linalg, sparse
from scipy.linalg import subspace_angles
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from textspace.linear import SpectralRegressionLDA
from textspace.solvers import ConvergenceError


def dense_documents(n_samples=150, n_features=12, n_classes=4, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_samples)
    mixing = rng.normal(size=(n_features, n_features))
    return (
        rng.normal(size=(n_samples, n_features)) + rng.normal(size=(n_classes, n_features))[y]
    ) @ mixing, y


def sparse_documents(n_samples=60, n_features=200, n_classes=5, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    X = rng.random((n_samples, n_features)) * (rng.random((n_samples, n_features)) < 0.05)
    X[np.arange(n_samples), rng.integers(0, 8, n_samples) + 8 * y] += 1
    return sparse.csr_array(X), y


def scatter_matrices(X, y):
    means = np.array([X[y == label].mean(axis=0) for label in np.unique(y)])
    between = (means - X.mean(axis=0)).T * np.bincount(y) @ (means - X.mean(axis=0))
    centred = X - X.mean(axis=0)
    return between, centred.T @ centred


def test_without_penalty_spans_lda_direction_by_direction():
    X, y = dense_documents()
    ours = SpectralRegressionLDA(alpha=0.0, tol=1e-10).fit(X, y)
    theirs = LinearDiscriminantAnalysis(solver="svd").fit(X, y)
    assert ours.components_.shape == (3, 12)
    for size in (1, 2, 3):
        angles = subspace_angles(ours.components_[:size].T, theirs.scalings_[:, :size])
        assert angles.max() < 1e-6
    ratios = ours.eigenvalues_ / (1 - ours.eigenvalues_)
    np.testing.assert_allclose(ratios / ratios.sum(), theirs.explained_variance_ratio_, atol=1e-8)


@pytest.mark.parametrize("alpha", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("make", [dense_documents, sparse_documents])
def test_solves_the_regularised_eigenproblem(make, alpha):
    X, y = make()
    lda = SpectralRegressionLDA(alpha=alpha, tol=1e-10).fit(X, y)
    dense = X.toarray() if sparse.issparse(X) else X
    between, total = scatter_matrices(dense, y)
    values, vectors = linalg.eigh(between, total + alpha * np.eye(len(total)))
    size = len(np.unique(y)) - 1
    np.testing.assert_allclose(lda.eigenvalues_, values[::-1][:size], atol=1e-8)
    np.testing.assert_allclose(lda.components_ @ lda.components_.T, np.eye(size), atol=1e-12)
    for leading in range(1, size + 1):
        angles = subspace_angles(lda.components_[:leading].T, vectors[:, ::-1][:, :leading])
        assert angles.max() < 1e-5


def test_default_tolerance_gives_nearly_the_exact_space():
    X, y = sparse_documents()
    quick, exact = (SpectralRegressionLDA(tol=tol).fit(X, y).components_ for tol in (1e-2, 1e-12))
    assert np.cos(subspace_angles(quick.T, exact.T).max()) > 0.999


def test_two_classes_give_fishers_direction():
    X, y = dense_documents(n_classes=2)
    lda = SpectralRegressionLDA(alpha=2.0, tol=1e-12).fit(X, y)
    _, total = scatter_matrices(X, y)
    fisher = np.linalg.solve(total + 2.0 * np.eye(12), X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))
    assert lda.components_.shape == (1, 12)
    assert abs(lda.components_[0] @ fisher) == pytest.approx(np.linalg.norm(fisher))


def test_documents_are_measured_from_the_mean():
    X, y = sparse_documents()
    lda = SpectralRegressionLDA().fit(X, y)
    np.testing.assert_allclose(lda.transform(X).mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(lda.mean_, X.toarray().mean(axis=0))
    np.testing.assert_allclose(lda.transform(X), (X.toarray() - lda.mean_) @ lda.components_.T, atol=1e-12)


def test_a_shift_of_all_documents_changes_nothing():
    X, y = dense_documents()
    plain = SpectralRegressionLDA(tol=1e-10).fit(X, y)
    shifted = SpectralRegressionLDA(tol=1e-10).fit(X + 100, y)
    np.testing.assert_allclose(shifted.components_, plain.components_, atol=1e-6)


def test_no_more_directions_than_the_class_means_span():
    X, y = dense_documents(n_features=2, n_classes=6)
    assert SpectralRegressionLDA().fit(X, y).components_.shape == (2, 2)
    X, y = sparse_documents()
    y[y == 4] = 3
    X, y = sparse.vstack([X, X[y == 0]]), np.append(y, np.full(np.sum(y == 0), 4))  # 0 and 4: the same texts
    assert SpectralRegressionLDA().fit(X, y).components_.shape == (3, 200)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_classes_with_the_same_mean_are_refused(dtype):
    X = np.random.default_rng(0).random((6, 4)).astype(dtype)
    with pytest.raises(ValueError, match="the same mean"):
        SpectralRegressionLDA().fit(np.vstack([X, X]), [0] * 6 + [1] * 6)


def test_no_convergence_raises_and_says_what_to_change():
    X, y = sparse_documents()
    with pytest.raises(ConvergenceError, match="increase alpha"):
        SpectralRegressionLDA(alpha=1e-6, tol=1e-8, max_iter=2).fit(X, y)


@pytest.mark.parametrize(
    "setting", [{"alpha": -1.0}, {"tol": 0.0}, {"max_iter": 0}], ids=lambda setting: next(iter(setting))
)
def test_bad_arguments_are_refused(setting):
    with pytest.raises(ValueError, match=f"{next(iter(setting))} == "):
        SpectralRegressionLDA(**setting).fit(*dense_documents())


def test_nearest_neighbour_on_r52(r52):
    X, y, queries, truth = r52
    nearest = KNeighborsClassifier(1, metric="cosine")
    predicted = make_pipeline(SpectralRegressionLDA(alpha=1.0), nearest).fit(X, y).predict(queries)
    assert f1_score(truth, predicted, average="micro") >= 0.93
    assert f1_score(truth, predicted, average="macro") >= 0.74
