import numpy as np
import pytest
from scipy import sparse

from textspace.graphs import Graph, equal_weight_graph, laplacian, margin_graph, relevance_graph
from textspace.neighbors import class_neighbors


@pytest.fixture
def documents():
    rng = np.random.default_rng(0)
    X = rng.random((40, 9)) * (rng.random((40, 9)) < 0.5)
    return X, rng.permutation(np.repeat([0, 1, 2], [25, 10, 5]))


def as_matrix(graph):
    return graph @ np.eye(graph.shape[0])


def test_graph_is_its_parts():
    rng = np.random.default_rng(1)
    local = sparse.random_array((8, 8), density=0.3, rng=rng)
    factors, weights = rng.random((8, 3)), np.array([1.0, -2.0, 0.5])
    expected = local.toarray() + factors @ np.diag(weights) @ factors.T
    np.testing.assert_allclose(as_matrix(Graph(local, factors, weights)), expected)
    np.testing.assert_allclose(as_matrix(Graph(local, sparse.csr_array(factors), weights)), expected)
    np.testing.assert_allclose(Graph(local, factors, weights) @ np.arange(8.0), expected @ np.arange(8.0))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_blocks_are_added_at_their_rows(dtype):
    rng = np.random.default_rng(3)
    local = sparse.random_array((9, 9), density=0.3, rng=rng, dtype=dtype)
    factors, weights = rng.random((9, 2)).astype(dtype), np.array([1, -2], dtype=dtype)
    blocks = tuple((rows, rng.random((len(rows),) * 2).astype(dtype)) for rows in ([7, 0, 4], [1], [2, 8]))
    expected = local.toarray() + factors @ np.diag(weights) @ factors.T
    for rows, matrix in blocks:
        expected[np.ix_(rows, rows)] += matrix
    graph = Graph(local, factors, weights, blocks)
    other = rng.random((9, 4)).astype(dtype)
    assert (graph @ other).dtype == dtype
    np.testing.assert_allclose(graph @ other, expected @ other, rtol=1e-5)
    np.testing.assert_allclose(graph @ other[:, 0], expected @ other[:, 0], rtol=1e-5)
    np.testing.assert_allclose(
        Graph(local, blocks=blocks) @ other + factors @ (weights[:, None] * (factors.T @ other)),
        expected @ other,
        rtol=1e-5,
    )


def test_laplacian_form_sums_over_edges():
    rng = np.random.default_rng(2)
    W = rng.standard_normal((7, 7))
    W += W.T
    x = rng.standard_normal(7)
    over_pairs = sum(W[i, j] * (x[i] - x[j]) ** 2 for i in range(7) for j in range(7))
    np.testing.assert_allclose(2 * x @ (laplacian(sparse.csr_array(W)) @ x), over_pairs)


def local_adjacency(X, y, n_neighbors, weight):
    """Equation 3.7 or 3.11, pair by pair."""
    unit = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)
    cosine = unit @ unit.T
    found = class_neighbors(X, y, n_neighbors=n_neighbors)
    W, votes = np.zeros_like(cosine), np.zeros_like(cosine)
    for i in range(len(y)):
        for j in {*found.within_indices[i], *found.between_indices[i]} - {-1}:
            W[i, j] = W[j, i] = weight(cosine[i, j], y[i] == y[j])
            votes[i, j] += 1
    return W, votes + votes.T


@pytest.mark.parametrize("symmetrize", ["or", "average"])
@pytest.mark.parametrize(
    ("graph", "weight"),
    [
        (relevance_graph, lambda cosine, same: cosine - 1 if same else cosine),
        (equal_weight_graph, lambda cosine, same: -1 if same else 1),
    ],
)
def test_local_graphs_follow_the_equations(documents, graph, weight, symmetrize):
    X, y = documents
    W, votes = local_adjacency(X, y, 4, weight)
    if symmetrize == "average":
        W *= votes / 2
    got = as_matrix(graph(class_neighbors(X, y, n_neighbors=4), symmetrize=symmetrize))
    np.testing.assert_allclose(got, np.diag(W.sum(axis=1)) - W, atol=1e-12)


def test_duplicates_of_a_class_do_not_attract():
    X = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    graph = relevance_graph(class_neighbors(X, np.array([0, 0, 1]), n_neighbors=1))
    np.testing.assert_allclose(as_matrix(graph), 0, atol=1e-12)


def test_margin_graph_is_between_minus_within_scatter(documents):
    X, y = documents
    between, within = np.zeros((9, 9)), np.zeros((9, 9))
    for members in (X[y == c] for c in range(3)):
        shift = members.mean(axis=0) - X.mean(axis=0)
        between += len(members) * np.outer(shift, shift)
        within += len(members) * np.cov(members.T, bias=True)
    np.testing.assert_allclose(X.T @ (margin_graph(y) @ X), between - within, atol=1e-10)


def test_unknown_symmetrize_is_refused(documents):
    X, y = documents
    with pytest.raises(ValueError, match="'or' or 'average'"):
        relevance_graph(class_neighbors(X, y, n_neighbors=1), symmetrize="and")
