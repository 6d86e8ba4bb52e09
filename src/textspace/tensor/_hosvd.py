"""Higher-order singular value decomposition."""

from textspace._saving import saved_as
from textspace.tensor._alternation import flattening_factors
from textspace.tensor._base import TensorProjection, factors_fit


@saved_as(
    "tensor.hosvd",
    shapes={"n_features_in_": "d", "tensor_shape_": "o", "factors_": "o", "factors_.*": "_ _"},
    check=factors_fit,
)
class HOSVD(TensorProjection):
    """Truncated higher-order singular value decomposition of documents that are tensors.

    It is to tensors what latent semantic indexing is to vectors: each mode keeps the few directions along
    which the documents are largest. Labels are not used. A row of ``transform`` is the projected tensor,
    flattened like the documents: the index of the first mode runs fastest.

    Parameters
    ----------
    tensor_shape : tuple of int, one of which may be None, default=(None, 27, 27)
        Mode sizes of the tensors that the rows stand for, as
        :class:`textspace.text.TrigramTensorSpace` or :class:`textspace.text.FoldedTensorSpace` make them.
        None means as large as the columns need; 27 * 27 * 27 columns are letter trigrams. Column f is the
        entry ``np.unravel_index(f, tensor_shape, order="F")``.
    ranks : int or tuple of int, default=18
        Directions to keep, for all modes or for each. Capped, with a warning, at the mode sizes.

    Attributes
    ----------
    factors_ : list of ndarray of shape (size, rank)
        Directions of each mode, orthonormal columns, the strongest first.
    tensor_shape_ : tuple of int
        Mode sizes.
    n_features_in_ : int
        Number of columns seen in ``fit``.

    Notes
    -----
    The factor of mode k holds the top eigenvectors of ``sum_i X_i(k) @ X_i(k).T``, where X_i(k) is
    document i flattened along the mode: the left singular vectors of the whole corpus flattened so. The
    mode of the documents stays as it is, since new documents must find their place.

    References
    ----------
    L. De Lathauwer, B. De Moor and J. Vandewalle, "A multilinear singular value decomposition", SIAM
    Journal on Matrix Analysis and Applications 21, 2000.
    N. Liu, B. Zhang, J. Yan, Z. Chen, W. Liu, F. Bai and L. Chien, "Text representation: from vector to
    tensor", IEEE International Conference on Data Mining, 2005.

    Examples
    --------
    Matrices of 2 x 3 entries whose first two columns are the same: two directions hold them all.

    >>> import numpy as np
    >>> from textspace.tensor import HOSVD
    >>> X = np.array([[1.0, 2, 1, 2, 0, 0], [0, 1, 0, 1, 3, 0], [2, 2, 2, 2, 0, 1]])
    >>> hosvd = HOSVD((2, 3), ranks=2).fit(X)
    >>> hosvd.factors_[1].round(2)
    array([[ 0.7 , -0.11],
           [ 0.7 , -0.11],
           [ 0.15,  0.99]])
    >>> np.allclose(hosvd.transform(X) @ hosvd.transform(X).T, X @ X.T)
    True
    """

    _needs_labels = False
    _min_samples = 1

    def __init__(self, tensor_shape=(None, 27, 27), ranks=18):
        self.tensor_shape = tensor_shape
        self.ranks = ranks

    def _fit(self, X, y):
        self.tensor_shape_, ranks = self._resolve(X.shape[1])
        self.factors_ = flattening_factors(X, self.tensor_shape_, ranks)
