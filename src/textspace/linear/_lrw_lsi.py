"""Local relevance weighted latent semantic indexing."""

from numbers import Real
from typing import ClassVar

import numpy as np
from scipy import sparse
from scipy.special import expit
from sklearn.utils import check_random_state
from sklearn.utils.extmath import safe_sparse_dot

from textspace._parameters import COUNT, MULTIPLE, POSITIVE, SEED
from textspace._saving import saved_as
from textspace.linear._base import LinearProjection
from textspace.linear._local_lsi import join_spaces, local_directions, region_of
from textspace.solvers import ridge


@saved_as(
    "linear.lrw_lsi",
    shapes={
        "components_": "m d",
        "component_classes_": "m < c",
        "relevance_coef_": "c d",
        "relevance_intercept_": "c",
        "classes_": "c",
        "n_features_in_": "d",
    },
)
class LocalRelevanceWeightedLSI(LinearProjection):
    """Local LSI in which documents count by their relevance to the class (LRW-LSI).

    A first classifier says how relevant each document is to each class, r. The most relevant ones make the
    region of the class; they are multiplied by ``1 / (1 + exp(-slope (r + shift)))`` before the singular
    value decomposition. So are all documents, new ones too, before they are placed in the space of the class.

    Parameters
    ----------
    n_components : int, default=10
        Number of directions of each class; fewer where its region has no higher rank.
    size : float, default=2.0
        Documents of a region, as a multiple of those of its class.
    slope : float, default=5.0
        How sharply relevant documents are told from others, the paper's a.
    shift : float, default=0.2
        Relevance from which on a document counts less than half, with the opposite sign; the paper's b.
    alpha : float, default=1.0
        Ridge penalty of the first classifier.
    random_state : int, RandomState instance or None, default=None
        Seed of the vectors from which the iterations start. It changes the result by rounding only.

    Attributes
    ----------
    components_, component_classes_, classes_, n_features_in_
        As in :class:`LocalLSI`.
    relevance_coef_ : ndarray of shape (n_classes, n_features)
        The first classifier: ``x @ relevance_coef_.T + relevance_intercept_`` is the relevance.
    relevance_intercept_ : ndarray of shape (n_classes,)
        Its constants.

    Notes
    -----
    Because a document's weight depends on the document, this is no linear map. The steps are the paper's: a
    first classifier scores all training documents, they are weighted, the most relevant ones make the region,
    its singular vectors the space, and all weighted documents are placed in it. Three things are ours. The
    first classifier is ridge regression onto 1 for the class and -1 for the others, of the size of an SVM's
    values. The size of a region goes with that of the class. The spaces stand side by side, as in
    :class:`LocalLSI`, where the paper trains a second classifier of each class in its own space.

    References
    ----------
    T. Liu, Z. Chen, B. Zhang, W. Ma and G. Wu, "Improving text classification using local latent semantic
    indexing", IEEE International Conference on Data Mining, 2004.

    Examples
    --------
    The third document is hardly relevant to the first class:

    >>> import numpy as np
    >>> from textspace.linear import LocalRelevanceWeightedLSI
    >>> X = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 1.0, 3.0], [0.0, 0.0, 1.0]])
    >>> space = LocalRelevanceWeightedLSI(n_components=1, alpha=0.1).fit(X, ["a", "a", "b", "b"])
    >>> space.transform(X).round(2)[:, 0] > 1
    array([ True,  True, False, False])
    """

    _parameter_constraints: ClassVar = {
        "n_components": [COUNT],
        "size": [MULTIPLE],
        "slope": [POSITIVE],
        "shift": [Real],
        "alpha": [POSITIVE],
        "random_state": [SEED],
    }

    def __init__(self, n_components=10, *, size=2.0, slope=5.0, shift=0.2, alpha=1.0, random_state=None):
        self.n_components = n_components
        self.size = size
        self.slope = slope
        self.shift = shift
        self.alpha = alpha
        self.random_state = random_state

    def _fit(self, X, y):
        targets = np.where(y[:, None] == np.arange(len(self.classes_)), 1, -1).astype(X.dtype)
        coef, _ = ridge(X, targets, alpha=self.alpha, solver="auto", tol=1e-4)
        self.relevance_coef_ = np.ascontiguousarray(coef.T, dtype=X.dtype)
        mean = np.asarray(X.mean(axis=0)).ravel()
        self.relevance_intercept_ = (targets.mean(axis=0) - self.relevance_coef_ @ mean).astype(X.dtype)
        relevance = self._relevance(X)
        weights = expit(self.slope * (relevance + self.shift)).astype(X.dtype)
        random_state = check_random_state(self.random_state)
        spaces = []
        for label in range(len(self.classes_)):
            chosen = region_of(y == label, relevance[:, label], region="nearest", size=self.size)
            weighted = sparse.diags_array(weights[chosen, label]) @ X[chosen]
            spaces.append(local_directions(weighted, self.n_components, random_state))
        self.components_, self.component_classes_ = join_spaces(spaces, type(self).__name__)

    def _project(self, X):
        weights = expit(self.slope * (self._relevance(X) + self.shift)).astype(X.dtype)
        return super()._project(X) * weights[:, self.component_classes_]

    def _relevance(self, X):
        return safe_sparse_dot(X, self.relevance_coef_.T, dense_output=True) + self.relevance_intercept_
