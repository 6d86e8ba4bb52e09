"""The nearest documents of some documents among many that several matrices hold."""

import numpy as np
from scipy import sparse
from sklearn.preprocessing import normalize

from textspace._validation import check_rows
from textspace.neighbors._exact import first_neighbors
from textspace.neighbors._lists import query_postings

_EXACT = 10_000  # documents up to which all are compared with each other


def query_neighbors(matrices, y, queries, *, n_neighbors, max_postings):
    """Find the neighbours of some documents among documents that several matrices hold.

    Parameters
    ----------
    matrices : list of {ndarray, CSR matrix}
        Documents, ``n_samples`` rows in all; they need not have unit length.
    y : ndarray of shape (n_samples,), int
        Class of each document, as 0, 1, ...
    queries : ndarray of shape (n_queries,), int
        Those whose neighbours are looked for, ascending, numbered through all matrices.
    n_neighbors : int
        Neighbours to find on each side.
    max_postings : int
        As of :func:`posting_neighbors`.

    Returns
    -------
    ClassNeighbors
        Indices and cosines, in ``n_queries`` rows. They are exact among up to 10,000 sparse documents; among
        more of them most are found, by :func:`posting_neighbors`.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.neighbors import query_neighbors
    >>> blocks = [np.array([[1.0, 0.1], [0.9, 0.2]]), np.array([[0.1, 1.0], [0.2, 0.9]])]
    >>> y, queries = np.array([0, 0, 1, 1]), np.array([1, 3])
    >>> found = query_neighbors(blocks, y, queries, n_neighbors=1, max_postings=9)
    >>> found.within_indices.ravel().tolist(), found.between_indices.ravel().tolist()
    ([0, 2], [3, 1])
    """
    matrices = [check_rows(X, ensure_min_samples=0) for X in matrices]
    if any(map(sparse.issparse, matrices)):
        matrices = [sparse.csr_array(X) for X in matrices]
    if sparse.issparse(matrices[0]) and len(y) > _EXACT:
        return query_postings(matrices, y, queries, n_neighbors=n_neighbors, max_postings=max_postings)
    order = np.append(queries, np.setdiff1d(np.arange(len(y)), queries))
    X = sparse.vstack(matrices, format="csr") if sparse.issparse(matrices[0]) else np.concatenate(matrices)
    found = first_neighbors(
        normalize(X[order], copy=False), y[order], n_queries=len(queries), n_neighbors=n_neighbors
    )
    order = np.append(order, -1)  # none stays none
    return found._replace(
        within_indices=order[found.within_indices], between_indices=order[found.between_indices]
    )
