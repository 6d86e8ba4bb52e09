"""How many of the exact neighbours a quicker search has found."""

import numpy as np
from scipy import sparse
from sklearn.preprocessing import normalize
from sklearn.utils import check_random_state

from textspace._validation import check_rows

RECALL_SAMPLE = 200  # documents whose exact neighbours tell the recall
_BATCH = 5000  # documents that are compared with all queries at a time


def neighbor_recall(X, y, neighbors, *, random_state=None):
    """Share of the exact neighbours of 200 documents that are among those found.

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n_samples, n_features)
        Documents; they need not have unit length.
    y : ndarray of shape (n_samples,), int
        Class of each document, as 0, 1, ...
    neighbors : ClassNeighbors
        What was found for them, such as by :func:`posting_neighbors`.
    random_state : int, RandomState instance or None, default=None
        Which documents are drawn.

    Returns
    -------
    float
        Between 0 and 1. A document that is as relevant as an exact neighbour is as good.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.neighbors import class_neighbors, neighbor_recall
    >>> X = np.array([[1.0, 0.1], [0.9, 0.2], [0.1, 1.0], [0.2, 0.9]])
    >>> y = np.array([0, 0, 1, 1])
    >>> neighbor_recall(X, y, class_neighbors(X, y, n_neighbors=1))
    1.0
    """
    X = check_rows(X)
    n_samples, n_neighbors = neighbors.within_relevance.shape
    rows = check_random_state(random_state).choice(n_samples, min(RECALL_SAMPLE, n_samples), replace=False)
    exact = exact_relevance(normalize(X[rows]), y[rows], X, y, own=rows, n_neighbors=n_neighbors)
    return share_found(exact, np.stack([neighbors.within_relevance[rows], neighbors.between_relevance[rows]]))


def exact_relevance(queries, query_codes, X, codes, *, own, n_neighbors):
    """Largest cosines of queries with documents of the same class, and with those of others.

    Parameters
    ----------
    queries : {ndarray, CSR matrix} of shape (n_queries, n_features)
        Documents of unit length.
    query_codes : ndarray of shape (n_queries,), int
        Their classes.
    X : {ndarray, CSR matrix} of shape (n_samples, n_features)
        Documents, of any length.
    codes : ndarray of shape (n_samples,), int
        Their classes.
    own : ndarray of shape (n_queries,), int
        Row of each query in X, which is no neighbour of itself; any other number where it is not there.
    n_neighbors : int
        How many to keep on each side.

    Returns
    -------
    ndarray of shape (2, n_queries, n_neighbors)
        Cosines within and outside the class, in no order; minus infinity where there are no more.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.neighbors import exact_relevance
    >>> X, y = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 2.0]]), np.array([0, 0, 1])
    >>> exact_relevance(X[:1], y[:1], X, y, own=np.array([0]), n_neighbors=1).ravel()
    array([0.8, 0. ])
    """
    queries, X = check_rows(queries), check_rows(X)
    best = np.full((2, len(own), n_neighbors), -np.inf, dtype=X.dtype)
    for first in range(0, X.shape[0], _BATCH):
        batch = slice(first, first + _BATCH)
        cosines = queries @ normalize(X[batch]).T
        cosines = cosines.toarray() if sparse.issparse(cosines) else cosines
        self = own[:, None] == np.arange(first, first + cosines.shape[1])
        same = query_codes[:, None] == codes[batch]
        for side, allowed in enumerate((same & ~self, ~same)):
            together = np.hstack([best[side], np.where(allowed, cosines, -np.inf)])
            best[side] = -np.partition(-together, n_neighbors - 1, axis=1)[:, :n_neighbors]
    return best


def share_found(exact, found):
    """Share of exact neighbours that were found, by their relevance.

    Parameters
    ----------
    exact : ndarray of shape (2, n_queries, n_exact)
        Cosines of which the largest are those of the neighbours, as many as ``found`` has.
    found : ndarray of shape (2, n_queries, n_neighbors)
        Cosines of the neighbours that were found; minus infinity for a missing one.

    Returns
    -------
    float
        The share; 1.0 where there is no neighbour to find.

    Examples
    --------
    One document, with two neighbours in its class and two outside:

    >>> import numpy as np
    >>> from textspace.neighbors import share_found
    >>> share_found(np.array([[[0.9, 0.5]], [[0.3, 0.2]]]), np.array([[[0.9, 0.4]], [[0.3, 0.2]]]))
    0.75
    """
    exact = -np.sort(-exact, axis=2)[:, :, : found.shape[2]]
    # an equally relevant document is as good
    worst = np.where(np.isfinite(exact), exact, np.inf).min(axis=2, keepdims=True)
    hits = np.sum(found >= worst - 1e-5, axis=2)
    n_exact = np.sum(np.isfinite(exact), axis=2)
    return float(np.minimum(hits, n_exact).sum() / n_exact.sum()) if n_exact.any() else 1.0
