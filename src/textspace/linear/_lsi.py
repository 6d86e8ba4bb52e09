"""Latent semantic indexing."""

import warnings
from typing import ClassVar

from textspace._parameters import COUNT, SEED
from textspace._saving import saved_as
from textspace.linear._base import LinearProjection
from textspace.solvers import top_singular_vectors


@saved_as("linear.lsi", shapes={"components_": "m d", "n_features_in_": "d", "singular_values_": "m"})
class LSI(LinearProjection):
    """Latent semantic indexing: the best approximation of the documents in few dimensions.

    The directions are the right singular vectors of the document matrix for its largest singular values.
    Labels are not used.

    Parameters
    ----------
    n_components : int, default=100
        Number of directions; capped, with a warning, at the rank of the document matrix.
    random_state : int, RandomState instance or None, default=None
        Seed of the vector from which the iteration starts. It changes the result by rounding only.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal directions, one a row.
    singular_values_ : ndarray of shape (n_components,)
        Their singular values, descending.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    Notes
    -----
    A document becomes ``x @ components_.T``, without the division by the singular values that the paper
    applies to queries: so distances and cosines approximate those between the documents themselves.

    References
    ----------
    S. Deerwester, S. T. Dumais, G. W. Furnas, T. K. Landauer and R. Harshman, "Indexing by latent semantic
    analysis", Journal of the American Society for Information Science 41, 1990.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import LSI
    >>> X = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 1.0, 3.0]])
    >>> LSI(n_components=2).fit_transform(X).round(3)
    array([[ 1.364, -1.641],
           [ 1.616, -1.379],
           [ 2.69 ,  1.66 ]])
    """

    _parameter_constraints: ClassVar = {"n_components": [COUNT], "random_state": [SEED]}
    _needs_labels = False
    _min_samples = 1

    def __init__(self, n_components=100, random_state=None):
        self.n_components = n_components
        self.random_state = random_state

    def _fit(self, X, y):
        self.singular_values_, self.components_ = top_singular_vectors(
            X, n_components=self.n_components, random_state=self.random_state
        )
        if len(self.components_) < self.n_components:
            warnings.warn(
                f"LSI keeps {len(self.components_)} of the {self.n_components} components asked for: "
                "the document matrix has no higher rank.",
                stacklevel=3,
            )
