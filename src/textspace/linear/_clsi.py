"""Clustered latent semantic indexing, with the classes as clusters."""

import warnings
from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.extmath import row_norms

from textspace._parameters import COUNT, SEED
from textspace._saving import saved_as
from textspace.linear._base import LinearProjection
from textspace.linear._orthonormal import orthonormal_basis
from textspace.solvers import top_singular_vectors


@saved_as("linear.clsi", shapes={"components_": "m d", "n_features_in_": "d"})
class CLSI(LinearProjection):
    """Clustered latent semantic indexing: the leading directions of each class, put together.

    Each class's documents have their own truncated singular value decomposition; the right singular
    vectors of all classes are joined and orthonormalised.

    Parameters
    ----------
    n_components : int, default=100
        Number of directions over all classes, before those that depend linearly on others are dropped.
    random_state : int, RandomState instance or None, default=None
        Seed of the vectors from which the iterations start. It changes the result by rounding only.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal directions, one a row.
    classes_ : ndarray of shape (n_classes,)
        Labels.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    Notes
    -----
    The LRWMMC paper does not say how many directions a class gives. Here every class gives one, and the
    others are shared in proportion to the Frobenius norms of the classes' rows (for unit rows: the square
    roots of the class sizes). With fewer directions than classes, those of largest norm give one each.

    References
    ----------
    D. Zeimpekis and E. Gallopoulos, "CLSI: a flexible approximation scheme from clustered term-document
    matrices", SIAM International Conference on Data Mining, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import CLSI
    >>> X = np.array([[1.0, 1.0, 0.0, 0.0], [2.0, 2.0, 0.0, 0.0], [0.0, 1.0, 2.0, 0.0], [0.0, 1.0, 0.0, 2.0]])
    >>> CLSI(n_components=2).fit(X, ["a", "a", "b", "b"]).transform(X).round(3)
    array([[ 1.187,  0.769],
           [ 2.373,  1.539],
           [ 1.453, -0.942],
           [ 1.453, -0.942]])
    """

    _parameter_constraints: ClassVar = {"n_components": [COUNT], "random_state": [SEED]}
    _several_labels = True

    def __init__(self, n_components=100, random_state=None):
        self.n_components = n_components
        self.random_state = random_state

    def _fit(self, X, y):
        random_state = check_random_state(self.random_state)
        squared = row_norms(X, squared=True)
        limits = np.minimum(np.bincount(y[squared > 0], minlength=len(self.classes_)), X.shape[1])
        shares = share_components(
            np.sqrt(np.bincount(y, squared)), limits=limits, n_components=self.n_components
        )
        if shares.sum() == 0:
            raise ValueError("CLSI finds no direction: every entry of X is zero.")
        directions = [
            top_singular_vectors(X[y == label], n_components=share, random_state=random_state)[1]
            for label, share in enumerate(shares)
            if share > 0
        ]
        self.components_ = orthonormal_basis(np.vstack(directions))
        if len(self.components_) < self.n_components:
            warnings.warn(
                f"CLSI keeps {len(self.components_)} of the {self.n_components} components asked for: "
                "the classes have no more independent directions.",
                stacklevel=3,
            )
        if self.n_components < np.sum(limits > 0):
            warnings.warn(
                f"n_components={self.n_components} is less than the number of classes, {len(limits)}: the "
                "classes of smallest norm have no direction of their own.",
                stacklevel=3,
            )


def share_components(weights, *, limits, n_components):
    """Share directions among classes: one each first, the others in proportion to the weights.

    One direction after the other goes to the class of largest ``weight / (count + 1/2)``, the method of
    Sainte-Laguë for the seats of a parliament; no class gets more than its limit.

    >>> share_components(np.array([6.0, 3.0, 0.1]), limits=np.array([9, 9, 9]), n_components=10)
    array([6, 3, 1])
    """
    counts = np.zeros(len(weights), dtype=int)
    for _ in range(min(n_components, limits.sum())):
        candidates = counts < limits
        without = candidates & (counts == 0)
        if without.any():
            candidates = without
        counts[np.argmax(np.where(candidates, weights / (counts + 0.5), -1))] += 1
    return counts
