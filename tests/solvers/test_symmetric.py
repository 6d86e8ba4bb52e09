"""The largest eigenvalues, where LAPACK finds them and where it does not."""

import numpy as np
import pytest
from scipy import linalg

from textspace.solvers import largest_eigenpairs


def symmetric(seed, size=12):
    half = np.random.default_rng(seed).standard_normal((size, size))
    return half @ half.T


@pytest.mark.parametrize("n_components", [1, 5, 12, 20])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("with_metric", [True, False])
def test_they_solve_the_equation(n_components, lower, with_metric):
    matrix, metric = symmetric(0), symmetric(1) if with_metric else None
    triangle = np.tril if lower else np.triu
    given = [None if each is None else triangle(each) for each in (matrix, metric)]
    values, vectors = largest_eigenpairs(given[0], n_components=n_components, metric=given[1], lower=lower)
    n_kept = min(n_components, 12)
    assert vectors.shape == (12, n_kept)
    metric = np.eye(12) if metric is None else metric
    np.testing.assert_allclose(matrix @ vectors, metric @ vectors * values, atol=1e-7)
    expected = np.sort(linalg.eigvals(matrix, metric).real)[::-1]
    np.testing.assert_allclose(values, expected[:n_kept])


def test_eigenvalues_that_are_equal_but_for_rounding():
    """Identities with next to nothing beside the diagonal; bisection does not find a part of some of them."""
    n_short = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        noise = np.exp(-rng.uniform(32, 100, (30, 30)))
        matrix = np.triu(noise, 1) + np.triu(noise, 1).T + np.eye(30)
        n_short += len(linalg.eigh(matrix, subset_by_index=(27, 29))[0]) < 3
        values, vectors = largest_eigenpairs(matrix, n_components=3)
        np.testing.assert_allclose(values, np.ones(3))
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(3), atol=1e-10)
    assert n_short > 0, "nothing was tried that bisection misses"


@pytest.mark.parametrize("kind", [np.uint8, np.uint64])
def test_a_count_without_a_sign_is_a_count(kind):
    values, vectors = largest_eigenpairs(symmetric(0), n_components=kind(3))
    assert values.shape == (3,)
    assert vectors.shape == (12, 3)
