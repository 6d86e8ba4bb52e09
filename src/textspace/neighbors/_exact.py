"""Exact nearest documents inside and outside each document's class."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.preprocessing import normalize
from sklearn.utils import gen_batches

from textspace._compiled import compiled, thread_count
from textspace._validation import check_rows

_DENSE_CHUNK = 2**24  # entries of the similarity block that the dense path holds at a time


class ClassNeighbors(NamedTuple):
    """Neighbours of every document, the most relevant first; a missing one has index -1.

    Attributes
    ----------
    within_indices : ndarray of shape (n_samples, n_neighbors), int32
        The most relevant documents of the same class.
    within_relevance : ndarray of shape (n_samples, n_neighbors)
        Their cosines with the document.
    between_indices : ndarray of shape (n_samples, n_neighbors), int32
        The most relevant documents of all other classes.
    between_relevance : ndarray of shape (n_samples, n_neighbors)
        Their cosines with the document.
    """

    within_indices: np.ndarray
    within_relevance: np.ndarray
    between_indices: np.ndarray
    between_relevance: np.ndarray

    @classmethod
    def empty(cls, n_samples, n_neighbors, dtype):
        """Make the lists of documents that have no neighbours so far, to be filled in place.

        Parameters
        ----------
        n_samples : int
            Number of documents.
        n_neighbors : int
            Length of each list.
        dtype : dtype
            Type of the cosines.

        Returns
        -------
        ClassNeighbors
            Indices, all -1, and cosines, all minus infinity.
        """
        shape = n_samples, n_neighbors
        indices, relevance = np.full(shape, -1, dtype=np.int32), np.full(shape, -np.inf, dtype=dtype)
        return cls(indices, relevance, indices.copy(), relevance.copy())


def class_neighbors(X, y, *, n_neighbors):
    """Find each document's most relevant documents within and outside its class.

    Relevance is the cosine. The result is exact; of equally relevant documents the one with the
    lower row number comes first, whatever the number of threads. A class with fewer than
    ``n_neighbors + 1`` documents gives fewer neighbours.

    Sparse rows are compared through an inverted index, each pair once, with an accumulator of one
    number a document; dense rows in blocks of bounded size. As many threads run as numba is allowed
    (``NUMBA_NUM_THREADS``).

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row; they need not have unit length.
    y : ndarray of shape (n_samples,), int
        Class of each document, as 0, 1, ...
    n_neighbors : int
        Neighbours to find on each side.

    Returns
    -------
    ClassNeighbors
        Indices and cosines.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.neighbors import class_neighbors
    >>> X = np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8], [0.0, 1.0]])
    >>> found = class_neighbors(X, np.array([0, 0, 1, 1]), n_neighbors=1)
    >>> found.within_indices.ravel().tolist(), found.between_indices.ravel().tolist()
    ([1, 0, 3, 2], [2, 2, 1, 1])
    """
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors must be at least 1, not {n_neighbors}.")
    X = normalize(check_rows(X))
    return first_neighbors(X, y, n_queries=X.shape[0], n_neighbors=n_neighbors)


def nearest_neighbors(X, *, n_neighbors):
    """Find each document's most relevant other documents, whatever their classes.

    The search is that of :func:`class_neighbors` with all documents in one class: exact, by cosine, of
    equals the lower row number first.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row; they need not have unit length.
    n_neighbors : int
        Neighbours to find.

    Returns
    -------
    indices : ndarray of shape (n_samples, n_neighbors), int32
        The neighbours, the most relevant first; -1 where there are no more documents.
    relevance : ndarray of shape (n_samples, n_neighbors)
        Their cosines with the document.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.neighbors import nearest_neighbors
    >>> indices, relevance = nearest_neighbors(np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]]), n_neighbors=1)
    >>> indices.ravel().tolist(), relevance.ravel().round(6).tolist()
    ([1, 0, 1], [0.8, 0.8, 0.6])
    """
    X = check_rows(X)
    found = class_neighbors(X, np.zeros(X.shape[0], dtype=np.int32), n_neighbors=n_neighbors)
    return found.within_indices, found.within_relevance


def first_neighbors(X, y, *, n_queries, n_neighbors):
    """Find the neighbours of the first `n_queries` documents, all of unit length, among all of them.

    >>> X = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
    >>> found = first_neighbors(X, np.array([0, 0, 1]), n_queries=1, n_neighbors=1)
    >>> found.within_indices.tolist(), found.between_indices.tolist()
    ([[1]], [[2]])
    """
    y = np.ascontiguousarray(y, dtype=np.int32)
    if not sparse.issparse(X):
        search = _dense_searcher(lambda block: X[block] @ X.T, y, n_queries)
        return _search(search, n_queries, n_neighbors, X.dtype)
    end = X.indptr[n_queries]
    queries = (X.data[:end], X.indices[:end], X.indptr[: n_queries + 1])  # a slice of X would copy them
    postings = sparse.csr_array(queries, shape=(n_queries, X.shape[1])).tocsc()
    rows, terms = (X.data, X.indices, X.indptr), (postings.data, postings.indices, postings.indptr)

    def search(thread, n_threads, lists):
        _search_sparse(thread, n_threads, rows, terms, y, lists)

    return _search(search, n_queries, n_neighbors, X.dtype)


def kernel_neighbors(K, y, *, n_neighbors):
    """Find each document's most relevant documents where a kernel says how relevant they are.

    Relevance is the cosine in the feature space, ``K_ij / sqrt(K_ii K_jj)``; all else is as in
    :func:`class_neighbors`.

    Parameters
    ----------
    K : ndarray of shape (n_samples, n_samples)
        Kernel between the documents.
    y : ndarray of shape (n_samples,), int
        Class of each document, as 0, 1, ...
    n_neighbors : int
        Neighbours to find on each side.

    Returns
    -------
    ClassNeighbors
        Indices and cosines.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.neighbors import kernel_neighbors
    >>> K = np.array([[1.0, 0.6, 0.4], [0.6, 4.0, 1.8], [0.4, 1.8, 1.0]])
    >>> kernel_neighbors(K, np.array([0, 1, 1]), n_neighbors=1).between_relevance.ravel().round(6)
    array([0.4, 0.3, 0.4])
    """
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors must be at least 1, not {n_neighbors}.")
    y = np.ascontiguousarray(y, dtype=np.int32)
    lengths = np.sqrt(K.diagonal())
    lengths[lengths == 0] = 1  # an empty document: its products are zero too

    def cosines(block):
        return K[block] / lengths[block, None] / lengths

    return _search(_dense_searcher(cosines, y, len(y)), len(y), n_neighbors, K.dtype)


def _search(search, n_queries, n_neighbors, dtype):
    """Let each thread search its share of the rows, and merge what they found."""
    n_threads = thread_count()
    # every thread keeps lists of its own: no locks, and the merge does not depend on who came first
    found = [tuple(ClassNeighbors.empty(n_queries, n_neighbors, dtype)) for _ in range(n_threads)]
    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(lambda thread: search(thread, n_threads, found[thread]), range(n_threads)))
    return ClassNeighbors(*_merge([lists[:2] for lists in found]), *_merge([lists[2:] for lists in found]))


def _dense_searcher(cosines, y, n_queries):
    """Make a search through blocks of cosines of bounded size."""

    def search(thread, n_threads, lists):
        blocks = list(gen_batches(n_queries, max(1, _DENSE_CHUNK // (n_threads * len(y)))))
        for block in blocks[thread::n_threads]:
            _search_block(block.start, cosines(block), y, lists)

    return search


def _merge(lists):
    """Join the lists of all threads: the most relevant first, then the lower index."""
    indices = np.hstack([each[0] for each in lists])
    relevance = np.hstack([each[1] for each in lists])
    order = np.lexsort((indices, -relevance), axis=1)[:, : lists[0][0].shape[1]]
    return np.take_along_axis(indices, order, axis=1), np.take_along_axis(relevance, order, axis=1)


@compiled(nogil=True)
def insert(indices, relevance, row, score, column):
    """Put a document that beats the last of a sorted list into its place.

    Documents are offered in increasing order, so that an equal score goes behind.
    """
    place = relevance.shape[1] - 1
    while place > 0 and relevance[row, place - 1] < score:
        relevance[row, place] = relevance[row, place - 1]
        indices[row, place] = indices[row, place - 1]
        place -= 1
    relevance[row, place] = score
    indices[row, place] = column


@compiled(nogil=True)
def _search_sparse(first, step, rows, terms, y, lists):
    """Compare rows first, first + step, ... with all earlier queries and update the lists of both."""
    data, columns, starts = rows
    posting_data, posting_rows, posting_starts = terms
    within_indices, within, between_indices, between = lists
    n_queries, last = len(within), within.shape[1] - 1
    scores = np.zeros(n_queries, dtype=data.dtype)
    # the last of each list once more: side by side they are quickly looked at, and few scores beat one
    within_floors = np.full(n_queries, -np.inf, dtype=data.dtype)
    between_floors = within_floors.copy()
    ends = posting_starts[:-1].copy()  # of each term's postings, those before `ends` are earlier rows
    for i in range(first, len(y), step):
        for p in range(starts[i], starts[i + 1]):
            term, value = columns[p], data[p]
            end = ends[term]
            while end < posting_starts[term + 1] and posting_rows[end] < i:
                end += 1
            ends[term] = end
            for q in range(posting_starts[term], end):
                scores[posting_rows[q]] += value * posting_data[q]
        is_query = i < n_queries
        within_floor = within_floors[i] if is_query else np.inf
        between_floor = between_floors[i] if is_query else np.inf
        for j in range(min(i, n_queries)):
            score, scores[j] = scores[j], 0
            if y[j] == y[i]:
                if score > within_floors[j]:
                    insert(within_indices, within, j, score, i)
                    within_floors[j] = within[j, last]
                if score > within_floor:
                    insert(within_indices, within, i, score, j)
                    within_floor = within[i, last]
            else:
                if score > between_floors[j]:
                    insert(between_indices, between, j, score, i)
                    between_floors[j] = between[j, last]
                if score > between_floor:
                    insert(between_indices, between, i, score, j)
                    between_floor = between[i, last]
        if is_query:
            within_floors[i], between_floors[i] = within_floor, between_floor


@compiled(nogil=True)
def _search_block(first, scores, y, lists):
    """Update the lists of rows first, first + 1, ... from their scores with all rows."""
    within_indices, within, between_indices, between = lists
    last = within.shape[1] - 1
    for k in range(scores.shape[0]):
        i = first + k
        for j in range(len(y)):
            if j == i:
                continue
            if y[j] == y[i]:
                if scores[k, j] > within[i, last]:
                    insert(within_indices, within, i, scores[k, j], j)
            elif scores[k, j] > between[i, last]:
                insert(between_indices, between, i, scores[k, j], j)
