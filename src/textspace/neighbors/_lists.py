"""Most of the nearest documents of very many: candidates from shortened lists of each term's documents."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from scipy import sparse

from textspace._compiled import compiled, thread_count
from textspace._validation import check_rows, read_only
from textspace.neighbors._exact import ClassNeighbors, insert

_CANDIDATES = 5  # for each neighbour that is wanted: their cosines are computed in full
_LISTS = 50  # full lists whose documents a query meets at most, if it does not meet them in more short ones
_CHUNK = 5000  # queries that are copied, and whose candidates are kept, at a time


def posting_neighbors(X, y, *, n_neighbors, max_postings):
    """Find most of each document's most relevant documents within and outside its class.

    An inverted index lists for each term the documents that hold it. Here the list of a term has at most
    `max_postings` documents, those in which the term weighs most, and a document meets those in the lists of
    its heaviest terms, as many as 50 full lists have, so that it costs the same however many documents there
    are. The candidates that a document has most in common with by these lists, five for each neighbour that
    is wanted, are then compared with it in full. :func:`neighbor_recall` says how many neighbours are missed.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row; they need not have unit length.
    y : ndarray of shape (n_samples,), int
        Class of each document, as 0, 1, ...
    n_neighbors : int
        Neighbours to find on each side.
    max_postings : int
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
    >>> from textspace.neighbors import posting_neighbors
    >>> X = sparse.csr_array([[1.0, 0.1], [0.9, 0.2], [0.1, 1.0], [0.2, 0.9]])
    >>> found = posting_neighbors(X, np.array([0, 0, 1, 1]), n_neighbors=1, max_postings=2)
    >>> found.within_indices.ravel().tolist()
    [1, 0, 3, 2]
    """
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors must be at least 1, not {n_neighbors}.")
    if max_postings < 1:
        raise ValueError(f"max_postings must be at least 1, not {max_postings}.")
    X = sparse.csr_array(check_rows(X))
    everybody = np.arange(X.shape[0])
    return query_postings([X], y, everybody, n_neighbors=n_neighbors, max_postings=max_postings)


def query_postings(matrices, y, queries, *, n_neighbors, max_postings):
    """Find most of the neighbours of some documents among documents that several matrices hold.

    Documents are numbered through all CSR matrices, and so are the `queries`, which ascend, and the indices
    that are found. The matrices are neither joined nor copied, but for 5000 queries at a time.

    >>> X = sparse.csr_array([[1.0, 0.1], [0.9, 0.2], [0.1, 1.0], [0.2, 0.9]])
    >>> y, queries = np.array([0, 0, 1, 1]), np.array([1, 2])
    >>> found = query_postings([X[:2], X[2:]], y, queries, n_neighbors=1, max_postings=4)
    >>> found.within_indices.ravel().tolist()
    [0, 3]
    """
    y, max_postings = read_only(y, np.int32), int(max_postings)
    dtype = np.float32 if all(each.dtype == np.float32 for each in matrices) else np.float64
    blocks, first = [], 0
    for matrix in matrices:
        arrays = map(read_only, (matrix.data, matrix.indices, matrix.indptr))
        blocks.append(_Block(*arrays, first, np.zeros(matrix.shape[0], dtype=dtype)))
        first += matrix.shape[0]
    terms = _list_documents(blocks, matrices[0].shape[1], max_postings)
    lists = ClassNeighbors.empty(len(queries), n_neighbors, dtype)
    n_threads = thread_count()
    with ThreadPoolExecutor(n_threads) as pool:

        def run(kernel, *arguments):
            list(pool.map(lambda thread: kernel(thread, n_threads, *arguments), range(n_threads)))

        for start in range(0, len(queries), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            numbers = read_only(queries[chunk], np.int64)
            asked = _take(matrices, blocks, numbers)
            near = np.full((len(numbers), 2, _CANDIDATES * n_neighbors), -1, dtype=np.int32)
            run(_find_candidates, asked, numbers, terms, max_postings, y, near)
            near.sort()
            found = tuple(each[chunk] for each in lists)
            for block in blocks:
                run(_compare, asked, matrices[0].shape[1], block, near, found)
    return lists


class _Block(NamedTuple):
    """The arrays of a CSR matrix, the number of its first row, and what gives each row unit length."""

    data: np.ndarray
    columns: np.ndarray
    starts: np.ndarray
    first: int
    scales: np.ndarray


def _take(matrices, blocks, numbers):
    """Copy some documents, ascending, at unit length, the heaviest terms of each first."""
    taken, scales = [], []
    for matrix, block in zip(matrices, blocks, strict=True):
        bounds = np.searchsorted(numbers, [block.first, block.first + len(block.scales)])
        places = numbers[slice(*bounds)] - block.first
        taken.append(matrix[places])
        scales.append(block.scales[places])
    taken = sparse.vstack(taken, format="csr")
    rows = np.repeat(np.arange(len(numbers)), np.diff(taken.indptr))
    data = taken.data * np.concatenate(scales)[rows]
    order = np.argsort(rows - np.abs(data) / 2)  # no weight is above 1: rows stay apart
    return data[order], taken.indices[order], taken.indptr


def _list_documents(blocks, n_terms, most):
    """List for each term the documents in which it weighs most, ascending; of equal ones the first."""
    sizes = np.zeros(n_terms, dtype=np.int64)
    for block in blocks:
        _measure(block, sizes)
    dtype, is_long = blocks[0].scales.dtype, sizes > most
    heap_of = np.where(is_long, np.cumsum(is_long) - 1, -1)
    heaps = np.full((is_long.sum(), most), -1, dtype=dtype)
    for block in blocks:
        _raise_floors(block, heap_of, heaps)
    floors, spare = np.full(n_terms, -1, dtype=dtype), np.zeros(n_terms, dtype=np.int64)
    floors[is_long] = heaps[:, 0]
    spare[is_long] = np.sum(heaps == heaps[:, :1], axis=1)
    del heaps
    starts = np.concatenate([[0], np.cumsum(np.minimum(sizes, most))])
    terms = np.empty(starts[-1], dtype=dtype), np.empty(starts[-1], dtype=np.uint32), starts
    place = starts[:-1].copy()
    for block in blocks:
        _fill(block, floors, spare, place, terms)
    return terms


@compiled(nogil=True)
def _measure(block, sizes):
    """Set the scales of a block; count the documents of each term."""
    for i in range(len(block.scales)):
        square = 0.0
        for p in range(block.starts[i], block.starts[i + 1]):
            square += float(block.data[p]) ** 2
            sizes[block.columns[p]] += 1
        if square > 0:
            block.scales[i] = 1 / np.sqrt(square)


@compiled(nogil=True)
def _raise_floors(block, heap_of, heaps):
    """Keep the largest weights of each term with too many documents in a heap, the smallest on top."""
    data, columns, starts, _, scales = block
    most = heaps.shape[1]
    for i in range(len(scales)):
        for p in range(starts[i], starts[i + 1]):
            if heap_of[columns[p]] < 0:
                continue
            heap, weight = heaps[heap_of[columns[p]]], abs(data[p]) * scales[i]
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


@compiled(nogil=True)
def _fill(block, floors, spare, place, terms):
    """Put the documents of a block into the lists of their terms.

    A list takes all documents above its floor, and as many of those at the floor as there is room to spare.
    """
    data, columns, starts, first, scales = block
    posting_data, posting_rows, _ = terms
    for i in range(len(scales)):
        for p in range(starts[i], starts[i + 1]):
            term, weight = columns[p], abs(data[p]) * scales[i]
            if weight == floors[term]:
                spare[term] -= 1
            if weight > floors[term] or (weight == floors[term] and spare[term] >= 0):
                posting_data[place[term]], posting_rows[place[term]] = data[p] * scales[i], first + i
                place[term] += 1


@compiled(nogil=True)
def _find_candidates(first, step, asked, numbers, terms, longest, y, near):
    """Find by the lists whom queries first, first + step, ... have most in common with.

    The lists of a query's heaviest terms are walked until it has met as many documents as 50 lists of the
    `longest` size have. Slices and unsigned numbers spare the test whether an index counts from the end.
    """
    data, columns, starts = asked
    posting_data, posting_rows, posting_starts = terms
    scores = np.zeros(len(y), dtype=data.dtype)
    partial = np.empty((2, near.shape[2]), dtype=data.dtype)
    for i in range(first, len(numbers), step):
        values, own = data[starts[i] : starts[i + 1]], columns[starts[i] : starts[i + 1]]
        n_walked, met = 0, 0
        while n_walked < len(own) and met < _LISTS * longest:
            term, value = own[n_walked], values[n_walked]
            documents = posting_rows[posting_starts[term] : posting_starts[term + 1]]
            weights = posting_data[posting_starts[term] : posting_starts[term + 1]]
            for q in range(len(documents)):
                scores[documents[q]] += value * weights[q]
            n_walked += 1
            met += len(documents)
        scores[numbers[i]] = 0
        partial[:] = 0
        floor = partial[0, 0]
        for term in own[:n_walked]:
            for j in posting_rows[posting_starts[term] : posting_starts[term + 1]]:
                score, scores[j] = scores[j], 0  # the next time that j is met it counts no more
                if score > floor:
                    side = 0 if y[j] == y[numbers[i]] else 1
                    if score > partial[side, -1]:
                        insert(near[i], partial, side, score, j)
                        floor = min(partial[0, -1], partial[1, -1])


@compiled(nogil=True)
def _compare(first, step, asked, n_terms, block, near, lists):
    """Compare queries first, first + step, ... in full with their candidates in a block.

    Blocks and candidates come ascending, so that of equally relevant ones the first is kept.
    """
    asked_data, asked_columns, asked_starts = asked
    data, columns, starts, first_row, scales = block
    within_indices, within, between_indices, between = lists
    query = np.zeros(n_terms, dtype=asked_data.dtype)
    for i in range(first, len(within), step):
        for p in range(asked_starts[i], asked_starts[i + 1]):
            query[asked_columns[p]] = asked_data[p]
        for side in range(2):
            indices, relevance = (within_indices, within) if side == 0 else (between_indices, between)
            for j in near[i, side]:
                row = j - first_row
                if 0 <= row < len(scales):
                    values, own = data[starts[row] : starts[row + 1]], columns[starts[row] : starts[row + 1]]
                    cosine = query.dtype.type(0)
                    for p in range(len(own)):
                        cosine += query[np.uint32(own[p])] * values[p]
                    cosine *= scales[row]
                    if cosine > relevance[i, -1]:
                        insert(indices, relevance, i, cosine, j)
        for p in range(asked_starts[i], asked_starts[i + 1]):
            query[asked_columns[p]] = 0
