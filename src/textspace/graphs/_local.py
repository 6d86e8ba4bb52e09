"""Signed graphs that tie each document to its neighbours within and between classes."""

import numpy as np
from scipy import sparse

from textspace._compiled import compiled
from textspace._validation import read_only
from textspace.graphs._graph import Graph


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

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.graphs import relevance_graph
    >>> from textspace.neighbors import class_neighbors
    >>> X = np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8], [0.0, 1.0]])
    >>> neighbors = class_neighbors(X, np.array([0, 0, 1, 1]), n_neighbors=1)
    >>> relevance_graph(neighbors).local.toarray().round(2)[1]
    array([ 0.2 ,  1.36, -0.96, -0.6 ])
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

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.graphs import equal_weight_graph
    >>> from textspace.neighbors import class_neighbors
    >>> X = np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8], [0.0, 1.0]])
    >>> neighbors = class_neighbors(X, np.array([0, 0, 1, 1]), n_neighbors=1)
    >>> equal_weight_graph(neighbors).local.toarray()[1]
    array([ 1.,  1., -1., -1.])
    """
    ones = np.ones_like(neighbors.within_relevance)
    return _signed_graph(neighbors, -ones, ones, symmetrize=symmetrize)


def _signed_graph(neighbors, within_weights, between_weights, *, symmetrize):
    if symmetrize not in ("or", "average"):
        raise ValueError(f"symmetrize must be 'or' or 'average', not {symmetrize!r}.")
    dtype = np.result_type(within_weights, between_weights)
    lists = tuple(
        (read_only(indices, np.int32), read_only(weights, dtype))
        for indices, weights in [
            (neighbors.within_indices, within_weights),
            (neighbors.between_indices, between_weights),
        ]
    )
    n_samples = len(neighbors.within_indices)
    n_own, n_others = np.ones(n_samples, dtype=np.int64), np.zeros(n_samples, dtype=np.int64)
    for each in lists:
        _count_edges(*each, n_own, n_others)
    ends = np.cumsum(n_own + n_others)
    columns, values = np.empty(ends[-1], dtype=np.int32), np.empty(ends[-1], dtype=dtype)
    starts = np.zeros(n_samples + 1, dtype=sparse.get_index_dtype(maxval=ends[-1]))
    starts[1:] = ends
    _fill_rows(lists, starts, n_own, columns, values)
    _join_edges(starts, n_own, columns, values, symmetrize == "or")
    for each in (columns, values):
        each.resize(starts[-1], refcheck=False)  # a copy would need as much memory again
    return Graph(sparse.csr_array((values, columns, starts), shape=(n_samples, n_samples)))


@compiled(nogil=True)
def _count_edges(indices, weights, n_own, n_others):
    """Count the edges that each document has by its own list, and by the lists of others."""
    for i in range(len(indices)):
        for k in range(indices.shape[1]):
            if indices[i, k] >= 0 and weights[i, k] != 0:
                n_own[i] += 1
                n_others[indices[i, k]] += 1


@compiled(nogil=True)
def _fill_rows(lists, starts, n_own, columns, values):
    """Write into each row a place for the diagonal and its own edges, ascending; then those of others."""
    place = starts[:-1] + n_own
    for i in range(len(n_own)):
        columns[starts[i]], values[starts[i]] = i, 0
        last = starts[i]
        for indices, weights in lists:
            for k in range(indices.shape[1]):
                j, weight = indices[i, k], weights[i, k]
                if j < 0 or weight == 0:
                    continue
                columns[place[j]], values[place[j]] = i, weight
                place[j] += 1
                last += 1
                spot = last
                while spot > starts[i] and columns[spot - 1] > j:
                    columns[spot], values[spot] = columns[spot - 1], values[spot - 1]
                    spot -= 1
                columns[spot], values[spot] = j, weight


@compiled(nogil=True)
def _join_edges(starts, n_own, columns, values, is_full):
    """Merge both halves of each row in place, and make the Laplacian of them; what is left moves forward."""
    own_columns, own_values = np.empty(n_own.max(), columns.dtype), np.empty(n_own.max(), values.dtype)
    written = stop = 0
    for i in range(len(n_own)):
        start, stop = stop, starts[i + 1]
        n = n_own[i]
        for k in range(n):  # as slices, they compile for seconds
            own_columns[k], own_values[k] = columns[start + k], values[start + k]
        own, other = 0, start + n
        diagonal, degree = written, 0.0
        while own < n or other < stop:
            is_own = other == stop or (own < n and own_columns[own] <= columns[other])
            is_mutual = is_own and other < stop and own_columns[own] == columns[other]
            weight = own_values[own] if is_own else values[other]
            column = own_columns[own] if is_own else columns[other]
            if is_mutual:
                weight = (weight + values[other]) / 2
            elif not is_full:
                weight /= 2
            if column == i:
                diagonal = written
            degree += weight
            columns[written], values[written] = column, -weight
            written += 1
            own += is_own
            other += not is_own or is_mutual
        values[diagonal] = degree
        starts[i + 1] = written
