"""Discriminant neighbourhood embedding."""

from typing import ClassVar

from textspace._parameters import one_of
from textspace._saving import saved_as
from textspace.graphs import equal_weight_graph
from textspace.linear._base import NEIGHBORS, GraphProjection


@saved_as("linear.dne", shapes={"components_": "m d", "n_features_in_": "d", "eigenvalues_": "m"})
class DNE(GraphProjection):
    """Discriminant neighbourhood embedding (Zhang et al., 2007).

    The space draws each document's nearest neighbours of its own class near and drives those of other
    classes away, all with equal weight: :class:`LRWMMC` without the relevance.

    Parameters
    ----------
    n_components : int or None, default=100
        Dimensions of the space. Capped, with a warning, at the number of positive eigenvalues. None stands
        for one less than there are classes.
    n_neighbors : int, default=3
        Neighbours within and between classes. The best number differs by corpus: 5 on Reuters, 30 to 50 on
        Ohsumed and 20 Newsgroups.
    symmetrize : {"or", "average"}, default="or"
        Whether an edge that only one of its documents asks for counts full, as in the paper, or half.
    solver : {"auto", "lanczos", "qr"}, default="auto"
        As in :class:`LRWMMC`.
    tol : float, default=1e-2
        Accuracy of "lanczos": residual of each direction relative to its eigenvalue.
    max_postings : int, "auto" or None, default="auto"
        As in :class:`LRWMMC`.
    random_state : int, RandomState instance or None, default=None
        Seed of "lanczos".

    Attributes
    ----------
    components_ : ndarray of shape (m, n_features)
        Directions, orthonormal rows.
    eigenvalues_ : ndarray of shape (m,)
        Value of the criterion along each direction, descending.
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``.
    recall_ : float
        As in :class:`LRWMMC`.
    n_features_in_ : int
        Number of features seen in ``fit``.

    Notes
    -----
    Neighbours are those of the largest cosine, as for :class:`LRWMMC`, so that the two differ in the
    weights alone; on rows of unit length these are the Euclidean neighbours of the original.

    References
    ----------
    W. Zhang, X. Xue, Z. Sun, Y. Guo and H. Lu, "Optimal dimensionality of metric space for
    classification", International Conference on Machine Learning, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import DNE
    >>> X = np.array([[1.0, 0.0, 0.9], [0.9, 0.1, 0.0], [0.1, 0.8, 0.0], [0.0, 0.9, 0.9]])
    >>> y = ["cat", "cat", "dog", "dog"]
    >>> DNE(n_components=1, n_neighbors=1).fit(X, y).transform(X).round(1).tolist()
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
        n_neighbors=3,
        symmetrize="or",
        solver="auto",
        tol=1e-2,
        max_postings="auto",
        random_state=None,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.symmetrize = symmetrize
        self.solver = solver
        self.tol = tol
        self.max_postings = max_postings
        self.random_state = random_state

    def _graph(self, X, y):
        neighbors = self._find_neighbors(X, y, n_neighbors=self.n_neighbors)
        return equal_weight_graph(neighbors, symmetrize=self.symmetrize)
