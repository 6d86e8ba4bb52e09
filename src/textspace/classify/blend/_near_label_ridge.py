"""Ridge regressions of very many labels, each from the documents near to it and on terms of its own."""

import numpy as np
from scipy import sparse

from textspace._compiled import compiled
from textspace.classify.blend._row_ranges import in_threads

_LEAST = np.float32(0.02)  # share of a residual, at least, that is left when its document is learned from


def learn_near_label_ridge(X, sums, pairs, alpha):
    """Learn a regression a label, and score its documents by what is learned from the others.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_columns), float32
        Documents, in the order of the columns.
    sums : csr_array of shape (n_labels, n_columns)
        The terms that a label may use are those that are held, in the order of the columns.
    pairs : csr_array of shape (n_labels, n_samples), float32
        The documents that a label learns from: what is held is 1 where a document has the label, else 0.
    alpha : float
        Penalty.

    Returns
    -------
    table : csr_array of shape (n_labels, n_columns), float32
        Coefficients, at the terms of `sums`.
    values : csr_array of shape (n_labels, n_samples), float32
        Values of the pairs, each by a regression that has not seen the document.

    Notes
    -----
    There is no constant: a document that shares no term with a label has the value 0, as it should. The
    residual of a document that is left out is its own divided by ``1 - x.T inv(A.T A + alpha I) x``, where x
    is the document and the rows of A are those that the label learns from, on the terms of the label.
    """
    coef = np.zeros(sums.nnz, dtype=np.float32)
    values = np.zeros(pairs.nnz, dtype=np.float32)
    most = int(np.diff(sums.indptr).max(initial=1))

    def solve(labels):
        _solve(
            *(labels.start, labels.stop, X.indptr, X.indices, X.data, X.shape[1], sums.indptr, sums.indices),
            *(pairs.indptr, pairs.indices, pairs.data, np.float32(alpha), most, coef, values),
        )

    in_threads(solve, sums.shape[0])
    table = sparse.csr_array((coef, sums.indices, sums.indptr), shape=sums.shape)
    return table, sparse.csr_array((values, pairs.indices, pairs.indptr), shape=pairs.shape)


@compiled(nogil=True)
def _solve(
    first_label, last_label, starts, terms, data, n_columns, s_starts, s_terms, p_starts, documents, truth,
    alpha, most, coef, values,
):  # fmt: skip
    slots = np.full(n_columns, -1, np.int32)
    places, entries = np.empty(most, np.int32), np.empty(most, np.float32)
    for label in range(first_label, last_label):
        first, n_terms = s_starts[label], s_starts[label + 1] - s_starts[label]
        for slot in range(n_terms):
            slots[s_terms[first + slot]] = slot
        gram, right = np.zeros((n_terms, n_terms), np.float32), np.zeros(n_terms, np.float32)
        for pair in range(p_starts[label], p_starts[label + 1]):
            n_own = _own_terms(starts, terms, data, documents[pair], slots, places, entries)
            for one in range(n_own):
                at, x = places[one], entries[one]
                right[at] += x * truth[pair]
                for other in range(one + 1):
                    gram[at, places[other]] += x * entries[other]
        for at in range(n_terms):
            gram[at, at] += alpha
            for other in range(at):
                gram[other, at] = gram[at, other]
        inverse = np.linalg.inv(gram)
        for at in range(n_terms):
            total = np.float32(0)
            for other in range(n_terms):
                total += inverse[at, other] * right[other]
            coef[first + at] = total
        for pair in range(p_starts[label], p_starts[label + 1]):
            n_own = _own_terms(starts, terms, data, documents[pair], slots, places, entries)
            value, pull = np.float32(0), np.float32(0)
            for one in range(n_own):
                at, x = places[one], entries[one]
                value += x * coef[first + at]
                for other in range(n_own):
                    pull += x * inverse[at, places[other]] * entries[other]
            values[pair] = truth[pair] - (truth[pair] - value) / max(1 - pull, _LEAST)
        for slot in range(n_terms):
            slots[s_terms[first + slot]] = -1


@compiled(nogil=True)
def _own_terms(starts, terms, data, document, slots, places, entries):
    """Copy the entries of a document that a label has a slot for; give their number."""
    n_own = 0
    for entry in range(starts[document], starts[document + 1]):
        slot = slots[terms[entry]]
        if slot >= 0:
            places[n_own], entries[n_own] = slot, data[entry]
            n_own += 1
    return n_own
