"""Products with the Gram matrix, against the matrix itself."""

import numpy as np
import pytest
from scipy import sparse

from textspace.solvers import DocumentProducts, GramProducts


def documents(seed=0):
    """Give rows of which one is empty, and a column that nobody has."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 50)) * (rng.random((30, 50)) < 0.3)
    X[4], X[:, 7] = 0, 0
    return X


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array, sparse.csr_matrix])
@pytest.mark.parametrize("n_columns", [1, 3, 40])
@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_they_are_those_of_the_matrix(n_threads, n_columns, convert, monkeypatch):
    monkeypatch.setattr("numba.config.NUMBA_NUM_THREADS", n_threads)
    X, rng = documents(), np.random.default_rng(1)
    V, squares = rng.normal(size=(30, n_columns)), rng.random((50, n_columns))
    products = GramProducts(convert(X))
    np.testing.assert_allclose(products(V), X @ X.T @ V, atol=1e-12)
    np.testing.assert_allclose(products(V, squares), X @ (squares * (X.T @ V)), atol=1e-12)
    np.testing.assert_allclose(products(V), DocumentProducts(convert(X)).gram(V), atol=1e-12)


def test_any_order_of_memory_and_entries():
    X, V = documents(), np.asfortranarray(np.random.default_rng(1).normal(size=(30, 4)))
    twice = sparse.coo_array(X / 2)
    twice = sparse.csr_array(
        (np.tile(twice.data, 2), (np.tile(twice.row, 2), np.tile(twice.col, 2))), shape=X.shape
    )
    np.testing.assert_allclose(GramProducts(twice)(V), X @ X.T @ V, atol=1e-12)


def test_single_precision_stays_single():
    products = GramProducts(sparse.csr_array(documents().astype(np.float32)))
    assert products(np.ones((30, 2), np.float32)).dtype == np.float32


def test_documents_without_terms():
    products = GramProducts(sparse.csr_array((3, 5)))
    np.testing.assert_array_equal(products(np.ones((3, 2))), np.zeros((3, 2)))
