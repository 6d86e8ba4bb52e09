"""Cells of documents that are near each other: a quantiser of two levels in a latent space."""

from typing import NamedTuple

import numpy as np
from sklearn.cluster import KMeans
from sklearn.preprocessing import normalize

from textspace.linear._lsi import top_singular_vectors

_DIMENSIONS = 50
_ROUNDS = 20  # of k-means: the cells need not be the best
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
    """
    n_dimensions = max(1, min(_DIMENSIONS if n_cells > 1 else 1, min(X.shape) - 1))
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
    positions = normalize(X @ cells.components.T)
    n_probed = min(_PROBED, len(cells.coarse))
    probed = np.argsort(_distances(positions, cells.coarse), axis=1, kind="stable")[:, :n_probed]
    nearest = np.zeros((len(positions), 2), dtype=np.int32)
    distance = np.full((len(positions), 2), np.inf, dtype=positions.dtype)
    for cell, (start, stop) in enumerate(zip(cells.starts[:-1], cells.starts[1:], strict=True)):
        rows = np.flatnonzero((probed == cell).any(axis=1))
        candidates = np.hstack([distance[rows], _distances(positions[rows], cells.fine[start:stop])])
        names = np.hstack([nearest[rows], np.tile(np.arange(start, stop, dtype=np.int32), (len(rows), 1))])
        order = np.argsort(candidates, axis=1, kind="stable")[:, :2]
        distance[rows] = np.take_along_axis(candidates, order, axis=1)
        nearest[rows] = np.take_along_axis(names, order, axis=1)
    alone = np.isinf(distance[:, 1])
    nearest[alone, 1] = nearest[alone, 0]
    return nearest


def _means(positions, n_cells, random_state):
    """Centres of k-means, and the cell of each position."""
    n_cells = max(1, min(n_cells, len(positions)))
    means = KMeans(n_cells, n_init=1, max_iter=_ROUNDS, random_state=random_state).fit(positions)
    return means.cluster_centers_.astype(positions.dtype), means.labels_


def _distances(positions, centres):
    """Squared distances, up to a constant for each position."""
    return np.einsum("ij,ij->i", centres, centres) - 2 * positions @ centres.T
