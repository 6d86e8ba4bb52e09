"""Documents on which the blend and its scorers are tried."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import normalize


@pytest.fixture(scope="session")
def documents():
    """Give the function that makes documents."""
    return make_documents


def make_documents(n_samples=150, n_features=200, n_classes=5, *, strength=1.0, seed=0):
    """Give unit float32 rows of classes that share most of their terms, and string labels."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n_samples - n_classes)])
    X = rng.random((n_samples, n_features)) * (rng.random((n_samples, n_features)) < 0.1)
    X[np.arange(n_samples)[:, None], rng.integers(0, 20, (n_samples, 4)) + 20 * y[:, None]] += strength
    X = normalize(X).astype(np.float32)
    return sparse.csr_array(X), np.array([f"class {each}" for each in y])
