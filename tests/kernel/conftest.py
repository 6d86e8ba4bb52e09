"""Fixtures of the kernel projections' tests."""

import numpy as np
import pytest
from scipy import sparse


@pytest.fixture
def documents():
    """Give unit rows of 4 classes of different sizes over 60 terms, 15 terms a class, and integer labels."""
    rng = np.random.default_rng(7)
    y = rng.permutation(np.repeat([0, 1, 2, 3], [40, 32, 27, 21]))
    X = rng.random((120, 60)) * (rng.random((120, 60)) < 0.08)
    own = 15 * y[:, None] + rng.integers(0, 15, (120, 5))
    X[np.arange(120)[:, None], own] += rng.random((120, 5))
    return sparse.csr_array(X / np.linalg.norm(X, axis=1, keepdims=True)), y


@pytest.fixture
def rings():
    """Give points on two rings around the origin, which no linear projection tells apart, and their ring."""
    rng = np.random.default_rng(3)
    angles, y = rng.uniform(0, 2 * np.pi, 200), np.arange(200) % 2
    radii = np.where(y, 2.0, 0.7) + 0.05 * rng.standard_normal(200)
    return np.column_stack([radii * np.cos(angles), radii * np.sin(angles)]), y
