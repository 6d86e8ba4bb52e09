"""Dual coefficients of one ridge regression for responses that come batch by batch."""

import numpy as np
from scipy import linalg, sparse

from textspace._compiled import blas_threads, compiled, thread_count
from textspace._validation import check_rows
from textspace.solvers._lanczos import ConvergenceError
from textspace.solvers._left_out import diagonal_of, random_signs
from textspace.solvers._ridge_path import ridge_path

_MOST_DOCUMENTS = 24_000  # of which the Gram matrix is held: 2.3 GB
_FULL = 0.5  # share of entries other than zero above which centring a Gram matrix would lose digits
# seconds, about: of a dense multiplication, of two documents that share a term; of iterations, a response
# with a document and with an entry
_DENSE, _A_MATCH, _A_DOCUMENT, _AN_ENTRY = 2.5e-11, 2e-9, 1.2e-6, 6e-9


class DualRidge:
    """Dual coefficients of a ridge regression with an intercept and one penalty.

    They are those of :func:`ridge_path`. Where responses are many beside the documents, the Gram matrix of
    the documents is formed and factored once: the solutions are then exact.

    Parameters
    ----------
    X : {ndarray, CSR matrix, CSR array} of shape (n_samples, n_features)
        Documents.
    alpha : float
        Penalty above zero.
    n_responses : int
        How many responses there will be in all.
    tol : float, default=1e-2
        As in :func:`ridge_path`, where solutions are not exact.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.solvers import DualRidge
    >>> X = np.array([[1.0], [0.0], [-1.0]])
    >>> DualRidge(X, 1.0, n_responses=1).solve(3 * X).round(6).ravel()
    array([ 1.,  0., -1.])
    """

    def __init__(self, X, alpha, *, n_responses, tol=1e-2):
        self._X, self._alpha, self._tol = check_rows(X), alpha, tol
        self._factor = None
        if _factor_pays(self._X, n_responses):
            try:
                with _threads():
                    self._factor = linalg.cholesky(
                        centred_gram(self._X, alpha), lower=False, overwrite_a=True, check_finite=False
                    )
            except linalg.LinAlgError:
                raise ConvergenceError(
                    f"alpha={alpha:g} is lost in the rounding of {self._X.dtype}: increase it."
                ) from None

    def solve(self, Y):
        """Give the dual coefficients of some responses.

        Parameters
        ----------
        Y : ndarray of shape (n_samples, k)
            Responses.

        Returns
        -------
        ndarray of shape (n_samples, k)
            Dual coefficients; those of a response sum to zero.
        """
        Y = np.asarray(Y, dtype=self._X.dtype)
        if self._factor is None:
            return ridge_path(self._X, Y, [self._alpha], tol=self._tol)[0]
        right = np.asfortranarray(Y - Y.mean(axis=0))
        with _threads():
            return linalg.cho_solve((self._factor, False), right, overwrite_b=True, check_finite=False)

    def diagonal(self, random_state=0):
        """Give the numbers by which dual coefficients are divided to become leave-one-out residuals.

        Parameters
        ----------
        random_state : int, default=0
            As in :func:`dual_diagonals`.

        Returns
        -------
        ndarray of shape (n_samples,)
            As :func:`dual_diagonals` gives them.
        """
        signs = random_signs(self._X.shape[0], self._X.dtype, random_state)
        return diagonal_of(signs, self.solve(signs), self._alpha)


def _factor_pays(X, n_responses):
    """Tell whether factoring a dense matrix takes less time than iterations with the sparse one."""
    n_samples, n_columns = X.shape
    if not sparse.issparse(X) or n_samples > _MOST_DOCUMENTS or X.nnz > _FULL * n_samples * n_columns:
        return False
    sizes = np.bincount(X.indices, minlength=n_columns).astype(np.float64)
    factor = _DENSE * n_samples**2 * (n_samples / 6 + n_responses) + _A_MATCH * (sizes @ sizes)
    return factor < n_responses * (_A_DOCUMENT * n_samples + _AN_ENTRY * X.nnz)


def centred_gram(X, alpha):
    """Give the upper triangle of the Gram matrix of centred documents plus alpha times the identity.

    Parameters
    ----------
    X : CSR matrix or array of shape (n_samples, n_features)
        Documents.
    alpha : float
        What is added to the diagonal.

    Returns
    -------
    ndarray of shape (n_samples, n_samples)
        In Fortran order; what is below the diagonal means nothing.
    """
    turned = sparse.csc_array(X)
    products = X @ np.asarray(X.mean(axis=0)).ravel().astype(X.dtype)
    gram = np.zeros((X.shape[0], X.shape[0]), dtype=X.dtype)
    _fill_lower(
        *(X.indptr, X.indices, X.data, turned.indptr, turned.indices, turned.data),
        *(products, X.dtype.type(alpha), gram),
    )
    return gram.T


@compiled(nogil=True)
def _fill_lower(starts, terms, data, t_starts, documents, t_data, products, alpha, gram):
    mean = products.mean()
    for row in range(len(gram)):
        out = gram[row]
        for entry in range(starts[row], starts[row + 1]):
            weight, term = data[entry], terms[entry]
            for place in range(t_starts[term], t_starts[term + 1]):
                other = documents[place]
                if other > row:
                    break
                out[other] += weight * t_data[place]
        for other in range(row + 1):
            out[other] -= products[row] + products[other] - mean
        out[row] += alpha


def _threads():
    return blas_threads(thread_count())
