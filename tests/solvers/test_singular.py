"""Singular vectors against a dense decomposition."""

import numpy as np
import pytest
from scipy import sparse

from textspace.solvers import top_singular_vectors


@pytest.mark.parametrize("shape", [(60, 35), (35, 60)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("many", [1, 10**9], ids=["over all cores", "on one core"])
def test_equals_a_dense_decomposition(monkeypatch, shape, dtype, many):
    monkeypatch.setattr("textspace.solvers._singular._MANY", many)
    X = sparse.random_array(shape, density=0.3, format="csr", dtype=dtype, random_state=0)
    values, vectors = top_singular_vectors(X, n_components=5, random_state=0)
    _, expected, rows = np.linalg.svd(X.toarray())
    assert values.dtype == vectors.dtype == dtype
    np.testing.assert_allclose(values, expected[:5], rtol=1e-5)
    np.testing.assert_allclose(np.abs(np.sum(vectors * rows[:5], axis=1)), 1, atol=1e-4)
