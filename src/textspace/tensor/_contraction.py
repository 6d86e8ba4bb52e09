"""Sparse document tensors contracted with all modes but one: what each class of documents shares."""

from functools import reduce
from typing import NamedTuple

import numpy as np
from scipy.linalg import khatri_rao

from textspace._compiled import compiled


class ModeLayout(NamedTuple):
    """Entries of the documents sorted by document and by index in one mode, for contractions in one pass.

    A cell is a document and an index in the mode. Cells begin at `starts` of the entries `values` and have
    the index `indices` in the mode; the cells of each document begin at `indptr`. An entry has its place in
    the other modes in `others`, the index in the first of them running fastest.
    """

    values: np.ndarray
    others: np.ndarray
    starts: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray


def mode_layout(X, shape, mode):
    """Sort the entries of CSR documents for contractions that leave one mode.

    Column f is the tensor entry ``np.unravel_index(f, shape, order="F")``.
    """
    places = np.unravel_index(X.indices, shape, order="F")
    others = np.zeros(len(X.indices), dtype=np.int64)
    for other in reversed([m for m in range(len(shape)) if m != mode]):
        others = others * shape[other] + places[other]
    documents = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    cells = documents * np.int64(shape[mode]) + places[mode]
    order = np.argsort(cells, kind="stable")
    cells = cells[order]
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    documents, indices = np.divmod(cells[starts], shape[mode])
    return ModeLayout(
        values=X.data[order].astype(np.float64),
        others=others[order].astype(np.int32),
        starts=np.append(starts, len(cells)),
        indices=indices.astype(np.int32),
        indptr=np.searchsorted(documents, np.arange(X.shape[0] + 1)),
    )


def flat_terms(factors):
    """Give the outer products of equal columns of all factors, one a column of the result.

    Factors have the shape (size, rank); products are flattened with the first index running fastest.
    """
    return reduce(lambda product, factor: khatri_rao(factor, product), factors)


def contract(layout, basis):
    """Multiply the documents with each column of a basis of the other modes.

    Gives data, indices and indptr of a sparse matrix, one document a row: column ``i * rank + r`` belongs to
    index i in the mode that is left and to vector r.
    """
    rank = basis.shape[1]
    data = _contract(layout.values, layout.others, layout.starts, np.ascontiguousarray(basis))
    if rank == 1:
        return data, layout.indices, layout.indptr
    indices = layout.indices[:, None] * np.int32(rank) + np.arange(rank, dtype=np.int32)
    return data, indices.ravel(), layout.indptr * rank


@compiled(nogil=True)
def _contract(values, others, starts, basis):
    n_cells, rank = len(starts) - 1, basis.shape[1]
    data = np.zeros(n_cells * rank)
    for cell in range(n_cells):
        if rank == 1:  # as often as not; kept in a register
            total = 0.0
            for k in range(starts[cell], starts[cell + 1]):
                total += values[k] * basis[others[k], 0]
            data[cell] = total
        else:
            for k in range(starts[cell], starts[cell + 1]):
                for r in range(rank):
                    data[cell * rank + r] += values[k] * basis[others[k], r]
    return data
