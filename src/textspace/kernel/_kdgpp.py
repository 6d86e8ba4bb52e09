"""Kernel discriminative geometry preserving projection."""

import warnings
from numbers import Real
from typing import ClassVar

from textspace._parameters import COUNT, POSITIVE, one_of
from textspace._saving import saved_as
from textspace.graphs import geometry_graph
from textspace.kernel._manifold import ManifoldAdaptiveKernel
from textspace.solvers import top_directions


@saved_as(
    "kernel.kdgpp",
    shapes={
        "landmarks_": "l d",
        "landmark_classes_": "l",
        "embedding_": "l r",
        "coef_": "l r",
        "classes_": "c",
        "n_features_in_": "d",
        "components_": "m r",
        "eigenvalues_": "m",
    },
)
class KDGPP(ManifoldAdaptiveKernel):
    """Kernel discriminative geometry preserving projection (Wang & Sun).

    DGPP in the space of a kernel that is learned from the classes and from a neighbourhood graph: see
    :class:`ManifoldAdaptiveKernel`.

    Parameters
    ----------
    n_components : int or None, default=None
        Dimensions of the space; None for all directions with a positive eigenvalue. More than those are
        capped, with a warning. Their number is at most that of the classes with ``solver="closed"``.
    n_landmarks, per_class, kernel, sigma, degree, n_neighbors, C, gamma, extension, solver
        As in :class:`ManifoldAdaptiveKernel`.
    alpha : float, default=2.0
        Weight of the classes' separation against the geometry inside them.
    sigma2 : float, default=5.0
        Squared width of the weights within a class.
    regularization : float, default=0.1
        Penalty on the weights with which a document is reconstructed from its class.
    scatter : {"laplacian", "squared"}, default="laplacian"
        Reading of the paper's eq. 1: see :func:`textspace.graphs.geometry_graph`.
    random_state : int, RandomState instance or None, default=None
        Seed of k-means.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, r)
        Directions in the space of the r features, orthonormal rows.
    eigenvalues_ : ndarray of shape (n_components,)
        Value of the criterion along each direction, descending.
    landmarks_, landmark_classes_, embedding_, coef_, classes_, n_features_in_
        As in :class:`ManifoldAdaptiveKernel`.

    Notes
    -----
    The graph is DGPP's own, over the documents as they are given, as in the paper's experiments. With all
    directions kept the last step is a rotation: distances are those of the learned kernel.

    References
    ----------
    Z. Wang and X. Sun, "Efficient kernel discriminative geometry preserving projection for document
    classification".

    Examples
    --------
    Two classes that no straight line parts:

    >>> import numpy as np
    >>> from textspace.kernel import KDGPP
    >>> X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    >>> space = KDGPP(n_landmarks=4, n_neighbors=1, sigma=0.5).fit(X, ["a", "a", "b", "b"])
    >>> np.abs(np.diff(space.transform(X).ravel())).round(1)
    array([0. , 1.5, 0. ])
    """

    _parameter_constraints: ClassVar = {
        **ManifoldAdaptiveKernel._parameter_constraints,
        "n_components": [COUNT, None],
        "alpha": [Real],
        "sigma2": [POSITIVE],
        "regularization": [POSITIVE],
        "scatter": [one_of("laplacian", "squared")],
    }

    def __init__(
        self,
        n_components=None,
        *,
        n_landmarks=1000,
        per_class=True,
        kernel="gaussian",
        sigma=3.0,
        degree=2,
        n_neighbors=5,
        C=1.0,
        gamma=0.3,
        extension="documents",
        solver="closed",
        alpha=2.0,
        sigma2=5.0,
        regularization=0.1,
        scatter="laplacian",
        random_state=None,
    ):
        super().__init__(
            n_landmarks,
            per_class=per_class,
            kernel=kernel,
            sigma=sigma,
            degree=degree,
            n_neighbors=n_neighbors,
            C=C,
            gamma=gamma,
            extension=extension,
            solver=solver,
            random_state=random_state,
        )
        self.n_components = n_components
        self.alpha = alpha
        self.sigma2 = sigma2
        self.regularization = regularization
        self.scatter = scatter

    def _fit(self, X, y):
        features = super()._fit(X, y)
        graph = geometry_graph(
            X,
            y,
            alpha=self.alpha,
            sigma2=self.sigma2,
            regularization=self.regularization,
            scatter=self.scatter,
        )
        with warnings.catch_warnings():
            if self.n_components is None:  # "all there are" is no number that could be too large
                warnings.filterwarnings("ignore", message=".*components were asked for")
            self.eigenvalues_, self.components_ = top_directions(
                features, graph, n_components=self.n_components or features.shape[1]
            )

    def _project(self, X):
        return super()._project(X) @ self.components_.T

    @property
    def _n_features_out(self):
        return len(self.components_)
