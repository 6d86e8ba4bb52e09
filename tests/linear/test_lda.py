"""Spectral regression LDA, against the eigenproblem that it avoids and scikit-learn's LDA."""

import numpy as np
import pytest
from scipy import linalg, sparse
from scipy.linalg import subspace_angles
from sklearn.datasets import load_digits, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from textspace.linear import SDA, SpectralRegressionLDA
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


def iris():
    return load_iris(return_X_y=True)


def digits():
    """Give the digits without the pixels that are almost always the same, of which scatter is singular."""
    X, y = load_digits(return_X_y=True)
    return X[:, X.std(axis=0) > 0.5], y


@pytest.mark.parametrize("data", [iris, digits])
def test_known_data_have_the_space_of_scikit_learn(data):
    X, y = data()
    ours = SpectralRegressionLDA(alpha=1e-8).fit(X, y)
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    size = len(theirs.classes_) - 1
    for leading in range(1, size + 1):
        angles = subspace_angles(ours.components_[:leading].T, theirs.scalings_[:, :leading])
        assert np.degrees(angles.max()) < 1e-4
    assert ours.n_iter_ == 1


def test_pixels_that_never_change_are_no_trouble():
    X, y = load_digits(return_X_y=True)
    space, without = (SpectralRegressionLDA(alpha=0.0).fit(each, y) for each in (X, X[:, X.std(axis=0) > 0]))
    np.testing.assert_allclose(space.transform(X), without.transform(X[:, X.std(axis=0) > 0]), atol=1e-8)


def test_without_penalty_spans_lda_direction_by_direction():
    X, y = dense_documents()
    ours = SpectralRegressionLDA(alpha=0.0).fit(X, y)
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
    lda = SpectralRegressionLDA(alpha=alpha).fit(X, y)
    dense = X.toarray() if sparse.issparse(X) else X
    between, total = scatter_matrices(dense, y)
    values, vectors = linalg.eigh(between, total + alpha * np.eye(len(total)))
    size = len(np.unique(y)) - 1
    np.testing.assert_allclose(lda.eigenvalues_, values[::-1][:size], atol=1e-8)
    np.testing.assert_allclose(lda.components_ @ lda.components_.T, np.eye(size), atol=1e-12)
    for leading in range(1, size + 1):
        angles = subspace_angles(lda.components_[:leading].T, vectors[:, ::-1][:, :leading])
        assert angles.max() < 1e-5


def test_larger_problems_are_solved_to_the_tolerance(monkeypatch):
    X, y = sparse_documents()
    exact = SpectralRegressionLDA().fit(X, y).components_
    monkeypatch.setattr("textspace.solvers._ridge.SMALL", 10)
    for tol, angle in ((1e-2, 0.04), (1e-12, 1e-9)):
        fitted = SpectralRegressionLDA(tol=tol).fit(X, y)
        assert fitted.n_iter_ > 1
        assert subspace_angles(fitted.components_.T, exact.T).max() < angle
    with pytest.raises(ConvergenceError, match="increase alpha"):
        SpectralRegressionLDA(alpha=1e-6, tol=1e-8, max_iter=2).fit(X, y)


def test_two_classes_give_fishers_direction():
    X, y = dense_documents(n_classes=2)
    lda = SpectralRegressionLDA(alpha=2.0).fit(X, y)
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
    plain = SpectralRegressionLDA().fit(X, y)
    shifted = SpectralRegressionLDA().fit(X + 100, y)
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


@pytest.mark.parametrize(
    "setting", [{"alpha": -1.0}, {"tol": 0.0}, {"max_iter": 0}], ids=lambda setting: next(iter(setting))
)
def test_bad_arguments_are_refused(setting):
    with pytest.raises(
        ValueError, match=f"'{next(iter(setting))}' parameter of SpectralRegressionLDA must be"
    ):
        SpectralRegressionLDA(**setting).fit(*dense_documents())


def test_nearest_neighbour_on_r52(r52):
    X, y, queries, truth = r52
    nearest = KNeighborsClassifier(1, metric="cosine")
    predicted = make_pipeline(SpectralRegressionLDA(alpha=1.0), nearest).fit(X, y).predict(queries)
    assert f1_score(truth, predicted, average="micro") >= 0.93
    assert f1_score(truth, predicted, average="macro") >= 0.74


def test_fewer_components_are_the_best_ones():
    rng = np.random.default_rng(0)
    y = np.arange(80) % 4
    X = rng.normal(size=(80, 10)) + 3 * np.eye(4, 10)[y]
    whole = SpectralRegressionLDA().fit(X, y)
    two = SpectralRegressionLDA(n_components=2).fit(X, y)
    np.testing.assert_array_equal(two.components_, whole.components_[:2])
    assert two.transform(X).shape == (80, 2)
    with pytest.warns(UserWarning, match="keeps 3 of the 9 components"):
        SpectralRegressionLDA(n_components=9).fit(X, y)
    assert SDA(n_components=1).fit(X, y).transform(X).shape == (80, 1)
