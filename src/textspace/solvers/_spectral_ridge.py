"""Ridge regressions of every penalty, with leave-one-out, from one eigendecomposition."""

import numpy as np
from scipy import linalg
from sklearn.utils import gen_batches
from sklearn.utils.extmath import safe_sparse_dot

from textspace._validation import check_rows

_BATCH = 2000  # documents whose coordinates are held at a time


class SpectralRidge:
    """Exact solutions and exact leave-one-out predictions of ridge regression, for any number of penalties.

    One eigendecomposition, of the inner products of the documents or of those of the terms, whichever are
    fewer, serves all penalties and all responses. It is dense and cubic in that shorter side.

    Parameters
    ----------
    X : {ndarray, CSR matrix, CSR array} of shape (n_samples, n_features)
        Documents.
    Y : ndarray of shape (n_samples, n_responses)
        Responses, one a column.
    center : bool, default=False
        Whether to subtract the column means, as a model with an unpenalised intercept does. Leave-one-out
        then leaves a document out of the means too.

    Notes
    -----
    All is computed in double precision. A penalty of zero stands for its limit, the least-squares solution
    of least norm.

    References
    ----------
    R. M. Rifkin and R. A. Lippert, "Notes on regularized least squares", MIT-CSAIL-TR-2007-025, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.solvers import SpectralRidge
    >>> X, Y = np.array([[1.0], [2.0], [3.0]]), np.array([[1.0], [2.0], [6.0]])
    >>> spectrum = SpectralRidge(X, Y)
    >>> spectrum.coef(1.0).round(3)
    array([[1.533]])
    >>> [predictions.round(3).ravel() for _, predictions in spectrum.left_out([1.0])]
    [array([1.571, 3.455, 2.5  ])]
    """

    def __init__(self, X, Y, *, center=False):
        X = check_rows(X)
        self._X, self._center = X.astype(np.float64), center
        self._Y = np.asarray(Y, dtype=np.float64)
        self._mean, self._offset = np.zeros(X.shape[1]), np.zeros(self._Y.shape[1])
        if center:
            self._mean, self._offset = np.asarray(self._X.mean(axis=0)).ravel(), self._Y.mean(axis=0)
        self._dual = X.shape[0] <= X.shape[1]
        self._centred = self._Y - self._offset
        if self._dual:
            self._values, self._vectors = linalg.eigh(self._document_products(), overwrite_a=True)
            self._responses = self._vectors.T @ self._centred
        else:
            self._values, self._vectors = linalg.eigh(self._term_products(), overwrite_a=True)
            # as the responses are centred, the documents need not be
            self._responses = self._vectors.T @ safe_sparse_dot(self._X.T, self._centred)
        self._values = np.maximum(self._values, 0)

    def coef(self, alpha):
        """Coefficients for one penalty.

        Parameters
        ----------
        alpha : float
            What is added to the diagonal of ``X.T @ X``; at least 0.

        Returns
        -------
        ndarray of shape (n_features, n_responses)
            The coefficients.
        """
        solution = self._vectors @ (self._responses * self._shrink(alpha)[:, None])
        if not self._dual:
            return solution
        # the dual solution sums to zero where documents are centred, so that these need not be
        return safe_sparse_dot(self._X.T, solution)

    def left_out(self, alphas):
        """Predict the responses of each document by the regression on all others.

        Parameters
        ----------
        alphas : sequence of float
            Penalties.

        Yields
        ------
        rows : slice
            Documents of this batch.
        predictions : ndarray of shape (n_alphas, n_rows, n_responses)
            Their predictions by each penalty.
        """
        shrink = np.array([self._shrink(alpha) for alpha in alphas])
        for rows in gen_batches(len(self._Y), _BATCH):
            truth = self._Y[rows]
            if self._dual:
                vectors = self._vectors[rows]
                # the residual is alpha times the dual solution; one less the leverage is alpha times the
                # diagonal of (G + alpha I)^-1: alpha, however small, cancels
                residuals = np.array([vectors @ (self._responses * each[:, None]) for each in shrink])
                diagonal = vectors**2 @ shrink.T
                if self._center:
                    diagonal -= self._shrink_constant(alphas) / len(self._Y)
            else:
                coordinates = safe_sparse_dot(self._X[rows], self._vectors) - self._mean @ self._vectors
                fitted = np.array([coordinates @ (self._responses * each[:, None]) for each in shrink])
                residuals = self._centred[rows] - fitted
                leverage = coordinates**2 @ shrink.T + self._center / len(self._Y)
                diagonal = np.maximum(1 - leverage, np.finfo(np.float64).eps)
            yield rows, truth - residuals / diagonal.T[:, :, None]

    def _document_products(self):
        gram = safe_sparse_dot(self._X, self._X.T, dense_output=True)
        if self._center:
            means = gram.mean(axis=0)
            gram += means.mean() - means - means[:, None]
            # the constant vector is no direction to regress along: move it away from eigenvalue zero
            self._constant = np.trace(gram)
            gram += self._constant / len(gram)
        return gram

    def _term_products(self):
        products = safe_sparse_dot(self._X.T, self._X, dense_output=True)
        return products - len(self._Y) * np.outer(self._mean, self._mean)

    def _shrink(self, alpha):
        return 1 / (self._values + self._positive(alpha))

    def _shrink_constant(self, alphas):
        return 1 / (self._constant + np.array([self._positive(alpha) for alpha in alphas]))

    def _positive(self, alpha):
        """Take a penalty of zero, or one that rounding hides, for a tiny one."""
        return max(alpha, 1e-12 * (self._values[-1] or 1.0))
