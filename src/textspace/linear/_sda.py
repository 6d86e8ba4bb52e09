"""Semi-supervised discriminant analysis."""

from numbers import Integral, Real

import numpy as np
from scipy import sparse
from sklearn.utils import check_scalar

from textspace._labels import split_labelled
from textspace._validation import FLOATS, validate_data
from textspace.graphs import Graph, affinity
from textspace.linear._lda import SpectralRegressionLDA, class_responses, discriminant_directions
from textspace.solvers import ConvergenceError, DocumentProducts


class SDA(SpectralRegressionLDA):
    """Semi-supervised discriminant analysis: class means apart, documents that are alike together.

    Labelled documents say how classes part; all documents, labelled or not, are tied to their most relevant
    ones, and a direction is worth less where it takes these apart. The directions w solve
    ``S_b w = eigenvalue (S_t + smoothness X.T @ L @ X + alpha I) w`` with the between-class scatter S_b and
    the total scatter S_t of the labelled documents and the Laplacian L of the ties. No such matrix is
    formed: S_b has the rank of the class means, and conjugate gradients find what belongs to each.

    Parameters
    ----------
    smoothness : float, default=0.001
        Weight of the ties, the paper's alpha. At zero this is :class:`SpectralRegressionLDA` on the labelled
        documents.
    alpha : float, default=1.0
        What is added to the diagonal, as in :class:`SpectralRegressionLDA`; the paper's beta.
    n_neighbors : int, default=5
        Most relevant documents, labelled or not, to which each document is tied.
    tol : float, default=1e-2
        A system has been solved when its residual is at most ``tol`` times the residual at zero.
    max_iter : int, default=1000
        Number of iterations after which ``fit`` gives up and raises an error.
    n_postings : int, "auto" or None, default="auto"
        As in :class:`LRWMMC`.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal directions, one a row: one less than there are classes, fewer where the class means
        span less. The first k of them span the k best discriminant directions, for every k.
    eigenvalues_ : ndarray of shape (n_components,)
        Share of the regularised scatter along a discriminant direction that lies between the classes,
        descending; between 0 and 1, up to ``tol``.
    mean_ : ndarray of shape (n_features,)
        Mean of the labelled documents; ``transform`` subtracts its projection.
    n_iter_ : int
        Number of conjugate-gradient iterations.
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``.
    recall_ : float
        As in :class:`LRWMMC`.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    Notes
    -----
    Neighbours are the nearest by cosine and weigh their cosine, as in :class:`SemiSupervisedLRWMMC`; the
    paper gives each the weight 1. L sums over all ties while S_t sums over labelled documents, so that the
    more unlabelled documents there are, the smaller is the smoothness that does the same. As in
    :class:`SpectralRegressionLDA`, the directions are orthonormalised.

    References
    ----------
    D. Cai, X. He and J. Han, "Semi-supervised discriminant analysis", IEEE International Conference on
    Computer Vision, 2007.

    Examples
    --------
    The two labelled documents differ in all three terms. Each of the others is alike one of them but for
    the third term, which so counts less:

    >>> import numpy as np
    >>> from textspace.linear import SDA
    >>> X = np.array([[1.0, 0.2, 0.5], [0.2, 1.0, -0.5], [1.0, 0.2, -0.5], [0.2, 1.0, 0.5]])
    >>> for smoothness in (0.0, 1.0):
    ...     space = SDA(smoothness, alpha=0.1, n_neighbors=1).fit(X, ["a", "b", "", ""])
    ...     print(np.abs(space.components_).round(2))
    [[0.53 0.53 0.66]]
    [[0.71 0.71 0.07]]
    """

    def __init__(
        self,
        smoothness=0.001,
        alpha=1.0,
        n_neighbors=5,
        tol=1e-2,
        max_iter=1000,
        n_postings="auto",
    ):
        self.smoothness = smoothness
        self.alpha = alpha
        self.n_neighbors = n_neighbors
        self.tol = tol
        self.max_iter = max_iter
        self.n_postings = n_postings

    def fit(self, X, y):
        """Learn the directions from labelled and unlabelled documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,)
            Their classes; -1, the empty string, None or NaN, the same throughout, where there is none.

        Returns
        -------
        SDA
            The fitted projection.
        """
        check_scalar(self.smoothness, "smoothness", Real, min_val=0)
        check_scalar(self.alpha, "alpha", Real, min_val=0)
        check_scalar(self.n_neighbors, "n_neighbors", Integral, min_val=1)
        check_scalar(self.tol, "tol", Real, min_val=0, include_boundaries="neither")
        check_scalar(self.max_iter, "max_iter", Integral, min_val=1)
        labelled, y, self.classes_ = split_labelled(y)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS, ensure_min_samples=2)
        self.mean_, _, cross = class_responses(X[labelled], y[labelled])
        one_class = np.zeros(X.shape[0], dtype=np.int32)
        indices, relevance, _, _ = self._find_neighbors(X, one_class, n_neighbors=self.n_neighbors)
        adjacency = affinity(indices, relevance)
        coef, self.n_iter_ = smooth_ridge(
            X,
            cross.T,
            scatter_graph(labelled, adjacency, smoothness=self.smoothness),
            alpha=self.alpha,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        self.eigenvalues_, self.components_ = discriminant_directions(coef, cross)
        return self


def scatter_graph(labelled, adjacency, *, smoothness):
    """Graph M with ``X.T @ M @ X = S_t + smoothness * X.T @ L @ X``.

    Parameters
    ----------
    labelled : ndarray of shape (n_samples,), bool
        Which documents have a label: S_t is the total scatter of these.
    adjacency : csr_array of shape (n_samples, n_samples)
        Symmetric ties W of all documents, none negative; ``L = D - W``.
    smoothness : float
        Weight of L.

    Returns
    -------
    Graph
        Positive semi-definite, one factor of rank one.
    """
    dtype = adjacency.dtype
    diagonal = labelled + smoothness * adjacency.sum(axis=1)
    local = sparse.diags_array(diagonal, dtype=dtype) - smoothness * adjacency
    average = (labelled / np.sqrt(labelled.sum())).astype(dtype)[:, None]
    return Graph(local.tocsr(), average, np.array([-1], dtype=dtype))


def smooth_ridge(X, targets, graph, *, alpha, tol, max_iter):
    """Solve ``(X.T @ M @ X + alpha I) W = targets`` by conjugate gradients, for all targets together.

    An iteration costs one product with X, one with the graph M and one with the transpose of X. Each target
    has its own step lengths and stands still once it is solved.

    Parameters
    ----------
    X : {ndarray, CSR matrix, CSR array} of shape (n_samples, n_features)
        Documents; float32 or float64, which decides the precision.
    targets : ndarray of shape (n_features, n_targets)
        Right-hand sides; where ``alpha`` is zero they must lie in the range of the matrix.
    graph : Graph, or any object with ``@``, of shape (n_samples, n_samples)
        Symmetric, positive semi-definite operator M over documents.
    alpha : float
        What is added to the diagonal.
    tol : float
        Residual, relative to the target, at which a system counts as solved.
    max_iter : int
        Number of iterations after which to give up.

    Returns
    -------
    coef : ndarray of shape (n_features, n_targets)
        The solutions W.
    n_iter : int
        Number of iterations of the slowest.

    Raises
    ------
    ConvergenceError
        A system has not been solved after ``max_iter`` iterations.
    """
    products = DocumentProducts(X)
    residual = np.array(targets, dtype=X.dtype, order="C")
    direction = residual.copy()
    coef = np.zeros_like(residual)
    squared = _inner(residual, residual)
    goal = tol**2 * squared
    n_iter = 0
    while (going := squared > goal).any():
        if n_iter == max_iter:
            raise ConvergenceError(
                f"{going.sum()} of {len(going)} systems were not solved to tol={tol:g} in {max_iter} "
                f"iterations: increase alpha (now {alpha:g}), tol or max_iter."
            )
        image = products.apply_transposed(graph @ products.apply(direction))
        image += alpha * direction
        step = np.divide(squared, _inner(direction, image), where=going, out=np.zeros_like(squared))
        coef += step * direction
        residual -= step * image
        previous, squared = squared, _inner(residual, residual)
        direction *= np.divide(squared, previous, where=going, out=np.zeros_like(squared))
        direction += residual
        n_iter += 1
    return coef, n_iter


def _inner(one, other):
    return np.einsum("ij,ij->j", one, other)
