"""Marginal Fisher analysis."""

from typing import ClassVar

from textspace._parameters import COUNT, POSITIVE, one_of
from textspace._saving import saved_as
from textspace.graphs import marginal_graphs
from textspace.linear._base import NEIGHBORS, RatioProjection


@saved_as("linear.mfa", shapes={"components_": "m d", "n_features_in_": "d", "eigenvalues_": "m"})
class MFA(RatioProjection):
    """Marginal Fisher analysis: classes are parted where they meet.

    Each document is tied to its nearest ones of the same class (intrinsic graph, Laplacian L_c) and to its
    nearest ones of other classes (penalty graph, L_p). The directions a maximise
    ``a @ X.T @ L_p @ X @ a / a @ X.T @ L_c @ X @ a``.

    Parameters
    ----------
    n_components
        As in :class:`RatioProjection`.
    n_neighbors : int, default=20
        Neighbours of the same class to which each document is tied; a smaller class gives fewer.
    n_between : int, default=100
        Neighbours of other classes to which each document is tied; or pairs across the border of a class.
    penalty : {"documents", "classes"}, default="documents"
        Whether the penalty graph has ``n_between`` ties for each document or, as in the paper, the
        ``n_between`` nearest pairs across the border of each class.
    regularization : float, default=1e-6
        Share of the denominator's mean eigenvalue that is added to all of them.
    n_latent
        As in :class:`RatioProjection`.
    max_postings : int, "auto" or None, default="auto"
        As in :class:`LRWMMC`.
    random_state
        As in :class:`RatioProjection`.

    Attributes
    ----------
    components_, eigenvalues_, classes_, n_features_in_
        As in :class:`RatioProjection`.
    recall_ : float
        As in :class:`LRWMMC`.

    Notes
    -----
    In the paper's penalty graph a few documents draw the margin of a class; with ``penalty="documents"`` all
    of them do. Neighbours are the nearest by cosine, on unit rows the same as by distance. The directions of
    the paper are not orthonormal; here they are orthonormalised, which keeps the space. Where the latent
    space has more dimensions than the intrinsic graph has edges, the ratio is unbounded but for
    ``regularization``: with few documents choose a smaller ``n_latent`` or a larger ``regularization``.

    References
    ----------
    S. Yan, D. Xu, B. Zhang, H.-J. Zhang, Q. Yang and S. Lin, "Graph embedding and extensions: a general
    framework for dimensionality reduction", IEEE Transactions on Pattern Analysis and Machine Intelligence
    29, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import MFA
    >>> X = np.array([[1.0, 0.1], [2.0, 0.1], [1.0, 0.9], [2.0, 0.9]])
    >>> np.abs(MFA(n_components=1, n_neighbors=1).fit(X, ["a", "a", "b", "b"]).components_.round(3))
    array([[0., 1.]])
    """

    _parameter_constraints: ClassVar = {
        **RatioProjection._parameter_constraints,
        **NEIGHBORS,
        "n_between": [COUNT],
        "penalty": [one_of("documents", "classes")],
        "regularization": [POSITIVE],
    }

    def __init__(
        self,
        n_components=50,
        *,
        n_neighbors=20,
        n_between=100,
        penalty="documents",
        regularization=1e-6,
        n_latent=500,
        max_postings="auto",
        random_state=None,
    ):
        super().__init__(n_components, n_latent=n_latent, random_state=random_state)
        self.n_neighbors = n_neighbors
        self.n_between = n_between
        self.penalty = penalty
        self.regularization = regularization
        self.max_postings = max_postings

    def _graphs(self, X, y):
        neighbors = self._find_neighbors(X, y, n_neighbors=max(self.n_neighbors, self.n_between))
        intrinsic, penalty = marginal_graphs(
            neighbors,
            n_within=self.n_neighbors,
            n_between=self.n_between,
            y=y if self.penalty == "classes" else None,
        )
        return penalty, intrinsic
