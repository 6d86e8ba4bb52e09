"""Which of very many labels come near to documents: cosines to short mean documents, own part taken out."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import sparse

from textspace._compiled import compiled
from textspace.classify.blend._arrays import inverse
from textspace.classify.blend._row_ranges import in_threads

_ENTRIES = 16 << 20  # of documents of some labels, that are added up at a time


class NearLabels(NamedTuple):
    """Some labels of each document, and how near it is to its own.

    Attributes
    ----------
    labels : ndarray of shape (n_samples, n_nearest), int32
        The nearest labels, from whose means the document has been taken out; -1 where fewer share a term with
        it.
    own_cosines : csr_array of shape (n_samples, n_labels), float32
        Cosines to the own labels of a document without its part.
    """

    labels: np.ndarray
    own_cosines: sparse.csr_array


def short_sums(X, truth, n_terms):
    """Add up the documents of each label, and keep the largest terms of the sum.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_columns), float32
        Documents.
    truth : csr_array of shape (n_samples, n_labels)
        Ones where a document has a label.
    n_terms : ndarray of shape (n_labels,), int
        How many terms of each label are kept.

    Returns
    -------
    csr_array of shape (n_labels, n_columns), float32
        Sums, in the order of the columns.
    """
    by_label = truth.T.tocsr()
    ends = np.append(0, np.cumsum(np.diff(X.indptr)[by_label.indices]))[by_label.indptr]
    cuts = np.searchsorted(ends, np.arange(_ENTRIES, ends[-1], _ENTRIES))
    bounds = np.unique([0, *cuts, by_label.shape[0]])
    parts = [_largest_terms(by_label[a:b] @ X, n_terms[a:b]) for a, b in pairwise(bounds)]
    return sparse.vstack(parts, format="csr")


def _largest_terms(rows, n_terms):
    """Keep so many of the largest entries of each row of a CSR array."""
    kept = np.zeros(rows.nnz, dtype=bool)
    _mark_largest(rows.indptr, np.abs(rows.data), n_terms, kept)
    rows.data[~kept] = 0
    rows.eliminate_zeros()
    rows.sort_indices()
    return rows.astype(np.float32, copy=False)


@compiled(nogil=True)
def _mark_largest(indptr, sizes, n_kept, kept):
    for row in range(len(indptr) - 1):
        start, end = indptr[row], indptr[row + 1]
        if end - start <= n_kept[row]:
            kept[start:end] = True
        else:
            kept[start + np.argsort(sizes[start:end])[-n_kept[row] :]] = True


def find_near_labels(X, sums, truth, n_nearest):
    """Find the labels whose mean documents are nearest to documents that they were learned from.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_columns), float32
        Documents, unit rows.
    sums : csr_array of shape (n_labels, n_columns), float32
        What the documents of a label add up to, as :func:`short_sums` gives it.
    truth : csr_array of shape (n_samples, n_labels)
        Ones where a document has a label.
    n_nearest : int
        How many labels are looked for.

    Returns
    -------
    NearLabels
        Labels, and cosines to own labels.
    """
    squares = np.asarray(sums.multiply(sums).sum(axis=1), dtype=np.float32).ravel()
    alone = np.bincount(truth.indices, minlength=truth.shape[1]) == 1
    labels = np.full((X.shape[0], min(n_nearest, truth.shape[1])), -1, dtype=np.int32)
    own, table = np.zeros(truth.nnz, dtype=np.float32), sums.T.tocsr()

    def find(rows):
        _near(
            *(rows.start, rows.stop, X.indptr, X.indices, X.data),
            *(table.indptr, table.indices, table.data, sums.indptr, sums.indices, sums.data),
            *(truth.indptr, truth.indices, squares, inverse(np.sqrt(squares)), alone, labels, own),
        )

    in_threads(find, X.shape[0])
    return NearLabels(labels, sparse.csr_array((own, truth.indices, truth.indptr), shape=truth.shape))


@compiled(nogil=True)
def _near(
    first, last, starts, terms, values, t_starts, t_labels, t_values, s_starts, s_terms, s_values, y_starts,
    y, squares, inverses, alone, labels, own_cosines,
):  # fmt: skip
    cosines, row = np.zeros(len(squares), np.float32), np.zeros(len(t_starts) - 1, np.float32)
    best = np.empty(labels.shape[1], np.float32)
    for number in range(first, last):
        cosines[:] = 0
        for entry in range(starts[number], starts[number + 1]):
            weight, term = values[entry], terms[entry]
            row[term] = weight
            for place in range(t_starts[term], t_starts[term + 1]):
                cosines[t_labels[place]] += weight * t_values[place]
        for label in range(len(cosines)):
            cosines[label] *= inverses[label]
        for place in range(y_starts[number], y_starts[number + 1]):
            label = y[place]
            product, own = np.float32(0), np.float32(0)
            for entry in range(s_starts[label], s_starts[label + 1]):
                x = row[s_terms[entry]]
                product += x * s_values[entry]
                own += x * x
            left = squares[label] - 2 * product + own
            out = alone[label] or left <= 1e-6 * squares[label]
            cosines[label] = 0 if out else (product - own) / np.sqrt(left)
            own_cosines[place] = cosines[label]
        n_found = 0
        for label in range(len(cosines)):
            value = cosines[label]
            if value > 0 and (n_found < len(best) or value > best[n_found - 1]):
                n_found = min(n_found + 1, len(best))
                at = n_found - 1
                while at > 0 and best[at - 1] < value:
                    best[at], labels[number, at] = best[at - 1], labels[number, at - 1]
                    at -= 1
                best[at], labels[number, at] = value, label
        for entry in range(starts[number], starts[number + 1]):
            row[terms[entry]] = 0
