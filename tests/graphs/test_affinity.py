"""Graphs of nearness, against all pairs of distances or cosines."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import cosine_similarity

from textspace.graphs import affinity, marginal_graphs, normalized_laplacian, self_tuning_graph
from textspace.neighbors import class_neighbors, nearest_neighbors

FORMS = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csr_matrix])


@pytest.fixture
def documents():
    rng = np.random.default_rng(0)
    X = rng.random((70, 25)) * (rng.random((70, 25)) < 0.3)
    X[13] = X[14]
    return X, rng.integers(0, 3, 70)


def neighbor_mask(cosines, allowed, n_neighbors):
    """Whether each column is among a row's nearest allowed ones, from either end."""
    scores = np.where(allowed, cosines, -np.inf)
    ranks = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1, kind="stable")
    chosen = (ranks < n_neighbors) & allowed
    return chosen | chosen.T


@FORMS
def test_neighbors_are_the_largest_cosines(documents, form):
    X = documents[0]
    indices, relevance = nearest_neighbors(form(X), n_neighbors=4)
    cosines = cosine_similarity(X)
    np.fill_diagonal(cosines, -np.inf)
    np.testing.assert_allclose(relevance, -np.sort(-cosines, axis=1)[:, :4])
    np.testing.assert_allclose(np.take_along_axis(cosines, indices, axis=1), relevance)


@pytest.mark.parametrize("weights", ["cosine", "heat"])
def test_affinity_against_all_pairs(documents, weights):
    X = documents[0][:50]
    X = X[np.unique(X, axis=0, return_index=True)[1]]  # without copies no cosines are equal
    cosines = cosine_similarity(X)
    near = neighbor_mask(cosines, ~np.eye(len(X), dtype=bool), 5)
    indices, relevance = nearest_neighbors(X, n_neighbors=5)
    if weights == "cosine":
        expected = np.where(near, cosines, 0)
    else:
        expected = np.where(near, np.exp(-(2 - 2 * cosines) / np.mean(2 - 2 * relevance)), 0)
    found = affinity(indices, relevance, weights=weights)
    np.testing.assert_allclose(found.toarray(), expected, atol=1e-12)


def test_negative_cosines_and_missing_neighbors_are_no_edges():
    X = np.array([[1.0, 0.0], [-1.0, 0.1], [-1.0, 0.0]])
    adjacency = affinity(*nearest_neighbors(X, n_neighbors=5)).toarray()
    assert np.count_nonzero(adjacency) == 2
    assert adjacency[1, 2] == adjacency[2, 1] > 0.99


def test_copies_have_full_heat():
    adjacency = affinity(*nearest_neighbors(np.ones((4, 2)), n_neighbors=3), weights="heat").toarray()
    np.testing.assert_allclose(adjacency, 1 - np.eye(4), atol=1e-6)


def test_unknown_weights_are_refused(documents):
    with pytest.raises(ValueError, match="weights must be 'cosine', 'heat' or 'binary', not 'flat'"):
        affinity(*nearest_neighbors(documents[0], n_neighbors=2), weights="flat")


def test_marginal_graphs_against_all_pairs(documents):
    X, y = documents
    rows = np.unique(X, axis=0, return_index=True)[1]
    X, y = X[rows], y[rows]
    same = y[:, None] == y
    # a document without a term in common has many equal neighbours: give all a common term
    X = np.hstack([X, np.ones((len(X), 1))])
    cosines = cosine_similarity(X)
    neighbors = class_neighbors(X, y, n_neighbors=6)
    graphs = marginal_graphs(neighbors, n_within=2, n_between=6)
    for graph, mask in zip(
        graphs,
        [
            neighbor_mask(cosines, same & ~np.eye(len(y), dtype=bool), 2),
            neighbor_mask(cosines, ~same, 6),
        ],
        strict=True,
    ):
        expected = np.diag(mask.sum(axis=1)) - mask.astype(float)
        np.testing.assert_array_equal(graph @ np.eye(len(y)), expected)


def self_tuning_reference(X, n_neighbors):
    distances = cdist(X, X)
    widths = np.sort(distances + np.diag(np.full(len(X), -1.0)), axis=1)[:, min(n_neighbors, len(X) - 1)]
    W = np.zeros_like(distances)
    for i in range(len(X)):
        for j in range(len(X)):
            wide = max(widths[i], widths[j])
            if i != j and distances[i, j] < wide:
                W[i, j] = np.exp(-(distances[i, j] ** 2) / wide**2)
    return W


@FORMS
@pytest.mark.parametrize("n_neighbors", [1, 5, 500])
def test_self_tuning_against_the_formula(documents, form, n_neighbors):
    X = documents[0]
    found = self_tuning_graph(form(X), n_neighbors=n_neighbors)
    reference = self_tuning_reference(X, n_neighbors)
    # the k-th neighbour itself is at the border, where rounding decides in either computation
    at_border = (found.toarray() == 0) != (reference == 0)
    assert np.all(np.maximum(found.toarray(), reference)[at_border] <= np.exp(-1) + 1e-6)
    np.testing.assert_allclose(found.toarray()[~at_border], reference[~at_border], atol=1e-9)
    assert (found != found.T).nnz == 0


def test_self_tuning_in_blocks(documents):
    from sklearn import config_context

    X = np.repeat(documents[0], 10, axis=0) + np.random.default_rng(1).random((700, 25))
    whole = self_tuning_graph(X, n_neighbors=7)
    with config_context(working_memory=0.1):
        blocks = self_tuning_graph(X, n_neighbors=7)
    assert abs(whole - blocks).max() < 1e-9


@FORMS
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_self_tuning_with_copies(form, dtype):
    X = np.random.default_rng(0).random((12, 30)).astype(dtype)
    X[:5] = X[0]
    few, many = (self_tuning_graph(form(X), n_neighbors=k) for k in (4, 5))
    assert few.dtype == dtype
    assert few[:5, :5].nnz == 0  # their widths are zero
    assert np.all(np.isfinite(few.data))
    np.testing.assert_allclose(many[:5, :5].toarray(), 1 - np.eye(5))


def test_no_neighbors_are_refused(documents):
    for search in (nearest_neighbors, self_tuning_graph):
        with pytest.raises(ValueError, match="n_neighbors must be at least 1, not 0"):
            search(documents[0], n_neighbors=0)


def test_normalized_laplacian_against_the_formula(documents):
    W = self_tuning_graph(documents[0], n_neighbors=5)
    dense = W.toarray()
    degrees = dense.sum(axis=1)
    assert degrees.min() > 0
    L = normalized_laplacian(W) @ np.eye(len(dense))
    np.testing.assert_allclose(L, np.eye(len(dense)) - dense / np.sqrt(np.outer(degrees, degrees)))
    values = np.linalg.eigvalsh(L)
    assert values[0] == pytest.approx(0, abs=1e-12)
    assert values[-1] <= 2


def test_an_isolated_row_has_no_penalty():
    W = sparse.csr_array(np.array([[0, 0.5, 0], [0.5, 0, 0], [0, 0, 0]], dtype=np.float32))
    L = normalized_laplacian(W) @ np.eye(3, dtype=np.float32)
    np.testing.assert_allclose(L, [[1, -1, 0], [-1, 1, 0], [0, 0, 0]])
    assert L.dtype == np.float32
