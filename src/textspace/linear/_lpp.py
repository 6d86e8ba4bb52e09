"""Locality preserving projections."""

from numbers import Integral

import numpy as np
from scipy import sparse
from sklearn.utils import check_scalar

from textspace._validation import FLOATS, validate_data
from textspace.graphs import affinity
from textspace.linear._base import LinearProjection
from textspace.solvers import ratio_directions


class LPP(LinearProjection):
    """Locality preserving projections: documents that are near each other stay so.

    Each document is tied to its most relevant ones. The directions a minimise
    ``a @ X.T @ (D - W) @ X @ a / a @ X.T @ D @ X @ a``: how far the projection takes tied documents apart,
    against how far it spreads them all. For documents this is known as locality preserving indexing.

    Parameters
    ----------
    n_components : int, default=100
        Dimensions of the space; capped, with a warning, at those of the latent space.
    n_neighbors : int, default=50
        Neighbours to which each document is tied.
    weights : {"cosine", "heat"}, default="cosine"
        Weight of an edge: the cosine of its documents, or a heat kernel of their distance; see
        :func:`textspace.graphs.affinity`.
    supervised : bool, default=False
        Whether to tie documents of the same class only; y is then required.
    n_latent : int, default=500
        Leading singular directions to which the documents are taken first, as the paper on documents does.
        Nothing is lost where the rank of X is no higher.
    n_postings : int, "auto" or None, default="auto"
        As in :class:`LRWMMC`.
    random_state : int, RandomState instance or None, default=None
        Seed of the iteration that finds the singular directions.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal directions, one a row: the first k of them span the k best, for every k.
    eigenvalues_ : ndarray of shape (n_components,)
        The minimised ratio along each of the best directions, ascending from about 0; 1 is what it is for
        a direction on which neighbours are no more alike than others.
    recall_ : float
        As in :class:`LRWMMC`.
    n_features_in_ : int
        Number of terms seen in ``fit``.

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

    def __init__(
        self,
        n_components=100,
        *,
        n_neighbors=50,
        weights="cosine",
        supervised=False,
        n_latent=500,
        n_postings="auto",
        random_state=None,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.supervised = supervised
        self.n_latent = n_latent
        self.n_postings = n_postings
        self.random_state = random_state

    def fit(self, X, y=None):
        """Learn the directions.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,), optional
            Their classes; ignored unless ``supervised``.

        Returns
        -------
        LPP
            The fitted estimator.
        """
        for name in ("n_components", "n_neighbors", "n_latent"):
            check_scalar(getattr(self, name), name, Integral, min_val=1)
        if self.supervised:
            X, y = self._validate(X, y)
        else:
            X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS, ensure_min_samples=2)
            y = np.zeros(X.shape[0], dtype=np.int32)
        indices, relevance, _, _ = self._find_neighbors(X, y, n_neighbors=self.n_neighbors)
        adjacency = affinity(indices, relevance, weights=self.weights)
        if adjacency.nnz == 0:
            raise ValueError(
                "no document has a neighbour with a positive cosine: there is nothing to preserve."
            )
        # the ratio of D - W to D is one minus that of W to D
        ratios, self.components_ = ratio_directions(
            X,
            adjacency,
            sparse.diags_array(adjacency.sum(axis=1)),
            n_components=self.n_components,
            n_latent=self.n_latent,
            random_state=self.random_state,
        )
        self.eigenvalues_ = np.subtract(1, ratios, dtype=X.dtype)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = bool(self.supervised)
        return tags
