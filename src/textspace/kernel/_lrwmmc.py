"""Local relevance weighted maximum margin criterion in a kernel's feature space."""

from typing import ClassVar

from textspace._parameters import COUNT, POSITIVE, one_of
from textspace._saving import saved_as
from textspace.graphs import relevance_graph
from textspace.kernel._base import KernelProjection, centre
from textspace.neighbors import class_neighbors, kernel_neighbors
from textspace.solvers import top_combinations, top_directions


@saved_as(
    "kernel.lrwmmc",
    shapes={"X_fit_": "n d", "dual_coef_": "n m", "n_features_in_": "d", "eigenvalues_": "m"},
)
class KernelLRWMMC(KernelProjection):
    """Local relevance weighted maximum margin criterion in a kernel's feature space (Gu & Zhou, 2009).

    Parameters
    ----------
    n_components : int, default=100
        Dimensions of the space. Capped, with a warning, at the number of positive eigenvalues.
    kernel : {"gaussian", "polynomial", "linear"}, default="gaussian"
        ``exp(-||x - y||^2 / sigma^2)``, ``(1 + <x, y>)^degree`` or ``<x, y>``, which gives LRWMMC.
    sigma : float, default=3.0
        Width of the Gaussian kernel. As it grows, the space tends to that of LRWMMC.
    degree
        As in :class:`textspace.kernel.KernelLSI`.
    n_neighbors : int, default=5
        Size k of the local regions. A smaller class gives fewer neighbours.
    relevance : {"input", "kernel"}, default="input"
        Whether the relevance of two documents is their own cosine or, as in the paper, that of their
        images, ``K_ij / sqrt(K_ii K_jj)``.
    normalize : {"directions", "coefficients"}, default="directions"
        What has unit length: the directions in the feature space, as in LRWMMC, or, as in the paper, their
        coefficients, which are eigenvectors of ``K @ L @ K``. The second needs the whole kernel matrix.
    symmetrize : {"or", "average"}, default="or"
        Whether an edge that only one of its documents asks for counts full, as in the paper, or half.
    approximation, n_landmarks
        As in :class:`textspace.kernel.KernelLSI`.
    per_class : bool, default=True
        As in :class:`textspace.kernel.SpectralRegressionKDA`.
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
        Value of the criterion along each direction, descending.
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``.

    Notes
    -----
    The paper maximises ``alpha.T @ K @ L @ K @ alpha`` over unit alpha (eq. 4.15), so that directions along
    which the kernel is large count more; with a linear kernel that is not LRWMMC. The defaults here are.
    Because L is blind to a shift of all documents, so is the solution: the kernel matrix is centred first,
    which takes away the part in which all documents are alike, for a wide Gaussian nearly all of it.

    References
    ----------
    Q. Gu and J. Zhou, "Local Relevance Weighted Maximum Margin Criterion for Text Classification",
    SIAM International Conference on Data Mining, 2009, section 4.

    Examples
    --------
    The class lies in the distance from the origin, which no linear function of x knows:

    >>> import numpy as np
    >>> from textspace.kernel import KernelLRWMMC
    >>> X = np.array([[0.4], [-0.4], [0.2], [-0.2], [2.0], [-2.0], [2.2], [-2.2]])
    >>> y = ["near"] * 4 + ["far"] * 4
    >>> space = KernelLRWMMC(n_components=1, n_neighbors=2, sigma=2.0).fit(X, y)
    >>> space.transform(X)[:, 0].round(1) > 0
    array([False, False, False, False,  True,  True,  True,  True])
    """

    _parameter_constraints: ClassVar = {
        **KernelProjection._parameter_constraints,
        "n_components": [COUNT],
        "n_neighbors": [COUNT],
        "relevance": [one_of("input", "kernel")],
        "normalize": [one_of("directions", "coefficients")],
        "symmetrize": [one_of("or", "average")],
        "per_class": ["boolean"],
        "tol": [POSITIVE],
    }

    def __init__(
        self,
        n_components=100,
        *,
        kernel="gaussian",
        sigma=3.0,
        degree=2,
        n_neighbors=5,
        relevance="input",
        normalize="directions",
        symmetrize="or",
        approximation="auto",
        n_landmarks=1000,
        per_class=True,
        tol=1e-2,
        random_state=None,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.n_neighbors = n_neighbors
        self.relevance = relevance
        self.normalize = normalize
        self.symmetrize = symmetrize
        self.approximation = approximation
        self.n_landmarks = n_landmarks
        self.per_class = per_class
        self.tol = tol
        self.random_state = random_state

    def _fit_kernel(self, K, X, y):
        if self.relevance == "input":
            neighbors = class_neighbors(X, y, n_neighbors=self.n_neighbors)
        else:
            neighbors = kernel_neighbors(K, y, n_neighbors=self.n_neighbors)
        settings = {"n_components": self.n_components, "tol": self.tol, "random_state": self.random_state}
        graph = relevance_graph(neighbors, symmetrize=self.symmetrize)
        if self.normalize == "coefficients":  # K in the place of the documents
            self.eigenvalues_, coef = top_directions(K, graph, **settings)
        else:
            centre(K)
            self.eigenvalues_, coef = top_combinations(K, graph, **settings)
            coef -= coef.mean(axis=1, keepdims=True)  # of centred documents, in terms of documents
        return coef.T, 0.0

    def _fit_features(self, features, X, y):
        if self.normalize == "coefficients":
            raise ValueError(
                "normalize='coefficients' needs the whole kernel matrix: set approximation='exact'."
            )
        neighbors = class_neighbors(
            X if self.relevance == "input" else features, y, n_neighbors=self.n_neighbors
        )
        self.eigenvalues_, components = top_directions(
            features,
            relevance_graph(neighbors, symmetrize=self.symmetrize),
            n_components=self.n_components,
            tol=self.tol,
            random_state=self.random_state,
        )
        return components, 0.0
