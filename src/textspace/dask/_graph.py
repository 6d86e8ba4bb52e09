"""Neighbours of documents within cells, and the graph that ties them, on the workers of a Dask cluster."""

from typing import NamedTuple

import numpy as np
from dask import delayed
from scipy import sparse
from sklearn.preprocessing import normalize

from textspace.dask._blocks import Blocks
from textspace.dask._cells import EXACT, SAMPLE, learn_cells, search_cells, two_nearest
from textspace.graphs import ClassNeighbors, relevance_graph
from textspace.graphs._recall import QUERIES, exact_relevance, share_found


class Part(NamedTuple):
    """Documents of some cells: those at home there, and guests whose second nearest cell is among them.

    Attributes
    ----------
    rows : ndarray of shape (n_documents,), int64
        Row numbers of the documents among all, ascending.
    pieces : list of {ndarray, CSR matrix}
        The documents, as they came from the blocks: joined, they would take as much memory again.
    codes : ndarray of shape (n_documents,), int
        Their classes.
    cells : ndarray of shape (n_documents, 2), int32
        Their nearest and second nearest cells.
    neighbors : ClassNeighbors or None
        Neighbours of the documents that are at home, as positions in this part.
    """

    rows: np.ndarray
    pieces: list
    codes: np.ndarray
    cells: np.ndarray
    neighbors: ClassNeighbors | None = None


class Tied(NamedTuple):
    """Documents and the edges between them: one summand of a graph over all documents.

    Attributes
    ----------
    pieces : list of {ndarray, CSR matrix}
        Documents of a part.
    graph : CSR array of shape (n_documents, n_documents)
        Laplacian of these edges.
    """

    pieces: list
    graph: object


def cell_graph(blocks, *, n_neighbors, symmetrize, cell_size, random_state):
    """Tie each document to its neighbours among those that share a cell with it.

    Each document is at home in its nearest cell and a guest in its second nearest. Its neighbours are those
    among all documents at home or guests in its own cell. An edge belongs to the cell where it
    was found, so that the graph is a sum over the parts, and a product needs no exchange between them.

    Parameters
    ----------
    blocks : DocumentBlocks
        Documents with classes; released at the end.
    n_neighbors : int
        Neighbours within and outside a document's class.
    symmetrize : {"or", "average"}
        As in :func:`textspace.graphs.relevance_graph`.
    cell_size : int
        Number of documents that a cell should have.
    random_state : RandomState instance
        What is drawn.

    Returns
    -------
    parts : Blocks
        Pieces of type :class:`Tied`.
    recall : float
        Share of the exact neighbours of 200 documents that were found.
    n_cells : int
        Number of cells.
    """
    client = blocks.client
    starts = np.cumsum([0, *blocks.sizes])
    n_cells = max(1, round(blocks.n_samples / cell_size))
    cells = learn_cells(
        _pick_all(blocks, starts, min(SAMPLE, blocks.n_samples), random_state)[1],
        n_cells=n_cells,
        random_state=random_state,
    )
    n_cells = len(cells.fine)
    rows, exact = _exact_neighbors(blocks, starts, n_neighbors, random_state)
    shared = blocks.share(cells)
    held = blocks.held()
    assigned = Blocks(
        client,
        [delayed(_assign)(documents, shared) for documents, _ in held],
        sources=[source for _, source in held],
    )
    part_of_cell = _deal_cells(assigned.map_sum(_cell_sizes, n_cells), blocks.n_groups)
    dealt = blocks.share(part_of_cell)
    numbered = list(zip(held, assigned.held(), starts, strict=False))
    found = Blocks(
        client,
        [
            delayed(_search)(
                [
                    delayed(_share)(documents, nearest, start, dealt, part)
                    for (documents, _), (nearest, _), start in numbered
                ],
                dealt,
                part,
                n_neighbors,
            )
            for part in range(part_of_cell.max() + 1)
        ],
    )
    blocks.release()  # once the parts have their documents
    recall = _recall(found, rows, exact)
    return _tie_all(found, part_of_cell, symmetrize), recall, n_cells


def graph_product(tied, V):
    """Multiply a part's ``X.T @ L @ X`` with an array V of shape (n_features, k)."""
    images = tied.graph @ np.concatenate([X @ V for X in tied.pieces])
    ends = np.cumsum([X.shape[0] for X in tied.pieces])[:-1]
    return sum(X.T @ image for X, image in zip(tied.pieces, np.split(images, ends), strict=True))


def _pick_all(blocks, starts, n_picked, random_state):
    """Draw documents; give their row numbers, ascending, the documents and their classes."""
    rows = np.sort(random_state.choice(blocks.n_samples, n_picked, replace=False))
    picked = blocks.map(_pick, rows, starts)
    stack = sparse.vstack if sparse.issparse(picked[0][0]) else np.concatenate
    X = stack([X for X, _ in picked])
    return rows, X.tocsr() if sparse.issparse(X) else X, np.concatenate([codes for _, codes in picked])


def _pick(documents, rows, starts):
    first, last = starts[documents.block], starts[documents.block + 1]
    here = rows[(rows >= first) & (rows < last)] - first
    return documents.X[here], documents.codes[here]


def _assign(documents, cells):
    return two_nearest(documents.X, cells)


def _cell_sizes(nearest, n_cells):
    """Count the documents at home and the guests of each cell."""
    guests = nearest[nearest[:, 0] != nearest[:, 1], 1]
    return np.bincount(nearest[:, 0], minlength=n_cells) + np.bincount(guests, minlength=n_cells)


def _deal_cells(sizes, n_parts):
    """Cut the row of cells into parts of about equal work."""
    work = np.cumsum(sizes * np.minimum(sizes, EXACT) + 1.0)
    parts = np.ceil(work / work[-1] * n_parts).astype(np.int32) - 1
    return np.unique(parts, return_inverse=True)[1].astype(np.int32)  # none is empty


def _share(documents, nearest, start, part_of_cell, part):
    """Documents of a block that are at home or guests in the cells of a part."""
    here = np.flatnonzero((part_of_cell[nearest] == part).any(axis=1))
    return Part(start + here, [documents.X[here]], documents.codes[here], nearest[here])


def _search(shares, part_of_cell, part, n_neighbors):
    """Join the shares of a part, and find the neighbours of the documents that are at home."""
    shares = [share for share in shares if len(share.rows)]
    rows, codes, cells = (
        np.concatenate([getattr(share, name) for share in shares]) for name in ("rows", "codes", "cells")
    )
    pieces = [piece for share in shares for piece in share.pieces]
    names = np.flatnonzero(part_of_cell == part)
    neighbors = search_cells(pieces, codes, cells, names=names, n_neighbors=n_neighbors)
    return Part(rows, pieces, codes, cells, neighbors)


def _tie_all(found, part_of_cell, symmetrize):
    """Make the graph of each part; an edge that two parts have found from its two ends counts once."""
    held = found.held()
    if symmetrize == "or":
        crossing = [
            delayed(_crossing_edges)(part, part_of_cell, number) for number, (part, _) in enumerate(held)
        ]
        known = [
            [delayed(_edges_to)(each, number) for each in crossing[:number]] for number in range(len(held))
        ]
    else:  # half an edge from each end is what is asked for
        known = [[] for _ in held]
    pieces = [delayed(_tie)(part, edges, symmetrize) for (part, _), edges in zip(held, known, strict=True)]
    return Blocks(found.client, pieces, sources=[source for _, source in held])


def _crossing_edges(part, part_of_cell, number):
    """Edges to guests of later parts, as pairs of rows from here and there, by the guest's part."""
    homes = part_of_cell[part.cells[:, 0]]
    pairs = []
    for indices in (part.neighbors.within_indices, part.neighbors.between_indices):
        near, place = np.nonzero(indices >= 0)
        far = indices[near, place]
        later = homes[far] > number
        pairs.append(np.column_stack([part.rows[near[later]], part.rows[far[later]], homes[far[later]]]))
    return np.concatenate(pairs)


def _edges_to(edges, number):
    return edges[edges[:, 2] == number, :2]


def _tie(part, known, symmetrize):
    """Make the graph of a part, without the edges that are known elsewhere."""
    neighbors = part.neighbors
    if known:
        # an edge is known elsewhere from its other end
        positions = [np.searchsorted(part.rows, each) for each in np.concatenate(known).T]
        n = len(part.rows)
        there = np.isin(np.concatenate(known), part.rows).all(axis=1)
        codes = positions[1][there].astype(np.int64) * n + positions[0][there]
        neighbors = neighbors._replace(
            within_indices=_without(neighbors.within_indices, codes),
            between_indices=_without(neighbors.between_indices, codes),
        )
    return Tied(part.pieces, relevance_graph(neighbors, symmetrize=symmetrize).local)


def _without(indices, codes):
    """Take edges out of lists of neighbours; an edge is coded as ``row * n_rows + neighbour``."""
    own = np.arange(len(indices), dtype=np.int64)[:, None] * len(indices) + indices
    return np.where((indices >= 0) & np.isin(own, codes), -1, indices)


def _exact_neighbors(blocks, starts, n_neighbors, random_state):
    """Draw documents; give their row numbers and the cosines of their exact neighbours."""
    rows, queries, codes = _pick_all(blocks, starts, min(QUERIES, blocks.n_samples), random_state)
    exact = blocks.map(_exact_relevance, rows, normalize(queries), codes, starts, n_neighbors)
    exact = -np.sort(-np.concatenate(exact, axis=2), axis=2)
    return rows, exact[:, :, :n_neighbors]


def _recall(found, rows, exact):
    """Share of the exact neighbours of some documents that the parts have found."""
    ours = np.full(exact.shape, -np.inf)
    for positions, relevance in found.map(_found_relevance, rows):
        ours[:, positions] = relevance
    return share_found(exact, ours)


def _exact_relevance(documents, rows, queries, codes, starts, n_neighbors):
    here = rows - starts[documents.block]
    return exact_relevance(queries, codes, documents.X, documents.codes, own=here, n_neighbors=n_neighbors)


def _found_relevance(part, rows):
    """Positions of the queries that are at home in a part, and what was found for them."""
    positions = np.flatnonzero(np.isin(rows, part.rows))
    here = np.searchsorted(part.rows, rows[positions])
    relevance = np.stack([part.neighbors.within_relevance[here], part.neighbors.between_relevance[here]])
    home = np.isfinite(relevance).any(axis=(0, 2))  # guests have no neighbours here
    return positions[home], relevance[:, home]
