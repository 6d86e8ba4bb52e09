"""Local latent semantic indexing: a space of its own for each class."""

from typing import ClassVar

import numpy as np
from sklearn.preprocessing import normalize
from sklearn.utils import check_random_state
from sklearn.utils.extmath import safe_sparse_dot

from textspace._parameters import COUNT, MULTIPLE, SEED, one_of
from textspace._saving import saved_as
from textspace.linear._base import LinearProjection
from textspace.linear._centroids import class_sums
from textspace.solvers import top_singular_vectors


@saved_as(
    "linear.local_lsi",
    shapes={"components_": "m d", "component_classes_": "m < c", "classes_": "c", "n_features_in_": "d"},
)
class LocalLSI(LinearProjection):
    """Local latent semantic indexing: the leading directions of the region around each class.

    Each class has a region of documents, and LSI of these alone. The directions of all classes stand side by
    side: a document has coordinates in the space of every class.

    Parameters
    ----------
    n_components : int, default=10
        Number of directions of each class; fewer where its region has no higher rank.
    region : {"class", "negatives", "nearest"}, default="negatives"
        What makes the region: the documents of the class [1]_; these and the hardest of the others, those
        nearest to the class [2]_; or the documents nearest to the class, whatever theirs is.
    size : float, default=2.0
        Documents of a region, as a multiple of those of its class; "class" does not use it.
    random_state : int, RandomState instance or None, default=None
        Seed of the vectors from which the iterations start. It changes the result by rounding only.

    Attributes
    ----------
    components_ : ndarray of shape (m, n_features)
        Directions, orthonormal within a class, one a row.
    component_classes_ : ndarray of shape (m,), int
        Position in ``classes_`` of the class that each belongs to.
    classes_ : ndarray of shape (n_classes,)
        Labels.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    See Also
    --------
    CLSI : The directions of the classes joined into one orthonormal space.
    LocalRelevanceWeightedLSI : Documents count by their relevance.

    Notes
    -----
    How near a document is to a class is the cosine of it with the sum of the class's unit rows. The papers
    train one classifier a class in its own space; here the spaces stand side by side, so that any classifier
    can be put behind them.

    References
    ----------
    .. [1] D. Hull, "Improving text retrieval for the routing problem using latent semantic indexing", SIGIR
       1994.
    .. [2] H. Schuetze, D. Hull and J. O. Pedersen, "A comparison of classifiers and document representations
       for the routing problem", SIGIR 1995.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import LocalLSI
    >>> X = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 1.0, 3.0], [0.0, 0.0, 1.0]])
    >>> space = LocalLSI(n_components=1, region="class").fit(X, ["a", "a", "b", "b"])
    >>> np.abs(space.components_.round(3))
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.29 , 0.957]])
    """

    _parameter_constraints: ClassVar = {
        "n_components": [COUNT],
        "region": [one_of("class", "negatives", "nearest")],
        "size": [MULTIPLE],
        "random_state": [SEED],
    }

    def __init__(self, n_components=10, *, region="negatives", size=2.0, random_state=None):
        self.n_components = n_components
        self.region = region
        self.size = size
        self.random_state = random_state

    def _fit(self, X, y):
        rows = normalize(X)
        relevance = safe_sparse_dot(rows, normalize(class_sums(rows, y)).T, dense_output=True)
        random_state = check_random_state(self.random_state)
        spaces = []
        for label in range(len(self.classes_)):
            chosen = region_of(y == label, relevance[:, label], region=self.region, size=self.size)
            spaces.append(local_directions(X[chosen], self.n_components, random_state))
        self.components_, self.component_classes_ = join_spaces(spaces, type(self).__name__)


def region_of(own, relevance, *, region, size):
    """Give the rows of a class's region.

    `own` marks the documents of the class, `relevance` is how near each document is to it, and `size` how
    many there are to be for one of the class. Of equally near documents the first count as nearer.
    """
    if region == "class":
        return np.flatnonzero(own)
    first = relevance if region == "nearest" else np.where(own, np.inf, relevance)
    n_rows = min(len(own), int(np.ceil(size * own.sum())))
    return np.sort(np.argsort(-first, kind="stable")[:n_rows])


def local_directions(X, n_components, random_state):
    """Give the leading right singular vectors, one a row; none where every entry is zero."""
    if abs(X).max() == 0:
        return np.zeros((0, X.shape[1]), dtype=X.dtype)
    return top_singular_vectors(X, n_components=n_components, random_state=random_state)[1]


def join_spaces(spaces, name):
    """Stack the directions of the classes, and say which class each belongs to."""
    counts = [len(space) for space in spaces]
    if sum(counts) == 0:
        raise ValueError(f"{name} finds no direction: every entry of X is zero.")
    return np.vstack(spaces), np.repeat(np.arange(len(spaces)), counts)
