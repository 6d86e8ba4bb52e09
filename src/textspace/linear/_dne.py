"""Discriminant neighbourhood embedding."""

from textspace._saving import saved_as
from textspace.graphs import equal_weight_graph
from textspace.linear._lrwmmc import LRWMMC


@saved_as("linear.dne", shapes={"components_": "m d", "n_features_in_": "d", "eigenvalues_": "m"})
class DNE(LRWMMC):
    """Discriminant neighbourhood embedding (Zhang et al., 2007).

    The space draws each document's nearest neighbours of its own class near and drives those of other
    classes away, all with equal weight: :class:`LRWMMC` without the relevance.

    Parameters
    ----------
    n_components
        As in :class:`LRWMMC`.
    n_neighbors : int, default=3
        Neighbours within and between classes. The best number differs by corpus: 5 on Reuters, 30 to 50 on
        Ohsumed and 20 Newsgroups.
    symmetrize, solver, tol, max_postings, random_state
        As in :class:`LRWMMC`.

    Attributes
    ----------
    components_, eigenvalues_, classes_, recall_, n_features_in_
        As in :class:`LRWMMC`.

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
        super().__init__(
            n_components,
            n_neighbors=n_neighbors,
            symmetrize=symmetrize,
            solver=solver,
            tol=tol,
            max_postings=max_postings,
            random_state=random_state,
        )

    def _graph(self, X, y):
        neighbors = self._find_neighbors(X, y, n_neighbors=self.n_neighbors)
        return equal_weight_graph(neighbors, symmetrize=self.symmetrize)
