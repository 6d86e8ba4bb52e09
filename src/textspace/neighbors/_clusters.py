"""Nearest points among very many: only those of the nearest clusters are compared."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from sklearn.utils import gen_batches

from textspace._compiled import thread_count
from textspace._rows import normalize
from textspace._saving import saved_as
from textspace._validation import check_rows

METRICS = ("euclidean", "cosine")
_N_PROBED = 32  # clusters that a search looks into
_SAMPLE = 40  # points for each cluster, from which the clusters are learned
_ROUNDS = 10  # of k-means: the clusters need not be the best
_BATCH = 2000  # searches at a time: bounds the products that are held at once
_QUERIES = 256  # points whose exact neighbours tell the recall


def _is_sorted(index):
    """Whether every point lies in just one cell, and no cell is empty."""
    return (
        index.metric in METRICS
        and index.starts[0] == 0
        and index.starts[-1] == len(index.points) == len(np.unique(index.rows))
        and bool(np.all(index.starts[1:] > index.starts[:-1]))
    )


@saved_as(
    "neighbors.cluster_index",
    shapes={"centres": "k d", "starts": "k+1 <= n", "points": "n d", "rows": "n < n"},
    check=_is_sorted,
)
class ClusterIndex(NamedTuple):
    """Points in the order of their clusters.

    Attributes
    ----------
    metric : {"euclidean", "cosine"}
        Distance.
    centres : ndarray of shape (n_clusters, n_features)
        Mean points, which define the clusters. No cluster is empty.
    starts : ndarray of shape (n_clusters + 1,), int
        Cell i has the points from ``starts[i]`` to ``starts[i + 1]``.
    points : ndarray of shape (n_points, n_features)
        The points, of unit length where the metric is the cosine.
    rows : ndarray of shape (n_points,), int
        Row number of each point as it was given.
    """

    metric: str
    centres: np.ndarray
    starts: np.ndarray
    points: np.ndarray
    rows: np.ndarray


def build_index(X, *, metric, random_state):
    """Sort points into clusters, as many as the square root of the number of points.

    Parameters
    ----------
    X : ndarray of shape (n_points, n_features)
        Points.
    metric : {"euclidean", "cosine"}
        Distance.
    random_state : RandomState instance
        Draws the points from which k-means learns the clusters.

    Returns
    -------
    ClusterIndex
        The index.

    References
    ----------
    J. Sivic and A. Zisserman, "Video Google: a text retrieval approach to object matching in videos", ICCV
    2003; H. Jegou, M. Douze and C. Schmid, "Product quantization for nearest neighbor search", PAMI 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.neighbors import build_index
    >>> X = np.array([[0.0, 0.0], [5.0, 5.0], [0.1, 0.0], [5.0, 5.1]])
    >>> index = build_index(X, metric="euclidean", random_state=np.random.RandomState(0))
    >>> sorted(index.rows.tolist()), np.array_equal(index.points, X[index.rows])
    ([0, 1, 2, 3], True)
    """
    X = check_rows(X, accept_sparse=False)
    if metric == "cosine":
        X = normalize(X)
    n_clusters = round(np.sqrt(len(X)))
    # more than one centre at a place would make empty clusters
    sample = np.unique(X[random_state.choice(len(X), min(_SAMPLE * n_clusters, len(X)), False)], axis=0)
    from sklearn.cluster import KMeans
    from sklearn.metrics import pairwise_distances_argmin

    means = KMeans(
        min(n_clusters, len(sample)), init="random", n_init=1, max_iter=_ROUNDS, random_state=random_state
    )
    centres = means.fit(sample).cluster_centers_
    clusters = pairwise_distances_argmin(X, centres)
    filled, clusters = np.unique(clusters, return_inverse=True)
    rows = np.argsort(clusters, kind="stable")
    starts = np.cumsum([0, *np.bincount(clusters)])
    return ClusterIndex(metric, centres[filled], starts, X[rows], rows)


def nearest_points(index, Z, *, n_neighbors=1):
    """Look for the points nearest to others in the clusters whose centres are nearest.

    Parameters
    ----------
    index : ClusterIndex
        The points.
    Z : ndarray of shape (n, n_features)
        What to look for.
    n_neighbors : int, default=1
        Number of points to find, at most all.

    Returns
    -------
    distances : ndarray of shape (n, n_neighbors)
        Distances, ascending.
    places : ndarray of shape (n, n_neighbors), int
        Places of the points found in ``index.points`` and ``index.rows``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]])
    >>> index = build_index(X, metric="euclidean", random_state=np.random.RandomState(0))
    >>> distances, places = nearest_points(index, np.array([[1.0, 0.5]]))
    >>> float(distances[0, 0]), int(index.rows[places[0, 0]])
    (0.5, 1)
    """
    Z = check_rows(Z, accept_sparse=False).astype(index.points.dtype, copy=False)
    return _nearest(index, normalize(Z) if index.metric == "cosine" else Z, n_neighbors)


def index_recall(index, *, n_neighbors, random_state):
    """Give the share of the nearest other points of 256 points that the index finds.

    Parameters
    ----------
    index : ClusterIndex
        The points.
    n_neighbors : int
        Number of points to find for each.
    random_state : RandomState instance
        Draws the points whose neighbours are looked for.

    Returns
    -------
    float
        Between 0 and 1. A point as near as an exact neighbour is as good.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.neighbors import build_index, index_recall
    >>> random_state = np.random.RandomState(0)
    >>> index = build_index(random_state.random_sample((50, 2)), metric="cosine", random_state=random_state)
    >>> index_recall(index, n_neighbors=3, random_state=random_state)
    1.0
    """
    n_points = len(index.points)
    n_asked = min(n_neighbors + 1, n_points)  # the first is the point itself
    queries = index.points[random_state.choice(n_points, min(_QUERIES, n_points), False)]
    # unit points have the same neighbours by distance as by cosine
    from sklearn.neighbors import NearestNeighbors

    exact = NearestNeighbors(n_neighbors=n_asked, algorithm="brute").fit(index.points)
    limit = _distances(index, queries, exact.kneighbors(queries, return_distance=False)).max(axis=1)
    found, _ = _nearest(index, queries, n_asked)
    return float(np.mean(found[:, min(1, n_asked - 1) :] <= limit[:, None]))


def _nearest(index, Z, n_neighbors):
    """Do what :func:`nearest_points` does for rows of the precision and length of the points."""
    with ThreadPoolExecutor(thread_count()) as pool:
        batches = [Z[batch] for batch in gen_batches(len(Z), _BATCH)]
        places = np.concatenate(list(pool.map(lambda batch: _search(index, batch, n_neighbors), batches)))
    distances = _distances(index, Z, places)
    order = np.argsort(distances, axis=1, kind="stable")
    return np.take_along_axis(distances, order, axis=1), np.take_along_axis(places, order, axis=1)


def _search(index, Z, n_neighbors):
    """Give the places of the nearest points, in any order; all queries of a cluster are one product."""
    n_clusters = len(index.centres)
    n_probed = min(max(_N_PROBED, n_neighbors), n_clusters)  # no cluster is empty: enough points for all
    probed = _smallest(_compare(Z, index.centres), n_probed).ravel()
    by_cluster = np.argsort(probed, kind="stable")
    bounds = np.searchsorted(probed[by_cluster], np.arange(n_clusters + 1))
    best = np.full((len(Z), n_neighbors), np.inf, dtype=Z.dtype)
    places = np.zeros((len(Z), n_neighbors), dtype=np.int64)
    for cluster in np.flatnonzero(np.diff(bounds)):
        queries = by_cluster[bounds[cluster] : bounds[cluster + 1]] // n_probed
        start, stop = index.starts[cluster], index.starts[cluster + 1]
        found = _compare(Z[queries], index.points[start:stop])
        columns = _smallest(found, min(n_neighbors, stop - start))
        values = np.hstack([best[queries], np.take_along_axis(found, columns, axis=1)])
        names = np.hstack([places[queries], columns + start])
        kept = _smallest(values, n_neighbors)
        best[queries] = np.take_along_axis(values, kept, axis=1)
        places[queries] = np.take_along_axis(names, kept, axis=1)
    return places


def _compare(Z, points):
    """Squared distances, up to a constant for each row of Z."""
    found = Z @ points.T
    found *= -2
    found += np.einsum("ij,ij->i", points, points)
    return found


def _smallest(values, n):
    """Columns of the n smallest values of each row."""
    if n == 1:
        return values.argmin(axis=1)[:, None]
    return np.argpartition(values, n - 1, axis=1)[:, :n]


def _distances(index, Z, places):
    distances = np.empty(places.shape, dtype=Z.dtype)
    for column, places_of_rank in enumerate(places.T):
        points = index.points[places_of_rank]
        if index.metric == "cosine":
            distances[:, column] = 1 - np.einsum("ij,ij->i", Z, points)
        else:
            distances[:, column] = np.linalg.norm(Z - points, axis=1)
    return distances
