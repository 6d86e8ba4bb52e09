import numpy as np
import pytest

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

from textspace.dask._ridge import normal_ridge
from textspace.solvers import ConvergenceError


def test_what_is_no_number_has_not_converged():
    right = np.ones((3, 2))
    with pytest.raises(ConvergenceError, match="2 of 2 ridge regressions did not converge"):
        normal_ridge(lambda V: np.full_like(V, np.nan), right, 1, alpha=1.0, tol=1e-3, max_iter=5)
