"""Sparse document tensors contracted with all modes but one: what each class of documents shares."""

from functools import reduce
from typing import NamedTuple

import numba
import numpy as np
from scipy.linalg import khatri_rao


class ModeLayout(NamedTuple):
    """Entries of the documents sorted by document and by index in one mode, for contractions in one pass.

    Attributes
    ----------
    values : ndarray of shape (nnz,), float64
        The entries.
    others : ndarray of shape (nnz,), int32
        Place of each entry in the other modes, the index in the first of them running fastest.
    starts : ndarray of shape (n_cells + 1,), int64
        Where the entries of each cell begin; a cell is a document and an index in the mode.
    indices : ndarray of shape (n_cells,), int32
        Index in the mode.
    indptr : ndarray of shape (n_samples + 1,), int64
        Where the cells of each document begin.
    """

    values: np.ndarray
    others: np.ndarray
    starts: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray


def mode_layout(X, shape, mode):
    """Sort the entries of documents for contractions that leave one mode.

    Parameters
    ----------
    X : csr matrix of shape (n_samples, n_features)
        Documents; column f is the tensor entry ``np.unravel_index(f, shape, order="F")``.
    shape : tuple of int
        Mode sizes.
    mode : int
        The mode that is left.

    Returns
    -------
    ModeLayout
        The sorted entries.
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
    """Rank-one tensors, flattened with the first index running fastest.

    Parameters
    ----------
    factors : list of ndarray of shape (size, rank)
        One matrix a mode; term r is the outer product of their columns r.

    Returns
    -------
    ndarray of shape (product of sizes, rank)
        The terms, one a column.
    """
    return reduce(lambda product, factor: khatri_rao(factor, product), factors)


def contract(layout, basis):
    """Multiply the documents with each column of a basis of the other modes.

    Parameters
    ----------
    layout : ModeLayout
        Documents.
    basis : ndarray of shape (product of the other mode sizes, rank)
        Vectors.

    Returns
    -------
    tuple (data, indices, indptr)
        A sparse matrix, one document a row: column ``i * rank + r`` belongs to index i and vector r.
    """
    rank = basis.shape[1]
    data = _contract(layout.values, layout.others, layout.starts, np.ascontiguousarray(basis))
    if rank == 1:
        return data, layout.indices, layout.indptr
    indices = layout.indices[:, None] * np.int32(rank) + np.arange(rank, dtype=np.int32)
    return data, indices.ravel(), layout.indptr * rank


@numba.njit(nogil=True, cache=True)
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
