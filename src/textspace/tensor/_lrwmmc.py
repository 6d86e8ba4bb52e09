"""Local relevance weighted maximum margin criterion for tensors."""

import warnings
from functools import partial
from typing import ClassVar

from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from textspace._compiled import blas_threads
from textspace._parameters import COUNT, NOT_NEGATIVE, one_of
from textspace._saving import saved_as
from textspace.graphs import relevance_graph
from textspace.neighbors import class_neighbors
from textspace.tensor._alternation import alternate, flattening_factors
from textspace.tensor._base import TensorProjection, factors_fit
from textspace.tensor._products import unfold


@saved_as(
    "tensor.lrwmmc",
    shapes={
        "n_features_in_": "d",
        "tensor_shape_": "o",
        "factors_": "o",
        "factors_.*": "_ _",
        "objective_trace_": "_",
    },
    check=factors_fit,
)
class TensorLRWMMC(TensorProjection):
    """Local relevance weighted maximum margin criterion for tensors (Gu & Zhou, 2009, section 5).

    The criterion of :class:`textspace.linear.LRWMMC`, with a space of its own for each mode in place of
    one for all terms.

    Parameters
    ----------
    tensor_shape, ranks
        As in :class:`textspace.tensor.HOSVD`.
    n_neighbors : int, default=5
        Size k of the local regions. A smaller class gives fewer neighbours.
    symmetrize : {"or", "average"}, default="or"
        Whether an edge that only one of its documents asks for counts full, as in the paper, or half.
    max_iter : int, default=100
        Largest number of sweeps over the modes.
    tol : float, default=1e-4
        Share of the criterion that a sweep must gain to be followed by another.

    Attributes
    ----------
    factors_ : list of ndarray of shape (size, rank)
        Directions of each mode, orthonormal columns, the best first.
    objective_trace_ : ndarray of shape (n_steps + 1,)
        Criterion at the start and after each mode's step; it never falls, but for rounding.
    n_iter_ : int
        Number of sweeps.
    tensor_shape_ : tuple of int
        Mode sizes.
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``.
    n_features_in_ : int
        Number of columns seen in ``fit``.

    Notes
    -----
    With the other modes projected, ``U_k`` holds the eigenvectors of ``sum_ij L_ij Y_i(k) @ Y_j(k).T`` with
    the largest eigenvalues, L being the graph of the documents' rows: half of the paper's sum over pairs.
    As in the paper each mode keeps as many directions as are asked for, even where an eigenvalue is
    negative: with ranks equal to the mode sizes, all distances stay as they are. (LRWMMC itself leaves such
    directions out.)

    The paper starts from any orthonormal factors. With small ranks the criterion has several local optima,
    so two starts are made, from the factors of :class:`HOSVD` and from those that alternation draws from
    them without labels (higher-order orthogonal iteration); what ends with the larger criterion is kept.

    References
    ----------
    Q. Gu and J. Zhou, "Local Relevance Weighted Maximum Margin Criterion for Text Classification",
    SIAM International Conference on Data Mining, 2009.
    L. De Lathauwer, B. De Moor and J. Vandewalle, "On the best rank-1 and rank-(R1, R2, ..., RN)
    approximation of higher-order tensors", SIAM Journal on Matrix Analysis and Applications 21, 2000.

    Examples
    --------
    Matrices of 2 x 2 entries. The first row is large, the second tells the classes:

    >>> import numpy as np
    >>> from textspace.tensor import TensorLRWMMC
    >>> X = np.array([[3.0, 1, 0, 0], [3, 1.2, 0, 0], [3, 0, 0, 1], [3, 0, 0, 1.2]])
    >>> space = TensorLRWMMC((2, 2), ranks=(1, 2), n_neighbors=1).fit(X, ["cat", "cat", "dog", "dog"])
    >>> space.transform(X).round(1)
    array([[ 0.7,  0.7],
           [ 0.8,  0.8],
           [-0.7,  0.7],
           [-0.8,  0.8]])
    """

    _parameter_constraints: ClassVar = {
        **TensorProjection._parameter_constraints,
        "n_neighbors": [COUNT],
        "symmetrize": [one_of("or", "average")],
        "max_iter": [COUNT],
        "tol": [NOT_NEGATIVE],
    }

    def __init__(
        self,
        tensor_shape=(None, 27, 27),
        ranks=18,
        *,
        n_neighbors=5,
        symmetrize="or",
        max_iter=100,
        tol=1e-4,
    ):
        self.tensor_shape = tensor_shape
        self.ranks = ranks
        self.n_neighbors = n_neighbors
        self.symmetrize = symmetrize
        self.max_iter = max_iter
        self.tol = tol

    def _fit(self, X, y):
        self.tensor_shape_, ranks = self._resolve(X.shape[1])
        neighbors = class_neighbors(X, y, n_neighbors=self.n_neighbors)
        graph = relevance_graph(neighbors, symmetrize=self.symmetrize).local
        unfoldings = [unfold(X, self.tensor_shape_, mode) for mode in range(len(ranks))]
        improve = partial(alternate, unfoldings, max_iter=self.max_iter, tol=self.tol)
        # the products are spread over the cores by us: threads of the BLAS would only wait for them
        with blas_threads(1):
            strongest = flattening_factors(X, self.tensor_shape_, ranks)
            refined, kept, _ = improve(sparse.eye_array(X.shape[0]), strongest)
            same = kept[-1] - kept[0] <= self.tol * kept[-1]
            runs = [improve(graph, start) for start in ([strongest] if same else [strongest, refined])]
        self.factors_, self.objective_trace_, settled = max(runs, key=lambda run: run[1][-1])
        self.n_iter_ = (len(self.objective_trace_) - 1) // len(ranks)
        if not settled:
            warnings.warn(
                f"TensorLRWMMC stopped after max_iter={self.max_iter} sweeps, the last of which gained more "
                f"than tol={self.tol} of the criterion: raise one of them.",
                ConvergenceWarning,
                stacklevel=3,
            )
