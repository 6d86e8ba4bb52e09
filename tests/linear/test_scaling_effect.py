"""The diagnostic of label-driven scaling, against cosines and their differences."""

import numpy as np
import pytest
from scipy import sparse

from textspace.linear import scaling_effect


@pytest.fixture
def pairs():
    rng = np.random.default_rng(0)
    X, Y = rng.random((2, 50, 8)) * (rng.random((2, 50, 8)) < 0.6)
    return X, Y, np.arange(8) < 3


def cosine(x, y, scaled, t):
    y = np.where(scaled, t * y, y)
    return x @ y / np.linalg.norm(x) / np.linalg.norm(y)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("t", [1.0, 1.7, 4.0])
def test_distance_and_derivative_are_those_of_the_cosine(t, container, pairs):
    X, Y, scaled = pairs
    found = scaling_effect(container(X), container(Y), scaled, factor=t)
    for row, (x, y) in enumerate(zip(X, Y, strict=True)):
        assert found.cosine[row] == pytest.approx(cosine(x, y, scaled, t))
        ahead, behind = (cosine(x, y, scaled, t + step) for step in (1e-6, -1e-6))
        assert found.slope[row] == pytest.approx((ahead - behind) / 2e-6, abs=1e-7)
        assert found.grows[row] == (found.slope[row] > 0)


def test_the_cosine_is_largest_at_the_limit(pairs):
    X, Y, scaled = pairs
    found = scaling_effect(X, Y, scaled, factor=1.0)
    shown = np.isfinite(found.limit) & (found.limit > 0)
    assert shown.sum() > 30
    for x, y, limit in zip(X[shown], Y[shown], found.limit[shown], strict=True):
        best = cosine(x, y, scaled, limit)
        assert best >= max(cosine(x, y, scaled, 0.9 * limit), cosine(x, y, scaled, 1.1 * limit))


def test_the_first_assumption_and_pairs_without_effect():
    scaled = np.array([True, False])
    # nothing in common but the label: it grows whatever the factor; nothing in common: it stays at zero
    found = scaling_effect([[1.0, 0.0], [1.0, 0.0], [0.0, 0.0]], [[1, 2], [0, 1], [1, 1.0]], scaled, factor=9)
    assert found.limit[0] == np.inf
    np.testing.assert_array_equal(found.grows, [True, False, False])
    np.testing.assert_array_equal(found.slope[1:], 0)
    np.testing.assert_array_equal(found.cosine[1:], 0)


def test_what_makes_no_sense_is_refused(pairs):
    X, Y, scaled = pairs
    with pytest.raises(ValueError, match="make no pairs"):
        scaling_effect(X[:3], Y, scaled, factor=2)
    with pytest.raises(ValueError, match="above zero"):
        scaling_effect(X, Y, scaled, factor=0)
    with pytest.raises(ValueError, match="negative"):
        scaling_effect(-X, Y, scaled, factor=2)
