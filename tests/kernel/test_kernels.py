import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from textspace.kernel import KernelLSI
from textspace.kernel._kernels import kernel_matrix


@pytest.fixture
def pair():
    rng = np.random.default_rng(0)
    X, Y = (rng.random((n, 30)) * (rng.random((n, 30)) < 0.3) for n in (40, 25))
    X[3] = Y[5] = 0
    return X, Y


containers = pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.asarray, np.asarray),
        (sparse.csr_array, np.asarray),
        (np.asarray, sparse.csr_matrix),
        (sparse.csr_matrix, sparse.csc_array),
    ],
)


@containers
def test_kernels_are_those_of_scikit_learn(pair, first, second):
    X, Y = pair
    gaussian = kernel_matrix(first(X), second(Y), kernel="gaussian", sigma=2.0)
    np.testing.assert_allclose(gaussian, rbf_kernel(X, Y, gamma=1 / 4), rtol=1e-12)
    polynomial = kernel_matrix(first(X), second(Y), kernel="polynomial", degree=3)
    np.testing.assert_allclose(polynomial, polynomial_kernel(X, Y, degree=3, gamma=1), rtol=1e-12)
    np.testing.assert_allclose(kernel_matrix(first(X), second(Y), kernel="linear"), X @ Y.T, rtol=1e-12)


@containers
def test_single_precision_stays_and_inputs_are_not_changed(pair, first, second):
    X, Y = (each.astype(np.float32) for each in pair)
    given = first(X.copy()), second(Y.copy())
    assert kernel_matrix(*given, sigma=2.0).dtype == np.float32
    for before, after in zip((X, Y), given, strict=True):
        np.testing.assert_array_equal(after.toarray() if sparse.issparse(after) else after, before)


def test_gaussian_never_exceeds_one(pair):
    X = sparse.csr_array(np.vstack([pair[0], pair[0]]).astype(np.float32))
    K = kernel_matrix(X, X, sigma=0.1)
    assert K.max() <= 1
    np.testing.assert_allclose(K.diagonal(), 1, atol=1e-4)


@pytest.mark.parametrize("sigma", [1e-9, 1e18])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_any_width_that_may_be_asked_for_gives_numbers(pair, sigma, dtype):
    K = kernel_matrix(*(each.astype(dtype) for each in pair), sigma=sigma)
    assert set(np.unique(K.round(5))) <= {0, 1}


@pytest.mark.parametrize("sigma", [1e-300, 1e300])
def test_a_width_whose_square_is_no_number_is_refused(pair, sigma):
    with pytest.raises(ValueError, match="'sigma' parameter of KernelLSI must be a float in the range"):
        KernelLSI(2, sigma=sigma).fit(pair[0])


def test_a_count_of_few_bits_is_a_count(pair):
    for count in (np.int8(30), np.uint8(3)):
        assert KernelLSI(count).fit_transform(pair[0]).shape == (40, count)
    with pytest.warns(UserWarning, match="keeps 40 of the 100"):
        KernelLSI(np.int8(100)).fit(pair[0])
