"""Documents on which the blend and its scorers are tried."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import normalize


@pytest.fixture(scope="session")
def documents():
    """Give the function that makes documents."""
    return make_documents


@pytest.fixture(scope="session")
def two_blocks():
    """Give the function that makes documents with two blocks of columns."""
    return make_two_blocks


def make_documents(n_samples=150, n_features=200, n_classes=5, *, strength=1.0, seed=0):
    """Give unit float32 rows of classes that share most of their terms, and string labels."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n_samples - n_classes)])
    return make_rows(y, n_features, rng, strength), np.array([f"class {each}" for each in y])


def make_two_blocks(n_samples=150, *, strengths=(1.0, 1.0), seed=0):
    """Give rows of 200 and 120 columns side by side, each a unit row by itself, and string labels."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(5), rng.integers(0, 5, n_samples - 5)])
    rows = [
        make_rows(y, n_features, rng, strength)
        for n_features, strength in zip((200, 120), strengths, strict=True)
    ]
    return sparse.hstack(rows, format="csr"), np.array([f"class {each}" for each in y])


def make_rows(y, n_features, rng, strength):
    """Give unit float32 rows; each holds four of the twenty terms of its class."""
    X = rng.random((len(y), n_features)) * (rng.random((len(y), n_features)) < 0.1)
    X[np.arange(len(y))[:, None], rng.integers(0, 20, (len(y), 4)) + 20 * y[:, None]] += strength
    return sparse.csr_array(normalize(X).astype(np.float32))
