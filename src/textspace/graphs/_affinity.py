"""Graphs of nearness: who lies close to whom, with labels or without."""

import numpy as np
from scipy import sparse
from sklearn.metrics import pairwise_distances_chunked
from sklearn.utils.extmath import row_norms

from textspace._validation import check_rows
from textspace.graphs._graph import Graph, laplacian


def affinity(indices, relevance, *, weights="cosine"):
    """Adjacency of a neighbour graph in which near documents weigh more (He & Niyogi 2003).

    Two documents are tied if either has the other as a neighbour.

    Parameters
    ----------
    indices, relevance : ndarrays of shape (n_samples, n_neighbors)
        Neighbours and their cosines, from :func:`nearest_neighbors` or, for ties within classes only, the
        ``within`` part of :func:`class_neighbors`.
    weights : {"cosine", "heat", "binary"}, default="cosine"
        "cosine" is the relevance itself, as for documents in Cai, He & Han (2005); those without a positive
        one are not tied. "heat" is ``exp(-d^2 / t)``, where ``d^2 = 2 - 2 cosine`` is the squared distance of
        the rows at unit length and t its mean over all pairs of neighbours. "binary" is 1 for all.

    Returns
    -------
    csr_array of shape (n_samples, n_samples)
        Symmetric, not negative, with an empty diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.graphs import affinity
    >>> from textspace.neighbors import nearest_neighbors
    >>> X = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
    >>> affinity(*nearest_neighbors(X, n_neighbors=1)).toarray().round(6)
    array([[0. , 0.8, 0. ],
           [0.8, 0. , 0.6],
           [0. , 0.6, 0. ]])
    """
    if weights not in ("cosine", "heat", "binary"):
        raise ValueError(f"weights must be 'cosine', 'heat' or 'binary', not {weights!r}.")
    present = indices >= 0
    edge_weights = relevance[present]
    if weights == "binary":
        edge_weights = np.ones_like(edge_weights)
    if weights == "heat":
        squared = 2 - 2 * edge_weights
        squared[squared <= 100 * np.finfo(squared.dtype).eps] = 0  # copies, but for rounding
        width = squared.mean() if squared.any() else 1
        edge_weights = np.exp(-squared / width)
    return _undirected(indices, present, np.maximum(edge_weights, 0))


def marginal_graphs(neighbors, *, n_within, n_between, y=None):
    """Intrinsic and penalty graph of marginal Fisher analysis (Yan et al. 2007).

    The intrinsic graph ties each document to its nearest ones of the same class, the penalty graph to its
    nearest ones of other classes; every edge weighs 1, and one of the two documents suffices to ask for it.

    Parameters
    ----------
    neighbors : ClassNeighbors
        Neighbours of every document, at least as many on each side as are asked for here.
    n_within, n_between : int
        How many of them to tie within and between the classes.
    y : ndarray of shape (n_samples,), int, optional
        Classes of the documents. Where they are given, the penalty graph is the paper's: for each class the
        ``n_between`` nearest of all pairs that cross its border.

    Returns
    -------
    intrinsic, penalty : Graph
        Laplacians ``D - W`` of the two.

    Notes
    -----
    Without y it is ``n_between`` pairs for each document, so that the margin of a large class is not drawn by
    a few documents.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.neighbors import class_neighbors
    >>> from textspace.graphs import marginal_graphs
    >>> X = np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8], [0.0, 1.0]])
    >>> neighbors = class_neighbors(X, np.array([0, 0, 1, 1]), n_neighbors=1)
    >>> intrinsic, penalty = marginal_graphs(neighbors, n_within=1, n_between=1)
    >>> penalty @ np.eye(4)
    array([[ 1.,  0., -1.,  0.],
           [ 0.,  2., -1., -1.],
           [-1., -1.,  2.,  0.],
           [ 0., -1.,  0.,  1.]])
    """
    within, between = neighbors.within_indices[:, :n_within], neighbors.between_indices[:, :n_between]
    crossing = between >= 0
    if y is not None:
        crossing &= _nearest_of_class(neighbors.between_relevance[:, :n_between], crossing, y, n_between)
    dtype = neighbors.within_relevance.dtype
    return tuple(
        laplacian(_undirected(indices, tied, np.ones(np.sum(tied), dtype=dtype)))
        for indices, tied in [(within, within >= 0), (between, crossing)]
    )


def _nearest_of_class(relevance, present, y, n_pairs):
    """Mark the nearest pairs of the documents of each class together, of equally near ones the first."""
    marked = np.zeros(relevance.shape, dtype=bool)
    for label in np.unique(y):
        rows = np.flatnonzero(y == label)
        scores = np.where(present[rows], relevance[rows], -np.inf).ravel()
        nearest = np.argsort(-scores, kind="stable")[:n_pairs]
        marked[rows[nearest // relevance.shape[1]], nearest % relevance.shape[1]] = True
    return marked


def self_tuning_graph(X, *, n_neighbors):
    """Adjacency of a neighbour graph whose widths follow the density (eq. 15 of the KDGPP paper).

    With ``h_i`` the Euclidean distance of row i to its k-th nearest other row, two rows at a distance
    ``d < max(h_i, h_j)`` weigh ``exp(-d^2 / max(h_i, h_j)^2)``; others are not tied.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Points, one a row, of any length.
    n_neighbors : int
        Number k of the neighbour at which a row's width is measured; with fewer other rows, the last one.

    Returns
    -------
    csr_array of shape (n_samples, n_samples)
        Symmetric weights W in (0, 1], with an empty diagonal.

    Notes
    -----
    The inequality is strict, as printed: the k-th neighbour itself is tied only if the pair's other width
    is larger, and more than k copies of a row, whose widths are zero, are not tied to each other.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.graphs import self_tuning_graph
    >>> self_tuning_graph(np.array([[0.0], [1.0], [3.0]]), n_neighbors=2).toarray().round(3)
    array([[0.   , 0.895, 0.   ],
           [0.895, 0.   , 0.641],
           [0.   , 0.641, 0.   ]])
    """
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors must be at least 1, not {n_neighbors}.")
    X = check_rows(X)
    n_samples = X.shape[0]
    last = min(n_neighbors, n_samples - 1)
    squared_norms = row_norms(X, squared=True)
    widths = np.zeros(n_samples)
    rows, columns, squared = [], [], []
    start = 0
    for block in pairwise_distances_chunked(X, metric="euclidean", squared=True):
        block = np.asarray(block, dtype=np.float64)
        here = np.arange(start, start + len(block))
        # copies of a row differ by the rounding of their inner product only: that is no distance
        block[block <= 1e-12 * (squared_norms[here, None] + squared_norms)] = 0
        block[np.arange(len(block)), here] = -1  # the row itself comes first, before its copies
        widths[here] = np.maximum(np.partition(block, last, axis=1)[:, last], 0)
        inside = (block >= 0) & (block < widths[here, None])
        rows.append(here[np.nonzero(inside)[0]])
        columns.append(np.nonzero(inside)[1])
        squared.append(block[inside])
        start += len(block)
    rows, columns, squared = (np.concatenate(each) for each in (rows, columns, squared))
    # a pair belongs to the graph when it is inside the wider of its two widths, so seen from one end at least
    edge_weights = np.exp(-squared / np.maximum(widths[rows], widths[columns]))
    directed = sparse.csr_array((edge_weights.astype(X.dtype), (rows, columns)), shape=(n_samples, n_samples))
    return directed.maximum(directed.T).tocsr()


def normalized_laplacian(adjacency):
    """Graph ``I - A^-1/2 W A^-1/2`` of a symmetric adjacency W with degrees A (eq. 16 of the KDGPP paper).

    Parameters
    ----------
    adjacency : sparse array of shape (n_samples, n_samples)
        Symmetric edge weights, none negative.

    Returns
    -------
    Graph
        The normalised Laplacian, eigenvalues between 0 and 2. A row without edges is zero: nothing asks
        it to be like another.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from textspace.graphs import normalized_laplacian
    >>> pair = sparse.csr_array(([4.0, 4.0], ([0, 1], [1, 0])), shape=(3, 3))
    >>> normalized_laplacian(pair) @ np.eye(3)
    array([[ 1., -1.,  0.],
           [-1.,  1.,  0.],
           [ 0.,  0.,  0.]])
    """
    degrees = adjacency.sum(axis=1)
    tied = degrees > 0
    scale = sparse.diags_array(np.divide(1, np.sqrt(degrees), where=tied, out=np.zeros_like(degrees)))
    identity = sparse.diags_array(tied.astype(adjacency.dtype))
    return Graph((identity - scale @ adjacency @ scale).tocsr())


def _undirected(indices, present, edge_weights):
    """Symmetric adjacency of neighbour lists, whose weights are the same from both ends."""
    rows = np.repeat(np.arange(len(indices)), present.sum(axis=1))
    shape = len(indices), len(indices)
    directed = sparse.csr_array((edge_weights, (rows, indices[present])), shape=shape)
    adjacency = directed.maximum(directed.T).tocsr()
    adjacency.eliminate_zeros()
    return adjacency
