"""Discriminant analysis in a kernel's feature space, by spectral regression."""

from typing import ClassVar

import numpy as np
from scipy import linalg, sparse
from sklearn.utils.extmath import svd_flip

from textspace._parameters import POSITIVE
from textspace._saving import saved_as
from textspace.kernel._base import KernelProjection, centre
from textspace.linear import SpectralRegressionLDA, discriminant_directions


@saved_as(
    "kernel.kda",
    shapes={"X_fit_": "n d", "dual_coef_": "n m", "n_features_in_": "d", "offset_": "m", "eigenvalues_": "m"},
)
class SpectralRegressionKDA(KernelProjection):
    """Regularised kernel discriminant analysis, trained by kernel ridge regression.

    :class:`~textspace.linear.SpectralRegressionLDA` in the kernel's feature space: documents are centred
    there, regressed onto orthonormal functions of the class, and the discriminant directions made
    orthonormal, best first.

    Parameters
    ----------
    alpha : float, default=1.0
        What is added to the diagonal of the centred kernel matrix; more than zero. A wide Gaussian kernel is
        about ``2 / sigma^2`` times the linear one, so that the same alpha weighs more.
    kernel : {"gaussian", "polynomial", "linear"}, default="gaussian"
        ``exp(-||x - y||^2 / sigma^2)``, ``(1 + <x, y>)^degree`` or ``<x, y>``, which gives
        SpectralRegressionLDA.
    sigma, degree, approximation, n_landmarks
        As in :class:`textspace.kernel.KernelLSI`.
    per_class : bool, default=True
        Whether the landmarks are chosen inside each class.
    random_state : int, RandomState instance or None, default=None
        Seed of the landmarks.

    Attributes
    ----------
    X_fit_ : {ndarray, sparse matrix} of shape (n_fit, n_features)
        What new documents are compared with: the training documents, or the landmarks.
    dual_coef_ : ndarray of shape (n_fit, m)
        Weights of these in each direction: one less than there are classes, fewer where the class means
        span less. In the feature space the directions are orthonormal.
    eigenvalues_ : ndarray of shape (m,)
        Share of the (regularised) scatter along a discriminant direction that lies between the classes,
        descending.
    offset_ : ndarray of shape (m,)
        Coordinates of the mean of the training documents, which ``transform`` subtracts.
    classes_ : ndarray of shape (n_classes,)
        Labels.
    n_features_in_ : int
        Number of features seen in ``fit``.

    References
    ----------
    D. Cai, X. He and J. Han, "Efficient kernel discriminant analysis via spectral regression", IEEE
    International Conference on Data Mining, 2007.

    Examples
    --------
    The class lies in the distance from the origin, which no linear function of x knows:

    >>> import numpy as np
    >>> from textspace.kernel import SpectralRegressionKDA
    >>> X = np.array([[0.1], [-0.2], [2.0], [-2.3]])
    >>> kda = SpectralRegressionKDA(kernel="polynomial").fit(X, ["near", "near", "far", "far"])
    >>> kda.transform(X).ravel() > 0
    array([False, False,  True,  True])
    """

    _parameter_constraints: ClassVar = {
        **KernelProjection._parameter_constraints,
        "alpha": [POSITIVE],
        "per_class": ["boolean"],
    }
    _several_labels = True

    def __init__(
        self,
        alpha=1.0,
        *,
        kernel="gaussian",
        sigma=3.0,
        degree=2,
        approximation="auto",
        n_landmarks=1000,
        per_class=True,
        random_state=None,
    ):
        self.alpha = alpha
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.approximation = approximation
        self.n_landmarks = n_landmarks
        self.per_class = per_class
        self.random_state = random_state

    def _fit_kernel(self, K, X, y):
        means = centre(K)
        responses = kernel_responses(K, y)
        coef = _solve(K, responses, self.alpha)
        # the solution's images without another kernel matrix, for K itself has been overwritten
        images = responses - self.alpha * coef
        squares = (coef.T @ images).astype(np.float64)
        try:
            root = linalg.cholesky((squares + squares.T) / 2).astype(K.dtype)
        except linalg.LinAlgError as error:
            raise ValueError(
                f"alpha={self.alpha:g} leaves a solution that {K.dtype} cannot tell from zero: reduce it."
            ) from error
        # orthonormal coordinates for the span of the solutions: there they are the columns of root
        inverse = linalg.solve_triangular(root, np.eye(len(root), dtype=K.dtype))
        self.eigenvalues_, directions = discriminant_directions(root, responses.T @ images @ inverse)
        coef = coef @ (inverse @ directions.T)
        coef -= coef.mean(axis=0)  # of centred documents, in terms of documents
        coef, _ = svd_flip(coef, None)
        return coef, means @ coef

    def _fit_features(self, features, X, y):
        linear = SpectralRegressionLDA(self.alpha).fit(features, y)
        self.eigenvalues_ = linear.eigenvalues_
        return linear.components_, linear.components_ @ linear.mean_


def kernel_responses(K, y):
    """Give orthonormal functions of the class on which the documents' images depend, one a column.

    These are the responses of :func:`textspace.linear.class_responses`, from the centred kernel matrix K of
    shape (n_samples, n_samples); there are as many as the rank of the between-class scatter, at most c - 1.
    """
    roots = np.sqrt(np.bincount(y)).astype(K.dtype)  # another type would copy K
    members = sparse.csr_array((1 / roots[y], (y, np.arange(len(y)))))
    between = members @ (members @ K).T
    values, basis = linalg.eigh((between + between.T) / 2)
    kept = np.flatnonzero(values > 10 * np.finfo(K.dtype).eps * np.trace(K))[::-1][: len(roots) - 1]
    if len(kept) == 0:
        raise ValueError("the classes cannot be told apart: they have the same mean.")
    return (basis[:, kept] / roots[:, None])[y]


def _solve(K, responses, alpha):
    """Solve ``(K + alpha I) A = Y``; K is overwritten."""
    K.flat[:: len(K) + 1] += K.dtype.type(alpha)
    try:
        # LAPACK reads columns first: of a symmetric matrix the transpose serves without a copy
        factor = linalg.cho_factor(K.T, lower=True, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError as error:
        raise ValueError(
            f"alpha={alpha:g} is too small for a kernel matrix of this size in {K.dtype}: increase it."
        ) from error
    return linalg.cho_solve(factor, responses, check_finite=False)
