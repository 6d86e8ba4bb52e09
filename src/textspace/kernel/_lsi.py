"""Latent semantic indexing in a kernel's feature space."""

import warnings
from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.extmath import svd_flip

from textspace._parameters import COUNT
from textspace._saving import saved_as
from textspace.kernel._base import KernelProjection
from textspace.solvers import block_lanczos, largest_eigenpairs, top_singular_vectors

_SMALL = 1000  # documents up to which all eigenvectors at once are the quicker way
_BLOCK = 16  # vectors that Lanczos multiplies at a time


@saved_as(
    "kernel.lsi",
    shapes={"X_fit_": "n d", "dual_coef_": "n m", "n_features_in_": "d", "singular_values_": "m"},
)
class KernelLSI(KernelProjection):
    """Latent semantic indexing in a kernel's feature space (LSK, "latent semantic kernels").

    The directions are those along which the documents' images are longest. Labels are not used.

    Parameters
    ----------
    n_components : int, default=100
        Number of directions; capped, with a warning, at the rank of the kernel matrix.
    kernel : {"gaussian", "polynomial", "linear"}, default="gaussian"
        ``exp(-||x - y||^2 / sigma^2)``, ``(1 + <x, y>)^degree`` or ``<x, y>``, which gives LSI.
    sigma : float, default=3.0
        Width of the Gaussian kernel.
    degree : int, default=2
        Degree of the polynomial kernel.
    approximation : {"auto", "exact", "nystroem"}, default="auto"
        Whether to use the whole kernel matrix or Nystroem's features on landmarks; "auto" is exact up to
        12000 documents.
    n_landmarks : int, default=1000
        Number of landmarks of "nystroem".
    random_state : int, RandomState instance or None, default=None
        Seed of the landmarks and of the iteration's start.

    Attributes
    ----------
    X_fit_ : {ndarray, sparse matrix} of shape (n_fit, n_features)
        What new documents are compared with: the training documents, or the landmarks.
    dual_coef_ : ndarray of shape (n_fit, m)
        Weights of these in each direction. In the feature space the directions are orthonormal.
    singular_values_ : ndarray of shape (m,)
        Length of the training documents' coordinates along each direction, descending.
    offset_ : float
        What ``transform`` subtracts: nothing.
    n_features_in_ : int
        Number of features seen in ``fit``.

    References
    ----------
    N. Cristianini, J. Shawe-Taylor and H. Lodhi, "Latent semantic kernels", ICML 2001.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.kernel import KernelLSI
    >>> X = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 1.0, 3.0]])
    >>> np.abs(KernelLSI(n_components=2, kernel="linear").fit_transform(X)).round(3)
    array([[1.364, 1.641],
           [1.616, 1.379],
           [2.69 , 1.66 ]])
    """

    _parameter_constraints: ClassVar = {
        **KernelProjection._parameter_constraints,
        "n_components": [COUNT],
    }
    _needs_labels = False
    _min_samples = 1

    def __init__(
        self,
        n_components=100,
        *,
        kernel="gaussian",
        sigma=3.0,
        degree=2,
        approximation="auto",
        n_landmarks=1000,
        random_state=None,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.approximation = approximation
        self.n_landmarks = n_landmarks
        self.random_state = random_state

    def _fit(self, X, y):
        super()._fit(X, y)
        kept = len(self.singular_values_)
        if kept < self.n_components:
            warnings.warn(
                f"KernelLSI keeps {kept} of the {self.n_components} components asked for: the kernel matrix "
                "has no higher rank.",
                stacklevel=3,
            )

    def _fit_kernel(self, K, X, y):
        values, vectors = top_eigenvectors(K, n_components=self.n_components, random_state=self.random_state)
        self.singular_values_ = np.sqrt(values)
        return (vectors / self.singular_values_[:, None]).T, 0.0

    def _fit_features(self, features, X, y):
        self.singular_values_, components = top_singular_vectors(
            features, n_components=self.n_components, random_state=self.random_state
        )
        return components, 0.0


def top_eigenvectors(K, *, n_components, random_state=None):
    """Give the largest eigenvalues of a positive semi-definite matrix, descending, and their eigenvectors.

    Those that rounding explains are left out. Eigenvectors are orthonormal rows; the largest entry of each is
    positive.
    """
    n, n_components = len(K), int(n_components)
    if n <= max(_SMALL, 4 * n_components):
        values, vectors = largest_eigenpairs(K, n_components=n_components)
        vectors = vectors.T
    else:
        start = check_random_state(random_state).standard_normal((_BLOCK, n)).astype(K.dtype)
        values, vectors = block_lanczos(lambda block: block @ K, start, n_components=n_components, tol=1e-4)
    kept = values > 10 * np.finfo(K.dtype).eps * values[0]
    if values[0] <= 0:
        raise ValueError("there is no direction to find: the kernel is zero between all documents.")
    _, vectors = svd_flip(None, np.array(vectors[kept]), u_based_decision=False)
    return values[kept], vectors
