"""Rows of unit length are scikit-learn's, and rows of probabilities are scipy's."""

import numpy as np
import pytest
from scipy import sparse, special
from sklearn.preprocessing import normalize as peer

from textspace._rows import normalize, softmax


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, sparse.csr_matrix])
def test_rows_are_those_of_scikit_learn(kind, dtype):
    dense = np.random.default_rng(0).normal(size=(20, 7)).astype(dtype)
    dense[dense < 0.3] = 0
    dense[3] = 0
    dense[4] = np.finfo(dtype).eps  # as good as zero, unless it is sparse
    X = kind(dense)
    before = X.copy()
    ours, theirs = normalize(X), peer(X)
    assert type(ours) is type(theirs)
    assert ours.dtype == dtype
    assert abs(ours - theirs).max() == 0
    assert abs(X - before).max() == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_probabilities_are_those_of_scipy(dtype):
    values = np.random.default_rng(0).normal(scale=300, size=(20, 7)).astype(dtype)
    ours = softmax(values)
    assert ours.dtype == dtype
    np.testing.assert_array_equal(ours, special.softmax(values, axis=1))
