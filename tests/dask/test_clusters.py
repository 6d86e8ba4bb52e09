"""Clusters of documents against all distances to their centres."""

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

from textspace.dask._clusters import learn_clusters, two_nearest


@pytest.fixture(scope="module")
def documents():
    """Twelve topics, each with terms of its own beside those of all; topics and classes are not the same."""
    rng = np.random.default_rng(0)
    topics = rng.integers(0, 12, 900)
    rates = np.full((12, 150), 0.05)
    rates[np.arange(120) // 10, np.arange(120)] = 1.0
    X = rng.poisson(rates[topics]) * rng.uniform(0.5, 1, (900, 150))
    return X, (topics + rng.integers(0, 2, 900)) % 4


def test_two_nearest_are_the_two_nearest_where_all_coarse_clusters_are_probed(documents):
    X = sparse.csr_array(documents[0])
    clusters = learn_clusters(X, n_clusters=9, random_state=np.random.RandomState(0))
    assert len(clusters.coarse) == 3
    positions = X @ clusters.components.T
    positions /= np.linalg.norm(positions, axis=1, keepdims=True)
    distances = np.linalg.norm(positions[:, None] - clusters.fine, axis=2)
    np.testing.assert_array_equal(two_nearest(X, clusters), np.argsort(distances, axis=1)[:, :2])


def test_centres_have_unit_length(documents):
    clusters = learn_clusters(documents[0], n_clusters=9, random_state=np.random.RandomState(0))
    for centres in (clusters.coarse, clusters.fine):
        np.testing.assert_allclose(np.linalg.norm(centres, axis=1), 1)
