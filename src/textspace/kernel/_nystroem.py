"""Kernel features on landmarks that k-means chose."""

import warnings
from typing import ClassVar

import numpy as np
from scipy import linalg, sparse
from sklearn.utils import check_random_state, gen_batches
from sklearn.utils.extmath import row_norms
from sklearn.utils.multiclass import check_classification_targets

from textspace._parameters import COUNT, SEED
from textspace._saving import saved_as
from textspace._validation import FLOATS, validate_data
from textspace.kernel._kernels import KERNEL_CONSTRAINTS, kernel_matrix
from textspace.linear import LinearProjection

_STEPS = 3  # of k-means: the kernel is hardly approximated better after more
_CHUNK = 2**24  # entries of the matrix of documents by landmarks that are held at a time


@saved_as("kernel.nystroem", shapes={"landmarks_": "l d", "normalization_": "l l", "n_features_in_": "d"})
class KMeansNystroem(LinearProjection):
    """Features whose inner products approximate a kernel (Nystroem's method).

    The kernel is exact between landmarks. With Z the landmarks, a document becomes
    ``k(x, Z) @ K(Z, Z)^(-1/2)``. The landmarks are the centres of k-means cells.

    Parameters
    ----------
    kernel : {"gaussian", "polynomial", "linear"}, default="gaussian"
        ``exp(-||x - y||^2 / sigma^2)``, ``(1 + <x, y>)^degree`` or ``<x, y>``.
    sigma : float, default=3.0
        Width of the Gaussian kernel.
    degree : int, default=2
        Degree of the polynomial kernel.
    n_landmarks : int, default=1000
        Number of landmarks; capped, with a warning, at the number of documents.
    per_class : bool, default=False
        Whether k-means runs inside each class, with landmarks in proportion to the size of the class and at
        least one; ``fit`` then needs y.
    random_state : int, RandomState instance or None, default=None
        Seed of the documents from which k-means starts.

    Attributes
    ----------
    landmarks_ : {ndarray, CSR array} of shape (n_landmarks, n_features)
        Centres of the cells, sparse where the documents are.
    normalization_ : ndarray of shape (n_landmarks, n_landmarks)
        ``K(Z, Z)^(-1/2)`` on the part of the spectrum that is positive beyond rounding.
    n_features_in_ : int
        Number of features seen in ``fit``.

    References
    ----------
    K. Zhang, I. W. Tsang and J. T. Kwok, "Improved Nystroem low-rank approximation and error analysis",
    ICML 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.kernel import KMeansNystroem
    >>> X = np.eye(4)[[0, 0, 1, 2, 3]]
    >>> features = KMeansNystroem(kernel="polynomial", n_landmarks=5).fit_transform(X)
    >>> (features @ features.T).round(3)[0]
    array([4., 4., 1., 1., 1.])
    """

    _parameter_constraints: ClassVar = {
        **KERNEL_CONSTRAINTS,
        "n_landmarks": [COUNT],
        "per_class": ["boolean"],
        "random_state": [SEED],
    }

    def __init__(
        self,
        kernel="gaussian",
        *,
        sigma=3.0,
        degree=2,
        n_landmarks=1000,
        per_class=False,
        random_state=None,
    ):
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.n_landmarks = n_landmarks
        self.per_class = per_class
        self.random_state = random_state

    def fit(self, X, y=None):
        """Choose the landmarks.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,), optional
            Their classes, used with ``per_class`` only.

        Returns
        -------
        KMeansNystroem
            The fitted transformer.
        """
        self._validate_params()
        if self.per_class:
            X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS)
            check_classification_targets(y)
            y = np.unique(y, return_inverse=True)[1]
        else:
            X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS)
            y = None
        self.landmarks_ = landmarks(X, y, n_landmarks=self.n_landmarks, random_state=self.random_state)
        self.normalization_ = inverse_root(self._kernel(self.landmarks_))
        return self

    def _project(self, X):
        return self._kernel(X) @ self.normalization_

    def _kernel(self, X):
        return kernel_matrix(X, self.landmarks_, kernel=self.kernel, sigma=self.sigma, degree=self.degree)

    @property
    def _n_features_out(self):
        return len(self.normalization_)

    @property
    def _needs_labels(self):
        return self.per_class


def landmarks(X, y=None, *, n_landmarks, random_state=None):
    """Give the centres of k-means cells of the documents, sparse where these are.

    With y, k-means runs inside each class, with centres in proportion to its size and at least one. There are
    fewer than `n_landmarks`, with a warning, where there are fewer documents, and fewer where documents are
    equal.
    """
    n_samples = X.shape[0]
    if n_landmarks > n_samples:
        warnings.warn(
            f"{n_landmarks} landmarks were asked for, but there are only {n_samples} documents: each of "
            "them becomes a landmark.",
            stacklevel=3,
        )
        n_landmarks = n_samples
    random_state = check_random_state(random_state)
    if y is None:
        return _cell_centres(X, n_landmarks, random_state)
    shares = landmark_shares(np.bincount(y), n_landmarks)
    centres = [_cell_centres(X[y == k], share, random_state) for k, share in enumerate(shares)]
    return sparse.vstack(centres, format="csr") if sparse.issparse(X) else np.vstack(centres)


def inverse_root(gram):
    """Give the inverse square root of a positive semi-definite matrix on its range, in its precision.

    What rounding leaves of zero and negative eigenvalues is dropped.
    """
    values, vectors = linalg.eigh(gram.astype(np.float64))
    kept = values > 10 * np.finfo(gram.dtype).eps * values[-1]
    vectors = vectors[:, kept] * values[kept] ** -0.25
    return (vectors @ vectors.T).astype(gram.dtype)


def landmark_shares(sizes, total):
    """Share ``total`` in proportion to the sizes, at least one each, none more than its size."""
    ideal = sizes * (total / sizes.sum())
    shares = np.maximum(1, ideal.astype(int))
    while shares.sum() < total:
        shares[np.argmax(ideal - shares)] += 1
    while shares.sum() > max(total, len(sizes)):
        shares[np.argmin(np.where(shares > 1, ideal - shares, np.inf))] -= 1
    return shares


def _cell_centres(X, n_cells, random_state):
    """Centres after a few steps of Lloyd's k-means from a random sample of the documents."""
    centres = X[np.sort(random_state.choice(X.shape[0], n_cells, replace=False))]
    if n_cells == X.shape[0]:
        return centres
    for _ in range(_STEPS):
        cells, distances = _nearest(X, centres)
        # an empty cell moves to a document that is served badly
        empty = np.setdiff1d(np.arange(n_cells), cells)
        cells[np.argsort(-distances, kind="stable")[: len(empty)]] = empty
        sizes = np.bincount(cells, minlength=n_cells).astype(X.dtype)
        members = sparse.csr_array((1 / sizes[cells], (cells, np.arange(len(cells)))), (n_cells, len(cells)))
        centres = (members @ X)[sizes > 0]
        n_cells = centres.shape[0]
    return centres


def _nearest(X, centres):
    """Nearest centre of each document, and its squared distance."""
    squares = row_norms(centres, squared=True)
    cells, distances = np.empty(X.shape[0], dtype=np.intp), np.empty(X.shape[0], dtype=X.dtype)
    for block in gen_batches(X.shape[0], max(1, _CHUNK // len(squares))):
        scores = kernel_matrix(X[block], centres, kernel="linear")
        scores *= -2
        scores += squares
        cells[block] = scores.argmin(axis=1)
        distances[block] = scores[np.arange(len(scores)), cells[block]]
    return cells, distances + row_norms(X, squared=True)
