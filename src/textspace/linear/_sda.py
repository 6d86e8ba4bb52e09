"""Semi-supervised discriminant analysis."""

from typing import ClassVar

import numpy as np
from scipy import sparse

from textspace._parameters import NOT_NEGATIVE, one_of
from textspace._saving import saved_as
from textspace.graphs import Graph, affinity
from textspace.linear._base import NEIGHBORS
from textspace.linear._lda import SpectralRegressionLDA, class_responses, discriminant_directions
from textspace.solvers import graph_ridge


@saved_as(
    "linear.sda", shapes={"components_": "m d", "n_features_in_": "d", "eigenvalues_": "m", "mean_": "d"}
)
class SDA(SpectralRegressionLDA):
    """Semi-supervised discriminant analysis: class means apart, documents that are alike together.

    Labelled documents say how classes part; all documents, labelled or not, are tied to their most relevant
    ones, and a direction is worth less where it takes these apart. The directions w solve
    ``S_b w = eigenvalue (S_t + smoothness X.T @ L @ X + alpha I) w`` with the between-class scatter S_b and
    the total scatter S_t of the labelled documents and the Laplacian L of the ties. Large problems need no
    such matrix: S_b has the rank of the class means, and conjugate gradients find what belongs to each.

    Parameters
    ----------
    smoothness : float, default=0.001
        Weight of the ties, the paper's alpha. At zero this is :class:`SpectralRegressionLDA` on the labelled
        documents.
    alpha : float, default=1.0
        What is added to the diagonal, as in :class:`SpectralRegressionLDA`; the paper's beta.
    n_neighbors : int, default=5
        Most relevant documents, labelled or not, to which each document is tied.
    weights : {"cosine", "binary"}, default="cosine"
        What a tie weighs: the cosine of its two documents, or 1, as in the paper.
    tol, max_iter
        As in :class:`SpectralRegressionLDA`.
    max_postings : int, "auto" or None, default="auto"
        As in :class:`LRWMMC`.
    n_components : int, default=None
        As in :class:`SpectralRegressionLDA`.

    Attributes
    ----------
    components_, eigenvalues_, n_iter_, classes_, n_features_in_
        As in :class:`SpectralRegressionLDA`.
    mean_ : ndarray of shape (n_features,)
        Mean of the labelled documents; ``transform`` subtracts its projection.
    recall_ : float
        As in :class:`LRWMMC`.

    Notes
    -----
    Neighbours are the nearest by cosine, as in :class:`SemiSupervisedLRWMMC`. Ties of weight 1 are several
    times as heavy as their cosines, so that a smaller ``smoothness`` does the same. L sums over all ties
    while S_t sums over labelled documents, so that the more unlabelled documents there are, the smaller is
    the smoothness that does the same. As in :class:`SpectralRegressionLDA`, the directions are
    orthonormalised.

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

    _parameter_constraints: ClassVar = {
        **SpectralRegressionLDA._parameter_constraints,
        **NEIGHBORS,
        "smoothness": [NOT_NEGATIVE],
        "weights": [one_of("cosine", "binary")],
    }
    _partly_labelled = True

    def __init__(
        self,
        smoothness=0.001,
        alpha=1.0,
        n_neighbors=5,
        weights="cosine",
        tol=1e-2,
        max_iter=1000,
        max_postings="auto",
        *,
        n_components=None,
    ):
        super().__init__(alpha, tol=tol, max_iter=max_iter, n_components=n_components)
        self.smoothness = smoothness
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.max_postings = max_postings

    def _fit(self, X, y):
        labelled = y >= 0
        self.mean_, of_labelled, cross = class_responses(X[labelled], y[labelled])
        responses = np.zeros((len(y), of_labelled.shape[1]), dtype=X.dtype)
        responses[labelled] = of_labelled
        indices, relevance, _, _ = self._find_neighbors(X, n_neighbors=self.n_neighbors)
        coef, n_iter = graph_ridge(
            X,
            responses,
            scatter_graph(
                labelled, affinity(indices, relevance, weights=self.weights), smoothness=self.smoothness
            ),
            alpha=self.alpha,
            solver="auto",
            tol=self.tol,
            max_iter=self.max_iter,
        )
        self.n_iter_ = max(n_iter, 1)  # scikit-learn wants one at least
        self._keep(*discriminant_directions(coef, cross))


def scatter_graph(labelled, adjacency, *, smoothness):
    """Give the graph M with ``X.T @ M @ X = S_t + smoothness * X.T @ L @ X``.

    S_t is the total scatter of the documents that the mask `labelled` names, and ``L = D - W`` the Laplacian
    of the ties `adjacency` of all documents, which are symmetric and not negative: so M is positive
    semi-definite.
    """
    dtype = adjacency.dtype
    diagonal = labelled + smoothness * adjacency.sum(axis=1)
    local = sparse.diags_array(diagonal, dtype=dtype) - smoothness * adjacency
    average = (labelled / np.sqrt(labelled.sum())).astype(dtype)[:, None]
    return Graph(local.tocsr(), average, np.array([-1], dtype=dtype))
