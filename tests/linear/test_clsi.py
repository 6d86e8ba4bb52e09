"""Clustered latent semantic indexing."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles

from textspace.linear import CLSI, ClassCentroids
from textspace.linear._clsi import share_components


@pytest.fixture
def documents():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [40, 20, 10])
    X = rng.random((70, 90)) * (rng.random((70, 90)) < 0.1)
    for label in range(3):
        X[y == label, 10 * label : 10 * label + 10] += rng.random((np.sum(y == label), 10))
    return sparse.csr_array(X), y


def test_spans_the_leading_directions_of_each_class(documents):
    X, y = documents
    clsi = CLSI(n_components=12, random_state=0).fit(X, y)
    norms = [np.linalg.norm(X[y == label].toarray()) for label in range(3)]
    shares = share_components(np.array(norms), limits=np.array([40, 20, 10]), n_components=12)
    leading = [np.linalg.svd(X[y == label].toarray())[2][:share] for label, share in enumerate(shares)]
    assert clsi.components_.shape == (12, 90)
    np.testing.assert_allclose(clsi.components_ @ clsi.components_.T, np.eye(12), atol=1e-12)
    assert subspace_angles(clsi.components_.T, np.vstack(leading).T).max() < 1e-7


def test_classes_along_single_directions_give_the_span_of_their_centroids():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], 5)
    X = rng.random((3, 20))[y] * rng.uniform(1, 2, (15, 1))
    with pytest.warns(UserWarning, match="keeps 3 of the 9 components"):
        clsi = CLSI(n_components=9).fit(X, y)
    centroids = ClassCentroids().fit(X, y)
    assert subspace_angles(clsi.components_.T, centroids.components_.T).max() < 1e-7


def test_directions_that_two_classes_share_count_once(documents):
    X, y = documents
    half = X[y == 0]
    with pytest.warns(UserWarning, match="keeps 4 of the 8 components"):
        clsi = CLSI(n_components=8, random_state=0).fit(sparse.vstack([half, half]), np.repeat([0, 1], 40))
    assert len(clsi.components_) == 4


def test_all_the_directions_of_the_documents_can_be_had(documents):
    X, y = documents
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clsi = CLSI(n_components=70).fit(X, y)
    np.testing.assert_allclose(clsi.transform(X) @ clsi.components_, X.toarray(), atol=1e-9)


def test_fewer_directions_than_classes_warns(documents):
    X, y = documents
    with pytest.warns(UserWarning, match="n_components=2 is less than the number of classes, 3"):
        clsi = CLSI(n_components=2, random_state=0).fit(X, y)
    leading = [np.linalg.svd(X[y == label].toarray())[2][0] for label in (0, 1)]
    assert subspace_angles(clsi.components_.T, np.array(leading).T).max() < 1e-7


def test_a_class_of_empty_documents_gives_nothing(documents):
    X, y = documents
    X = X.toarray()
    X[y == 1] = 0
    with_empty = CLSI(n_components=6, random_state=0).fit(X, y)
    without = CLSI(n_components=6, random_state=0).fit(X[y != 1], y[y != 1])
    assert subspace_angles(with_empty.components_.T, without.components_.T).max() < 1e-7
    with pytest.raises(ValueError, match="every entry of X is zero"):
        CLSI().fit(0 * X, y)


def test_bad_arguments_are_refused(documents):
    with pytest.raises(ValueError, match="'n_components' parameter of CLSI must be an int"):
        CLSI(n_components=0).fit(*documents)


@pytest.mark.parametrize("n_components", [1, 4, 5, 17, 60, 1000])
def test_shares(n_components):
    rng = np.random.default_rng(n_components)
    weights, limits = rng.exponential(size=5), rng.integers(1, 30, 5)
    shares = share_components(weights, limits=limits, n_components=n_components)
    assert shares.sum() == min(n_components, limits.sum())
    assert np.all(shares <= limits)
    assert np.sum(shares > 0) == min(n_components, 5)
    heaviest = np.argsort(-weights)[:n_components]
    assert np.all(shares[heaviest] > 0)


def test_shares_without_limits_are_proportional_to_the_weights():
    weights = np.array([50.0, 30.0, 15.0, 5.0])
    shares = share_components(weights, limits=np.full(4, 999), n_components=200)
    np.testing.assert_array_equal(shares, [100, 60, 30, 10])
