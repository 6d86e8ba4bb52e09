"""Ridge regressions of every penalty, with leave-one-out, from one eigendecomposition."""

import numpy as np
from scipy import linalg, sparse
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
    sample_weight : ndarray of shape (n_samples,), default=None
        What each document counts, above 0: a document of weight 2 is one that is there twice.

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

    def __init__(self, X, Y, *, center=False, sample_weight=None):
        X = check_rows(X)
        self._X, self._center = X.astype(np.float64), center
        self._Y = np.asarray(Y, dtype=np.float64)
        self._weights = np.ones(len(self._Y)) if sample_weight is None else np.asarray(sample_weight, float)
        self._roots = np.sqrt(self._weights)
        self._mean, self._offset = np.zeros(X.shape[1]), np.zeros(self._Y.shape[1])
        if center:
            shares = self._weights / self._weights.sum()
            self._mean, self._offset = self._X.T @ shares, shares @ self._Y
        self._dual = X.shape[0] <= X.shape[1]
        self._centred = self._Y - self._offset
        if self._dual:
            self._values, self._vectors = linalg.eigh(self._document_products(), overwrite_a=True)
            self._responses = self._vectors.T @ (self._roots[:, None] * self._centred)
        else:
            self._values, self._vectors = linalg.eigh(self._term_products(), overwrite_a=True)
            # as the responses are centred, the documents need not be
            weighted = self._weights[:, None] * self._centred
            self._responses = self._vectors.T @ safe_sparse_dot(self._X.T, weighted)
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
        return safe_sparse_dot(self._X.T, self._roots[:, None] * solution)

    def left_out(self, alphas):
        """Predict the responses of each document by the regression on all others.

        Of a document that counts more than one, as much as one document counts is left out: the prediction is
        that of one of its copies by the others too.

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
        penalties = np.array([self._positive(alpha) for alpha in alphas])
        for rows in gen_batches(len(self._Y), _BATCH):
            truth, weights = self._Y[rows], self._weights[rows, None]
            kept = np.maximum(weights - 1, 0)  # of each document, when it is left out
            if self._dual:
                vectors = self._vectors[rows]
                # the residual is alpha times the dual solution; one less the leverage is alpha times the
                # diagonal of (G + alpha I)^-1: alpha, however small, cancels
                residuals = np.array([vectors @ (self._responses * each[:, None]) for each in shrink])
                residuals /= self._roots[rows, None]
                diagonal = vectors**2 @ shrink.T
                if self._center:
                    diagonal -= weights / self._weights.sum() / (self._constant + penalties)
                diagonal = (diagonal + kept / penalties) / np.maximum(weights, 1)
            else:
                coordinates = safe_sparse_dot(self._X[rows], self._vectors) - self._mean @ self._vectors
                fitted = np.array([coordinates @ (self._responses * each[:, None]) for each in shrink])
                residuals = self._centred[rows] - fitted
                leverage = coordinates**2 @ shrink.T + self._center / self._weights.sum()
                diagonal = np.maximum(1 - np.minimum(weights, 1) * leverage, np.finfo(np.float64).eps)
            yield rows, truth - residuals / diagonal.T[:, :, None]

    def _document_products(self):
        gram = safe_sparse_dot(self._X, self._X.T, dense_output=True)
        if self._center:
            shares = self._weights / self._weights.sum()
            means = gram @ shares
            gram += means @ shares - means - means[:, None]
        gram *= self._roots * self._roots[:, None]
        if self._center:
            # the constant vector is no direction to regress along: move it away from eigenvalue zero
            self._constant = np.trace(gram)
            gram += self._constant / self._weights.sum() * self._roots * self._roots[:, None]
        return gram

    def _term_products(self):
        weighted = sparse.diags_array(self._weights) @ self._X
        products = safe_sparse_dot(self._X.T, weighted, dense_output=True)
        return products - self._weights.sum() * np.outer(self._mean, self._mean)

    def _shrink(self, alpha):
        return 1 / (self._values + self._positive(alpha))

    def _positive(self, alpha):
        """Take a penalty of zero, or one that rounding hides, for a tiny one."""
        return max(alpha, 1e-12 * (self._values[-1] or 1.0))
