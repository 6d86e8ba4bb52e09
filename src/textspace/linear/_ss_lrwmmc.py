"""Semi-supervised local relevance weighted maximum margin criterion."""

from typing import ClassVar

import numpy as np
from scipy import sparse

from textspace._parameters import COUNT, NOT_NEGATIVE
from textspace._saving import saved_as
from textspace.graphs import Graph, affinity, normalized_laplacian
from textspace.linear._lrwmmc import LRWMMC


@saved_as("linear.ss_lrwmmc", shapes={"components_": "m d", "n_features_in_": "d", "eigenvalues_": "m"})
class SemiSupervisedLRWMMC(LRWMMC):
    """LRWMMC that also learns from documents without a label (Gu & Zhou, 2009, section 6).

    The labelled documents say which neighbours are to be drawn near and which to be driven away, as in
    :class:`LRWMMC`. All documents, labelled or not, are tied to their most relevant ones, and the space is
    penalised where it takes these apart.

    Parameters
    ----------
    n_components : int or None, default=100
        As in :class:`LRWMMC`; there are fewer positive eigenvalues the larger ``smoothness`` is.
    n_neighbors : int, default=5
        Size k of the local regions of labelled documents. A smaller class gives fewer neighbours.
    smoothness : float, default=0.015625
        Weight of the penalty, the paper's lambda. At zero this is LRWMMC on the labelled documents.
    n_nearest : int, default=5
        Most relevant documents, labelled or not, to which each document is tied in the penalty.
    symmetrize, solver, tol, max_postings, random_state
        As in :class:`LRWMMC`.

    Attributes
    ----------
    components_, eigenvalues_, classes_, n_features_in_
        As in :class:`LRWMMC`.
    recall_ : float
        As in :class:`LRWMMC`, among all documents; among the labelled where ``smoothness`` is zero.

    Notes
    -----
    The directions are the eigenvectors of ``X.T @ (L1 - smoothness * L2) @ X`` with the largest eigenvalues
    (eq. 6.24). L1 is the graph of LRWMMC over the labelled rows and zero elsewhere; L2 is the normalised
    Laplacian ``I - D^-1/2 @ W @ D^-1/2`` over all rows, W the cosines of neighbours (eq. 6.20). The paper
    has one k for both graphs. The penalty only ever lowers the criterion: where it outweighs the labels no
    direction has a positive eigenvalue, and the one that is then returned is of no use. With few labels that
    happens within the paper's grid of 4^-3 to 4^3.

    References
    ----------
    Q. Gu and J. Zhou, "Local Relevance Weighted Maximum Margin Criterion for Text Classification",
    SIAM International Conference on Data Mining, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import SemiSupervisedLRWMMC
    >>> X = np.array([[1.0, 0.0, 0.9], [0.9, 0.1, 0.0], [0.1, 0.8, 0.0], [0.0, 0.9, 0.9]])
    >>> y = ["cat", None, "dog", None]
    >>> space = SemiSupervisedLRWMMC(n_components=1, n_neighbors=1, n_nearest=1, smoothness=1.0)
    >>> space.fit(X, y).transform(X).round(1).tolist()
    [[0.8], [0.6], [-0.4], [-0.5]]
    """

    _parameter_constraints: ClassVar = {
        **LRWMMC._parameter_constraints,
        "smoothness": [NOT_NEGATIVE],
        "n_nearest": [COUNT],
    }
    _partly_labelled = True

    def __init__(
        self,
        n_components=100,
        *,
        n_neighbors=5,
        smoothness=4.0**-3,
        n_nearest=5,
        symmetrize="or",
        solver="auto",
        tol=1e-2,
        max_postings="auto",
        random_state=None,
    ):
        super().__init__(
            n_components,
            n_neighbors=n_neighbors,
            symmetrize=symmetrize,
            solver=solver,
            tol=tol,
            max_postings=max_postings,
            random_state=random_state,
        )
        self.smoothness = smoothness
        self.n_nearest = n_nearest

    def _validate(self, X, y):
        X, y = super()._validate(X, y)
        # without the penalty no graph ties an unlabelled document
        return (X, y) if self.smoothness > 0 else (X[y >= 0], y[y >= 0])

    def _graph(self, X, y):
        labelled = y >= 0
        graph = super()._graph(X[labelled], y[labelled])
        if self.smoothness == 0:
            return graph
        indices, relevance, _, _ = self._find_neighbors(X, n_neighbors=self.n_nearest)
        return smoothed_graph(graph, affinity(indices, relevance), labelled, smoothness=self.smoothness)


def smoothed_graph(graph, adjacency, labelled, *, smoothness):
    """Penalise a graph over the labelled documents for differences of any that are alike.

    Gives ``graph - smoothness * L2`` over all documents, L2 being the normalised Laplacian of their ties
    `adjacency`, which are symmetric and not negative; `labelled` is a mask of the documents.
    """
    local = graph.local.tocoo()
    rows = np.flatnonzero(labelled)
    spread = sparse.csr_array((local.data, (rows[local.row], rows[local.col])), shape=adjacency.shape)
    return Graph(spread - smoothness * normalized_laplacian(adjacency).local)
