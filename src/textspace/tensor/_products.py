"""Sparse document tensors times factors, one block of the product at a time."""

from concurrent.futures import ThreadPoolExecutor
from math import prod

import numpy as np
from scipy import sparse
from scipy.linalg import khatri_rao
from sklearn.utils import gen_batches
from sklearn.utils.extmath import safe_sparse_dot

from textspace._compiled import blas_threads, thread_count

_BLOCK = 2**23  # entries of a product that one thread holds at a time


def unfold(X, shape, mode):
    """Flatten the documents' tensors so that one mode runs over rows and the others over columns.

    Column f of X is the tensor entry ``np.unravel_index(f, shape, order="F")``; entries past the last column
    are zero. Row ``i * n_samples + document`` of the result holds the entries of the document whose index in
    the mode is i. Over the columns, the index in the first of the other modes runs fastest.

    Two documents, the first a matrix with the columns (1, 2) and (3, 4):

    >>> unfold(np.array([[1, 2, 3, 4], [5, 6, 7, 8]]), (2, 2), mode=0)
    array([[1, 3],
           [5, 7],
           [2, 4],
           [6, 8]])
    """
    n_samples, below, size = X.shape[0], prod(shape[:mode]), shape[mode]
    flat = size * n_samples, prod(shape) // size
    if sparse.issparse(X):
        X = X.tocoo()
        above, low = np.divmod(X.col.astype(np.int64), below)
        high, place = np.divmod(above, size)
        return sparse.csr_array((X.data, (place * n_samples + X.row, low + below * high)), shape=flat)
    padded = np.zeros((n_samples, prod(shape)), dtype=X.dtype)
    padded[:, : X.shape[1]] = X
    return np.moveaxis(padded.reshape(n_samples, -1, size, below), 2, 0).reshape(flat)


def kronecker_columns(factors, columns):
    """Give columns of the Kronecker product of factors, the index of the first running fastest."""
    product = np.ones((1, len(columns)), dtype=factors[0].dtype if factors else None)
    for factor in factors:
        columns, place = np.divmod(columns, factor.shape[1])
        product = khatri_rao(factor[:, place], product)
    return np.ascontiguousarray(product)


def gram(X, shape, mode):
    """Give the inner products of the slices of all documents in one mode, float64.

    That is ``sum_i X_i(k) @ X_i(k).T`` for the documents X_i(k) flattened along mode k.
    """

    def part(block):
        slices = unfold(X[block], shape, mode).reshape(shape[mode], -1).astype(np.float64)
        return safe_sparse_dot(slices, slices.T, dense_output=True)

    # dense slices hold every entry; sparse ones, when they are multiplied, a pointer for each column
    entries = prod(shape) // (shape[mode] if sparse.issparse(X) else 1)
    return sum(_in_threads(part, gen_batches(X.shape[0], max(1, _BLOCK // entries))))


def scatter(unfolding, half_graph, others):
    """Give the scatter of the documents in one mode, the other modes projected, as a graph L weighs it.

    That is ``sum_ij L_ij Y_i @ Y_j.T``, float64, where ``Y_i = X_i(k) @ K`` and K is the Kronecker product of
    the factors `others`. `half_graph` is H with ``H + H.T = L``: half as many products serve, as the result
    is symmetric.
    """
    n_samples = half_graph.shape[0]
    size = unfolding.shape[0] // n_samples
    n_columns = prod(factor.shape[1] for factor in others)

    def part(block):
        projected = unfolding @ kronecker_columns(others, np.arange(n_columns)[block])
        projected = projected.reshape(size, n_samples, -1)
        weighted = np.stack([half_graph @ each for each in projected])
        return (projected.reshape(size, -1) @ weighted.reshape(size, -1).T).astype(np.float64)

    half = sum(_in_threads(part, gen_batches(n_columns, max(1, _BLOCK // max(unfolding.shape)))))
    return half + half.T


def project(X, shape, factors):
    """Project every mode of the documents' tensors: ``X_i x_1 U_1.T x_2 U_2.T ...``, flattened alike."""
    *others, last = factors
    kronecker = kronecker_columns(others, np.arange(prod(factor.shape[1] for factor in others)))
    n_columns = last.shape[1] * kronecker.shape[1]
    projected = np.empty((X.shape[0], n_columns), dtype=np.result_type(X, last))

    def fill(block):
        documents = unfold(X[block], shape, len(shape) - 1) @ kronecker  # the last mode still whole
        tensors = last.T @ documents.reshape(len(last), -1)
        tensors = tensors.reshape(last.shape[1], -1, kronecker.shape[1])
        projected[block] = np.moveaxis(tensors, 0, 1).reshape(-1, n_columns)

    n_rows = max(1, _BLOCK // (len(last) * kronecker.shape[1]))
    # the products are spread over the cores by us: threads of the BLAS would only wait for them
    with blas_threads(1):
        list(_in_threads(fill, gen_batches(X.shape[0], n_rows)))
    return projected


def _in_threads(function, blocks):
    """Map over all cores; results come in the order of the blocks, whatever the number of threads."""
    blocks = list(blocks)
    if len(blocks) == 1:
        return map(function, blocks)
    with ThreadPoolExecutor(thread_count()) as pool:
        return pool.map(function, blocks)
