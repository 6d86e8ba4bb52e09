"""Clusters of documents near each other, on two levels."""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from threadpoolctl import threadpool_limits

from textspace.solvers import DocumentProducts, top_singular_vectors

SAMPLE = 20_000  # documents from which clusters are learned
_DIMENSIONS = 50
_ROUNDS = 20  # of k-means: the clusters need not be the best
_PROBED = 3  # coarse clusters in which the nearest clusters are looked for


class DocumentClusters(NamedTuple):
    """Centres of clusters of documents, each within a coarse cluster.

    `components`, of shape (n_dimensions, n_features), are the directions of the latent space of the centres.
    Coarse cluster i has the clusters from ``starts[i]`` to ``starts[i + 1]``.
    """

    components: np.ndarray
    coarse: np.ndarray
    fine: np.ndarray
    starts: np.ndarray


def learn_clusters(X, *, n_clusters, random_state):
    """Learn at most `n_clusters` clusters from a sample of documents.

    k-means finds the clusters in a latent space of 50 dimensions: first coarse ones, then within each of them
    fine ones (after the inverted files of Jegou, Douze and Schmid, "Product quantization for nearest neighbor
    search", IEEE Transactions on Pattern Analysis and Machine Intelligence 33, 2011).
    """
    n_dimensions = max(1, min(_DIMENSIONS if n_clusters > 1 else 1, min(X.shape) - 1))
    with threadpool_limits(1):  # sums of several threads would depend on their number and on who came first
        return _learn(X, n_clusters, n_dimensions, random_state)


def _learn(X, n_clusters, n_dimensions, random_state):
    _, components = top_singular_vectors(X, n_components=n_dimensions, random_state=random_state)
    positions = normalize(X @ components.T)
    coarse, labels = _means(positions, round(np.sqrt(n_clusters)), random_state)
    fine = []
    for cluster in range(len(coarse)):
        members = positions[labels == cluster]
        share = max(1, round(n_clusters * len(members) / len(positions)))
        fine.append(_means(members, share, random_state)[0])
    starts = np.cumsum([0, *map(len, fine)])
    return DocumentClusters(components, coarse, np.concatenate(fine), starts)


def two_nearest(X, clusters):
    """Give the nearest and the second nearest cluster of each document, shape (n_samples, 2).

    Only the clusters of the three nearest coarse clusters are compared. Where there is one cluster only, it
    is both.
    """
    positions = normalize(DocumentProducts(X).apply(clusters.components.T))
    n_probed = min(_PROBED, len(clusters.coarse))
    probed = np.argsort(-positions @ clusters.coarse.T, axis=1, kind="stable")[:, :n_probed]
    nearest = np.zeros((len(positions), 2), dtype=np.int32)
    distance = np.full((len(positions), 2), np.inf, dtype=positions.dtype)
    for cluster, (start, stop) in enumerate(zip(clusters.starts[:-1], clusters.starts[1:], strict=True)):
        rows = np.flatnonzero((probed == cluster).any(axis=1))
        candidates = np.hstack([distance[rows], -positions[rows] @ clusters.fine[start:stop].T])
        names = np.hstack([nearest[rows], np.tile(np.arange(start, stop, dtype=np.int32), (len(rows), 1))])
        order = np.argsort(candidates, axis=1, kind="stable")[:, :2]
        distance[rows] = np.take_along_axis(candidates, order, axis=1)
        nearest[rows] = np.take_along_axis(names, order, axis=1)
    alone = np.isinf(distance[:, 1])
    nearest[alone, 1] = nearest[alone, 0]
    return nearest


def _means(positions, n_clusters, random_state):
    """Centres of k-means, and the cluster of each position."""
    n_clusters = max(1, min(n_clusters, len(positions)))
    means = KMeans(n_clusters, n_init=1, max_iter=_ROUNDS, random_state=random_state)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # copies of one document may share a cluster
        means.fit(positions)
    # at unit length, or the centre of the most scattered cluster would be near to everybody
    return normalize(means.cluster_centers_).astype(positions.dtype), means.labels_
