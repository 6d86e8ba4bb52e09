"""Local relevance weighted maximum margin criterion."""

from typing import ClassVar

from textspace._parameters import one_of
from textspace._saving import saved_as
from textspace.graphs import relevance_graph
from textspace.linear._base import NEIGHBORS, GraphProjection


@saved_as("linear.lrwmmc", shapes={"components_": "m d", "n_features_in_": "d", "eigenvalues_": "m"})
class LRWMMC(GraphProjection):
    """Local relevance weighted maximum margin criterion (Gu & Zhou, 2009).

    Each document is tied to its most relevant documents of the same class and of other classes. The
    learned space draws the first near, the more the less alike they are now, and drives the others away,
    the more the more alike they are.

    Parameters
    ----------
    n_components
        As in :class:`GraphProjection`.
    n_neighbors : int, default=5
        Size k of the local regions. A smaller class gives fewer neighbours.
    symmetrize : {"or", "average"}, default="or"
        Whether an edge that only one of its documents asks for counts full, as in the paper, or half.
    solver, tol
        As in :class:`GraphProjection`.
    max_postings : int, "auto" or None, default="auto"
        Number of documents of each term among which neighbours are looked for; time and recall grow with it,
        see :func:`textspace.neighbors.posting_neighbors`. None compares with all documents, in a time that
        grows with the square of their number. "auto" is None for dense documents and for up to 100,000 sparse
        ones, and 300 for more.
    random_state
        As in :class:`GraphProjection`.

    Attributes
    ----------
    components_, eigenvalues_, classes_, n_features_in_
        As in :class:`GraphProjection`.
    recall_ : float
        Share of the exact neighbours of 200 documents that were found; 1.0 where ``max_postings`` asks for
        the exact ones.

    Notes
    -----
    Edges weigh ``r`` between classes and ``r - 1`` within a class (eq. 3.7), r being the cosine; a mutual
    edge counts once. The directions are the eigenvectors of ``X.T @ (D - W) @ X`` with the largest
    eigenvalues (eq. 3.10). The paper is silent on the number of dimensions.

    References
    ----------
    Q. Gu and J. Zhou, "Local Relevance Weighted Maximum Margin Criterion for Text Classification",
    SIAM International Conference on Data Mining, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import LRWMMC
    >>> X = np.array([[1.0, 0.0, 0.9], [0.9, 0.1, 0.0], [0.1, 0.8, 0.0], [0.0, 0.9, 0.9]])
    >>> y = ["cat", "cat", "dog", "dog"]
    >>> LRWMMC(n_components=1, n_neighbors=1).fit(X, y).transform(X).round(1).tolist()
    [[0.7], [0.6], [-0.5], [-0.6]]
    """

    _parameter_constraints: ClassVar = {
        **GraphProjection._parameter_constraints,
        **NEIGHBORS,
        "symmetrize": [one_of("or", "average")],
    }

    def __init__(
        self,
        n_components=100,
        *,
        n_neighbors=5,
        symmetrize="or",
        solver="auto",
        tol=1e-2,
        max_postings="auto",
        random_state=None,
    ):
        super().__init__(n_components, solver=solver, tol=tol, random_state=random_state)
        self.n_neighbors = n_neighbors
        self.symmetrize = symmetrize
        self.max_postings = max_postings

    def _graph(self, X, y):
        neighbors = self._find_neighbors(X, y, n_neighbors=self.n_neighbors)
        return relevance_graph(neighbors, symmetrize=self.symmetrize)
