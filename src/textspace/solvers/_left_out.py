"""Leave-one-out predictions of ridge regressions, from one that has seen all documents."""

import numpy as np

from textspace._validation import check_rows
from textspace.solvers._ridge_path import ridge_path

_PROBES = 32  # random responses that tell how much each document pulls at its own prediction
_FEW = 256  # documents up to which each has a response of its own, and the diagonal is exact
_LEAST = 0.02  # share of a residual, at least, that is left when its document is learned from


def dual_diagonals(X, alphas, *, tol=1e-2, random_state=0):
    """Give the diagonals by which dual coefficients become leave-one-out residuals.

    Parameters
    ----------
    X, alphas, tol
        As in :func:`ridge_path`.
    random_state : int, default=0
        Seed of the random signs.

    Returns
    -------
    ndarray of shape (n_alphas, n_samples)
        Above zero. Dual coefficients divided by them are the residuals of documents that are left out.

    Notes
    -----
    It is the diagonal of R, the inverse of ``G + alpha I`` less its part along the ones: the mean of
    ``z * (R @ z)`` over random signs z. These are 32 responses, whatever the number of classes, where five
    folds would take five times all. Of at most 256 documents the diagonal is that of R itself.

    References
    ----------
    R. M. Rifkin and R. A. Lippert, "Notes on regularized least squares", MIT-CSAIL-TR-2007-025, 2007.
    C. Bekas, E. Kokiopoulou and Y. Saad, "An estimator for the diagonal of a matrix", Applied Numerical
    Mathematics 57, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.solvers import dual_diagonals
    >>> dual_diagonals(np.array([[1.0], [0.0], [-1.0]]), [1.0]).round(6)
    array([[0.333333, 0.666667, 0.333333]])
    """
    X = check_rows(X)
    signs = random_signs(X.shape[0], X.dtype, random_state)
    probes = ridge_path(X, signs, alphas, tol=tol)
    found = [diagonal_of(signs, own, alpha) for own, alpha in zip(probes, alphas, strict=True)]
    return np.stack(found)


def random_signs(n_samples, dtype, random_state):
    """Give the responses that tell the diagonal, of shape (n_samples, k); of few documents the identity."""
    if n_samples <= _FEW:
        return np.eye(n_samples, dtype=dtype)
    generator = np.random.default_rng(random_state)
    return generator.choice(np.dtype(dtype).type([-1, 1]), (n_samples, _PROBES))


def diagonal_of(signs, duals, alpha):
    """Give the diagonal, of shape (n_samples,), from random signs and their dual coefficients."""
    diagonal = np.sum(signs * duals, axis=1) / np.sum(signs**2, axis=1)
    return np.clip(diagonal, _LEAST / alpha, 1 / alpha)


def left_out(X, Y, alphas, *, tol=1e-2, random_state=0):
    """Predict each document's responses by ridge regressions that have not seen it, from one that has.

    Parameters
    ----------
    X, Y, alphas, tol
        As in :func:`ridge_path`.
    random_state : int, default=0
        As in :func:`dual_diagonals`.

    Returns
    -------
    predictions : ndarray of shape (n_alphas, n_samples, n_responses)
        Leave-one-out predictions.
    duals : ndarray of shape (n_alphas, n_samples, n_responses)
        Dual coefficients, as by :func:`ridge_path`.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.solvers import left_out
    >>> X = np.array([[1.0], [0.0], [-1.0]])
    >>> predictions, duals = left_out(X, X, [1.0])
    >>> duals.round(6).ravel()
    array([ 0.333333,  0.      , -0.333333])
    """
    X = check_rows(X)
    Y = np.asarray(Y, dtype=X.dtype)
    duals = ridge_path(X, Y, alphas, tol=tol)
    diagonals = dual_diagonals(X, alphas, tol=tol, random_state=random_state)
    return Y - duals / diagonals[:, :, None], duals
