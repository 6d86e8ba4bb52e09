"""What terms are worth: weights by which documents that were held out find their classes."""

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from textspace._compiled import compiled

_PENALTY = 1.0  # on the squared logarithms of the weights
_START = np.log(8), 0.2  # of the common factor, its logarithm, and of the multiple
_FURTHEST = 5.0  # that any of these goes: a step too far would leave the numbers there are
_STEPS = 12  # of L-BFGS; more of them fit the documents at hand and no others


class Matches(NamedTuple):
    """What terms say for some classes of documents.

    Attributes
    ----------
    values : csr_array of shape (n_documents * n_candidates, n_terms), float32
        What each term of a document says for each of its candidates, one after the other.
    truth : ndarray of shape (n_documents,), int
        Which of its candidates is the class of a document.
    sizes : ndarray of shape (n_documents, n_candidates)
        Logarithms of the number of documents of the candidates.
    """

    values: sparse.csr_array
    truth: np.ndarray
    sizes: np.ndarray


def find_matches(X, y, table, sums, sizes, *, n_candidates):
    """Find the terms that documents share with the classes that come nearest to them.

    A document whose class is not among these tells nothing, and is left out.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_terms), float32
        Documents.
    y : ndarray of shape (n_samples,), int
        Their classes.
    table : csr_array of shape (n_classes, n_terms), float32
        What each term says for each class, zero or more.
    sums : ndarray of shape (n_samples, n_classes)
        Products of documents and table.
    sizes : ndarray of shape (n_classes,), int
        Number of documents of each class in the table.
    n_candidates : int
        Number of classes that are looked at; all, where there are fewer.

    Returns
    -------
    Matches
        What terms add to the sums, divided by the largest sum of each document.
    """
    n_candidates = min(n_candidates, sums.shape[1])
    candidates = np.argpartition(sums, -n_candidates, axis=1)[:, -n_candidates:]
    own = candidates == y[:, None]
    known = np.flatnonzero(own.any(axis=1) & (sums[np.arange(len(y)), y] > 0))
    candidates = candidates[known]
    X = sparse.diags_array(1 / sums[known].max(axis=1)).astype(np.float32) @ X[known]
    ends, terms, values = _products(
        X.indptr, X.indices, X.data, table.indptr, table.indices, table.data, candidates, X.shape[1]
    )
    shape = candidates.size, X.shape[1]
    return Matches(
        sparse.csr_array((values, terms, ends), shape=shape),
        own[known].argmax(axis=1),
        np.log(np.maximum(sizes, 0.5))[candidates],
    )


def stack_matches(parts):
    """Put the matches of several lots of documents together."""
    values = sparse.vstack([part.values for part in parts], format="csr")
    truth, sizes = (np.concatenate([part[each] for part in parts]) for each in (1, 2))
    return Matches(values, truth, sizes)


def learn_term_weights(matches):
    """Weigh terms so that documents find their class among the candidates.

    With weights ``exp(u_t)``, a common factor, and a multiple of the logarithm of the classes' sizes, the log
    loss of the softmax of the weighted sums, plus the squared length of u, is lowered by a few steps of
    L-BFGS. A term that no document held out has in common with a class keeps the weight 1.

    Parameters
    ----------
    matches : Matches
        What terms say for the candidates of documents that were held out.

    Returns
    -------
    ndarray of shape (n_terms,), float32
        Weights above zero.
    """
    n_terms, n_documents = matches.values.shape[1], len(matches.truth)
    if not n_documents:
        return np.ones(n_terms, dtype=np.float32)
    values = matches.values
    turned = values.T
    own = np.arange(n_documents), matches.truth

    def loss(parameters):
        parameters = parameters.clip(-_FURTHEST, _FURTHEST)
        factor, logarithms = np.exp(parameters[0]), parameters[2:]
        weights = np.exp(logarithms)
        sums = factor * (values @ weights.astype(np.float32)).reshape(n_documents, -1)
        sums += parameters[1] * matches.sizes
        sums -= sums.max(axis=1, keepdims=True)
        shares = np.exp(sums)
        totals = shares.sum(axis=1, keepdims=True)
        value = np.log(totals).sum() - sums[own].sum() + _PENALTY * logarithms @ logarithms
        shares /= totals
        shares[own] -= 1
        slopes = factor * weights * (turned @ shares.ravel().astype(np.float32))
        first = slopes.sum(), np.vdot(shares, matches.sizes)
        return value, np.concatenate([first, slopes + 2 * _PENALTY * logarithms])

    start = np.zeros(n_terms + 2)
    start[:2] = _START
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x
    return np.exp(best[2:].clip(-_FURTHEST, _FURTHEST)).astype(np.float32)


def _products(starts, terms, values, table_starts, table_terms, table_values, candidates, n_terms):
    """Multiply each row of a CSR array with some rows of a table: ends, columns and data of the products."""
    arrays = starts, terms, values, table_starts, table_terms, table_values, candidates
    ends = np.zeros(candidates.size + 1, dtype=np.int64)
    _multiply(*arrays, np.zeros(n_terms, np.float32), ends, np.empty(0, np.int32), np.empty(0, np.float32))
    out = np.empty(ends[-1], dtype=np.int32), np.empty(ends[-1], dtype=np.float32)
    _multiply(*arrays, np.zeros(n_terms, np.float32), ends, *out)
    return ends, *out


@compiled(nogil=True)
def _multiply(
    starts,
    terms,
    values,
    table_starts,
    table_terms,
    table_values,
    candidates,
    row,
    ends,
    columns,
    products,
):
    """Set the ends of the products, and the products themselves where there is room for them."""
    n_rows, n_candidates = candidates.shape
    found = 0
    for number in range(n_rows):
        for entry in range(starts[number], starts[number + 1]):
            row[terms[entry]] = values[entry]
        for place in range(n_candidates):
            own = candidates[number, place]
            for entry in range(table_starts[own], table_starts[own + 1]):
                value = row[table_terms[entry]]
                if value != 0:
                    if len(columns) > 0:
                        columns[found] = table_terms[entry]
                        products[found] = value * table_values[entry]
                    found += 1
            ends[number * n_candidates + place + 1] = found
        for entry in range(starts[number], starts[number + 1]):
            row[terms[entry]] = 0
