"""Locality preserving projections."""

from typing import ClassVar

from scipy import sparse

from textspace._parameters import one_of
from textspace._saving import saved_as
from textspace.graphs import affinity
from textspace.linear._base import NEIGHBORS, RatioProjection


@saved_as("linear.lpp", shapes={"components_": "m d", "n_features_in_": "d", "eigenvalues_": "m"})
class LPP(RatioProjection):
    """Locality preserving projections: documents that are near each other stay so.

    Each document is tied to its most relevant ones. The directions a minimise
    ``a @ X.T @ (D - W) @ X @ a / a @ X.T @ D @ X @ a``: how far the projection takes tied documents apart,
    against how far it spreads them all. For documents this is known as locality preserving indexing.

    Parameters
    ----------
    n_components : int, default=100
        As in :class:`RatioProjection`.
    n_neighbors : int, default=50
        Neighbours to which each document is tied.
    weights : {"cosine", "heat"}, default="cosine"
        Weight of an edge: the cosine of its documents, or a heat kernel of their distance; see
        :func:`textspace.graphs.affinity`.
    supervised : bool, default=False
        Whether to tie documents of the same class only; y is then required.
    n_latent
        As in :class:`RatioProjection`.
    max_postings : int, "auto" or None, default="auto"
        As in :class:`LRWMMC`.
    random_state
        As in :class:`RatioProjection`.

    Attributes
    ----------
    components_, n_features_in_
        As in :class:`RatioProjection`.
    eigenvalues_ : ndarray of shape (n_components,)
        The minimised ratio along each of the best directions, ascending from about 0; 1 is what it is for
        a direction on which neighbours are no more alike than others.
    recall_ : float
        As in :class:`LRWMMC`.

    Notes
    -----
    The directions of the paper have unit spread, ``a @ X.T @ D @ X @ a = 1``; they are not orthonormal. Here
    they are orthonormalised, which keeps the space and raises the accuracy of the nearest neighbour. A
    direction that is the same for all documents, if there is one, is not taken out.

    References
    ----------
    X. He and P. Niyogi, "Locality preserving projections", Neural Information Processing Systems, 2003.

    D. Cai, X. He and J. Han, "Document clustering using locality preserving indexing", IEEE Transactions
    on Knowledge and Data Engineering 17, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import LPP
    >>> X = np.array([[1.0, 0.2, 0.0], [1.0, 0.0, 0.3], [0.0, 0.2, 1.0], [0.3, 0.0, 1.0]])
    >>> LPP(n_components=2, n_neighbors=1).fit(X).eigenvalues_.round(3)
    array([0.  , 0.06])
    """

    _parameter_constraints: ClassVar = {
        **RatioProjection._parameter_constraints,
        **NEIGHBORS,
        "weights": [one_of("cosine", "heat")],
        "supervised": ["boolean"],
    }

    def __init__(
        self,
        n_components=100,
        *,
        n_neighbors=50,
        weights="cosine",
        supervised=False,
        n_latent=500,
        max_postings="auto",
        random_state=None,
    ):
        super().__init__(n_components, n_latent=n_latent, random_state=random_state)
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.supervised = supervised
        self.max_postings = max_postings

    def _graphs(self, X, y):
        indices, relevance, _, _ = self._find_neighbors(X, y, n_neighbors=self.n_neighbors)
        adjacency = affinity(indices, relevance, weights=self.weights)
        if adjacency.nnz == 0:
            raise ValueError(
                "no document has a neighbour with a positive cosine: there is nothing to preserve."
            )
        return adjacency, sparse.diags_array(adjacency.sum(axis=1))

    def _criterion(self, ratios):
        # the ratio of D - W to D is one minus that of W to D
        return 1 - ratios

    @property
    def _needs_labels(self):
        return bool(self.supervised)
