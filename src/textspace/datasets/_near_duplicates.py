"""Texts that are almost the same, found without comparing all pairs."""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

_CHUNK = 1 << 20  # candidate pairs that are looked at together
_MOST_SHARED = 2000  # a word in the prefixes of more texts than this is not used to find pairs


def near_duplicates(X, *, threshold=0.95):
    """Group rows that have a cosine above a threshold with one another, directly or through others.

    X is a CSR matrix whose rows have unit length, or are zero, and then like nothing. Give the number of the
    group of each row.

    The prefix of a row is its rarest terms, so many that the others have at most the length `threshold`. Two
    rows whose cosine is above `threshold` have a term of their prefixes in common, so only such rows are
    compared. Terms in the prefixes of more than 2,000 different rows are not used; otherwise the result is
    exact.

    R. J. Bayardo, Y. Ma and R. Srikant, "Scaling up all pairs similarity search", WWW 2007. D. C. Anastasiu
    and G. Karypis, "L2AP: fast cosine similarity search with prefix L-2 norm bounds", ICDE 2014.

    >>> X = sparse.csr_matrix([[0.6, 0.8, 0.0], [0.0, 0.0, 1.0], [0.58, 0.81, 0.0]])
    >>> near_duplicates(X).tolist()
    [0, 1, 0]
    """
    X = sparse.csr_array(X)
    X.sort_indices()
    distinct, of_row = _distinct_rows(X)
    X = X[distinct]
    prefixes = _prefix_terms(X, threshold)
    n_sharing = np.bincount(prefixes.indices, minlength=X.shape[1])
    prefixes = prefixes[:, (n_sharing > 1) & (n_sharing <= _MOST_SHARED)]
    pairs = [_similar(X, *candidates, threshold) for candidates in _sharing_pairs(prefixes)]
    first, second = np.concatenate(pairs, axis=1) if pairs else np.empty((2, 0), int)
    links = sparse.coo_array((np.ones(len(first), bool), (first, second)), shape=(len(distinct),) * 2)
    groups = connected_components(links, directed=False)[1][of_row]
    # Rows of zeros are equal, but have no direction in which they could be alike.
    empty = np.diff(X.indptr)[of_row] == 0
    groups[empty] = groups.max(initial=-1) + 1 + np.arange(np.count_nonzero(empty))
    return np.unique(groups, return_inverse=True)[1]


def _distinct_rows(X):
    """Give the first of equal rows each, and for every row the position among them."""
    known, distinct = {}, []
    of_row = np.empty(X.shape[0], int)
    for row in range(X.shape[0]):
        entries = slice(X.indptr[row], X.indptr[row + 1])
        key = X.indices[entries].tobytes(), X.data[entries].tobytes()
        of_row[row] = known.setdefault(key, len(distinct))
        if of_row[row] == len(distinct):
            distinct.append(row)
    return np.array(distinct, int), of_row


def _prefix_terms(X, threshold):
    """Mark the rarest terms of each row, such that the others have at most the length `threshold`."""
    rarity = np.argsort(np.argsort(np.bincount(X.indices, minlength=X.shape[1]), kind="stable"))
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    order = np.lexsort((rarity[X.indices], rows))
    reached = np.concatenate([[0.0], np.cumsum(X.data[order].astype(np.float64) ** 2)])
    before = reached[:-1] - np.repeat(reached[X.indptr[:-1]], np.diff(X.indptr))
    # A little more than the bound, for what rounding has taken from the lengths.
    kept = before <= 1 - threshold**2 + 1e-5
    terms, rows = X.indices[order][kept], rows[kept]
    return sparse.csr_array((np.ones(len(rows), np.int32), (rows, terms)), shape=X.shape)


def _sharing_pairs(prefixes):
    """Give pairs of rows whose prefixes have a term in common, some at a time, each pair once."""
    n_candidates = prefixes @ np.bincount(prefixes.indices, minlength=prefixes.shape[1])
    reached = np.cumsum(n_candidates)
    by_term = prefixes.T.tocsr()
    start = 0
    while start < prefixes.shape[0]:
        done = reached[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(reached, done + _CHUNK, side="right")))
        shared = (prefixes[start:stop] @ by_term).tocoo()
        first, second = shared.row + start, shared.col
        once = first < second
        if once.any():
            yield first[once], second[once]
        start = stop


def _similar(X, first, second, threshold):
    cosines = np.asarray(X[first].multiply(X[second]).sum(axis=1)).ravel()
    return np.array([first[cosines > threshold], second[cosines > threshold]])
