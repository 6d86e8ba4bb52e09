"""One ridge regression for many responses: by a factor of the Gram matrix, and by iterations."""

import numpy as np
import pytest
from scipy import sparse

from textspace.solvers import ConvergenceError, DualRidge, dual_diagonals, ridge_path


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_responses", [1, 10**6])
def test_solutions_and_diagonals_are_those_of_iterations(dtype, n_responses):
    rng = np.random.default_rng(0)
    X = sparse.random_array((400, 150), density=0.05, rng=rng).astype(dtype).tocsr()
    Y = rng.normal(size=(400, 7)).astype(dtype)
    regression = DualRidge(X, 0.5, n_responses=n_responses, tol=1e-6)
    [expected] = ridge_path(X, Y, [0.5], tol=1e-6)
    found = regression.solve(Y)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, expected, atol=1e-4)
    np.testing.assert_allclose(found.sum(axis=0), 0, atol=1e-3)
    [expected] = dual_diagonals(X, [0.5], tol=1e-6)
    np.testing.assert_allclose(regression.diagonal(), expected, atol=1e-4)


def test_many_responses_are_solved_by_a_factor_and_dense_rows_are_not():
    X = sparse.random_array((1500, 500), density=0.01, rng=np.random.default_rng(0)).tocsr()
    assert DualRidge(X, 1.0, n_responses=10**5)._factor is not None
    assert DualRidge(X, 1.0, n_responses=1)._factor is None
    assert DualRidge(X.toarray(), 1.0, n_responses=10**5)._factor is None


@pytest.mark.parametrize("alpha", [1e-12, 1e-7])
def test_a_penalty_that_rounding_hides_from_the_factor_is_refused(alpha):
    X = sparse.random_array((60, 40), density=0.3, rng=np.random.default_rng(0), dtype=np.float32).tocsr()
    with pytest.raises(ConvergenceError, match=f"alpha={alpha:g} is lost in the rounding of float32"):
        DualRidge(X, alpha, n_responses=10**6)
