"""Neighbours of documents within parts of the space, and the graph that ties them, on a Dask cluster."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from dask import delayed
from scipy import sparse
from sklearn.preprocessing import normalize

from textspace.dask._blocks import Blocks
from textspace.dask._cells import SAMPLE, learn_cells, search_part, two_nearest
from textspace.dask._input import narrow
from textspace.graphs import relevance_graph
from textspace.neighbors import N_QUERIES, ClassNeighbors, empty_lists, exact_relevance, share_found

_CELL = 50_000  # documents of a cell, about
_MOST_CELLS = 1000  # the sample they are learned from has twenty documents for each then


class Share(NamedTuple):
    """Documents of a block that are at home in a part, or guests there.

    Attributes
    ----------
    rows : ndarray of shape (n_documents,), int64
        Row numbers of the documents among all, ascending.
    X : {ndarray, CSR matrix} of shape (n_documents, n_features)
        The documents.
    codes : ndarray of shape (n_documents,), int
        Their classes.
    homes : ndarray of shape (n_documents,), int32
        The part where each is at home.
    """

    rows: np.ndarray
    X: object
    codes: np.ndarray
    homes: np.ndarray


class Found(NamedTuple):
    """Neighbours that were found in a part.

    Attributes
    ----------
    part : int
        Number of the part.
    kept : list of ndarray of int
        For each share the documents that are at home or a neighbour; the others are not needed any more.
    rows : ndarray of shape (n_kept,), int64
        Row numbers of the documents that are kept among all, ascending.
    homes : ndarray of shape (n_kept,), int32
        The part where each is at home.
    neighbors : ClassNeighbors
        Neighbours of those that are at home here, as positions among those that are kept.
    """

    part: int
    kept: list
    rows: np.ndarray
    homes: np.ndarray
    neighbors: ClassNeighbors


class Tied(NamedTuple):
    """Documents and the edges between them: one summand of a graph over all documents.

    Attributes
    ----------
    pieces : list of {ndarray, CSR matrix}
        The documents, as they came from the blocks: joined, they would take as much memory again.
    graph : list of CSR array of shape (n_rows, n_documents)
        Laplacian of these edges: its rows for the documents of each piece.
    """

    pieces: list
    graph: list


def part_graph(blocks, *, n_neighbors, n_postings, symmetrize, n_parts, random_state):
    """Tie each document to its neighbours among those that share a part of the space with it.

    Cells of documents near each other are dealt into parts. Each document is at home in the part of its
    nearest cell and a guest in that of its second nearest. Its neighbours are the nearest of those that are
    at home or guests where it is at home. An edge belongs to the part where it was found, so that the graph
    is a sum over the parts, and a product needs no exchange between them.

    Parameters
    ----------
    blocks : DocumentBlocks
        Documents with classes; released once their cells are known.
    n_neighbors : int
        Neighbours within and outside a document's class.
    n_postings : int
        As of :func:`textspace.neighbors.posting_neighbors`, for parts of more than 10,000 sparse documents.
    symmetrize : {"or", "average"}
        As in :func:`textspace.graphs.relevance_graph`.
    n_parts : int or "auto"
        Number of parts; "auto" has one a thread of the cluster, if that leaves 50,000 documents to each.
    random_state : RandomState instance
        What is drawn.

    Returns
    -------
    parts : Blocks
        Pieces of type :class:`Tied`.
    recall : float
        Share of the exact neighbours of 200 documents that were found.
    n_parts : int
        Number of parts.
    """
    starts = np.cumsum([0, *blocks.sizes])
    n_cells = max(1, min(round(blocks.n_samples / _CELL), _MOST_CELLS))
    if n_parts == "auto":
        n_parts = min(blocks.n_groups, n_cells)
    cells = learn_cells(
        _pick_all(blocks, starts, min(SAMPLE, blocks.n_samples), random_state)[1],
        n_cells=max(n_parts, n_cells) if n_parts > 1 else 1,
        random_state=random_state,
    )
    sample = _exact_neighbors(blocks, starts, n_neighbors, random_state)
    placed, part_of_cell = _place_in_parts(blocks, cells, n_parts)
    shares = placed.deal(_cut, part_of_cell.max() + 1, part_of_cell, blocks.columns, starts)
    found = [
        placed.submit_to(part, _search, each, part, n_neighbors, n_postings)
        for part, each in enumerate(shares)
    ]
    tied, recall = _tie_all(placed, shares, found, sample, symmetrize)
    del placed, shares, found  # so that the workers forget them
    return Blocks(blocks.client, tied), recall, len(tied)


def graph_product(tied, V):
    """Multiply a part's ``X.T @ L @ X`` with an array V of shape (n_features, k)."""
    positions = np.concatenate([X @ V for X in tied.pieces])
    return sum(X.T @ (rows @ positions) for X, rows in zip(tied.pieces, tied.graph, strict=True))


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


def _place_in_parts(blocks, cells, n_parts):
    """Pair the documents of each block with their two nearest cells, and deal the cells into parts."""
    shared = blocks.share(cells)
    assigned = Blocks(
        blocks.client,
        [delayed(_assign)(documents, shared) for documents, _ in blocks.held()],
        sources=[source for _, source in blocks.held()],
    )
    part_of_cell = _deal_cells(assigned.map_sum(_cell_sizes, len(cells.fine)), n_parts)
    whole = blocks.unnarrowed()
    pairs = zip(whole.held(), assigned.held(keep=True), strict=True)
    placed = Blocks(
        blocks.client,
        [delayed(_pair)(documents, nearest) for (documents, _), (nearest, _) in pairs],
        sources=[source for _, source in whole.held()],
    )
    return placed, part_of_cell


def _assign(documents, cells):
    return two_nearest(documents.X, cells)


def _pair(documents, nearest):
    return documents, nearest


def _cell_sizes(nearest, n_cells):
    return np.bincount(nearest[:, 0], minlength=n_cells)


def _deal_cells(sizes, n_parts):
    """Cut the row of cells into parts with about as many documents each, and none without any."""
    filled = sizes[sizes > 0]
    parts = np.arange(len(filled))
    if len(filled) > n_parts:
        middles = np.cumsum(filled) - filled / 2
        parts = np.unique((middles / filled.sum() * n_parts).astype(int), return_inverse=True)[1]
    return parts[np.maximum(np.cumsum(sizes > 0) - 1, 0)].astype(np.int32)


def _tie_all(placed, shares, found, sample, symmetrize):
    """Tie neighbours, where they were found; give futures of :class:`Tied`, and the recall of the sample."""
    n_parts, parts = len(found), Blocks(placed.client, found)
    recall = _recall(parts, *sample)
    # half an edge from each end is what is asked for, or an edge that two parts have found counts once
    known = [[]] * n_parts if symmetrize == "average" else parts.deal(_crossing_edges, n_parts, n_parts)
    tied = []
    for part in range(n_parts):
        kept = [
            placed.submit_to(part, _keep, share, found[part], number)
            for number, share in enumerate(shares[part])
        ]
        tied.append(placed.submit_to(part, _tie, kept, found[part], known[part], symmetrize))
    return tied, recall


def _cut(placed, part_of_cell, columns, starts):
    """Cut the documents of a block into shares, one a part."""
    documents, nearest = placed
    parts = part_of_cell[nearest]
    shares = []
    for part in range(part_of_cell.max() + 1):
        here = np.flatnonzero((parts == part).any(axis=1))
        taken = documents._replace(X=documents.X[here])
        rows = starts[documents.block] + here
        shares.append(Share(rows, narrow(taken, columns).X, documents.codes[here], parts[here, 0]))
    return shares


def _search(shares, part, n_neighbors, n_postings):
    """Find the neighbours of the documents that are at home in a part."""
    rows, codes, homes = (
        np.concatenate([getattr(share, name) for share in shares]) for name in ("rows", "codes", "homes")
    )
    pieces = [share.X for share in shares]
    queries = np.flatnonzero(homes == part)
    found = search_part(pieces, codes, queries, n_neighbors=n_neighbors, n_postings=n_postings)
    is_kept = homes == part
    for indices in (found.within_indices, found.between_indices):
        is_kept[indices[indices >= 0]] = True
    place = np.append(np.cumsum(is_kept, dtype=np.int32) - 1, np.int32(-1))  # none stays none
    lists = empty_lists(is_kept.sum(), n_neighbors, found.within_relevance.dtype)
    for whole, here in zip(lists, found, strict=True):
        whole[homes[is_kept] == part] = place[here] if here.dtype.kind == "i" else here
    ends = np.cumsum([len(share.rows) for share in shares])[:-1]
    kept = [np.flatnonzero(each) for each in np.split(is_kept, ends)]
    return Found(part, kept, rows[is_kept], homes[is_kept], ClassNeighbors(*lists))


def _keep(share, found, number):
    return share.X[found.kept[number]]


def _crossing_edges(found, n_parts):
    """Edges to guests of later parts, as pairs of rows from here and there, for each part."""
    pairs = []
    for indices in (found.neighbors.within_indices, found.neighbors.between_indices):
        near, place = np.nonzero((indices >= 0) & (found.homes[indices] > found.part))
        pairs.append(np.column_stack([near, indices[near, place]]))
    pairs = np.concatenate(pairs)
    homes = found.homes[pairs[:, 1]]
    return [found.rows[pairs[homes == part]] for part in range(n_parts)]


def _tie(pieces, found, known, symmetrize):
    """Make the graph of a part, without the edges that are known elsewhere."""
    neighbors = found.neighbors
    if known:
        known = np.concatenate(known)
        neighbors = neighbors._replace(
            within_indices=_without(neighbors.within_indices, known, found),
            between_indices=_without(neighbors.between_indices, known, found),
        )
    graph = relevance_graph(neighbors, symmetrize=symmetrize).local
    ends = np.cumsum([0, *(X.shape[0] for X in pieces)])
    return Tied(pieces, [_rows_of(graph, *each) for each in pairwise(ends)])


def _rows_of(graph, first, last):
    """Rows of a graph that share its memory."""
    entries = slice(*graph.indptr[[first, last]])
    starts = graph.indptr[first : last + 1] - graph.indptr[first]
    return sparse.csr_array(
        (graph.data[entries], graph.indices[entries], starts), shape=(last - first, graph.shape[1])
    )


def _without(indices, known, found):
    """Take edges to guests out of lists of neighbours, if they are known elsewhere from their other end."""
    near, place = np.nonzero((indices >= 0) & (found.homes[indices] < found.part))
    ours = np.column_stack([found.rows[indices[near, place]], found.rows[near]])
    n_rows = max(each.max(initial=0) for each in (ours, known)) + 1
    twice = np.isin(*(each[:, 0] * n_rows + each[:, 1] for each in (ours, known)))
    indices = indices.copy()
    indices[near[twice], place[twice]] = -1
    return indices


def _exact_neighbors(blocks, starts, n_neighbors, random_state):
    """Draw documents; give their row numbers and the cosines of their exact neighbours."""
    rows, queries, codes = _pick_all(blocks, starts, min(N_QUERIES, blocks.n_samples), random_state)
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


def _found_relevance(found, rows):
    """Positions of the queries that are at home in a part, and what was found for them."""
    positions = np.flatnonzero(np.isin(rows, found.rows[found.homes == found.part]))
    here = np.searchsorted(found.rows, rows[positions])
    relevance = [found.neighbors.within_relevance[here], found.neighbors.between_relevance[here]]
    return positions, np.stack(relevance)
