import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.decomposition import KernelPCA

from textspace.kernel import KernelLSI
from textspace.kernel._base import centre
from textspace.kernel._kernels import kernel_matrix
from textspace.linear import LSI


def smallest_cosine(first, second):
    return np.cos(subspace_angles(first.astype(float), second.astype(float)).max())


def test_linear_kernel_is_lsi(documents):
    X, _ = documents
    linear, kernel = LSI(6).fit(X), KernelLSI(6, kernel="linear").fit(X)
    np.testing.assert_allclose(kernel.singular_values_, linear.singular_values_)
    np.testing.assert_allclose(np.abs(kernel.transform(X)), np.abs(linear.transform(X)), atol=1e-10)


def test_linear_kernel_is_lsi_on_reuters(r52):
    X, _, test, _ = r52
    X = X[:2000]
    linear = LSI(30, random_state=0).fit(X).transform(test)
    kernel = KernelLSI(30, kernel="linear", random_state=0).fit(X).transform(test)
    assert kernel.dtype == np.float32
    assert smallest_cosine(linear, kernel) >= 0.9999


def test_directions_have_unit_length_and_explain_the_kernel(documents):
    X, _ = documents
    fitted = KernelLSI(120, sigma=1.5).fit(X)
    K = kernel_matrix(X, X, sigma=1.5)
    np.testing.assert_allclose(fitted.dual_coef_.T @ K @ fitted.dual_coef_, np.eye(120), atol=1e-6)
    coordinates = fitted.transform(X)
    np.testing.assert_allclose(coordinates @ coordinates.T, K, atol=1e-8)


def test_centred_kernel_matrix_gives_kernel_pca(documents):
    X, _ = documents
    K = kernel_matrix(X, X, sigma=1.5)
    before = K.copy()
    means = centre(K)
    np.testing.assert_allclose(means, before.mean(axis=0))
    expected = KernelPCA(5, kernel="rbf", gamma=1 / 1.5**2).fit(X).eigenvalues_
    np.testing.assert_allclose(np.linalg.eigvalsh(K)[::-1][:5], expected)


def test_all_documents_as_landmarks_are_exact(documents):
    X, _ = documents
    exact = KernelLSI(5, sigma=1.5).fit(X)
    features = KernelLSI(5, sigma=1.5, approximation="nystroem", n_landmarks=120, random_state=0).fit(X)
    np.testing.assert_allclose(features.singular_values_, exact.singular_values_, rtol=1e-6)
    np.testing.assert_allclose(np.abs(features.transform(X)), np.abs(exact.transform(X)), atol=1e-5)


def test_more_components_than_rank_warns():
    X = np.eye(3)[[0, 0, 1, 2]]
    with pytest.warns(UserWarning, match="keeps 3 of the 4 components"):
        assert KernelLSI(4).fit(X).dual_coef_.shape == (4, 3)


def test_nothing_to_find_is_refused():
    with pytest.raises(ValueError, match="no direction"):
        KernelLSI(1, kernel="linear").fit(np.zeros((4, 3)))
    with pytest.raises(ValueError, match="'approximation' parameter"):
        KernelLSI(1, approximation="random").fit(np.eye(3))


@pytest.mark.parametrize("seed", range(20))
def test_documents_that_are_all_as_far_from_each_other(seed):
    """The kernel matrix is the identity but for rounding: LAPACK misses eigenvalues of one in four."""
    generator = np.random.default_rng(seed)
    X = generator.integers(1, 9, (30, 40)) * (generator.random((30, 40)) < 0.5).astype(float)
    np.testing.assert_allclose(KernelLSI(3).fit(X).singular_values_, np.ones(3))
