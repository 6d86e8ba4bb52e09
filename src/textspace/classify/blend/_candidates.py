"""The classes that come nearest to documents, a sample of the others, and sums over terms for these alone."""

from typing import NamedTuple

import numpy as np
from sklearn.utils import gen_batches

from textspace._compiled import compiled
from textspace.classify.blend._arrays import dense_product, relative

_BATCH = 1 << 20  # sums of documents and classes that are handled at a time
_FEW, _COMMON = 100, 0.05  # classes, and share of them, above which a term does not tell candidates
_NONE = -100.0  # logarithm of the number of classes that a repeated one stands for


class Candidates(NamedTuple):
    """Some classes of each document: the nearest ones, and others that stand for all the rest.

    Attributes
    ----------
    classes : ndarray of shape (n_documents, n_candidates), int32
        The nearest classes, the nearest first; then classes from the rest.
    log_counts : ndarray of shape (n_documents, n_candidates), float32
        Logarithm of the number of classes that each stands for; very small for one that is there twice.
    truth : ndarray of shape (n_documents,), int32
        Which of them is the class of the document; it always is among them.
    """

    classes: np.ndarray
    log_counts: np.ndarray
    truth: np.ndarray


def find_candidates(parts, y, *, n_nearest, n_others):
    """Find the classes whose tables have the largest sums over the terms of a document.

    Parameters
    ----------
    parts : list of (csr_array of shape (n_documents, n_terms), csr_array of shape (n_classes, n_terms))
        Documents and what each term says for each class, in one or more blocks. The sums of a block are
        divided by the largest of the document before they are added up.
    y : ndarray of shape (n_documents,), int
        Classes of the documents.
    n_nearest : int
        Number of nearest classes.
    n_others : int
        Number of classes that stand for the rest, each for as many.

    Returns
    -------
    Candidates
        All classes, where there are fewer than asked for.
    """
    n_documents, n_classes = len(y), parts[0][1].shape[0]
    parts = [(rows, _rare_terms(table)) for rows, table in parts]
    n_nearest = min(n_nearest, n_classes)
    n_others = min(n_others, n_classes - n_nearest)
    classes = np.empty((n_documents, n_nearest + n_others), dtype=np.int32)
    log_counts = np.zeros(classes.shape, dtype=np.float32)
    truth = np.empty(n_documents, dtype=np.int32)
    for batch in gen_batches(n_documents, max(1, _BATCH // n_classes)):
        sums = sum(relative(dense_product(rows[batch], table)) for rows, table in parts)
        _choose(sums, y[batch], n_nearest, batch.start, classes[batch], log_counts[batch], truth[batch])
    return Candidates(classes, log_counts, truth)


def _rare_terms(table):
    """Turn a table, without the terms of very many classes: they tell little, and take most of the time."""
    turned = table.T.tocsr()
    n_classes = np.diff(turned.indptr)
    common = n_classes > max(_FEW, _COMMON * turned.shape[1])
    if not common.all():  # as those of an embedding
        turned.data[np.repeat(common, n_classes)] = 0
        turned.eliminate_zeros()
    return turned


@compiled(nogil=True)
def _choose(sums, y, n_nearest, number, classes, log_counts, truth):
    n_documents, n_classes = sums.shape
    n_others = classes.shape[1] - n_nearest
    for row in range(n_documents):
        values, best = sums[row], classes[row]
        _nearest(values, best[:n_nearest])
        last = best[n_nearest - 1]
        left = 0
        for place in range(n_others):
            # evenly spread, from another class on for each document
            other = ((number + row) * 7919 + place * n_classes // n_others) % n_classes
            best[n_nearest + place] = other
            near = values[other] > values[last] or (values[other] == values[last] and other <= last)
            log_counts[row, n_nearest + place] = _NONE if near else 0
            left += not near
        for place in range(n_nearest, n_nearest + n_others):
            if log_counts[row, place] == 0:
                log_counts[row, place] = np.log((n_classes - n_nearest) / left)
        found = -1
        for place in range(n_nearest + n_others):
            if best[place] == y[row] and log_counts[row, place] >= 0:
                found = place
        if found < 0:  # the last one gives way
            found = n_nearest + n_others - 1
            best[found], log_counts[row, found] = y[row], 0
        truth[row] = found


@compiled(nogil=True)
def _nearest(values, best):
    """Find the places of the largest values, in descending order, of equal ones the first."""
    n_found = 0
    for place in range(len(values)):
        value = values[place]
        if n_found == len(best):
            if value <= values[best[n_found - 1]]:
                continue
            n_found -= 1
        at = n_found
        while at > 0 and values[best[at - 1]] < value:
            best[at] = best[at - 1]
            at -= 1
        best[at] = place
        n_found += 1


def sums_at(X, table, classes):
    """Add up what the terms of documents say for some classes of each.

    Parameters
    ----------
    X : csr_array of shape (n_documents, n_terms), float32
        Documents.
    table : csr_array of shape (n_classes, n_terms), float32
        What each term says for each class.
    classes : ndarray of shape (n_documents, n_candidates), int
        Classes of each document.

    Returns
    -------
    ndarray of shape (n_documents, n_candidates), float32
        Sums.
    """
    sums = np.zeros(classes.shape, dtype=np.float32)
    row = np.zeros(X.shape[1], dtype=np.float32)
    _add_up(X.indptr, X.indices, X.data, table.indptr, table.indices, table.data, classes, row, sums)
    return sums


@compiled(nogil=True)
def _add_up(starts, terms, values, table_starts, table_terms, table_values, classes, row, sums):
    for number in range(len(classes)):
        for entry in range(starts[number], starts[number + 1]):
            row[terms[entry]] = values[entry]
        for place in range(classes.shape[1]):
            own = classes[number, place]
            for entry in range(table_starts[own], table_starts[own + 1]):
                sums[number, place] += row[table_terms[entry]] * table_values[entry]
        for entry in range(starts[number], starts[number + 1]):
            row[terms[entry]] = 0
