"""Cells of documents near each other: a quantiser of two levels, and the nearest documents within a cell."""

import warnings
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from threadpoolctl import threadpool_limits

from textspace.graphs import ClassNeighbors
from textspace.graphs._neighbors import empty_lists, query_neighbors
from textspace.graphs._postings import query_postings
from textspace.solvers import DocumentProducts, top_singular_vectors

SAMPLE = 20_000  # documents from which cells are learned
_DIMENSIONS = 50
_ROUNDS = 20  # of k-means: the cells need not be the best
EXACT = 10_000  # documents of a cell up to which all are compared with each other
_POSTINGS = 300  # documents of each term among which those of a larger cell look for neighbours
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


def search_cells(pieces, y, nearest, *, names, n_neighbors):
    """Find each document's neighbours among those at home in its cell and the cell's guests.

    Parameters
    ----------
    pieces : list of {ndarray, CSR matrix}
        Documents, ``n_samples`` rows in all; they need not have unit length.
    y : ndarray of shape (n_samples,), int
        Class of each document, as 0, 1, ...
    nearest : ndarray of shape (n_samples, 2), int
        The cell where each document is at home and the one where it is a guest, from :func:`two_nearest`.
    names : ndarray of shape (n_searched,), int
        Numbers of the cells to search.
    n_neighbors : int
        Neighbours to find on each side.

    Returns
    -------
    ClassNeighbors
        Indices and cosines; a document that is at home in none of these cells has no neighbours. They are
        exact in cells of up to 10,000 sparse documents; in larger ones most of them are found, by
        :func:`textspace.graphs.posting_neighbors`.
    """
    lists = empty_lists(len(y), n_neighbors, np.result_type(pieces[0].dtype, np.float32))
    homes = _grouped(nearest[:, 0], names)
    guests = _grouped(np.where(nearest[:, 0] == nearest[:, 1], -1, nearest[:, 1]), names)
    for home, visiting in zip(homes, guests, strict=True):
        if len(home):
            if sparse.issparse(pieces[0]) and len(home) + len(visiting) > EXACT:
                members = np.sort(np.append(home, visiting))
                queries = np.searchsorted(members, home)
                settings = {"n_neighbors": n_neighbors, "n_postings": _POSTINGS}
                found = query_postings(pieces, _places(pieces, members), y[members], queries, **settings)
            else:
                members = np.append(home, visiting)
                X = normalize(_take(pieces, home, visiting), copy=False)
                found = query_neighbors(X, y[members], n_queries=len(home), n_neighbors=n_neighbors)
            for whole, here in zip(lists, found, strict=True):
                whole[home] = np.where(here >= 0, members[here], -1) if here.dtype.kind == "i" else here
    return ClassNeighbors(*lists)


def _places(pieces, rows):
    """Rows within each piece of documents that are numbered through all, ascending."""
    starts = np.cumsum([0, *(each.shape[0] for each in pieces)])
    bounds = np.searchsorted(rows, starts)
    return [
        rows[first:last] - start for first, last, start in zip(bounds[:-1], bounds[1:], starts, strict=False)
    ]


def _take(pieces, *lists):
    """Take rows of documents that lie in pieces: those of one ascending list after the other."""
    taken = [each[rows] for one in lists for each, rows in zip(pieces, _places(pieces, one), strict=True)]
    return sparse.vstack(taken, format="csr") if sparse.issparse(taken[0]) else np.concatenate(taken)


def _grouped(cells, names):
    """Rows of each of some cells, ascending."""
    order = np.argsort(cells, kind="stable")
    bounds = [np.searchsorted(cells, names, side, sorter=order) for side in ("left", "right")]
    return [order[start:stop] for start, stop in zip(*bounds, strict=True)]


def _means(positions, n_cells, random_state):
    """Centres of k-means, and the cell of each position."""
    n_cells = max(1, min(n_cells, len(positions)))
    means = KMeans(n_cells, n_init=1, max_iter=_ROUNDS, random_state=random_state)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # copies of one document may share a cell
        means.fit(positions)
    # at unit length, or the centre of the most scattered cell would be near to everybody
    return normalize(means.cluster_centers_).astype(positions.dtype), means.labels_
