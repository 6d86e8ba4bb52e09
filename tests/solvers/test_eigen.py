import numba
import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles

from textspace.graphs import Graph, margin_graph, relevance_graph
from textspace.neighbors import class_neighbors
from textspace.solvers import ConvergenceError, DocumentProducts, _products, block_lanczos, top_directions


def smallest_cosine(first, second):
    return np.cos(subspace_angles(first.T.astype(float), second.T.astype(float)).max())


def topical_documents(n_samples, n_features, *, dtype=np.float64, seed=0):
    """Sparse documents of five classes: each draws half of its terms from a range of its own."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 5
    own = y[:, None] * (n_features // 5) + rng.integers(0, n_features // 5, (n_samples, 15))
    shared = rng.integers(0, n_features, (n_samples, 15))
    columns = np.hstack([own, shared]).ravel()
    rows = np.repeat(np.arange(n_samples), 30)
    X = sparse.csr_array((rng.random(len(rows)), (rows, columns)), shape=(n_samples, n_features))
    X = X / sparse.linalg.norm(X, axis=1)[:, None]
    return sparse.csr_array(X.astype(dtype)), y


def local_graph(X, y):
    return relevance_graph(class_neighbors(X, y, n_neighbors=3))


def dense_reference(X, graph, n_components):
    dense = X.toarray().astype(np.float64)
    values, vectors = np.linalg.eigh(dense.T @ (graph @ dense))
    return values[::-1][:n_components], vectors[:, ::-1][:, :n_components].T


@pytest.mark.parametrize("shape", [(300, 500), (500, 200)], ids=["documents shorter", "terms shorter"])
@pytest.mark.parametrize("solver", ["auto", "lanczos", "qr"])
def test_solvers_agree_with_a_dense_matrix(shape, solver):
    X, y = topical_documents(*shape)
    graph = local_graph(X, y)
    values, components = top_directions(X, graph, n_components=8, solver=solver, tol=1e-8, random_state=0)
    expected_values, expected = dense_reference(X, graph, 8)
    np.testing.assert_allclose(values, expected_values, rtol=1e-6)
    assert smallest_cosine(components, expected) > 1 - 1e-9


@pytest.mark.parametrize("shape", [(60, 500), (500, 60)], ids=["few documents", "few terms"])
def test_small_problems_are_exact(shape):
    X, y = topical_documents(*shape)
    graph = local_graph(X, y)
    values, components = top_directions(X, graph, n_components=15)
    expected_values, expected = dense_reference(X, graph, len(values))
    np.testing.assert_allclose(values, expected_values, rtol=1e-9)
    assert smallest_cosine(components, expected) > 1 - 1e-9


@pytest.mark.parametrize("solver", ["auto", "lanczos", "qr"])
def test_single_precision_stays_and_suffices(solver):
    X, y = topical_documents(400, 700, dtype=np.float32)
    graph = local_graph(X, y)
    values, components = top_directions(X, graph, n_components=6, solver=solver, random_state=0)
    assert components.dtype == values.dtype == np.float32
    assert smallest_cosine(components, dense_reference(X, graph, 6)[1]) > 0.999
    np.testing.assert_allclose(components @ components.T, np.eye(6), atol=1e-5)


@pytest.mark.parametrize("solver", ["auto", "lanczos", "qr"])
def test_only_positive_eigenvalues_are_returned(solver):
    X, y = topical_documents(300, 500)
    with pytest.warns(UserWarning, match="only 4 directions have a positive"):  # 5 classes: rank 4 between
        values, components = top_directions(
            X, margin_graph(y), n_components=50, solver=solver, random_state=0
        )
    assert len(values) == len(components) == 4
    assert (values > 0).all()


def test_a_graph_without_positive_eigenvalue_still_gives_an_axis():
    X, _ = topical_documents(30, 50)
    with pytest.warns(UserWarning, match="only 1"):
        values, components = top_directions(X, Graph(-sparse.eye_array(30)), n_components=3)
    assert components.shape == (1, 50)
    assert values[0] < 0


def test_duplicate_documents_do_not_break_the_inner_product():
    X, y = topical_documents(200, 600, dtype=np.float32)
    X, y = sparse.csr_array(sparse.vstack([X, X, X[:20] * (1 + 1e-6)])), np.concatenate([y, y, y[:20]])
    graph = local_graph(X, y)
    values, components = top_directions(X, graph, n_components=10, solver="lanczos", random_state=0)
    expected_values, expected = dense_reference(X, graph, len(values))
    np.testing.assert_allclose(values, expected_values, rtol=1e-3)
    assert smallest_cosine(components, expected) > 0.999


def test_signs_do_not_depend_on_the_start():
    X, y = topical_documents(300, 500)
    graph = local_graph(X, y)
    runs = [
        top_directions(X, graph, n_components=3, tol=1e-10, solver="lanczos", random_state=s)[1]
        for s in (0, 1)
    ]
    np.testing.assert_allclose(runs[0], runs[1], atol=1e-6)
    assert (np.take_along_axis(runs[0], np.abs(runs[0]).argmax(axis=1)[:, None], axis=1) > 0).all()


def test_a_solver_that_does_not_converge_raises():
    diagonal = np.linspace(1, 2, 500)
    start = np.random.default_rng(0).standard_normal((4, 500))
    with pytest.raises(ConvergenceError, match="fewer components"):
        block_lanczos(lambda V: V * diagonal, start, n_components=20, tol=1e-9, max_vectors=60)


def crowded_below_zero(n_positive=0):
    """Give 2000 eigenvalues that crowd towards zero from below, the more the nearer, but some above zero."""
    crowd = -(np.linspace(1, 1e-3, 2000 - n_positive) ** 4)
    return np.concatenate([crowd, np.linspace(0.01, 0.02, n_positive)])


def test_lanczos_gives_up_where_no_eigenvalue_is_positive():
    diagonal, n_products = crowded_below_zero(), []

    def operator(V):
        n_products.append(len(V))
        return V * diagonal

    start = np.random.default_rng(0).standard_normal((4, 2000))
    values, vectors = block_lanczos(operator, start, n_components=5)
    assert len(values) == len(vectors) == 1
    assert -0.001 < values[0] < 0
    assert sum(n_products) < 300  # it has not told the crowd apart


@pytest.mark.parametrize("n_positive", [1, 3])
def test_lanczos_does_not_give_up_before_positive_eigenvalues_show(n_positive):
    diagonal = crowded_below_zero(n_positive)
    start = np.random.default_rng(0).standard_normal((4, 2000))
    values, _ = block_lanczos(lambda V: V * diagonal, start, n_components=5)
    np.testing.assert_allclose(values, diagonal[-n_positive:][::-1], rtol=1e-3)


def test_lanczos_in_another_inner_product():
    rng = np.random.default_rng(0)
    root = rng.standard_normal((80, 80))
    M = root @ root.T + np.eye(80)
    symmetric = rng.standard_normal((80, 80))
    symmetric += symmetric.T
    # A = symmetric @ M is self-adjoint in <u, v> = u M v
    values, vectors = block_lanczos(
        lambda images: images @ symmetric,
        rng.standard_normal((4, 80)),
        metric=lambda block: block @ M,
        n_components=5,
        tol=1e-9,
    )
    expected = np.sort(np.linalg.eigvals(symmetric @ M).real)[::-1][:5]
    np.testing.assert_allclose(values, expected, rtol=1e-6)
    np.testing.assert_allclose(vectors @ M @ vectors.T, np.eye(5), atol=1e-8)
    np.testing.assert_allclose(symmetric @ M @ vectors.T, vectors.T * values, atol=1e-5 * values[0])


@pytest.mark.parametrize(("name", "value"), [("solver", "eigen"), ("n_components", 0)])
def test_bad_parameters_are_named(name, value):
    X, y = topical_documents(30, 50)
    with pytest.raises(ValueError, match=name):
        top_directions(X, margin_graph(y), **{"n_components": 2, name: value})


@pytest.mark.parametrize("few", [0, 10**9])
@pytest.mark.parametrize("n_threads", [1, 3, 40])
def test_products_over_threads(monkeypatch, n_threads, few):
    monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", n_threads)
    monkeypatch.setattr(_products, "_FEW", few)
    X, _ = topical_documents(37, 60)
    X = sparse.csr_array(sparse.vstack([X, sparse.csr_array((3, 60))]))
    rng = np.random.default_rng(0)
    V, W = rng.random((60, 4)), rng.random((40, 4))
    products = DocumentProducts(X)
    np.testing.assert_allclose(products.apply(V), X.toarray() @ V)
    np.testing.assert_allclose(products.apply_transposed(W), X.toarray().T @ W)
    np.testing.assert_allclose(products.gram(W), X.toarray() @ X.toarray().T @ W)
