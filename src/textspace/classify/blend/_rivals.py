"""Scores that are plain sums over terms: common pairs of words, and a machine against the nearest classes."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from textspace._compiled import compiled
from textspace._rows import normalize
from textspace._saving import saved_as
from textspace.classify.blend._arrays import dense_product, on_a_grid
from textspace.classify.blend._candidates import find_candidates
from textspace.classify.blend._scorer import FittedScorer
from textspace.classify.blend._smoothed_bayes import class_sums

_STEPS = 5  # through all documents
_C = 0.5  # what an error costs
_RIVALS = 5  # of a document


@saved_as("blend.sums", shapes={"table": "csr w c"})
@dataclass(frozen=True)
class FittedSums(FittedScorer):
    """What each term adds to the score of each class, in a sparse table of shape (n_columns, n_classes)."""

    table: sparse.csr_array
    first: int = 0  # of its columns

    n_scores = 1

    @classmethod
    def of(cls, table, columns):
        """Take a table of shape (n_classes, n_columns) and the slice of the columns."""
        return cls(table.T.tocsr(), columns.start)

    @property
    def columns(self):
        """The columns that are added up."""
        return slice(self.first, self.first + self.table.shape[0])

    def scores(self, X):
        """Give the score, a list of one array of shape (n_samples, n_classes), float32."""
        return [dense_product(X, self.table)]

    def contributions(self, x, factors):
        """Split the weighted score of one document, as :meth:`FittedScorer.contributions` says."""
        contributions = self.table[x.indices].toarray() * (factors[0] * x.data[:, None])
        return contributions, np.zeros(self.table.shape[1])

    def rounded(self):
        """Give the same with numbers on a grid."""
        table = self.table.copy()
        table.data = on_a_grid(table.data)
        return replace(self, table=table)


def mean_rows(X, y, *, n_classes):
    """Give the mean row of each class, of unit length: a csr_array of shape (n_classes, n_terms), float32."""
    return normalize(class_sums(X, y, n_classes=n_classes))


def learn_against_rivals(X, table, y):
    """Learn a linear machine of each class against the classes that come near to its documents.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_terms), float32
        Documents.
    table : csr_array of shape (n_classes, n_terms), float32
        What each term says for each class, zero or more: sums of these tell the rivals, and a class may use
        the terms that it has here.
    y : ndarray of shape (n_samples,), int
        Classes of the documents.

    Returns
    -------
    csr_array of shape (n_classes, n_terms), float32
        What each term says for each class.

    Notes
    -----
    The squared hinge losses ``max(0, 1 - s (w_c x - 1))^2``, where s is 1 for the class of a document and -1
    for its five rivals, and the squared length of w_c are lowered by coordinates of the dual problem, as in
    LIBLINEAR, in a few passes through the documents. The constant is not learned: a document that shares
    nothing with a class has the value that it should have.

    References
    ----------
    C.-J. Hsieh et al., "A dual coordinate descent method for large-scale linear SVM", ICML 2008.
    """
    n_rivals = min(_RIVALS, table.shape[0] - 1)
    near = find_candidates([(X, table)], y, n_nearest=n_rivals + 1, n_others=0).classes
    first = np.argsort(near == y[:, None], axis=1, kind="stable")[:, :n_rivals]
    classes = np.column_stack([y.astype(np.int32), np.take_along_axis(near, first, axis=1)])
    order = np.random.default_rng(0).permutation(len(y))
    weights, row = np.zeros(table.nnz, dtype=np.float32), np.zeros(X.shape[1], dtype=np.float32)
    dual = np.zeros(classes.shape, dtype=np.float32)
    arrays = X.indptr, X.indices, X.data, table.indptr, table.indices
    for _ in range(_STEPS):
        _step(*arrays, order, classes, np.float32(0.5 / _C), row, dual, weights)
    return sparse.csr_array((weights, table.indices, table.indptr), shape=table.shape)


@compiled(nogil=True)
def _step(starts, terms, values, table_starts, table_terms, order, classes, soft, row, dual, weights):
    for number in order:
        for entry in range(starts[number], starts[number + 1]):
            row[terms[entry]] = values[entry]
        for place in range(classes.shape[1]):
            own, sign = classes[number, place], np.float32(1 if place == 0 else -1)
            value, length = np.float32(-1), soft
            for entry in range(table_starts[own], table_starts[own + 1]):
                x = row[table_terms[entry]]
                value += x * weights[entry]
                length += x * x
            before = dual[number, place]
            after = max(before - (sign * value - 1 + soft * before) / length, np.float32(0))
            if after != before:
                dual[number, place] = after
                change = sign * (after - before)
                for entry in range(table_starts[own], table_starts[own + 1]):
                    weights[entry] += change * row[table_terms[entry]]
        for entry in range(starts[number], starts[number + 1]):
            row[terms[entry]] = 0
