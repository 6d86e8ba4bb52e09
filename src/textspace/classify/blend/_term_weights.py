"""What terms are worth: weights by which documents that were held out find their classes."""

from typing import NamedTuple

import numpy as np

from textspace._compiled import compiled

_PENALTY = 1.0  # on the squared logarithms of the weights
_START = np.log(8), 0.2  # of the common factor, its logarithm, and of the multiple
_FURTHEST = 5.0  # that any of these goes: a step too far would leave the numbers there are
_STEPS = 12  # of L-BFGS; more of them fit the documents at hand and no others


class Matches(NamedTuple):
    """What the terms of documents say for their candidates.

    Attributes
    ----------
    ends : ndarray of shape (n_documents * n_candidates + 1,), int64
        Where the terms end that a document shares with each of its candidates, one after the other.
    terms : ndarray of shape (n_matches,), int32
        Columns of the terms.
    values : ndarray of shape (n_matches,), float32
        What each says.
    """

    ends: np.ndarray
    terms: np.ndarray
    values: np.ndarray

    def sums(self, weights, shape):
        """Give the weighted sums of all candidates, of shape (n_documents, n_candidates), float32."""
        sums = np.zeros(shape, dtype=np.float32)
        _add_weighted(*self, weights, sums.reshape(-1))
        return sums


def find_matches(X, table, classes):
    """Find the terms that documents share with some classes.

    Parameters
    ----------
    X : csr_array of shape (n_documents, n_terms), float32
        Documents.
    table : csr_array of shape (n_classes, n_terms), float32
        What each term says for each class, zero or more.
    classes : ndarray of shape (n_documents, n_candidates), int
        Classes of each document.

    Returns
    -------
    Matches
        What each term adds to the sum of a class, divided by the largest sum of the document.
    """
    ends = np.zeros(classes.size + 1, dtype=np.int64)
    most = classes.shape[1] * X.nnz  # only as much of it is ever touched as there are matches
    terms, values = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.float32)
    row = np.zeros(X.shape[1], dtype=np.float32)
    arrays = X.indptr, X.indices, X.data, table.indptr, table.indices, table.data
    _multiply(*arrays, classes, row, ends, terms, values)
    return Matches(ends, terms[: ends[-1]].copy(), values[: ends[-1]].copy())


def stack_matches(parts):
    """Put the matches of several lots of documents together."""
    starts = np.cumsum([0, *(part.ends[-1] for part in parts)])
    ends = [part.ends[1:] + start for part, start in zip(parts, starts, strict=False)]
    terms, values = (np.concatenate([part[each] for part in parts]) for each in (1, 2))
    return Matches(np.concatenate([[0], *ends]), terms, values)


def learn_term_weights(matches, truth, sizes, log_counts, *, n_terms):
    """Weigh terms so that documents find their class among the candidates.

    With weights ``exp(u_t)``, a common factor, and a multiple of the logarithm of the classes' sizes, the log
    loss of the softmax of the weighted sums, plus the squared length of u, is lowered by a few steps of
    L-BFGS. A term that no document held out has in common with a class keeps the weight 1.

    Parameters
    ----------
    matches : Matches
        What terms say for the candidates of documents that were held out.
    truth : ndarray of shape (n_documents,), int32
        Which of its candidates is the class of a document; -1 for a document that is left out.
    sizes : ndarray of shape (n_documents, n_candidates), float32
        Logarithms of the number of documents of the candidates.
    log_counts : ndarray of shape (n_documents, n_candidates), float32
        Logarithms of the number of classes that each candidate stands for.
    n_terms : int
        Number of terms.

    Returns
    -------
    ndarray of shape (n_terms,), float32
        Weights above zero.
    """
    if not np.any(truth >= 0):
        return np.ones(n_terms, dtype=np.float32)
    from scipy.optimize import minimize  # which takes long to load, and answers need none

    def loss(parameters):
        parameters = parameters.clip(-_FURTHEST, _FURTHEST)
        factor, logarithms = np.exp(parameters[0]), parameters[2:]
        weights, slopes = np.exp(logarithms), np.zeros(n_terms)
        value, multiple_slope = _log_loss(
            *matches, truth, sizes, log_counts, weights.astype(np.float32), factor, parameters[1], slopes
        )
        slopes *= weights
        return (
            value + _PENALTY * logarithms @ logarithms,
            np.concatenate([[slopes.sum(), multiple_slope], slopes + 2 * _PENALTY * logarithms]),
        )

    start = np.zeros(n_terms + 2)
    start[:2] = _START
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x
    return np.exp(best[2:].clip(-_FURTHEST, _FURTHEST)).astype(np.float32)


@compiled(nogil=True)
def _log_loss(ends, terms, values, truth, sizes, log_counts, weights, factor, multiple, slopes):
    """Give the log loss and its slope by the multiple; add those by the weights to `slopes`."""
    n_documents, n_candidates = sizes.shape
    shares = np.empty(n_candidates)
    loss, slope = 0.0, 0.0
    for number in range(n_documents):
        if truth[number] < 0:
            continue
        first, largest = number * n_candidates, -np.inf
        for place in range(n_candidates):
            total = 0.0
            for entry in range(ends[first + place], ends[first + place + 1]):
                total += values[entry] * weights[terms[entry]]
            shares[place] = factor * total + multiple * sizes[number, place] + log_counts[number, place]
            largest = max(largest, shares[place])
        loss += largest - shares[truth[number]]
        total = 0.0
        for place in range(n_candidates):
            shares[place] = np.exp(shares[place] - largest)
            total += shares[place]
        loss += np.log(total)
        for place in range(n_candidates):
            rest = shares[place] / total - (place == truth[number])
            slope += rest * sizes[number, place]
            rest *= factor
            for entry in range(ends[first + place], ends[first + place + 1]):
                slopes[terms[entry]] += rest * values[entry]
    return loss, slope


@compiled(nogil=True)
def _add_weighted(ends, terms, values, weights, sums):
    for place in range(len(sums)):
        for entry in range(ends[place], ends[place + 1]):
            sums[place] += values[entry] * weights[terms[entry]]


@compiled(nogil=True)
def _multiply(
    starts, entries, weights, table_starts, table_terms, table_values, classes, row, ends, terms, values
):
    n_documents, n_candidates = classes.shape
    found = 0
    for number in range(n_documents):
        for entry in range(starts[number], starts[number + 1]):
            row[entries[entry]] = weights[entry]
        first, largest = found, np.float32(0)
        for place in range(n_candidates):
            own, total = classes[number, place], np.float32(0)
            for entry in range(table_starts[own], table_starts[own + 1]):
                value = row[table_terms[entry]]
                if value != 0:
                    terms[found] = table_terms[entry]
                    values[found] = value * table_values[entry]
                    total += values[found]
                    found += 1
            largest = max(largest, total)
            ends[number * n_candidates + place + 1] = found
        for entry in range(first, found):
            values[entry] /= largest
        for entry in range(starts[number], starts[number + 1]):
            row[entries[entry]] = 0
