"""Ridge regressions of every penalty from one block Krylov space."""

import numpy as np
from scipy import linalg, sparse

from textspace._validation import check_rows
from textspace.solvers._lanczos import ConvergenceError, orthogonalize
from textspace.solvers._products import DocumentProducts


class KrylovRidge:
    """Predictions of ridge regression on held-out documents, for one penalty after another.

    Ridge regression with the penalty alpha has the dual ``(G + alpha I) A = Y`` with the inner products
    ``G = X @ X.T`` of the training documents. The systems of all alphas share their Krylov spaces: block
    Lanczos, started from Y, builds one orthonormal basis Q in which every alpha asks only for a small system
    with ``Q @ G @ Q.T``. The smaller alpha is, the more vectors it takes; :meth:`reach` adds them as long as
    the residual is too large, so that the penalties are best asked for in descending order.

    Parameters
    ----------
    X : {ndarray, CSR matrix, CSR array} of shape (n_samples, n_features)
        Documents; float32 or float64, which decides the precision.
    Y : ndarray of shape (n_samples, n_responses)
        Responses, one a column. Work and memory grow with the square of their number: hand over many of them
        in parts.
    train : ndarray of shape (n_samples,), bool
        Documents to learn from; the others are held out.
    center : bool, default=False
        Whether to subtract the column means of the training documents, as a model with an unpenalised
        intercept does.
    sample_weight : ndarray of shape (n_samples,), default=None
        What each document counts when it is learned from, above 0.
    max_vectors : int, default=1000
        Number of basis vectors at which :meth:`reach` gives up; at least 20 times the number of responses are
        allowed.

    Attributes
    ----------
    n_vectors : int
        Size of the basis so far.

    Notes
    -----
    The residual of the dual bounds the error of the fitted values: the matrix ``G (G + alpha I)^-1`` that
    leads from the one to the other has no eigenvalue above one. Leave-one-out residuals must not be read off
    this basis: the diagonal of ``(G + alpha I)^-1`` needs all of its eigenvectors, not those near Y.

    References
    ----------
    D. P. O'Leary, "The block conjugate gradient algorithm and related methods", Linear Algebra and its
    Applications 29, 1980.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.solvers import KrylovRidge
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> path = KrylovRidge(X, np.array([[2.0], [4.0], [0.0]]), train=np.array([True, True, False]))
    >>> [round(path.held_out(alpha).item(), 6) for alpha in (3.0, 1.0) if path.reach(alpha)]
    [1.5, 3.0]
    """

    def __init__(self, X, Y, *, train, center=False, sample_weight=None, max_vectors=1000):
        X = check_rows(X)
        self._train, self._held_out = np.flatnonzero(train), np.flatnonzero(~train)
        weights = np.ones(len(self._train)) if sample_weight is None else sample_weight[self._train]
        self._roots = np.sqrt(weights).astype(X.dtype)
        self._shares = (weights / weights.sum()).astype(X.dtype)
        learned = X[self._train].T
        if sample_weight is not None:
            learned = check_rows(sparse.diags_array(self._roots) @ X[self._train]).T
        # by rows of the transpose, products with it are quicker than by those of X
        self._transposed = DocumentProducts(learned)
        self._documents = DocumentProducts(X)
        self._center = center
        responses = np.array(Y[self._train].T, dtype=X.dtype)
        self._offset = responses @ self._shares if center else np.zeros(len(responses), dtype=X.dtype)
        responses -= self._offset[:, None]
        responses *= self._roots
        self._norms = np.linalg.norm(responses, axis=1)
        self._limit = max(max_vectors, 20 * len(responses))
        self._basis = np.empty((self._limit + len(responses), len(self._train)), dtype=X.dtype)
        self._features = np.empty((len(self._basis), len(self._held_out)), dtype=X.dtype)
        self._projected = np.zeros((len(self._basis), len(self._basis)), dtype=X.dtype)
        self._last = self.n_vectors = 0
        self._largest = 0.0  # entry of the projected matrix
        self._block, self._start = _independent(responses, self._norms.max())
        self._extend()

    def reach(self, alpha, *, tol=1e-2):
        """Extend the basis until it serves a penalty.

        Parameters
        ----------
        alpha : float
            What is added to the diagonal of G.
        tol : float, default=1e-2
            Norm of the residual ``(G + alpha I) A - Y``, relative to that of Y, that no response may exceed.

        Returns
        -------
        bool
            Whether the residual is that small. If not, the basis is full, or alpha lost in rounding.
        """
        while self.residual(alpha) > tol:
            if len(self._block) == 0 or self.n_vectors + len(self._block) > self._limit:
                return False
            self._extend()
        return True

    def residual(self, alpha):
        """Largest norm of a response's residual in the present basis, relative to the response's norm.

        Parameters
        ----------
        alpha : float
            The penalty.

        Returns
        -------
        float
            The relative norm.
        """
        if self._is_lost(alpha):
            return np.inf
        # (G + alpha I) Q.T c - Y lies in the next block alone
        norms = np.linalg.norm(self._link.T @ self._coefficients(alpha)[self._last :], axis=0)
        return np.divide(norms, self._norms, where=self._norms > 0, out=np.zeros_like(norms)).max()

    def held_out(self, alpha):
        """Predict the responses of the held-out documents.

        Parameters
        ----------
        alpha : float
            The penalty; :meth:`reach` it first.

        Returns
        -------
        ndarray of shape (n_held_out, n_responses)
            Predictions.

        Raises
        ------
        ConvergenceError
            The penalty is lost in rounding.
        """
        if self._is_lost(alpha):
            raise ConvergenceError(
                f"alpha={alpha:g} is lost in rounding beside squared lengths of {self._largest:.3g}: "
                "increase alpha, or give rows of unit length."
            )
        return self._features[: self.n_vectors].T @ self._coefficients(alpha) + self._offset

    def _is_lost(self, alpha):
        """Tell whether a penalty is lost in the rounding of G's largest eigenvalues."""
        return alpha <= 100 * np.finfo(self._basis.dtype).eps * self._largest

    def _coefficients(self, alpha):
        """Solve the small system: coordinates of the dual solution in the basis."""
        size, right = self.n_vectors, self._start.T
        system = self._projected[:size, :size] + alpha * np.eye(size, dtype=self._projected.dtype)
        padded = np.zeros((size, right.shape[1]), dtype=system.dtype)
        padded[: len(right)] = right
        return linalg.solve(system, padded, assume_a="pos", lower=False, check_finite=False)

    def _extend(self):
        """Take the waiting block into the basis, and multiply it by G for the next one."""
        self._last, self.n_vectors = self.n_vectors, self.n_vectors + len(self._block)
        size = self.n_vectors
        self._basis[self._last : size] = self._block
        images = self._documents.apply(self._transposed.apply(np.ascontiguousarray(self._block.T)))
        if self._center:
            images -= self._shares @ images[self._train]
        self._features[self._last : size] = images[self._held_out].T
        block = np.ascontiguousarray((self._roots[:, None] * images[self._train]).T)
        block, _, inner = orthogonalize(block, block, self._basis[:size], None)
        if self._center:  # of the mean only rounding is left, but that would grow from block to block
            constant = np.sqrt(self._shares)
            block -= np.outer(block @ constant, constant)
        self._projected[:size, self._last : size] = inner.T
        self._largest = max(self._largest, np.abs(inner).max(initial=0))
        self._block, self._link = _independent(block, np.linalg.norm(inner, axis=1).max(initial=0))


def _independent(block, scale):
    """Factor ``block = link @ new`` with new orthonormal, without directions that rounding may have made."""
    # of the tall transpose: as the wide matrix it takes thrice as long
    right, sizes, left = linalg.svd(block.T, full_matrices=False, check_finite=False)
    keep = sizes > 1000 * np.finfo(block.dtype).eps * scale
    return np.ascontiguousarray(right[:, keep].T), left[keep].T * sizes[keep]
