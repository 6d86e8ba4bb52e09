"""Most of the nearest documents of very many: candidates from shortened lists of each term's documents."""

from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from scipy import sparse
from sklearn.preprocessing import normalize

from textspace.graphs._neighbors import ClassNeighbors, empty_lists, insert

_CANDIDATES = 4  # for each neighbour that is wanted: their cosines are computed in full


def posting_neighbors(X, y, *, n_neighbors, n_postings):
    """Find most of each document's most relevant documents within and outside its class.

    An inverted index lists for each term the documents that hold it. Here the list of a term has at most
    `n_postings` documents, those in which the term weighs most, so that a document costs the same however
    many there are. The candidates that a document has most in common with by these lists, four for each
    neighbour that is wanted, are then compared with it in full. :func:`neighbor_recall` says how many
    neighbours are missed.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row; they need not have unit length.
    y : ndarray of shape (n_samples,), int
        Class of each document, as 0, 1, ...
    n_neighbors : int
        Neighbours to find on each side.
    n_postings : int
        Number of documents to which the list of a term is cut.

    Returns
    -------
    ClassNeighbors
        Indices and cosines, whatever the number of threads; of equally relevant documents the one with the
        lower row number comes first. Only documents with a positive cosine are neighbours.

    References
    ----------
    Lists cut by weight are the champion lists of C. D. Manning, P. Raghavan and H. Schuetze, "Introduction
    to Information Retrieval", section 7.1.3, Cambridge University Press, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from textspace.graphs import posting_neighbors
    >>> X = sparse.csr_array([[1.0, 0.1], [0.9, 0.2], [0.1, 1.0], [0.2, 0.9]])
    >>> found = posting_neighbors(X, np.array([0, 0, 1, 1]), n_neighbors=1, n_postings=2)
    >>> found.within_indices.ravel().tolist()
    [1, 0, 3, 2]
    """
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors must be at least 1, not {n_neighbors}.")
    if n_postings < 1:
        raise ValueError(f"n_postings must be at least 1, not {n_postings}.")
    X = sparse.csr_array(normalize(X))
    return query_postings(X, y, n_queries=X.shape[0], n_neighbors=n_neighbors, n_postings=n_postings)


def query_postings(X, y, *, n_queries, n_neighbors, n_postings):
    """Find most of the neighbours of the first documents among all.

    Parameters
    ----------
    X : CSR matrix of shape (n_samples, n_features)
        Documents of unit length, the queries first.
    y : ndarray of shape (n_samples,), int
        Class of each document, as 0, 1, ...
    n_queries : int
        Number of documents whose neighbours are looked for.
    n_neighbors, n_postings : int
        As of :func:`posting_neighbors`.

    Returns
    -------
    ClassNeighbors
        Indices and cosines, in ``n_queries`` rows.
    """
    y = np.ascontiguousarray(y, dtype=np.int32)
    rows = X.data, X.indices, X.indptr
    terms = _list_documents(rows, X.shape[1], n_postings)
    lists = empty_lists(n_queries, n_neighbors, X.dtype)
    n_threads = numba.config.NUMBA_NUM_THREADS
    with ThreadPoolExecutor(n_threads) as pool:
        list(
            pool.map(
                lambda thread: _search(thread, n_threads, rows, terms, y, lists, _CANDIDATES * n_neighbors),
                range(n_threads),
            )
        )
    return ClassNeighbors(*lists)


@numba.njit(nogil=True, cache=True)
def _list_documents(rows, n_terms, most):
    """List for each term the documents in which it weighs most, ascending; of equal ones the first."""
    data, columns, starts = rows
    sizes = np.bincount(columns, minlength=n_terms)
    floors, spare = _floors(data, columns, sizes, most)
    ends = np.cumsum(np.minimum(sizes, most))
    posting_starts = np.zeros(n_terms + 1, dtype=np.int64)
    posting_starts[1:] = ends
    place = posting_starts[:-1].copy()
    posting_data, posting_rows = np.empty(ends[-1], dtype=data.dtype), np.empty(ends[-1], dtype=np.int32)
    for i in range(len(starts) - 1):
        for p in range(starts[i], starts[i + 1]):
            term, weight = columns[p], abs(data[p])
            if weight == floors[term]:
                spare[term] -= 1
            if weight > floors[term] or (weight == floors[term] and spare[term] >= 0):
                posting_data[place[term]], posting_rows[place[term]] = data[p], i
                place[term] += 1
    return posting_data, posting_rows, posting_starts


@numba.njit(nogil=True, cache=True)
def _floors(data, columns, sizes, most):
    """Find the smallest weight that each term's list holds, and how many documents of that weight.

    The largest weights of a term with too many documents are kept in a heap, the smallest of them on top.
    """
    heap_of = np.full(len(sizes), -1)
    heap_of[sizes > most] = np.arange(np.sum(sizes > most))
    heaps = np.full((np.sum(sizes > most), most), -1, dtype=data.dtype)
    for p in range(len(data)):
        if heap_of[columns[p]] < 0:
            continue
        heap, weight = heaps[heap_of[columns[p]]], abs(data[p])
        if weight > heap[0]:
            place, child = 0, 1
            while child < most:
                if child + 1 < most and heap[child + 1] < heap[child]:
                    child += 1
                if heap[child] >= weight:
                    break
                heap[place] = heap[child]
                place, child = child, 2 * child + 1
            heap[place] = weight
    floors = np.full(len(sizes), -1, dtype=data.dtype)
    spare = np.zeros(len(sizes), dtype=np.int64)
    for term in range(len(sizes)):
        if heap_of[term] >= 0:
            floors[term] = heaps[heap_of[term], 0]
            spare[term] = np.sum(heaps[heap_of[term]] == floors[term])
    return floors, spare


@numba.njit(nogil=True, cache=True)
def _search(first, step, rows, terms, y, lists, n_candidates):
    """Find the neighbours of rows first, first + step, ..."""
    data, columns, starts = rows
    posting_data, posting_rows, posting_starts = terms
    within_indices, within, between_indices, between = lists
    scores = np.zeros(len(y), dtype=data.dtype)
    row = np.zeros(len(posting_starts) - 1, dtype=data.dtype)
    near = np.empty((2, n_candidates), dtype=np.int32)
    partial = np.empty((2, n_candidates), dtype=data.dtype)
    for i in range(first, len(within), step):
        for p in range(starts[i], starts[i + 1]):
            term, value = columns[p], data[p]
            row[term] = value
            for q in range(posting_starts[term], posting_starts[term + 1]):
                scores[posting_rows[q]] += value * posting_data[q]
        scores[i] = 0
        near[:] = -1
        partial[:] = 0
        floor = partial[0, 0]
        for p in range(starts[i], starts[i + 1]):
            for q in range(posting_starts[columns[p]], posting_starts[columns[p] + 1]):
                j = posting_rows[q]
                score, scores[j] = scores[j], 0  # the next time that j is met it counts no more
                if score > floor:
                    side = 0 if y[j] == y[i] else 1
                    if score > partial[side, -1]:
                        insert(near, partial, side, score, j)
                        floor = min(partial[0, -1], partial[1, -1])
        for side in range(2):
            indices, relevance = (within_indices, within) if side == 0 else (between_indices, between)
            for j in np.sort(near[side]):  # ascending, so that of equal ones the first is kept
                if j >= 0:
                    cosine = data.dtype.type(0)
                    for p in range(starts[j], starts[j + 1]):
                        cosine += row[columns[p]] * data[p]
                    if cosine > relevance[i, -1]:
                        insert(indices, relevance, i, cosine, j)
        for p in range(starts[i], starts[i + 1]):
            row[columns[p]] = 0
