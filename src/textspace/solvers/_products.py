"""Products with a document matrix, over all cores."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numba
import numpy as np
from scipy import sparse

_FEW = 500_000  # multiplications that are done before other threads have begun


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
        n_threads = numba.config.NUMBA_NUM_THREADS
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
