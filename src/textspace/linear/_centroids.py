"""The space of the class centroids."""

import numpy as np
from scipy import sparse

from textspace._saving import saved_as
from textspace._validation import check_rows
from textspace.linear._base import LinearProjection
from textspace.linear._orthonormal import orthonormal_basis


@saved_as("linear.centroids", shapes={"components_": "m d", "n_features_in_": "d"})
class ClassCentroids(LinearProjection):
    """Projection onto the span of the class centroids (CM, "centroid method").

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal basis of the span of the centroids, one direction a row: as many as there are
        classes, fewer where centroids are zero or linearly dependent.
    classes_ : ndarray of shape (n_classes,)
        Labels.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    Notes
    -----
    Any orthonormal basis of the span gives the same distances. This one is made of the right singular
    vectors of the unit centroids, so that neither the order nor the names of the classes matter.

    References
    ----------
    D. Zeimpekis and E. Gallopoulos, "Linear and non-linear dimensional reduction via class
    representatives for text classification", ICDM 2006.

    H. Park, M. Jeon and J. B. Rosen, "Lower dimensional representation of text data based on centroids
    and least squares", BIT Numerical Mathematics 43, 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import ClassCentroids
    >>> X = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0], [1.0, 1.0, 3.0]])
    >>> ClassCentroids().fit(X, ["a", "a", "b", "b"]).transform(X).round(3)
    array([[ 0.554, -0.439],
           [ 0.554, -0.439],
           [ 1.862,  2.352],
           [ 2.971,  1.474]])
    """

    _several_labels = True

    def _fit(self, X, y):
        self.components_ = orthonormal_basis(class_sums(X, y))
        if len(self.components_) == 0:
            raise ValueError("ClassCentroids finds no direction: every class centroid is zero.")


def class_sums(X, y, *, n_classes=None):
    """Sum of the documents of each class.

    Parameters
    ----------
    X : {ndarray, sparse matrix, sparse array} of shape (n_samples, n_features)
        Documents.
    y : ndarray of shape (n_samples,), int
        Class of each document, as 0, 1, ...
    n_classes : int, optional
        Number of classes, where the last ones may have no document here.

    Returns
    -------
    ndarray of shape (n_classes, n_features)
        The sums, in the precision of X.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import class_sums
    >>> class_sums(np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 5.0]]), np.array([0, 0, 1]))
    array([[3., 1.],
           [0., 5.]])
    """
    X = check_rows(X)
    n_classes = y.max() + 1 if n_classes is None else n_classes
    members = sparse.csr_array(
        (np.ones(len(y), dtype=X.dtype), (y, np.arange(len(y)))), shape=(n_classes, len(y))
    )
    sums = members @ X
    return sums.toarray() if sparse.issparse(sums) else sums
