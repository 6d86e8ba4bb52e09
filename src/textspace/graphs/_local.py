"""Signed graphs that tie each document to its neighbours within and between classes."""

import numpy as np
from scipy import sparse

from textspace.graphs._graph import laplacian


def relevance_graph(neighbors, *, symmetrize="or"):
    """Graph of local relevance weighted maximum margin (Gu & Zhou 2009, eq. 3.7).

    A neighbour from another class is pushed away with weight r, its cosine; one of the same class
    is pulled with weight 1 - r, so that the near impostor and the far friend count most.

    Parameters
    ----------
    neighbors : ClassNeighbors
        Neighbours of every document.
    symmetrize : {"or", "average"}, default="or"
        An edge exists, with its full weight, if either document has the other as a neighbour
        ("or", the paper's rule), or counts half if only one of them does ("average").

    Returns
    -------
    Graph
        ``D - W``; large where classes part and neighbours of a class stay together.
    """
    return _signed_graph(
        neighbors, neighbors.within_relevance - 1, neighbors.between_relevance, symmetrize=symmetrize
    )


def equal_weight_graph(neighbors, *, symmetrize="or"):
    """Graph of discriminant neighbourhood embedding: every neighbour counts the same.

    Edges weigh +1 between classes and -1 within (Zhang et al. 2007; eq. 3.11 of Gu & Zhou 2009).

    Parameters
    ----------
    neighbors : ClassNeighbors
        Neighbours of every document.
    symmetrize : {"or", "average"}, default="or"
        As in :func:`relevance_graph`.

    Returns
    -------
    Graph
        ``D - W``.
    """
    ones = np.ones_like(neighbors.within_relevance)
    return _signed_graph(neighbors, -ones, ones, symmetrize=symmetrize)


def _signed_graph(neighbors, within_weights, between_weights, *, symmetrize):
    if symmetrize not in ("or", "average"):
        raise ValueError(f"symmetrize must be 'or' or 'average', not {symmetrize!r}.")
    indices = np.hstack([neighbors.within_indices, neighbors.between_indices])
    weights = np.hstack([within_weights, between_weights])
    edges = (indices >= 0) & (weights != 0)
    rows = np.repeat(np.arange(len(indices)), edges.sum(axis=1))
    shape = len(indices), len(indices)
    directed = sparse.csr_array((weights[edges], (rows, indices[edges])), shape=shape)
    adjacency = directed + directed.T
    if symmetrize == "average":
        adjacency.data /= 2
    else:  # a mutual edge was added twice, with the same weight both times
        present = sparse.csr_array(
            (np.ones_like(directed.data), directed.indices, directed.indptr), shape=shape
        )
        adjacency.data /= (present + present.T).data
    return laplacian(adjacency)
