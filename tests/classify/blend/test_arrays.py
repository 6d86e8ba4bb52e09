"""Products of documents with tables, sparse and nearly full."""

import numpy as np
import pytest
from scipy import sparse

from textspace.classify.blend._arrays import dense_product


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
