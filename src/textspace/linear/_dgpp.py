"""Discriminative geometry preserving projection."""

from numbers import Real
from typing import ClassVar

from textspace._parameters import POSITIVE, one_of
from textspace._saving import saved_as
from textspace.graphs import geometry_graph
from textspace.linear._base import GraphProjection


@saved_as("linear.dgpp", shapes={"components_": "m d", "n_features_in_": "d", "eigenvalues_": "m"})
class DGPP(GraphProjection):
    """Discriminative geometry preserving projection (Song & Tao, 2010).

    The space drives classes apart, draws each class together, its near documents most, and keeps every
    document where the others of its class reconstruct it.

    Parameters
    ----------
    n_components : int or None, default=50
        As in :class:`GraphProjection`.
    alpha : float, default=1.0
        Weight of the distances between and within classes against the reconstruction. The sum over pairs in
        eq. 1 has 2, the matrices that the paper prints have 1.
    sigma2 : float, default=5.0
        Squared width sigma^2 of the weights within a class, in the unit of squared distances.
    regularization : float, default=1.0
        Ridge penalty on the squared length of each document's reconstruction weights, in the unit of
        squared row lengths; must be positive.
    scatter : {"laplacian", "squared"}, default="laplacian"
        Whether distances enter by the Laplacian ``D - H``, as eq. 1 has it, or by its square, as the paper
        prints it in the next line.
    solver, tol, random_state
        As in :class:`GraphProjection`.

    Attributes
    ----------
    components_, eigenvalues_, classes_, n_features_in_
        As in :class:`GraphProjection`.

    Notes
    -----
    The directions are the top eigenvectors of ``X.T @ (alpha (D - H) - (I - W).T (I - W)) @ X``; see
    :func:`textspace.graphs.geometry_graph` for H and W. The second case of eq. 3 is read as ``c_i != c_j``.
    The paper is silent on the regularization. Where sigma2 and regularization are large the criterion tends
    to ``alpha S_b - S_w``, the maximum margin criterion. Memory is the sum of the squared class sizes, time
    that of their cubes.

    References
    ----------
    D. Song and D. Tao, "Biologically Inspired Feature Manifold for Scene Classification", IEEE
    Transactions on Image Processing 19, 2010.

    Z. Wang and X. Sun, "Efficient Kernel Discriminative Geometry Preserving Projection for Document
    Classification", whose equation numbers are used here.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import DGPP
    >>> X = np.array([[1.0, 0.0, 0.9], [0.9, 0.1, 0.0], [0.1, 0.8, 0.0], [0.0, 0.9, 0.9]])
    >>> y = ["cat", "cat", "dog", "dog"]
    >>> DGPP(n_components=1).fit(X, y).transform(X).round(1).tolist()
    [[0.7], [0.6], [-0.5], [-0.6]]
    """

    _parameter_constraints: ClassVar = {
        **GraphProjection._parameter_constraints,
        "alpha": [Real],
        "sigma2": [POSITIVE],
        "regularization": [POSITIVE],
        "scatter": [one_of("laplacian", "squared")],
    }

    def __init__(
        self,
        n_components=50,
        *,
        alpha=1.0,
        sigma2=5.0,
        regularization=1.0,
        scatter="laplacian",
        solver="auto",
        tol=1e-2,
        random_state=None,
    ):
        super().__init__(n_components, solver=solver, tol=tol, random_state=random_state)
        self.alpha = alpha
        self.sigma2 = sigma2
        self.regularization = regularization
        self.scatter = scatter

    def _graph(self, X, y):
        return geometry_graph(
            X,
            y,
            alpha=self.alpha,
            sigma2=self.sigma2,
            regularization=self.regularization,
            scatter=self.scatter,
        )
