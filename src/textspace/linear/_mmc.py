"""Maximum margin criterion."""

from textspace._saving import saved_as
from textspace.graphs import margin_graph
from textspace.linear._base import GraphProjection


@saved_as("linear.mmc", shapes={"components_": "m d", "n_features_in_": "d", "eigenvalues_": "m"})
class MaximumMarginCriterion(GraphProjection):
    """Maximum margin criterion (Li, Jiang & Zhang, 2003).

    The space that maximises the scatter between classes minus the scatter within them,
    ``trace(A.T @ (S_b - S_w) @ A)`` with orthonormal A. Unlike Fisher's ratio it needs no inverse.

    Parameters
    ----------
    n_components : int, optional
        Dimensions of the space; by default one less than there are classes, the most that can have a
        positive eigenvalue. Capped, with a warning, at the number of those that do.
    solver, tol, random_state
        As in :class:`GraphProjection`.

    Attributes
    ----------
    components_, eigenvalues_, classes_, n_features_in_
        As in :class:`GraphProjection`.

    References
    ----------
    H. Li, T. Jiang and K. Zhang, "Efficient and robust feature extraction by maximum margin criterion",
    Advances in Neural Information Processing Systems, 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import MaximumMarginCriterion
    >>> X = np.array([[1.0, 0.0, 0.9], [0.9, 0.1, 0.0], [0.1, 0.8, 0.0], [0.0, 0.9, 0.9]])
    >>> y = ["cat", "cat", "dog", "dog"]
    >>> MaximumMarginCriterion(n_components=1).fit(X, y).transform(X).round(1).tolist()
    [[0.7], [0.6], [-0.5], [-0.6]]
    """

    _several_labels = True

    def __init__(self, n_components=None, *, solver="auto", tol=1e-2, random_state=None):
        super().__init__(n_components, solver=solver, tol=tol, random_state=random_state)

    def _graph(self, X, y):
        return margin_graph(y, dtype=X.dtype)
