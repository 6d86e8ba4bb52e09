"""Kernels between documents."""

from concurrent.futures import ThreadPoolExecutor
from numbers import Real

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from textspace._compiled import compiled, thread_count
from textspace._parameters import COUNT, Interval, one_of

# what the estimators of this room declare of the parameters of their kernel
KERNEL_CONSTRAINTS = {
    "kernel": [one_of("gaussian", "polynomial", "linear")],
    "sigma": [Interval(Real, 1e-9, 1e18, closed="both")],  # its square is to be a number in single precision
    "degree": [COUNT],
}


def kernel_matrix(X, Y, *, kernel="gaussian", sigma=3.0, degree=2):
    """Give the kernel of every row of X with every row of Y, in their precision.

    The kernels are ``exp(-||x - y||^2 / sigma^2)``, ``(1 + <x, y>)^degree`` and ``<x, y>``. Sparse rows meet
    through an inverted index of Y, so that the cost is the number of pairs of equal terms, and the result is
    the only dense matrix that is formed.

    >>> X = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> kernel_matrix(X, X, kernel="polynomial", degree=3)
    array([[8., 1.],
           [1., 8.]])
    """
    # in place from here on: a second matrix of this size would double the memory
    K = _inner_products(X, Y)
    if kernel == "gaussian":
        K *= -2
        K += row_norms(X, squared=True)[:, None]
        K += row_norms(Y, squared=True)
        np.maximum(K, 0, out=K)
        K /= -(sigma**2)
        np.exp(K, out=K)
    elif kernel == "polynomial":
        K += 1
        np.power(K, degree, out=K)
    return K


def _inner_products(X, Y):
    if not (sparse.issparse(X) and sparse.issparse(Y)):
        return np.ascontiguousarray(safe_sparse_dot(X, Y.T, dense_output=True))
    if X.shape[1] != Y.shape[1]:  # compiled code would look beyond the end of the index
        raise ValueError(f"rows of {X.shape[1]} and of {Y.shape[1]} columns have no inner products.")
    rows, postings = X.tocsr(), Y.tocsc()
    out = np.zeros((X.shape[0], Y.shape[0]), dtype=np.result_type(X.dtype, Y.dtype))
    n_threads = thread_count()

    def accumulate(thread):
        _accumulate(
            thread,
            n_threads,
            (rows.data, rows.indices, rows.indptr),
            (postings.data, postings.indices, postings.indptr),
            out,
        )

    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(accumulate, range(n_threads)))
    return out


@compiled(nogil=True)
def _accumulate(first, step, rows, terms, out):
    """Add the inner products of rows first, first + step, ... with all documents of the index."""
    data, columns, starts = rows
    posting_data, posting_rows, posting_starts = terms
    for i in range(first, out.shape[0], step):
        products = out[i]
        for p in range(starts[i], starts[i + 1]):
            term, value = columns[p], data[p]
            for q in range(posting_starts[term], posting_starts[term + 1]):
                products[posting_rows[q]] += value * posting_data[q]
