import numpy as np
import pytest
from sklearn.metrics import f1_score

from textspace.kernel import SpectralRegressionKDA
from textspace.kernel._kernels import kernel_matrix
from textspace.linear import SpectralRegressionLDA


def test_linear_kernel_is_discriminant_analysis(documents):
    X, y = documents
    linear = SpectralRegressionLDA(0.5, tol=1e-10).fit(X, y)
    kernel = SpectralRegressionKDA(0.5, kernel="linear").fit(X, y)
    np.testing.assert_allclose(kernel.eigenvalues_, linear.eigenvalues_, rtol=1e-7)
    # direction by direction: the first k span the k best in both
    np.testing.assert_allclose(np.abs(kernel.transform(X)), np.abs(linear.transform(X)), atol=1e-7)


def test_linear_kernel_is_discriminant_analysis_on_reuters(r52):
    X, y, test, _ = r52
    rows = np.random.default_rng(0).permutation(len(y))[:1500]
    linear = SpectralRegressionLDA(1.0, tol=1e-5).fit(X[rows], y[rows]).transform(test)
    kernel = SpectralRegressionKDA(1.0, kernel="linear").fit(X[rows], y[rows]).transform(test)
    assert kernel.dtype == np.float32
    assert kernel.shape == linear.shape
    np.testing.assert_allclose(
        np.linalg.norm(kernel[:500, None] - kernel[None, :500], axis=2),
        np.linalg.norm(linear[:500, None] - linear[None, :500], axis=2),
        atol=1e-3,
    )


@pytest.mark.parametrize("kernel", ["gaussian", "polynomial"])
def test_eigenvalues_are_shares_of_the_scatter(documents, kernel):
    """The whole solution against a dense generalised eigenproblem in the coefficients."""
    X, y = documents
    alpha = 0.3
    fitted = SpectralRegressionKDA(alpha, kernel=kernel, sigma=1.5).fit(X, y)
    centring = np.eye(120) - 1 / 120
    K = centring @ kernel_matrix(X, X, kernel=kernel, sigma=1.5) @ centring
    same = (y[:, None] == y[None]) / np.bincount(y)[y]
    reference = np.linalg.eigvals(np.linalg.solve(K + alpha * np.eye(120), same @ K)).real
    np.testing.assert_allclose(fitted.eigenvalues_, np.sort(reference)[::-1][:3], rtol=1e-6)
    np.testing.assert_allclose(fitted.dual_coef_.T @ K @ fitted.dual_coef_, np.eye(3), atol=1e-8)
    np.testing.assert_allclose(fitted.transform(X).mean(axis=0), 0, atol=1e-10)


def test_rings_are_told_apart(rings):
    X, y = rings
    fitted = SpectralRegressionKDA(sigma=1.0).fit(X[:100], y[:100])
    threshold = fitted.transform(X[100:])[:, 0] > 0
    assert max(np.mean(threshold == y[100:]), np.mean(threshold != y[100:])) == 1
    linear = SpectralRegressionLDA().fit(X[:100], y[:100]).transform(X[100:])[:, 0] > 0
    assert 0.3 < np.mean(linear == y[100:]) < 0.7


def test_all_documents_as_landmarks_are_exact(documents):
    X, y = documents
    exact = SpectralRegressionKDA(sigma=1.5).fit(X, y)
    features = SpectralRegressionKDA(sigma=1.5, approximation="nystroem", n_landmarks=120).fit(X, y)
    distances = [
        np.linalg.norm(each.transform(X)[:, None] - each.transform(X)[None], axis=2)
        for each in (exact, features)
    ]
    np.testing.assert_allclose(*distances, atol=0.05 * distances[0].max())  # the regression stops at a tol


def test_a_class_that_repeats_another_adds_no_direction(documents):
    X, y = documents
    X, y = X[y < 2], y[y < 2]
    doubled = np.concatenate([y, y + 2])
    X = np.vstack([X.toarray()] * 2)
    assert SpectralRegressionKDA(sigma=1.5).fit(X, doubled).dual_coef_.shape[1] == 1
    with pytest.raises(ValueError, match="same mean"):
        SpectralRegressionKDA().fit(np.repeat(X[:5], 2, axis=0), [0, 1] * 5)


@pytest.mark.parametrize("alpha", [0.0, -1.0])
def test_alpha_must_be_positive(alpha):
    with pytest.raises(ValueError, match="'alpha' parameter"):
        SpectralRegressionKDA(alpha).fit(np.eye(4), [0, 0, 1, 1])


def test_an_alpha_that_single_precision_cannot_bear_is_named():
    X = 1000 * np.random.default_rng(0).random((60, 2)).astype(np.float32)
    with pytest.raises(ValueError, match="alpha=1e-10 is too small"):
        SpectralRegressionKDA(1e-10, kernel="linear").fit(X, np.arange(60) % 2)


def test_reuters_figures(nearest_in):
    truth, predicted = nearest_in(SpectralRegressionKDA())
    assert f1_score(truth, predicted, average="micro") >= 0.9


def test_landmarks_are_those_of_the_classes_where_they_are_asked_for(documents):
    X, y = documents
    classes = np.unique(y)
    means = np.array([X[y == label].toarray().mean(axis=0) for label in classes])
    settings = {"approximation": "nystroem", "n_landmarks": len(classes), "random_state": 0}
    found = SpectralRegressionKDA(per_class=True, **settings).fit(X, y).X_fit_
    np.testing.assert_allclose(found.toarray(), means, atol=1e-12)
    others = SpectralRegressionKDA(per_class=False, **settings).fit(X, y).X_fit_
    assert not np.allclose(others.toarray(), means)


def test_a_penalty_beside_which_the_kernel_is_rounding_is_refused(documents):
    with pytest.raises(ValueError, match=r"alpha=1e\+300 leaves a solution that float64 cannot tell"):
        SpectralRegressionKDA(1e300).fit(*documents)
