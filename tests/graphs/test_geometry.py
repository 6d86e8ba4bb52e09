import numpy as np
import pytest
from scipy import sparse

from textspace.graphs import geometry_graph, reconstruction_weights


@pytest.fixture
def documents():
    """Sparse unit rows over 200 terms, classes of 301, 12, 2 and 1, with duplicates and an empty document."""
    rng = np.random.default_rng(0)
    X = rng.random((316, 200)) * (rng.random((316, 200)) < 0.1)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    X[3] = X[4] = X[5]
    X[303] = X[304]
    X[7] = 0
    order = rng.permutation(316)
    return X[order], np.repeat([0, 1, 2, 3], [301, 12, 2, 1])[order]


def reconstruct_one(X, y, i, regularization):
    """Row i of I - W from the local Gram matrix of the paper, C_pq = (x_i - x_p)'(x_i - x_q)."""
    row = np.zeros(len(y))
    others = np.flatnonzero((y == y[i]) & (np.arange(len(y)) != i))
    if len(others):
        C = (X[i] - X[others]) @ (X[i] - X[others]).T + regularization * np.eye(len(others))
        weights = np.linalg.solve(C, np.ones(len(others)))
        row[i], row[others] = 1, -weights / weights.sum()
    return row


def dense_residual(X, y, regularization):
    return np.array([reconstruct_one(X, y, i, regularization) for i in range(len(y))])


def dense_laplacian(X, y, sigma2):
    """``D - H`` of equation 3, pair by pair."""
    n_samples, sizes = len(y), np.bincount(y)
    H = np.empty((n_samples, n_samples))
    for i in range(n_samples):
        for j in range(n_samples):
            closeness = np.exp(-np.sum((X[i] - X[j]) ** 2) / sigma2)
            same = closeness * (1 / n_samples - 1 / sizes[y[i]])
            H[i, j] = same if y[i] == y[j] else 1 / n_samples
    return np.diag(H.sum(axis=1)) - H


def as_matrix(graph):
    return graph @ np.eye(graph.shape[0])


@pytest.mark.parametrize("regularization", [1.0, 1e-3])
def test_closed_form_equals_one_solve_a_document(documents, regularization):
    X, y = documents
    expected = dense_residual(X, y, regularization)
    for container in (np.asarray, sparse.csr_array, sparse.csr_matrix):
        got = np.zeros((len(y), len(y)))
        for rows, residual in reconstruction_weights(container(X), y, regularization=regularization):
            got[np.ix_(rows, rows)] = residual
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-10)


def test_every_document_belongs_to_the_rows_of_its_class(documents):
    X, y = documents
    pairs = reconstruction_weights(X, y, regularization=0.1)
    assert [set(y[rows]) for rows, _ in pairs] == [{0}, {1}, {2}, {3}]
    np.testing.assert_array_equal(np.sort(np.concatenate([rows for rows, _ in pairs])), np.arange(len(y)))


def test_two_documents_reconstruct_each_other_and_one_has_no_weights(documents):
    X, y = documents
    pairs = reconstruction_weights(X, y, regularization=0.1)
    np.testing.assert_allclose(pairs[2][1], [[1, -1], [-1, 1]], atol=1e-12)
    np.testing.assert_array_equal(pairs[3][1], [[0]])


@pytest.mark.parametrize("regularization", [0, -0.1, np.nan])
def test_regularization_must_be_positive(documents, regularization):
    with pytest.raises(ValueError, match="regularization must be positive"):
        reconstruction_weights(*documents, regularization=regularization)


def test_a_regularization_lost_in_rounding_is_refused():
    X = 1e6 * np.random.default_rng(0).random((30, 4))
    with pytest.raises(ValueError, match="regularization=1e-09 is too small"):
        reconstruction_weights(X, np.zeros(30, dtype=int), regularization=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e6, 1e20])
def test_an_empty_document_beside_long_ones_is_reconstructed(size):
    X = size * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    [(_, residual)] = reconstruction_weights(X, np.zeros(3, dtype=int), regularization=1.0)
    np.testing.assert_allclose(residual, [[1, -0.5, -0.5], [-1, 1, 0], [-1, 0, 1]], atol=1e-10)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(20))
def test_long_documents_that_depend_on_one_another_are_refused(seed):
    X = 1e20 * np.random.default_rng(seed).integers(1, 9, (5, 2)) / 8
    with pytest.raises(ValueError, match=r"regularization=1\.0 is too small for a class of 5"):
        geometry_graph(X, np.zeros(5, dtype=int))


@pytest.mark.filterwarnings("error")
def test_documents_that_are_far_apart_by_the_width_have_no_weight():
    graph = geometry_graph(np.eye(4), np.array([0, 0, 1, 1]), sigma2=1e-310)
    np.testing.assert_allclose(
        as_matrix(graph)[:2, :2],
        as_matrix(geometry_graph(np.eye(4), np.array([0, 0, 1, 1]), sigma2=1e-3))[:2, :2],
    )


@pytest.mark.parametrize("scatter", ["laplacian", "squared"])
@pytest.mark.parametrize("alpha", [0.5, 2.0])
def test_geometry_graph_follows_the_equations(documents, scatter, alpha):
    X, y = (part[np.r_[0:90, np.flatnonzero(documents[1] > 0)]] for part in documents)
    S = dense_laplacian(X, y, 5.0)
    if scatter == "squared":
        S = S @ S.T
    residual = dense_residual(X, y, 0.1)
    expected = alpha * S - residual.T @ residual
    graph = geometry_graph(
        sparse.csr_array(X), y, alpha=alpha, sigma2=5.0, regularization=0.1, scatter=scatter
    )
    np.testing.assert_allclose(as_matrix(graph), expected, atol=1e-10)


def test_criterion_of_equation_1(documents):
    """Twice the Laplacian's form is the sum over pairs that is printed first in the paper."""
    X, y = (part[np.r_[0:60, np.flatnonzero(documents[1] > 0)]] for part in documents)
    H = -dense_laplacian(X, y, 5.0)
    np.fill_diagonal(H, 0)  # a document is at no distance from itself
    points = X @ np.random.default_rng(1).standard_normal((200, 2))
    distances = np.sum((points[:, None] - points) ** 2, axis=2)
    lost = np.sum((dense_residual(X, y, 0.1) @ points) ** 2)
    graph = geometry_graph(X, y, alpha=2.0, sigma2=5.0, regularization=0.1)
    assert np.trace(points.T @ (graph @ points)) == pytest.approx(np.sum(H * distances) - lost)


def test_float32_stays_float32(documents):
    X, y = documents
    single = geometry_graph(sparse.csr_array(X.astype(np.float32)), y)
    product = single @ X.astype(np.float32)
    assert product.dtype == np.float32
    np.testing.assert_allclose(product, geometry_graph(X, y) @ X, atol=1e-4)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"sigma2": 0}, "sigma2 must be positive"),
        ({"sigma2": -5.0}, "sigma2 must be positive"),
        ({"regularization": -1.0}, "regularization must be positive"),
        ({"scatter": "cubed"}, "scatter must be 'laplacian' or 'squared', not 'cubed'"),
    ],
)
def test_settings_out_of_range_are_refused(documents, setting, message):
    with pytest.raises(ValueError, match=message):
        geometry_graph(*documents, **setting)
