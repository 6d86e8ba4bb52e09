"""Kernel matrices learned from pairs of the same and of different classes."""

import numpy as np
from scipy import linalg

from textspace.solvers import ConvergenceError

_LARGEST = 200  # landmarks: the semidefinite programme has one unknown a pair


def class_pairs(classes):
    """Say which pairs of landmarks belong together (eq. 14 of Wang & Sun), by a matrix of shape (m, m).

    It is 1 for a pair of the same class, -1 for one of different classes, 0 where a class is -1, not clear.
    """
    known = classes >= 0
    together = np.where(classes[:, None] == classes, 1.0, -1.0)
    return together * np.outer(known, known)


def linear_loss_kernel(laplacian, pairs, *, C):
    """Give the embedding E of the kernel S for the linear loss, in closed form: ``E @ E.T = [C T - L]_+``.

    It minimises ``tr(L S) - C tr(T S) + |S|^2 / 2`` over positive semi-definite S, T being the
    :func:`class_pairs` and L the Laplacian of the landmarks; without the last term the linear loss would have
    no minimum. As L has no negative and T at most as many positive eigenvalues as there are classes, E has at
    most so many columns.
    """
    return embedding(C * pairs - laplacian)


def hinge_loss_kernel(laplacian, pairs, *, C, tol=1e-4, max_iter=100_000):
    """Give the embedding for the hinge loss, by semidefinite programming (eq. 17 of Wang & Sun).

    It minimises ``tr(L S) + C sum_ij max(0, 1 - T_ij S_ij)`` over positive semi-definite S, the sum being
    over the pairs with a known T; arguments are those of :func:`linear_loss_kernel`. Needs cvxpy, whose
    solver SCS goes to the accuracy `tol`, absolute and relative, or raises a ConvergenceError after
    `max_iter` iterations.
    """
    try:
        import cvxpy
    except ImportError:
        raise ImportError(
            "The semidefinite programme needs cvxpy: pip install 'textspace[sdp]', or use solver='closed'."
        ) from None
    size = len(pairs)
    if size > _LARGEST:
        raise ValueError(
            f"{size} landmarks are too many for the semidefinite programme: take at most {_LARGEST} "
            "(n_landmarks), or solver='closed', which serves any number."
        )
    kernel = cvxpy.Variable((size, size), PSD=True)
    # both triangles hold the same pairs: one is enough, and halves the problem
    rows, columns = np.nonzero(np.triu(pairs))
    signs, counts = pairs[rows, columns], np.where(rows == columns, 1, 2)
    losses = cvxpy.pos(1 - cvxpy.multiply(signs, kernel[rows, columns]))
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.trace(laplacian @ kernel) + C * (counts @ losses)))
    try:
        problem.solve(solver=cvxpy.SCS, eps_abs=tol, eps_rel=tol, max_iters=max_iter)
    except cvxpy.SolverError as failure:
        raise ConvergenceError(f"The semidefinite programme was not solved: {failure}") from failure
    if problem.status != cvxpy.OPTIMAL:
        raise ConvergenceError(
            f"The semidefinite programme over {size} landmarks did not converge in {max_iter} iterations "
            f"({problem.status}): take fewer landmarks, a smaller C, or solver='closed'."
        )
    return embedding(kernel.value, tol=10 * tol)


def embedding(matrix, *, tol=1e-12):
    """Factor the positive part of a symmetric matrix, the largest eigenvalue first.

    Gives E such that ``E @ E.T`` is the positive semi-definite matrix nearest to `matrix`. Eigenvalues up to
    the share `tol` of the largest count as zero, but E has at least one column, of zeros if need be.
    """
    values, vectors = linalg.eigh((matrix + matrix.T) / 2)
    kept = values > tol * np.abs(values).max()
    kept[-1] = True
    return (vectors[:, kept] * np.sqrt(np.maximum(values[kept], 0)))[:, ::-1]
