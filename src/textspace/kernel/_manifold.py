"""A kernel learned from labels and from the manifold that documents lie on."""

import warnings
from typing import ClassVar

import numpy as np
from scipy import linalg, sparse
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from sklearn.utils import check_random_state, gen_batches

from textspace._parameters import COUNT, POSITIVE, SEED, one_of
from textspace._saving import saved_as
from textspace.graphs import normalized_laplacian, self_tuning_graph
from textspace.kernel._kernels import KERNEL_CONSTRAINTS, kernel_matrix
from textspace.kernel._nystroem import inverse_root, landmark_shares
from textspace.kernel._sdp import class_pairs, hinge_loss_kernel, linear_loss_kernel
from textspace.linear import LSI, LinearProjection

_DIMENSIONS = 50  # of the space in which k-means looks for cells
_CHUNK = 2**22  # entries of the matrix of documents by landmarks that are held twice at a time


@saved_as(
    "kernel.manifold_adaptive",
    shapes={
        "landmarks_": "l d",
        "landmark_classes_": "l",
        "embedding_": "l r",
        "coef_": "l r",
        "classes_": "c",
        "n_features_in_": "d",
    },
)
class ManifoldAdaptiveKernel(LinearProjection):
    """Features of a kernel that is learned from the classes and a neighbourhood graph (Wang & Sun).

    A kernel matrix over landmarks is learned such that pairs of a class get positive and other pairs
    negative entries, while near landmarks stay alike. Documents get their coordinates by regression.

    Parameters
    ----------
    n_landmarks : int, default=1000
        Number of k-means centres; capped, with a warning, at the number of documents.
    per_class : bool, default=True
        Whether k-means runs inside each class. Otherwise a centre has the class of more than half of its
        cell, and belongs to no pair where there is none.
    kernel : {"gaussian", "polynomial", "linear"}, default="gaussian"
        The fixed kernel by which documents are compared with landmarks: ``exp(-||x - y||^2 / sigma^2)``,
        ``(1 + <x, y>)^degree`` or ``<x, y>``.
    sigma : float, default=3.0
        Width of the Gaussian kernel.
    degree : int, default=2
        Degree of the polynomial kernel.
    n_neighbors : int or None, default=5
        Neighbours in the graph over the landmarks. None leaves the graph out.
    C : float, default=1.0
        Weight of the pairs against the graph.
    gamma : float, default=0.3
        Ridge penalty of the regression.
    extension : {"documents", "landmarks"}, default="documents"
        What the regression learns from: all documents, each of which should lie where its landmark does,
        or the landmarks alone.
    solver : {"closed", "sdp"}, default="closed"
        "closed" is the linear loss, whose solution is one eigendecomposition. "sdp" is the hinge loss, by
        semidefinite programming; for at most 200 landmarks, and it needs ``textspace[sdp]``.
    random_state : int, RandomState instance or None, default=None
        Seed of k-means.

    Attributes
    ----------
    landmarks_ : {ndarray, CSR array} of shape (m, n_features)
        The centres.
    landmark_classes_ : ndarray of shape (m,), int
        Position of their classes in ``classes_``; -1 where the class is not clear.
    embedding_ : ndarray of shape (m, r)
        Coordinates of the landmarks: the learned kernel is ``embedding_ @ embedding_.T``.
    coef_ : ndarray of shape (m, r)
        A document has the features ``k(x, Z) @ coef_``.
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``.
    n_features_in_ : int
        Number of features seen in ``fit``.

    Notes
    -----
    The paper takes k-means centres of the documents; :func:`class_landmarks` says where its cells are sought.
    It is silent on documents that are no landmarks. ``extension="landmarks"`` is
    ``coef_ = (K(Z, Z) + gamma I)^-1 E``. ``extension="documents"`` minimises
    ``sum_i |k(x_i, Z) @ coef - e_i|^2 + gamma tr(coef.T @ K(Z, Z) @ coef)`` over the training documents,
    e_i being the coordinates of the nearest landmark of the document's class. The two are the same where
    every document is a landmark.

    References
    ----------
    Z. Wang and X. Sun, "Efficient kernel discriminative geometry preserving projection for document
    classification".

    J. Zhuang, I. W. Tsang and S. C. H. Hoi, "SimpleNPKL: simple non-parametric kernel learning", ICML 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.kernel import ManifoldAdaptiveKernel
    >>> X = np.array([[1.0, 0.0], [0.9, 0.1], [0.1, 0.9], [0.0, 1.0]])
    >>> learned = ManifoldAdaptiveKernel(n_landmarks=4, n_neighbors=1, gamma=0.01)
    >>> F = learned.fit_transform(X, ["cat", "cat", "dog", "dog"])
    >>> np.sign((F @ F.T).round(2))
    array([[ 1.,  1., -1., -1.],
           [ 1.,  1., -1., -1.],
           [-1., -1.,  1.,  1.],
           [-1., -1.,  1.,  1.]])
    """

    _parameter_constraints: ClassVar = {
        **KERNEL_CONSTRAINTS,
        "n_landmarks": [COUNT],
        "per_class": ["boolean"],
        "n_neighbors": [COUNT, None],
        "C": [POSITIVE],
        "gamma": [POSITIVE],
        "extension": [one_of("documents", "landmarks")],
        "solver": [one_of("closed", "sdp")],
        "random_state": [SEED],
    }

    def __init__(
        self,
        n_landmarks=1000,
        *,
        per_class=True,
        kernel="gaussian",
        sigma=3.0,
        degree=2,
        n_neighbors=5,
        C=1.0,
        gamma=0.3,
        extension="documents",
        solver="closed",
        random_state=None,
    ):
        self.n_landmarks = n_landmarks
        self.per_class = per_class
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.n_neighbors = n_neighbors
        self.C = C
        self.gamma = gamma
        self.extension = extension
        self.solver = solver
        self.random_state = random_state

    def _project(self, X):
        blocks = gen_batches(X.shape[0], max(1, _CHUNK // len(self.coef_)))
        return np.concatenate([self._base_kernel(X[block]) @ self.coef_ for block in blocks])

    def _fit(self, X, y):
        """Learn the kernel, and give the features of the documents."""
        self.landmarks_, self.landmark_classes_ = class_landmarks(
            X, y, n_landmarks=self.n_landmarks, per_class=self.per_class, random_state=self.random_state
        )
        learn = linear_loss_kernel if self.solver == "closed" else hinge_loss_kernel
        laplacian = landmark_laplacian(self.landmarks_, n_neighbors=self.n_neighbors)
        self.embedding_ = learn(laplacian, class_pairs(self.landmark_classes_), C=self.C)
        gram = self._base_kernel(self.landmarks_)
        similarities = self._base_kernel(X)
        if self.extension == "documents":
            owners = nearest_landmarks(similarities, gram.diagonal(), y, self.landmark_classes_)
            self.coef_ = ridge_extension(gram, similarities, self.embedding_[owners], gamma=self.gamma)
        else:
            self.coef_ = ridge_extension(gram, gram, self.embedding_, gamma=self.gamma)
        return similarities @ self.coef_

    def _base_kernel(self, X):
        return kernel_matrix(X, self.landmarks_, kernel=self.kernel, sigma=self.sigma, degree=self.degree)

    @property
    def _n_features_out(self):
        return self.coef_.shape[1]


def class_landmarks(X, y, *, n_landmarks, per_class, random_state):
    """Give landmarks, and the class of more than half of the documents of each, or -1.

    K-means runs on the documents' directions in an LSI space of 50 dimensions, where its cells are of even
    size and hold documents on one subject; the landmarks are the averages of the documents themselves. With
    `per_class` it runs inside each class, with cells in proportion to its size and at least one. There are
    fewer than `n_landmarks`, with a warning, where there are fewer documents, and fewer where documents are
    equal.
    """
    n_samples = X.shape[0]
    if n_landmarks > n_samples:
        warnings.warn(
            f"{n_landmarks} landmarks were asked for, but there are only {n_samples} documents: each of "
            "them becomes a landmark.",
            stacklevel=4,
        )
        n_landmarks = n_samples
    random_state = check_random_state(random_state)
    points = X
    if min(X.shape) > _DIMENSIONS:
        points = normalize(LSI(_DIMENSIONS, random_state=random_state).fit_transform(X))
    groups = y if per_class else np.zeros_like(y)
    cells = np.empty(n_samples, dtype=np.intp)
    n_cells = 0
    for group, share in enumerate(landmark_shares(np.bincount(groups), n_landmarks)):
        rows = np.flatnonzero(groups == group)
        cells[rows] = n_cells + _cells(points[rows], share, random_state)
        n_cells += share
    _, cells = np.unique(cells, return_inverse=True)  # equal documents may leave a cell empty
    members = sparse.csr_array((np.ones(n_samples, dtype=X.dtype), (cells, np.arange(n_samples))))
    sizes = np.bincount(cells)
    centres = sparse.diags_array((1 / sizes).astype(X.dtype)) @ (members @ X)
    counts = members @ np.eye(y.max() + 1)[y]
    return centres, np.where(counts.max(axis=1) > sizes / 2, counts.argmax(axis=1), -1)


def _cells(points, n_cells, random_state):
    """Give the number of each point's k-means cell."""
    if n_cells == points.shape[0]:
        return np.arange(n_cells)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct points than cells
        means = KMeans(n_cells, init="random", n_init=1, max_iter=10, random_state=random_state)
        return means.fit_predict(points)


def landmark_laplacian(centres, *, n_neighbors):
    """Give the normalised Laplacian of the self-tuning graph over the landmarks (eq. 15-16), dense.

    Where `n_neighbors` is None the graph has no edges.
    """
    size = centres.shape[0]
    if n_neighbors is None:
        return np.zeros((size, size))
    adjacency = self_tuning_graph(centres.astype(np.float64), n_neighbors=n_neighbors)
    return normalized_laplacian(adjacency) @ np.eye(size)


def nearest_landmarks(similarities, lengths, y, classes):
    """Give the number of each document's nearest landmark of its own class, in the space of the kernel.

    `similarities` are those of documents with landmarks, shape (n_samples, m), `lengths` and `classes` those
    of the landmarks. A class that no landmark stands for takes the nearest of all.
    """
    owners = np.empty(len(y), dtype=np.intp)
    for label in np.unique(y):
        rows, own = np.flatnonzero(y == label), np.flatnonzero(classes == label)
        if len(own) == 0:
            own = np.arange(len(classes))
        owners[rows] = own[np.argmin(lengths[own] - 2 * similarities[np.ix_(rows, own)], axis=1)]
    return owners


def ridge_extension(gram, similarities, targets, *, gamma):
    """Give the coefficients B, shape (m, r), that minimise ``|S B - targets|^2 + gamma tr(B' K B)``.

    K is the kernel `gram` of the landmarks, S that of documents with them, and `targets` of shape (n_samples,
    r) are the coordinates that the documents should get.
    """
    # with Nystroem features S K^-1/2 it is an ordinary ridge regression, sound even where K is singular
    root = inverse_root(gram).astype(np.float64)
    products, cross = gamma * np.eye(len(gram)), np.zeros((len(gram), targets.shape[1]))
    for block in gen_batches(len(targets), max(1, _CHUNK // len(gram))):
        features = similarities[block] @ root
        products += features.T @ features
        cross += features.T @ targets[block]
    coef = linalg.solve(products, cross, assume_a="pos", overwrite_a=True)
    return (root @ coef).astype(gram.dtype)
