"""Arrays of documents: blocks of columns, unit rows, products, tables on a grid."""

import numpy as np
from scipy import sparse

from textspace._compiled import compiled

_FULL = 0.25  # share of entries in the rows that documents ask for from which on a table is sooner made dense
_LARGER = 4  # times as many entries that a dense table may have as the table and the documents together
_ASKED = 1000  # entries of documents that tell which rows they ask for
_STEPS = 16  # into which the root mean square of a table is cut


def block_of(X, columns):
    """Give the columns of a block, a slice or ascending positions, of a CSR array in the order of columns."""
    if not isinstance(columns, slice):
        return X[:, columns]
    if columns == slice(0, X.shape[1]):
        return X
    indptr, indices, data = _between(X.indptr, X.indices, X.data, columns.start, columns.stop)
    block = sparse.csr_array((data, indices, indptr), shape=(X.shape[0], columns.stop - columns.start))
    block.has_canonical_format = True
    return block


@compiled(nogil=True, steps=lambda indptr, *_: indptr.size)
def _between(indptr, indices, data, start, stop):
    """Give the same for the entries of some columns: as rows are sorted, they stand together in each."""
    firsts = np.empty(len(indptr) - 1, indptr.dtype)
    ends = np.zeros_like(indptr)
    for row in range(len(firsts)):
        own = indices[indptr[row] : indptr[row + 1]]
        first = np.searchsorted(own, start)
        firsts[row] = indptr[row] + first
        ends[row + 1] = ends[row] + max(0, np.searchsorted(own, stop) - first)
    columns, values = np.empty(ends[-1], indices.dtype), np.empty(ends[-1], data.dtype)
    for row in range(len(firsts)):
        for place in range(ends[row], ends[row + 1]):
            entry = firsts[row] + place - ends[row]
            if not start <= indices[entry] < stop:
                raise ValueError("the entries of a row are not in the order of the columns")
            columns[place] = indices[entry] - start
            values[place] = data[entry]
    return ends, columns, values


def entries_of(x, columns):
    """Find the entries of one document, a row in the order of the columns, that lie in a block of columns.

    Their places among all entries are given, and the row in the block alone, of shape (1, n_columns).
    """
    if isinstance(columns, slice):
        entries = np.flatnonzero((x.indices >= columns.start) & (x.indices < columns.stop))
        places, n_columns = x.indices[entries] - columns.start, columns.stop - columns.start
    else:
        entries = np.flatnonzero(np.isin(x.indices, columns))
        places, n_columns = np.searchsorted(columns, x.indices[entries]), len(columns)
    row = x.data[entries], places, np.array([0, len(entries)])
    return entries, sparse.csr_array(row, shape=(1, n_columns))


def unit_rows(rows):
    """Divide rows by their lengths; zero rows stay."""
    return rows * inverse(np.linalg.norm(rows, axis=1))[:, None]


def inverse(lengths):
    """Give 1 over each length, and 0 for 0."""
    return np.divide(1.0, lengths, where=lengths > 0, out=np.zeros_like(lengths))


def on_a_grid(matrix):
    """Round to multiples of a power of two that is at most a 16th of the root mean square.

    Sums of many rounded entries hardly change, while a compressed file of them is less than half as large.
    """
    if not matrix.size:
        return matrix
    size = np.sqrt(np.mean(matrix**2, dtype=np.float64)) or 1.0
    step = np.float32(2 ** np.floor(np.log2(size / _STEPS)))
    return np.rint(matrix / step) * step


def _check_columns(X, table):
    """Refuse documents of other columns than the table has rows: compiled code would look beyond its end."""
    if X.shape[1] != table.shape[0]:
        raise ValueError(f"the documents have {X.shape[1]} columns, but the table has {table.shape[0]} rows.")


def _n_sums(indptr, *others):
    """Give the most numbers that compiled code adds up."""
    return indptr[-1] * others[-1].shape[1]


def relative(sums):
    """Divide rows by the largest of each; those that have none above zero stay."""
    return sums / largest(sums)[..., None]


def largest(sums):
    """Give the largest of each row, or 1 where none is above zero."""
    most = sums.max(axis=-1)
    return np.where(most > 0, most, np.ones_like(most))


def dense_product(X, table, dtype=np.float32):
    """Product of two CSR arrays as a dense array, quicker than by way of a sparse one."""
    _check_columns(X, table)
    if X.nnz >= table.shape[0] and _is_full(table, X):
        return dot(X, table.toarray()).astype(dtype, copy=False)
    out = np.zeros((X.shape[0], table.shape[1]), dtype=dtype)
    data = X.data.astype(dtype, copy=False)
    _add_sparse_products(X.indptr, X.indices, data, table.indptr, table.indices, table.data, out)
    return out


def _is_full(table, X):
    """Whether there is room for a dense table, and documents ask for rows that have most of their entries."""
    n_rows, n_columns = table.shape
    if n_rows * n_columns > _LARGER * (table.nnz + X.nnz):
        return False
    asked = X.indices[:: -(-X.nnz // _ASKED)]
    return np.mean(table.indptr[asked + 1] - table.indptr[asked]) >= _FULL * n_columns


@compiled(nogil=True, steps=_n_sums)
def _add_sparse_products(indptr, indices, data, starts, columns, values, out):
    for row in range(len(out)):
        for entry in range(indptr[row], indptr[row + 1]):
            weight, source = data[entry], indices[entry]
            for place in range(starts[source], starts[source + 1]):
                out[row, columns[place]] += weight * values[place]


def dot(X, coef):
    """Product of a CSR array and a dense matrix, added up in double precision without a copy of either."""
    _check_columns(X, coef)
    out = np.zeros((X.shape[0], coef.shape[1]))
    _add_products(X.indptr, X.indices, X.data, coef, out)
    return out


@compiled(nogil=True, steps=_n_sums)
def _add_products(indptr, indices, data, coef, out):
    for row in range(len(out)):
        for entry in range(indptr[row], indptr[row + 1]):
            weight = np.float64(data[entry])
            source = coef[indices[entry]]
            for column in range(out.shape[1]):
                out[row, column] += weight * source[column]
