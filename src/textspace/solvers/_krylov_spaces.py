"""Block Krylov spaces in which ridge regressions of several weights of the documents are solved together."""

import numpy as np

from textspace.solvers._conjugate_gradients import columnwise, without_constants
from textspace.solvers._lanczos import ConvergenceError

_DEPENDENT = 1000  # times the precision, below which a direction is what rounding has left
_GRAM_PRECISION = 3e-8  # the same, of what inner products can tell


def grow(products, spaces, alpha, *, tol, max_iter):
    """Extend spaces, all by one product with X in each iteration, until they serve a penalty.

    Parameters
    ----------
    products : GramProducts
        Products with the Gram matrix of all documents.
    spaces : list of KrylovSpace
        The spaces.
    alpha : float
        The penalty.
    tol : float
        Largest residual of a response, relative to its length.
    max_iter : int
        Number of iterations after which to give up.

    Raises
    ------
    ConvergenceError
        A response has not converged after so many iterations.
    """
    for _ in range(max_iter):
        waiting = [space for space in spaces if np.any(space.residuals(alpha) > tol)]
        if not waiting:
            return
        waiting = [space for space in waiting if space.block.shape[1]]
        if not waiting:  # nothing can be added: alpha is lost in rounding
            break
        product = products(np.hstack([space.roots * space.block for space in waiting]))
        ends = np.cumsum([space.block.shape[1] for space in waiting])
        for space, own in zip(waiting, np.split(product, ends[:-1], axis=1), strict=True):
            space.extend(np.ascontiguousarray(own))
    left = sum(np.sum(space.residuals(alpha) > tol) for space in spaces)
    if left:
        total = sum(len(space.lengths) for space in spaces)
        raise ConvergenceError(
            f"{left} of {total} ridge regressions did not converge to tol={tol:g} in {max_iter} iterations: "
            f"increase the smallest alpha (now {alpha:g}), tol or max_iter."
        )


class KrylovSpace:
    """Responses, an orthonormal basis that begins with them, and what the Gram matrix G makes of it.

    The dual systems ``(G + alpha I) A = Y`` of all penalties and all responses are solved in the one space,
    which takes fewer products with G than if each response had its own.

    Parameters
    ----------
    roots : ndarray of shape (n_samples, 1)
        Square roots of the weights of the documents.
    Y : ndarray of shape (n_samples, n_responses)
        Responses.

    References
    ----------
    D. P. O'Leary, "The block conjugate gradient algorithm and related methods", Linear Algebra and its
    Applications 29, 1980.
    """

    def __init__(self, roots, Y):
        self.roots = roots
        self._axis = roots / np.linalg.norm(roots)  # what centring takes away
        right = without_constants(roots * Y, self._centred)
        self.lengths = np.linalg.norm(right, axis=0)
        self.block, self._link = _orthonormal(right, self.lengths.max(initial=0))
        self._link[:, self.lengths == 0] = 0
        self._start = self._link
        self._basis, self._products, self._projected = right[:, :0], [], np.empty((0, 0))

    def extend(self, product):
        """Take the waiting block into the basis, given G times it, its rows times the roots of the weights.

        The product, of shape (n_samples, n_columns), is that with the Gram matrix of all documents.
        """
        self._basis = np.hstack([self._basis, self.block])
        self._products.append(product)
        image = self._centred(self.roots * product)
        inner = self._taken_away(image)
        self._taken_away(image)  # what rounding left
        image = self._centred(image)
        size, n_new = len(inner), self.block.shape[1]
        projected = np.empty((size, size))
        projected[: size - n_new, : size - n_new] = self._projected
        projected[:, size - n_new :] = inner
        projected[size - n_new :] = inner.T
        self._projected = projected
        self.block, self._link = _orthonormal(image, np.linalg.norm(inner, axis=0).max(initial=0))

    def residuals(self, alpha):
        """Give the length of each response's residual, relative to that of the response."""
        if not self._products:
            return np.where(self.lengths > 0, 1.0, 0.0)
        # (G + alpha I) Q c - Y lies in the next block alone
        system = self._projected + alpha * np.eye(len(self._projected))
        try:
            last = np.linalg.solve(system, self._right())[-self._products[-1].shape[1] :]
        except np.linalg.LinAlgError:  # alpha is lost in rounding
            return np.where(self.lengths > 0, np.inf, 0.0)
        norms = np.linalg.norm(self._link @ last, axis=0)
        return np.divide(norms, self.lengths, where=self.lengths > 0, out=np.zeros(len(norms)))

    def solutions(self, alphas):
        """Give the dual coefficients A of all penalties, and ``X @ X.T @ A``.

        Both have the shape (n_alphas, n_samples, n_responses).
        """
        coefficients = self._coefficients(alphas).astype(self.roots.dtype)
        products = np.hstack([self._basis[:, :0], *self._products])
        return self.roots * (self._basis @ coefficients), products @ coefficients

    def _coefficients(self, alphas):
        """Solve the small systems: coordinates in the basis, of shape (n_alphas, n_vectors, n_responses)."""
        sizes, vectors = np.linalg.eigh(self._projected)
        turned, sizes = vectors.T @ self._right(), np.maximum(sizes, 0)[:, None]  # rounding left those below
        return np.stack([vectors @ (turned / (sizes + alpha)) for alpha in alphas])

    def _right(self):
        """Give the coordinates of the responses."""
        right = np.zeros((len(self._projected), len(self.lengths)))
        right[: len(self._start)] = self._start
        return right

    def _centred(self, V):
        return V - self._axis * columnwise(self._axis, V)

    def _taken_away(self, V):
        """Take away what lies in the basis, in place; give its coordinates."""
        inner = self._basis.T @ V
        V -= self._basis @ inner
        return inner


def _orthonormal(block, scale):
    """Factor ``block = new @ link`` with new orthonormal, without directions that rounding may have made."""
    precision = np.finfo(block.dtype)
    least = scale * max(_DEPENDENT * precision.eps, _GRAM_PRECISION)
    least = max(least, np.sqrt(precision.tiny))  # where nothing varies, the scale is rounding too
    new, link = block, np.eye(block.shape[1])
    for _ in range(2):  # inner products tell short directions with half the precision
        double = new.astype(np.float64)
        squares, vectors = np.linalg.eigh(double.T @ double)
        kept = squares > least**2
        sizes, vectors = np.sqrt(squares[kept]), vectors[:, kept]
        new, link = new @ (vectors / sizes).astype(block.dtype), (sizes[:, None] * vectors.T) @ link
        least = 0.5
    return new, link
