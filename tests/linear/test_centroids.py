"""The space of the class centroids."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline

from textspace.linear import ClassCentroids


@pytest.fixture
def documents():
    rng = np.random.default_rng(0)
    X = sparse.random_array((90, 60), density=0.15, format="csr", rng=rng)
    return X, np.arange(90) % 5


def test_orthonormal_basis_of_the_centroids(documents):
    X, y = documents
    space = ClassCentroids().fit(X, y)
    centroids = NearestCentroid().fit(X.toarray(), y).centroids_
    assert space.components_.shape == (5, 60)
    np.testing.assert_allclose(space.components_ @ space.components_.T, np.eye(5), atol=1e-12)
    np.testing.assert_allclose(space.transform(centroids) @ space.components_, centroids, atol=1e-12)


def test_distances_are_those_of_a_qr_decomposition_of_the_centroids(documents):
    X, y = documents
    centroids = NearestCentroid().fit(X.toarray(), y).centroids_
    basis, _ = np.linalg.qr(centroids.T)
    np.testing.assert_allclose(pdist(ClassCentroids().fit(X, y).transform(X)), pdist(X @ basis), atol=1e-12)


def test_inner_products_with_the_centroids_are_kept(documents):
    X, y = documents
    space = ClassCentroids().fit(X, y)
    centroids = NearestCentroid().fit(X.toarray(), y).centroids_
    np.testing.assert_allclose(space.transform(X) @ space.transform(centroids).T, X @ centroids.T, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dependent_and_zero_centroids_are_dropped(dtype):
    rng = np.random.default_rng(1)
    a, b = rng.random((2, 500)).astype(dtype)
    X = np.array([a, b, a + b, 3 * a, 0 * a], dtype=dtype)
    space = ClassCentroids().fit(X, [0, 1, 2, 3, 4])
    assert space.components_.shape == (2, 500)
    np.testing.assert_allclose(space.transform(X) @ space.components_, X, atol=1e-4)


def test_centroids_of_very_different_lengths_all_count():
    X = np.diag([1.0, 1e-6, 1e6])
    assert len(ClassCentroids().fit(X, ["a", "b", "c"]).components_) == 3


def test_only_zero_centroids_are_refused():
    with pytest.raises(ValueError, match="every class centroid is zero"):
        ClassCentroids().fit(np.zeros((4, 3)), [0, 0, 1, 1])


def test_nearest_neighbour_on_r52(r52):
    X, y, queries, truth = r52
    nearest = KNeighborsClassifier(1, metric="cosine")
    predicted = make_pipeline(ClassCentroids(), nearest).fit(X, y).predict(queries)
    assert f1_score(truth, predicted, average="micro") >= 0.925
    assert f1_score(truth, predicted, average="macro") >= 0.77
