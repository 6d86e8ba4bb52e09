"""Support tensor machine."""

import warnings
from concurrent.futures import ThreadPoolExecutor
from math import prod
from numbers import Real
from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from textspace._compiled import blas_threads, thread_count
from textspace._machines import Machines
from textspace._parameters import COUNT, NOT_NEGATIVE, Interval, one_of
from textspace._saving import one_machine_a_class, saved_as
from textspace._tensor_shape import resolve_shape
from textspace._validation import FLOATS, validate_data
from textspace.tensor._base import is_filled
from textspace.tensor._contraction import contract, mode_layout
from textspace.tensor._machine import TensorMachine, orthonormal_terms

_LARGEST_GAP = 1e-4  # relative duality gap of a mode's problem above which a warning is due


def _machines_fit(machine):
    """Whether the vectors of each mode have its size, and there is a machine for each class."""
    sizes = tuple(factor.shape[1] for factor in machine.factors_)
    return (
        sizes == machine.tensor_shape_
        and is_filled(sizes, machine.n_features_in_)
        and (one_machine_a_class(machine) or getattr(machine, "_multi_label", False))
    )


@saved_as(
    "tensor.stm",
    shapes={
        "coef_": "k d",
        "intercept_": "k",
        "classes_": "c",
        "factors_.*": "k _ r",
        "n_features_in_": "d",
        "tensor_shape_": "o",
        "factors_": "o",
        "objective_trace_": "k",
        "n_iter_": "k",
    },
    check=_machines_fit,
)
class SupportTensorMachine(Machines):
    """Linear classifier whose weights are a rank-one tensor, or a sum of a few (Cai et al., 2006).

    A document X is a tensor, and its decision value for a class ``X(a1, ..., ak) + b``: one weight for each
    index of each mode, in place of one for each entry. One class is separated from all others by

    ``min 1/2 ||a1||^2 ... ||ak||^2 + C sum_i max(0, 1 - y_i (X_i(a1, ..., ak) + b))``,

    which is solved for one mode at a time, the others held fixed: each time a linear support vector machine.

    Parameters
    ----------
    tensor_shape : tuple of int, one of which may be None, or "square", default=(None, 50)
        Size of each mode. Column f of a document matrix is the tensor entry
        ``np.unravel_index(f, tensor_shape, order="F")``. None means as large as the columns need,
        "square" what :class:`textspace.text.FoldedTensorSpace` makes of it.
    C : float, default=10.0
        Weight of the hinge losses.
    rank : int, default=1
        Number of rank-one tensors that the weights are the sum of. 1 is the paper's machine; see Notes.
    tol : float, default=1e-3
        A sweep over the modes that lowers the objective by less than this share of it is the last one.
    max_iter : int, default=100
        Largest number of sweeps; with ``rank > 1``, before and again after the further terms are added.
    warm_start : bool, default=False
        Whether ``fit`` starts from the weights of the last fit, which may have had a lower rank, another C or
        other documents, but must have had the same classes and tensor shape.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels; positions of the columns where y was an indicator matrix.
    coef_ : ndarray of shape (n_machines, n_features)
        Weights of each class against all others, the tensors flattened like the documents. Of two classes
        there is one machine, and its positive side is the second class.
    intercept_ : ndarray of shape (n_machines,)
        The b of each machine.
    factors_ : list of ndarray of shape (n_machines, mode size, rank)
        Vectors of each mode; their outer products, summed over the rank, are the weights. The vectors of a
        term have equal lengths; in order 2 the terms are orthogonal, the largest first.
    objective_trace_ : list of list of float
        For each machine, the objective after each mode's step. It never rises.
    n_iter_ : ndarray of shape (n_machines,)
        Number of sweeps.
    tensor_shape_ : tuple of int
        Mode sizes.
    n_features_in_ : int
        Number of columns seen in ``fit``.

    See Also
    --------
    textspace.text.FoldedTensorSpace : Makes tensors of documents by the document frequency of terms.

    Notes
    -----
    As in the paper, b is not penalised, and for matrices the vector of columns, v, is found first, with u all
    ones; in higher orders the last mode comes first. Each mode's problem is solved to a duality gap of 1e-7
    of its objective, so that the objective cannot rise. With one mode of size d and the others of size 1 the
    machine is the linear support vector machine.

    In many small classes a first vector v of zero is optimal while u is all ones: the documents, summed over
    u, cannot tell the class apart. The paper's rule would stay there. Here that mode keeps its start, and the
    next is solved for; only a class for which no mode finds anything is decided by its intercept alone.

    With ``rank=R`` the weights are a sum W of R rank-one tensors under the penalty ``1/2 ||W||^2`` (not in
    the paper). It is the paper's penalty where R = 1, and of matrices it makes the machine with
    R = min(n1, n2) the linear support vector machine. A sum of the terms' own penalties would not: it falls
    as a term is split into equal parts. A machine of rank one is found first; R - 1 further terms then start
    from the leading singular vectors of what its weights lack, and all are improved together.

    References
    ----------
    D. Cai, X. He, J.-R. Wen, J. Han and W.-Y. Ma, "Support tensor machines for text categorization",
    technical report UIUCDCS-R-2006-2714, University of Illinois, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.tensor import SupportTensorMachine
    >>> X = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    >>> machine = SupportTensorMachine(tensor_shape=(2, 2)).fit(X, ["corn", "corn", "gold", "gold"])
    >>> machine.coef_.reshape(machine.tensor_shape_, order="F").round(3)
    array([[-1., -1.],
           [ 1.,  1.]])
    >>> machine.predict([[0.3, 0.7, 0.0, 0.1]])
    array(['gold'], dtype='<U4')
    """

    _parameter_constraints: ClassVar = {
        "tensor_shape": ["array-like", one_of("square")],
        "C": [Interval(Real, 0, 1e60, closed="right")],  # squares of duals are to be finite
        "rank": [COUNT],
        "tol": [NOT_NEGATIVE],
        "max_iter": [COUNT],
        "warm_start": ["boolean"],
    }

    def __init__(self, tensor_shape=(None, 50), C=10.0, *, rank=1, tol=1e-3, max_iter=100, warm_start=False):
        self.tensor_shape = tensor_shape
        self.C = C
        self.rank = rank
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start

    def fit(self, X, y):
        """Learn the weights of each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one flattened tensor a row.
        y : {array-like, sparse matrix} of shape (n_samples,) or (n_samples, n_labels)
            Class of each document, or for documents of several labels or none a matrix of zeros and ones: a
            machine for each column.

        Returns
        -------
        SupportTensorMachine
            The fitted classifier.
        """
        self._validate_params()
        starts = self._starts()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS, multi_output=True)
        classes, sides = self._sides(y)
        shape = resolve_shape(self.tensor_shape, X.shape[1])
        if starts and (shape != self.tensor_shape_ or not np.array_equal(classes, self.classes_)):
            raise ValueError(
                "warm_start=True continues from the last fit, which had other classes or another tensor "
                "shape: fit a new estimator, or set warm_start=False."
            )
        rank = _possible_rank(self.rank, shape)
        fits = fit_machines(
            sparse.csr_array(X),
            np.ascontiguousarray(np.where(sides, 1.0, -1.0)),  # one kind of rows: each is compiled for
            shape=shape,
            C=float(self.C),
            rank=rank,
            tol=self.tol,
            max_iter=self.max_iter,
            starts=starts,
        )
        machines, n_iter, have_settled = zip(*fits, strict=True)
        self._warn_unless(have_settled, machines)
        self.classes_, self.tensor_shape_ = classes, shape
        self.factors_ = [
            np.stack([machine.factors[mode] for machine in machines]).astype(X.dtype)
            for mode in range(len(shape))
        ]
        self.coef_ = np.stack([machine.weights()[: X.shape[1]] for machine in machines]).astype(X.dtype)
        self.intercept_ = np.array([machine.intercept for machine in machines], dtype=X.dtype)
        self.objective_trace_ = [machine.trace for machine in machines]
        self.n_iter_ = np.array(n_iter)
        return self

    def _starts(self):
        """Give the factors and the intercept of each machine of the last fit, if they are wanted."""
        if not self.warm_start or not hasattr(self, "coef_"):
            return None
        if self.factors_[0].shape[2] > self.rank:
            raise ValueError(
                f"warm_start=True cannot go from rank {self.factors_[0].shape[2]} to the lower rank "
                f"{self.rank}: fit a new estimator, or set warm_start=False."
            )
        return [
            ([factor[machine].astype(np.float64) for factor in self.factors_], self.intercept_[machine])
            for machine in range(len(self.intercept_))
        ]

    def _warn_unless(self, have_settled, machines):
        n_open = have_settled.count(False)
        n_inexact = sum(machine.gap > _LARGEST_GAP for machine in machines)
        if n_open or n_inexact:
            warnings.warn(
                f"{type(self).__name__}: of {len(machines)} machines, {n_open} had not settled after "
                f"max_iter={self.max_iter} sweeps, and {n_inexact} could not be solved exactly in some mode. "
                "Raise max_iter or tol, lower C, or scale the documents to unit length.",
                ConvergenceWarning,
                stacklevel=3,
            )


def fit_machines(X, targets, *, shape, C, rank, tol, max_iter, starts=None):
    """Fit one machine to each vector of targets; they share the sorted documents and the first contraction.

    Targets are 1 for documents of a class, -1 for the others; `starts` are the factors and the intercept from
    which each machine starts. Gives each TensorMachine, its number of sweeps, and whether they settled.
    """
    layouts = [mode_layout(X, shape, mode) for mode in range(len(shape))]
    ones, _, _ = orthonormal_terms([np.ones((size, 1)) for size in shape[:-1]])
    first_rows = contract(layouts[-1], ones)
    backwards = range(len(shape))[::-1]

    def fit(machine_targets, start):
        machine = TensorMachine(layouts, shape, machine_targets, C, *start)
        if np.all(machine_targets == machine_targets[0]):  # a label of all documents, or of none
            machine.factors = [np.zeros((size, rank)) for size in shape]
            return machine, 1, True
        n_iter, has_settled = machine.alternate(
            backwards, tol=tol, max_iter=max_iter, first_rows=first_rows if machine.is_blank else None
        )
        if machine.factors[0].shape[1] < rank:
            first = machine.add_terms(X, rank)
            modes = [(first - step) % len(shape) for step in range(len(shape))]
            n_more, has_settled = machine.alternate(modes, tol=tol, max_iter=max_iter)
            n_iter += n_more
        return machine, n_iter, has_settled

    # the machines are spread over the cores by us: threads of the BLAS would only wait for them
    with (
        blas_threads(1),
        ThreadPoolExecutor(thread_count()) as pool,
    ):
        return list(pool.map(fit, targets, starts or [()] * len(targets)))


def _possible_rank(rank, shape):
    """Cap the rank at what a tensor of the shape can need."""
    largest = min(prod(shape) // size for size in shape)
    if rank <= largest:
        return rank
    warnings.warn(
        f"rank={rank} is more than a tensor of shape {shape} can need: {largest} terms are used.",
        stacklevel=3,
    )
    return largest
