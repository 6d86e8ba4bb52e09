"""Cells of documents near each other, by a quantiser of two levels, and the search in a part of them."""

import warnings
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from threadpoolctl import threadpool_limits

from textspace.neighbors import query_neighbors, query_postings
from textspace.solvers import DocumentProducts, top_singular_vectors

SAMPLE = 20_000  # documents from which cells are learned
_DIMENSIONS = 50
_ROUNDS = 20  # of k-means: the cells need not be the best
EXACT = 10_000  # documents of a part up to which all are compared with each other
_PROBED = 3  # coarse cells in which the nearest cells are looked for


class Cells(NamedTuple):
    """Centres of cells, each within a coarse cell.

    Attributes
    ----------
    components : ndarray of shape (n_dimensions, n_features)
        Directions of the latent space.
    coarse : ndarray of shape (n_coarse, n_dimensions)
        Centres of the coarse cells.
    fine : ndarray of shape (n_cells, n_dimensions)
        Centres of the cells, those of one coarse cell after another.
    starts : ndarray of shape (n_coarse + 1,), int
        Coarse cell i has the cells from ``starts[i]`` to ``starts[i + 1]``.
    """

    components: np.ndarray
    coarse: np.ndarray
    fine: np.ndarray
    starts: np.ndarray


def learn_cells(X, *, n_cells, random_state):
    """Learn cells from a sample of documents.

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n_samples, n_features)
        The sample.
    n_cells : int
        Number of cells.
    random_state : RandomState instance
        Where k-means starts.

    Returns
    -------
    Cells
        Between one and ``n_cells`` cells.

    Notes
    -----
    The cells are those of k-means in a latent space of 50 dimensions: a coarse level, and within each coarse
    cell a fine one (after the inverted files of Jegou, Douze and Schmid, "Product quantization for nearest
    neighbor search", IEEE Transactions on Pattern Analysis and Machine Intelligence 33, 2011).
    """
    n_dimensions = max(1, min(_DIMENSIONS if n_cells > 1 else 1, min(X.shape) - 1))
    with threadpool_limits(1):  # sums of several threads would depend on their number and on who came first
        return _learn(X, n_cells, n_dimensions, random_state)


def _learn(X, n_cells, n_dimensions, random_state):
    _, components = top_singular_vectors(X, n_components=n_dimensions, random_state=random_state)
    positions = normalize(X @ components.T)
    coarse, labels = _means(positions, round(np.sqrt(n_cells)), random_state)
    fine = []
    for cell in range(len(coarse)):
        members = positions[labels == cell]
        share = max(1, round(n_cells * len(members) / len(positions)))
        fine.append(_means(members, share, random_state)[0])
    starts = np.cumsum([0, *map(len, fine)])
    return Cells(components, coarse, np.concatenate(fine), starts)


def two_nearest(X, cells):
    """Find the two cells that are nearest to each document.

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n_samples, n_features)
        Documents.
    cells : Cells
        The cells. Only those of the three nearest coarse cells are compared.

    Returns
    -------
    ndarray of shape (n_samples, 2), int32
        The nearest and the second nearest, which is the same where there is one cell only.
    """
    positions = normalize(DocumentProducts(X).apply(cells.components.T))
    n_probed = min(_PROBED, len(cells.coarse))
    probed = np.argsort(-positions @ cells.coarse.T, axis=1, kind="stable")[:, :n_probed]
    nearest = np.zeros((len(positions), 2), dtype=np.int32)
    distance = np.full((len(positions), 2), np.inf, dtype=positions.dtype)
    for cell, (start, stop) in enumerate(zip(cells.starts[:-1], cells.starts[1:], strict=True)):
        rows = np.flatnonzero((probed == cell).any(axis=1))
        candidates = np.hstack([distance[rows], -positions[rows] @ cells.fine[start:stop].T])
        names = np.hstack([nearest[rows], np.tile(np.arange(start, stop, dtype=np.int32), (len(rows), 1))])
        order = np.argsort(candidates, axis=1, kind="stable")[:, :2]
        distance[rows] = np.take_along_axis(candidates, order, axis=1)
        nearest[rows] = np.take_along_axis(names, order, axis=1)
    alone = np.isinf(distance[:, 1])
    nearest[alone, 1] = nearest[alone, 0]
    return nearest


def search_part(pieces, y, queries, *, n_neighbors, n_postings):
    """Find the neighbours of some documents among documents that lie in pieces.

    Parameters
    ----------
    pieces : list of {ndarray, CSR matrix}
        Documents, ``n_samples`` rows in all; they need not have unit length.
    y : ndarray of shape (n_samples,), int
        Class of each document, as 0, 1, ...
    queries : ndarray of shape (n_queries,), int
        Those whose neighbours are looked for, ascending, numbered through all pieces.
    n_neighbors : int
        Neighbours to find on each side.
    n_postings : int
        As of :func:`textspace.neighbors.posting_neighbors`.

    Returns
    -------
    ClassNeighbors
        Indices and cosines, in ``n_queries`` rows. They are exact among up to 10,000 sparse documents; among
        more of them most are found, by :func:`textspace.neighbors.posting_neighbors`.
    """
    if sparse.issparse(pieces[0]) and len(y) > EXACT:
        members = [np.arange(each.shape[0]) for each in pieces]
        return query_postings(pieces, members, y, queries, n_neighbors=n_neighbors, n_postings=n_postings)
    order = np.append(queries, np.setdiff1d(np.arange(len(y)), queries))
    X = sparse.vstack(pieces, format="csr") if sparse.issparse(pieces[0]) else np.concatenate(pieces)
    found = query_neighbors(
        normalize(X[order], copy=False), y[order], n_queries=len(queries), n_neighbors=n_neighbors
    )
    order = np.append(order, -1)  # none stays none
    return found._replace(
        within_indices=order[found.within_indices], between_indices=order[found.between_indices]
    )


def _means(positions, n_cells, random_state):
    """Centres of k-means, and the cell of each position."""
    n_cells = max(1, min(n_cells, len(positions)))
    means = KMeans(n_cells, n_init=1, max_iter=_ROUNDS, random_state=random_state)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # copies of one document may share a cell
        means.fit(positions)
    # at unit length, or the centre of the most scattered cell would be near to everybody
    return normalize(means.cluster_centers_).astype(positions.dtype), means.labels_
