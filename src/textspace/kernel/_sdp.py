"""Kernel matrices learned from pairs of the same and of different classes."""

import numpy as np
from scipy import linalg

from textspace.solvers import ConvergenceError

_LARGEST = 200  # landmarks: the semidefinite programme has one unknown a pair


def class_pairs(classes):
    """Say which pairs belong together (eq. 14 of Wang & Sun).

    Parameters
    ----------
    classes : ndarray of shape (m,), int
        Class of each landmark; -1 where it is not clear.

    Returns
    -------
    ndarray of shape (m, m)
        1 for a pair of the same class, -1 for a pair of different classes, 0 where a class is not clear.
    """
    known = classes >= 0
    together = np.where(classes[:, None] == classes, 1.0, -1.0)
    return together * np.outer(known, known)


def linear_loss_kernel(laplacian, pairs, *, C):
    """Kernel for the linear loss, in closed form: ``[C T - L]_+``.

    It minimises ``tr(L S) - C tr(T S) + |S|^2 / 2`` over positive semi-definite S; without the last term
    the linear loss would have no minimum.

    Parameters
    ----------
    laplacian : ndarray of shape (m, m)
        Laplacian L of the graph over the landmarks.
    pairs : ndarray of shape (m, m)
        The pairs T of :func:`class_pairs`.
    C : float
        Weight of the pairs.

    Returns
    -------
    ndarray of shape (m, r)
        Embedding E with ``S = E @ E.T``, the largest eigenvalue first. As L has no negative and T at most
        as many positive eigenvalues as there are classes, r is at most the number of classes.
    """
    return embedding(C * pairs - laplacian)


def hinge_loss_kernel(laplacian, pairs, *, C, tol=1e-4, max_iter=100_000):
    """Kernel for the hinge loss, by semidefinite programming (eq. 17 of Wang & Sun).

    It minimises ``tr(L S) + C sum_ij max(0, 1 - T_ij S_ij)`` over positive semi-definite S, the sum being
    over the pairs with a known T. Needs cvxpy.

    Parameters
    ----------
    laplacian : ndarray of shape (m, m)
        Laplacian L of the graph over the landmarks.
    pairs : ndarray of shape (m, m)
        The pairs T of :func:`class_pairs`.
    C : float
        Weight of the pairs.
    tol : float, default=1e-4
        Accuracy of the solver, SCS, absolute and relative.
    max_iter : int, default=100000
        Iterations after which it gives up.

    Returns
    -------
    ndarray of shape (m, r)
        Embedding E with ``S = E @ E.T``, the largest eigenvalue first.

    Raises
    ------
    ConvergenceError
        The solver did not reach ``tol``.
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
    """Factor the positive part of a symmetric matrix.

    Parameters
    ----------
    matrix : ndarray of shape (m, m)
        Symmetric but for rounding.
    tol : float, default=1e-12
        Share of the largest eigenvalue up to which another one counts as zero.

    Returns
    -------
    ndarray of shape (m, r)
        E such that ``E @ E.T`` is the positive semi-definite matrix nearest to ``matrix``; at least one
        column, which is zero where there is no positive part.
    """
    values, vectors = linalg.eigh((matrix + matrix.T) / 2)
    kept = values > tol * np.abs(values).max()
    kept[-1] = True
    return (vectors[:, kept] * np.sqrt(np.maximum(values[kept], 0)))[:, ::-1]
