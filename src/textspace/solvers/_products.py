"""Products with a document matrix, over all cores."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from scipy import sparse

from textspace._compiled import compiled, thread_count
from textspace._validation import check_rows

_FEW = 500_000  # multiplications that are done before other threads have begun
_WIDTH = (
    16  # numbers that are handled together: rows that are a multiple of it take less time than shorter ones
)


class GramProducts:
    """Products ``X @ (scale**2 * (X.T @ V))`` with tall, thin, dense V: nothing as long as the terms is made.

    The entries of a sparse X are put in the order of the terms. For each term, V is added up over its
    documents, and what comes out is dealt out to them again. V has a row a document and stays in the cache,
    while the two products of :class:`DocumentProducts` walk through a row a term. The terms are divided among
    the threads. A dense X is left to the BLAS.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from textspace.solvers import GramProducts
    >>> products = GramProducts(sparse.csr_array(np.array([[1.0, 0.0], [2.0, 3.0]])))
    >>> products(np.array([[1.0], [1.0]]))
    array([[ 3.],
           [15.]])
    """

    def __init__(self, X):
        self._X = X = check_rows(X)
        if not sparse.issparse(X):
            return
        self._X = sparse.csc_array(X)
        n_threads = thread_count()
        cuts = np.searchsorted(self._X.indptr, np.linspace(0, self._X.nnz, n_threads + 1)[1:-1])
        self._ranges = list(pairwise(sorted({0, *cuts, X.shape[1]})))
        self._map = ThreadPoolExecutor(n_threads).map if len(self._ranges) > 1 else map

    def __call__(self, V, squares=None):
        """Multiply with the Gram matrix, which is not formed.

        Parameters
        ----------
        V : ndarray of shape (n_samples, k)
            Columns to multiply.
        squares : ndarray of shape (n_features, k), optional
            Square of the scale of each term for each column; one by default.

        Returns
        -------
        ndarray of shape (n_samples, k)
            The products.
        """
        if not sparse.issparse(self._X):
            image = self._X.T @ V
            return self._X @ (image if squares is None else squares * image)
        n_columns = V.shape[1]
        wide = np.zeros((len(V), -(-n_columns // _WIDTH) * _WIDTH), V.dtype)
        wide[:, :n_columns] = V
        squares = np.empty((0, 0), V.dtype) if squares is None else squares

        def part(terms):
            out = np.zeros_like(wide)
            _add_gram(*terms, self._X.indptr, self._X.indices, self._X.data, wide, squares, out)
            return out

        return np.ascontiguousarray(sum(self._map(part, self._ranges))[:, :n_columns])


@compiled(nogil=True, fastmath={"contract", "reassoc"})
def _add_gram(first, last, indptr, indices, data, V, squares, out):
    """Add ``x x.T V`` for the columns x of X from the first to the last, scaled where there are squares.

    Four documents are added up at a time, so that the sums are read and written a fourth as often.
    """
    n_columns = V.shape[1]
    total = np.empty(n_columns, V.dtype)
    for term in range(first, last):
        total[:] = 0
        start, end = indptr[term], indptr[term + 1]
        fours = start + (end - start) // 4 * 4
        for entry in range(start, fours, 4):
            a, b, c, d = data[entry], data[entry + 1], data[entry + 2], data[entry + 3]
            row_a, row_b = V[indices[entry]], V[indices[entry + 1]]
            row_c, row_d = V[indices[entry + 2]], V[indices[entry + 3]]
            for column in range(n_columns):
                total[column] += a * row_a[column] + b * row_b[column] + c * row_c[column] + d * row_d[column]
        for entry in range(fours, end):
            weight, row = data[entry], V[indices[entry]]
            for column in range(n_columns):
                total[column] += weight * row[column]
        if squares.size > 0:
            for column in range(squares.shape[1]):
                total[column] *= squares[term, column]
        for entry in range(start, end):
            weight, row = data[entry], out[indices[entry]]
            for column in range(n_columns):
                row[column] += weight * total[column]


class DocumentProducts:
    """Products ``X @ V`` and ``X.T @ W`` with tall, thin, dense V and W.

    A sparse X is cut into row blocks of about equal numbers of entries, one a thread: scipy's products
    release the interpreter lock but use one core each. Small products are not given to threads, with the
    same result. A dense X is left to the BLAS.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from textspace.solvers import DocumentProducts
    >>> products = DocumentProducts(sparse.csr_array(np.array([[1.0, 0.0], [2.0, 3.0]])))
    >>> products.gram(np.array([[1.0], [1.0]]))
    array([[ 3.],
           [15.]])
    """

    def __init__(self, X):
        X = check_rows(X)
        n_threads = thread_count()
        cuts = {0, X.shape[0]}
        if sparse.issparse(X):
            cuts |= {*np.searchsorted(X.indptr, np.linspace(0, X.nnz, n_threads + 1)[1:-1])}
        self._ranges = list(pairwise(sorted(cuts)))
        self._blocks = [X] if len(self._ranges) == 1 else [_rows(X, *each) for each in self._ranges]
        self._pool = ThreadPoolExecutor(n_threads) if len(self._blocks) > 1 else None
        self._n_entries = X.nnz if sparse.issparse(X) else X.size

    def apply(self, V):
        """Multiply with X.

        Parameters
        ----------
        V : ndarray of shape (n_features, k)
            Columns to multiply.

        Returns
        -------
        ndarray of shape (n_samples, k)
            ``X @ V``.
        """
        return np.concatenate(list(self._map(V)(lambda block: block @ V, self._blocks)))

    def apply_transposed(self, W):
        """Multiply with the transpose of X.

        Parameters
        ----------
        W : ndarray of shape (n_samples, k)
            Columns to multiply.

        Returns
        -------
        ndarray of shape (n_features, k)
            ``X.T @ W``.
        """
        parts = [W[start:stop] for start, stop in self._ranges]
        return sum(self._map(W)(lambda block, part: block.T @ part, self._blocks, parts))

    def gram(self, W):
        """Multiply with the Gram matrix of X, which is not formed.

        Parameters
        ----------
        W : ndarray of shape (n_samples, k)
            Columns to multiply.

        Returns
        -------
        ndarray of shape (n_samples, k)
            ``X @ (X.T @ W)``.
        """
        return self.apply(self.apply_transposed(W))

    def _map(self, columns):
        """Give the function that maps over the blocks: that of the threads where they pay."""
        n_columns = columns.shape[1] if columns.ndim > 1 else 1
        return map if self._pool is None or self._n_entries * n_columns < _FEW else self._pool.map


def tall(rows):
    """Transpose between rows of vectors and the tall arrays that sparse products are quick with."""
    return np.ascontiguousarray(rows.T)


def _rows(X, start, stop):
    """Rows start..stop of a CSR matrix, without copying its entries."""
    entries = slice(X.indptr[start], X.indptr[stop])
    return sparse.csr_array(
        (X.data[entries], X.indices[entries], X.indptr[start : stop + 1] - X.indptr[start]),
        shape=(stop - start, X.shape[1]),
    )
