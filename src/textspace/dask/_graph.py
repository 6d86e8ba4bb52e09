"""Neighbours of documents within regions of the space, and the graph that ties them, on a Dask cluster."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from dask import delayed
from scipy import sparse
from sklearn.preprocessing import normalize

from textspace.dask._blocks import Blocks
from textspace.dask._clusters import SAMPLE, learn_clusters, two_nearest
from textspace.dask._input import narrow
from textspace.graphs import relevance_graph
from textspace.neighbors import (
    RECALL_SAMPLE,
    ClassNeighbors,
    exact_relevance,
    query_neighbors,
    share_found,
)

_CLUSTER_SIZE = 50_000  # documents of a cluster, about
_MOST_CLUSTERS = 1000  # the sample they are learned from has twenty documents for each then


class RegionBlock(NamedTuple):
    """Documents of a block that are at home in a region, or guests there.

    `rows` are their row numbers among all documents, ascending; `codes` their classes; `homes` the regions
    where they are at home.
    """

    rows: np.ndarray
    X: object
    codes: np.ndarray
    homes: np.ndarray


class Found(NamedTuple):
    """Neighbours that were found in a region.

    `kept` has for each block the documents that are at home or a neighbour; the others are not needed any
    more. `rows` are the row numbers of those that are kept among all documents, ascending; `homes` the
    regions where they are at home. `neighbors` are those of the documents at home here, as positions among
    those that are kept.
    """

    region: int
    kept: list
    rows: np.ndarray
    homes: np.ndarray
    neighbors: ClassNeighbors


class Tied(NamedTuple):
    """Documents and the edges between them: one summand of a graph over all documents.

    `matrices` has the documents as they came from the blocks: joined, they would take as much memory again.
    `graph` has the rows of the Laplacian of these edges for the documents of each matrix, of shape (n_rows,
    n_documents).
    """

    matrices: list
    graph: list


def region_graph(blocks, *, n_neighbors, max_postings, symmetrize, n_regions, random_state):
    """Tie each document to its neighbours among those that share a region of the space with it.

    A region is a row of clusters of documents. A document is at home in the region of its nearest cluster,
    and a guest in the region of its second nearest. It looks for its neighbours in the region where it is at
    home, among all documents that are at home or guests there. An edge belongs to the region where it was
    found. So the graph is a sum over the regions, and a product needs no exchange between them.

    Parameters
    ----------
    blocks : DocumentBlocks
        Documents with classes; released once their clusters are known.
    n_neighbors : int
        Neighbours within and outside a document's class.
    max_postings : int
        As of :func:`textspace.neighbors.posting_neighbors`, for regions with more than 10,000 sparse rows.
    symmetrize : {"or", "average"}
        As in :func:`textspace.graphs.relevance_graph`.
    n_regions : int or "auto"
        Number of regions; "auto" has one for each thread of the workers, if each has 50,000 documents then.
    random_state : RandomState instance
        What is drawn.

    Returns
    -------
    regions : Blocks
        Blocks of type :class:`Tied`.
    recall : float
        Share of the exact neighbours of 200 documents that were found.
    n_regions : int
        Number of regions.
    """
    starts = np.cumsum([0, *blocks.sizes])
    n_clusters = max(1, min(round(blocks.n_samples / _CLUSTER_SIZE), _MOST_CLUSTERS))
    if n_regions == "auto":
        n_regions = min(blocks.n_groups, n_clusters)
    clusters = learn_clusters(
        _pick_all(blocks, starts, min(SAMPLE, blocks.n_samples), random_state)[1],
        n_clusters=max(n_regions, n_clusters) if n_regions > 1 else 1,
        random_state=random_state,
    )
    sample = _exact_neighbors(blocks, starts, n_neighbors, random_state)
    placed, region_of_cluster = _place_in_regions(blocks, clusters, n_regions)
    gathered = placed.exchange(_cut, region_of_cluster.max() + 1, region_of_cluster, blocks.columns, starts)
    found = [
        placed.submit_to(region, _search, each, region, n_neighbors, max_postings)
        for region, each in enumerate(gathered)
    ]
    tied, recall = _tie_all(placed, gathered, found, sample, symmetrize)
    del placed, gathered, found  # so that the workers forget them
    return Blocks(blocks.client, tied), recall, len(tied)


def graph_product(tied, V):
    """Multiply a region's ``X.T @ L @ X`` with an array V of shape (n_features, k)."""
    positions = np.concatenate([X @ V for X in tied.matrices])
    return sum(X.T @ (rows @ positions) for X, rows in zip(tied.matrices, tied.graph, strict=True))


def _pick_all(blocks, starts, n_picked, random_state):
    """Draw documents; give their row numbers, ascending, the documents and their classes."""
    rows = np.sort(random_state.choice(blocks.n_samples, n_picked, replace=False))
    picked = blocks.map(_pick, rows, starts)
    stack = sparse.vstack if any(sparse.issparse(X) for X, _ in picked) else np.concatenate
    X = stack([X for X, _ in picked])
    return rows, X.tocsr() if sparse.issparse(X) else X, np.concatenate([codes for _, codes in picked])


def _pick(documents, rows, starts):
    first, last = starts[documents.block], starts[documents.block + 1]
    here = rows[(rows >= first) & (rows < last)] - first
    return documents.X[here], documents.codes[here]


def _place_in_regions(blocks, clusters, n_regions):
    """Pair the documents of each block with their two nearest clusters; make regions of the clusters."""
    sent = blocks.send(clusters)
    assigned = Blocks(
        blocks.client,
        [delayed(_assign)(documents, sent) for documents, _ in blocks.held()],
        sources=[source for _, source in blocks.held()],
    )
    region_of_cluster = _deal_clusters(assigned.map_sum(_cluster_sizes, len(clusters.fine)), n_regions)
    whole = blocks.unnarrowed()
    pairs = zip(whole.held(), assigned.held(keep=True), strict=True)
    placed = Blocks(
        blocks.client,
        [delayed(_pair)(documents, nearest) for (documents, _), (nearest, _) in pairs],
        sources=[source for _, source in whole.held()],
    )
    return placed, region_of_cluster


def _assign(documents, clusters):
    return two_nearest(documents.X, clusters)


def _pair(documents, nearest):
    return documents, nearest


def _cluster_sizes(nearest, n_clusters):
    return np.bincount(nearest[:, 0], minlength=n_clusters)


def _deal_clusters(sizes, n_regions):
    """Cut the row of clusters into regions with about as many documents each, and none without any."""
    filled = sizes[sizes > 0]
    regions = np.arange(len(filled))
    if len(filled) > n_regions:
        middles = np.cumsum(filled) - filled / 2
        regions = np.unique((middles / filled.sum() * n_regions).astype(int), return_inverse=True)[1]
    return regions[np.maximum(np.cumsum(sizes > 0) - 1, 0)].astype(np.int32)


def _tie_all(placed, gathered, found, sample, symmetrize):
    """Tie neighbours, where they were found; give futures of :class:`Tied`, and the recall of the sample."""
    n_regions, regions = len(found), Blocks(placed.client, found)
    recall = _recall(regions, *sample)
    # by "average" each end adds half an edge; by "or" an edge that two regions have found must count once
    known = (
        [[]] * n_regions
        if symmetrize == "average"
        else regions.exchange(_crossing_edges, n_regions, n_regions)
    )
    tied = []
    for region in range(n_regions):
        kept = [
            placed.submit_to(region, _keep, each, found[region], number)
            for number, each in enumerate(gathered[region])
        ]
        tied.append(placed.submit_to(region, _tie, kept, found[region], known[region], symmetrize))
    return tied, recall


def _cut(placed, region_of_cluster, columns, starts):
    """Cut the documents of a block by region."""
    documents, nearest = placed
    regions = region_of_cluster[nearest]
    by_region = []
    for region in range(region_of_cluster.max() + 1):
        here = np.flatnonzero((regions == region).any(axis=1))
        taken = documents._replace(X=documents.X[here])
        rows = starts[documents.block] + here
        by_region.append(RegionBlock(rows, narrow(taken, columns).X, documents.codes[here], regions[here, 0]))
    return by_region


def _search(gathered, region, n_neighbors, max_postings):
    """Find the neighbours of the documents that are at home in a region."""
    rows, codes, homes = (
        np.concatenate([getattr(each, name) for each in gathered]) for name in ("rows", "codes", "homes")
    )
    matrices = [each.X for each in gathered]
    queries = np.flatnonzero(homes == region)
    found = query_neighbors(matrices, codes, queries, n_neighbors=n_neighbors, max_postings=max_postings)
    is_kept = homes == region
    for indices in (found.within_indices, found.between_indices):
        is_kept[indices[indices >= 0]] = True
    place = np.append(np.cumsum(is_kept, dtype=np.int32) - 1, np.int32(-1))  # none stays none
    neighbors = ClassNeighbors.empty(is_kept.sum(), n_neighbors, found.within_relevance.dtype)
    for whole, here in zip(neighbors, found, strict=True):
        whole[homes[is_kept] == region] = place[here] if here.dtype.kind == "i" else here
    ends = np.cumsum([len(each.rows) for each in gathered])[:-1]
    kept = [np.flatnonzero(each) for each in np.split(is_kept, ends)]
    return Found(region, kept, rows[is_kept], homes[is_kept], neighbors)


def _keep(gathered, found, number):
    return gathered.X[found.kept[number]]


def _crossing_edges(found, n_regions):
    """Edges to guests of later regions, as pairs of rows from here and there, for each region."""
    pairs = []
    for indices in (found.neighbors.within_indices, found.neighbors.between_indices):
        near, place = np.nonzero((indices >= 0) & (found.homes[indices] > found.region))
        pairs.append(np.column_stack([near, indices[near, place]]))
    pairs = np.concatenate(pairs)
    homes = found.homes[pairs[:, 1]]
    return [found.rows[pairs[homes == region]] for region in range(n_regions)]


def _tie(matrices, found, known, symmetrize):
    """Make the graph of a region, without the edges that are known elsewhere."""
    neighbors = found.neighbors
    if known:
        known = np.concatenate(known)
        neighbors = neighbors._replace(
            within_indices=_without(neighbors.within_indices, known, found),
            between_indices=_without(neighbors.between_indices, known, found),
        )
    graph = relevance_graph(neighbors, symmetrize=symmetrize).local
    ends = np.cumsum([0, *(X.shape[0] for X in matrices)])
    return Tied(matrices, [_rows_of(graph, *each) for each in pairwise(ends)])


def _rows_of(graph, first, last):
    """Rows of a graph that share its memory."""
    entries = slice(*graph.indptr[[first, last]])
    starts = graph.indptr[first : last + 1] - graph.indptr[first]
    return sparse.csr_array(
        (graph.data[entries], graph.indices[entries], starts), shape=(last - first, graph.shape[1])
    )


def _without(indices, known, found):
    """Take edges to guests out of lists of neighbours, if they are known elsewhere from their other end."""
    near, place = np.nonzero((indices >= 0) & (found.homes[indices] < found.region))
    ours = np.column_stack([found.rows[indices[near, place]], found.rows[near]])
    n_rows = max(each.max(initial=0) for each in (ours, known)) + 1
    twice = np.isin(*(each[:, 0] * n_rows + each[:, 1] for each in (ours, known)))
    indices = indices.copy()
    indices[near[twice], place[twice]] = -1
    return indices


def _exact_neighbors(blocks, starts, n_neighbors, random_state):
    """Draw documents; give their row numbers and the cosines of their exact neighbours."""
    rows, queries, codes = _pick_all(blocks, starts, min(RECALL_SAMPLE, blocks.n_samples), random_state)
    exact = blocks.map(_exact_relevance, rows, normalize(queries), codes, starts, n_neighbors)
    exact = -np.sort(-np.concatenate(exact, axis=2), axis=2)
    return rows, exact[:, :, :n_neighbors]


def _recall(found, rows, exact):
    """Share of the exact neighbours of some documents that the regions have found."""
    ours = np.full(exact.shape, -np.inf)
    for positions, relevance in found.map(_found_relevance, rows):
        ours[:, positions] = relevance
    return share_found(exact, ours)


def _exact_relevance(documents, rows, queries, codes, starts, n_neighbors):
    here = rows - starts[documents.block]
    return exact_relevance(queries, codes, documents.X, documents.codes, own=here, n_neighbors=n_neighbors)


def _found_relevance(found, rows):
    """Positions of the queries that are at home in a region, and what was found for them."""
    positions = np.flatnonzero(np.isin(rows, found.rows[found.homes == found.region]))
    here = np.searchsorted(found.rows, rows[positions])
    relevance = [found.neighbors.within_relevance[here], found.neighbors.between_relevance[here]]
    return positions, np.stack(relevance)
