"""Blocks of columns, and products of documents with tables, sparse and nearly full."""

import numpy as np
import pytest
from scipy import sparse

from textspace.classify.blend import _arrays
from textspace.classify.blend._arrays import block_of, dense_product


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("density", [0.05, 0.9])
@pytest.mark.parametrize("n_documents", [1, 50])
def test_dense_products_are_those_of_scipy(n_documents, density, dtype):
    rng = np.random.default_rng(0)
    X = sparse.csr_array(sparse.random_array((n_documents, 40), density=0.3, dtype=np.float32, rng=rng))
    table = sparse.csr_array(sparse.random_array((40, 6), density=density, dtype=np.float32, rng=rng))
    found = dense_product(X, table, dtype)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, (X @ table).toarray(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("columns", [slice(0, 15), slice(4, 9), slice(15, 15), slice(0, 0), slice(3, 15)])
def test_blocks_of_columns_are_those_of_scipy(columns):
    X = sparse.random_array((30, 15), density=0.2, format="csr", dtype=np.float32, rng=0)
    found, expected = block_of(X, columns), X[:, columns]
    np.testing.assert_array_equal(found.toarray(), expected.toarray())
    np.testing.assert_array_equal(found.indptr, expected.indptr)
    assert found.shape == expected.shape
    assert found.indices.dtype == expected.indices.dtype


def test_rows_in_another_order_are_refused():
    X = sparse.csr_array((np.ones(5, np.float32), np.array([5, 9, 6, 7, 4]), np.array([0, 5])), (1, 10))
    with pytest.raises(ValueError, match="not in the order of the columns"):
        block_of(X, slice(4, 8))


def test_a_table_is_made_dense_where_documents_ask_for_its_full_rows(monkeypatch):
    table = np.zeros((400, 5), dtype=np.float32)
    table[:40] = np.arange(1, 201).reshape(40, 5)
    frequent = sparse.random_array((100, 40), density=0.5, format="csr", dtype=np.float32, rng=0)
    X = sparse.hstack([frequent, sparse.csr_array((100, 360), dtype=np.float32)], format="csr")
    monkeypatch.setattr(_arrays, "_add_sparse_products", None)
    np.testing.assert_allclose(dense_product(X, sparse.csr_array(table)), X @ table, rtol=1e-5)


def test_a_table_that_would_take_much_more_room_stays_sparse(monkeypatch):
    table = sparse.csr_array((np.ones(300, np.float32), (np.zeros(300, int), np.arange(300))), (100, 300))
    X = sparse.csr_array((np.ones(100, np.float32), (np.arange(100), np.zeros(100, int))), (100, 100))
    monkeypatch.setattr(_arrays, "dot", None)
    np.testing.assert_array_equal(dense_product(X, table), np.ones((100, 300)))
