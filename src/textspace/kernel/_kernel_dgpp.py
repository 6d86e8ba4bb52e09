"""Discriminative geometry preserving projection in a kernel's feature space."""

from numbers import Real
from typing import ClassVar

import numpy as np

from textspace._parameters import COUNT, POSITIVE, one_of
from textspace._saving import saved_as
from textspace.graphs import geometry_graph
from textspace.kernel._base import KernelProjection, centre
from textspace.solvers import top_combinations, top_directions


@saved_as(
    "kernel.kernel_dgpp",
    shapes={"X_fit_": "n d", "dual_coef_": "n m", "n_features_in_": "d", "eigenvalues_": "m"},
)
class KernelDGPP(KernelProjection):
    """Discriminative geometry preserving projection in a kernel's feature space (Wang & Sun, eq. 6 to 13).

    With M the graph of :class:`textspace.linear.DGPP` and K the kernel matrix of the documents, the
    coefficients of the directions are the eigenvectors of ``M @ K`` for the largest eigenvalues (eq. 12). A
    document becomes ``sum_i alpha_i k(x_i, x)`` (eq. 13).

    Parameters
    ----------
    n_components : int, default=50
        Dimensions of the space. Capped, with a warning, at the number of positive eigenvalues.
    kernel : {"gaussian", "polynomial", "linear"}, default="gaussian"
        ``exp(-||x - y||^2 / sigma^2)``, ``(1 + <x, y>)^degree`` or ``<x, y>``, which gives DGPP.
    sigma : float, default=3.0
        Width of the Gaussian kernel. As it grows, the space tends to that of DGPP.
    degree
        As in :class:`textspace.kernel.KernelLSI`.
    alpha : float, default=1.0
        As in :class:`textspace.linear.DGPP`.
    sigma2 : float, default=5.0
        As in :class:`textspace.linear.DGPP`.
    regularization : float, default=1.0
        As in :class:`textspace.linear.DGPP`.
    scatter : {"laplacian", "squared"}, default="laplacian"
        As in :class:`textspace.linear.DGPP`; the paper prints "squared" in eq. 12.
    normalize : {"directions", "coefficients"}, default="directions"
        What has unit length: the directions in the feature space, as eq. 2 asks, or the eigenvectors of
        eq. 12. The axes are the same, but of another scale.
    approximation, n_landmarks
        As in :class:`textspace.kernel.KernelLSI`. "nystroem" is the paper's eq. 18 and 19.
    per_class : bool, default=False
        Whether the landmarks are chosen inside each class. The paper takes k-means of all documents.
    tol : float, default=1e-2
        Residual of each direction relative to its eigenvalue.
    random_state : int, RandomState instance or None, default=None
        Seed of the landmarks and of the iteration's start.

    Attributes
    ----------
    X_fit_, offset_, n_features_in_
        As in :class:`textspace.kernel.KernelLSI`.
    dual_coef_ : ndarray of shape (n_fit, m)
        Weights of these in each direction.
    eigenvalues_ : ndarray of shape (m,)
        Eigenvalues of ``M @ K``, descending.
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``.

    See Also
    --------
    KDGPP : The same with a kernel that is learned.

    Notes
    -----
    The graph is that of the documents as they are given, the same as DGPP's: so the paper's experiments have
    it. Nystroem's approximation ``K = E @ W^-1 @ E.T``, E being the kernel of documents with landmarks and W
    that of landmarks, stands in eq. 12 for K and in eq. 13 for the kernel of new documents: their
    coordinates need the landmarks alone.

    M takes constants to zero: each alpha sums to zero, and the kernel matrix is centred first, which takes
    away the part in which all documents are alike.

    References
    ----------
    Z. Wang and X. Sun, "Efficient kernel discriminative geometry preserving projection for document
    classification".

    K. Zhang and J. T. Kwok, "Clustered Nystroem method for large scale manifold learning and dimension
    reduction", IEEE Transactions on Neural Networks 21, 2010.

    Examples
    --------
    The class lies in the distance from the origin, which no linear function of x knows:

    >>> import numpy as np
    >>> from textspace.kernel import KernelDGPP
    >>> X = np.array([[0.4], [-0.4], [0.2], [-0.2], [2.0], [-2.0], [2.2], [-2.2]])
    >>> space = KernelDGPP(n_components=1, sigma=2.0).fit(X, ["near"] * 4 + ["far"] * 4)
    >>> near, far = np.split(space.transform(X).ravel(), 2)
    >>> bool(near.max() < far.min() or far.max() < near.min())
    True
    """

    _parameter_constraints: ClassVar = {
        **KernelProjection._parameter_constraints,
        "n_components": [COUNT],
        "alpha": [Real],
        "sigma2": [POSITIVE],
        "regularization": [POSITIVE],
        "scatter": [one_of("laplacian", "squared")],
        "normalize": [one_of("directions", "coefficients")],
        "per_class": ["boolean"],
        "tol": [POSITIVE],
    }

    def __init__(
        self,
        n_components=50,
        *,
        kernel="gaussian",
        sigma=3.0,
        degree=2,
        alpha=1.0,
        sigma2=5.0,
        regularization=1.0,
        scatter="laplacian",
        normalize="directions",
        approximation="auto",
        n_landmarks=1000,
        per_class=False,
        tol=1e-2,
        random_state=None,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.alpha = alpha
        self.sigma2 = sigma2
        self.regularization = regularization
        self.scatter = scatter
        self.normalize = normalize
        self.approximation = approximation
        self.n_landmarks = n_landmarks
        self.per_class = per_class
        self.tol = tol
        self.random_state = random_state

    def _fit_kernel(self, K, X, y):
        graph = self._graph(X, y)
        centre(K)
        self.eigenvalues_, coef = top_combinations(K, graph, **self._search)
        coef -= coef.mean(axis=1, keepdims=True)  # of centred documents, in terms of documents
        return (coef * self._scales(graph, K @ coef.T)).T, 0.0

    def _fit_features(self, features, X, y):
        graph = self._graph(X, y)
        self.eigenvalues_, components = top_directions(features, graph, **self._search)
        return components * self._scales(graph, features @ components.T), 0.0

    def _graph(self, X, y):
        return geometry_graph(
            X,
            y,
            alpha=self.alpha,
            sigma2=self.sigma2,
            regularization=self.regularization,
            scatter=self.scatter,
        )

    @property
    def _search(self):
        return {"n_components": self.n_components, "tol": self.tol, "random_state": self.random_state}

    def _scales(self, graph, images):
        """Give what unit directions are multiplied by, from their images of the documents, shape (n, m)."""
        if self.normalize == "directions":
            return 1
        # eq. 12: alpha = M K alpha / eigenvalue, also where K is singular and other alphas give the same
        alphas = (graph @ images) / self.eigenvalues_
        return (1 / np.linalg.norm(alphas, axis=0)).astype(images.dtype)[:, None]
