"""Ridge regression onto the indicators of labels, of which a document may have several."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.utils import gen_batches

from textspace._saving import saved_as
from textspace.classify.blend._arrays import dense_product
from textspace.classify.blend._label_calibration import fit_label_calibration, label_log_loss
from textspace.classify.blend._scorer import FittedScorer
from textspace.solvers import DualRidge, left_out

ALPHAS = 0.25, 0.5, 1.0, 2.0  # for rows of unit length
_TOLERANCE = 0.003  # of the regressions: with .1 a document sees its own labels
_VALUES = 32 << 20  # coefficients, or values of documents, that are held at a time
LOWEST = 0.05  # by which values are divided at least where they are compared with the largest of a document
_LOST = 0.06  # share of the squared coefficients, at most, that rounding takes from a large table
_MOST = 16 << 20  # coefficients that are kept of all labels, whatever is lost: 128 MB
_FEW, _LOST_OF_FEW = 1 << 20, 1e-4  # coefficients of a small table, and the share that it may lose
_SAMPLE = 2000  # documents that tell which penalty is best; of fewer than twice as many, all do
_LABELS = 200  # labels that tell it, the most frequent


@saved_as("blend.label_ridge", shapes={"table": "csr d c", "intercept": "c"})
@dataclass(frozen=True)
class FittedLabelRidge(FittedScorer):
    """Solution of the ridge regression, of which small coefficients are left out.

    It gives two scores: the value of a label, and this divided by the largest of the document, which tells
    how far a label is behind the first.
    """

    table: sparse.csr_array  # coefficients of shape (n_features, n_labels), on a grid
    intercept: np.ndarray
    first: int = 0  # of its columns

    n_scores = 2

    @property
    def columns(self):
        """The terms."""
        return slice(self.first, self.first + self.table.shape[0])

    def scores(self, X):
        """Give the scores, a list of arrays of shape (n_samples, n_labels)."""
        return value_scores(dense_product(X, self.table, np.float64) + self.intercept)

    def contributions(self, x, factors):
        """Split the weighted scores of one document, as :meth:`FittedScorer.contributions` says."""
        contributions = x.data[:, None] * self.table[x.indices].toarray().astype(np.float64)
        most = max((contributions.sum(axis=0) + self.intercept).max(), LOWEST)
        weights = factors[0] + factors[1] / most  # for this one document the largest is a number
        return weights * contributions, weights * self.intercept


def value_scores(values):
    """Give the scores that follow from values (n, c): these, and their ratios to the largest of a row."""
    return [values, values / np.maximum(values.max(axis=1, keepdims=True), LOWEST)]


def learn_label_ridge(X, truth, *, alpha, columns, random_state):
    """Learn the regression, and score each document by what is learned from the others.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_columns), float32
        Documents, the columns of the slice `columns`.
    truth : csr_array of shape (n_samples, n_labels)
        Ones where a document has a label.
    alpha : float
        Penalty for these rows.
    columns : slice
        Where the columns stand among all.
    random_state : int
        Seed of leaving one out.

    Returns
    -------
    fitted : FittedLabelRidge
        What was learned.
    values : ndarray of shape (n_samples, n_labels), float32
        Values of the documents, each by a regression that has not seen it.
    """
    n_labels = truth.shape[1]
    regression = DualRidge(X, alpha, n_responses=n_labels, tol=_TOLERANCE)
    diagonal = regression.diagonal(random_state)
    values = np.empty(truth.shape, dtype=np.float32)
    mean, intercept, parts = np.asarray(X.mean(axis=0)).ravel(), np.empty(n_labels), []
    by_label = truth.tocsc()
    for labels in gen_batches(n_labels, max(16, _VALUES // max(X.shape))):
        own = by_label[:, labels].toarray()
        dual = regression.solve(own)
        values[:, labels] = own - dual / diagonal[:, None]
        coef = _rounded(X.T @ dual, _MOST / (X.shape[1] * n_labels))
        intercept[labels] = own.mean(axis=0) - mean @ coef
        parts.append(coef)
    return FittedLabelRidge(sparse.hstack(parts, format="csr"), intercept, columns.start), values


def best_penalty(X, Y, alphas=ALPHAS, random_state=0):
    """Choose the penalty of ridge regressions onto labels by the log loss of documents that are left out.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents.
    Y : csr_array of shape (n_samples, n_labels)
        Ones where a document has a label. Of more than 200 labels the most frequent ones tell.
    alphas : sequence of float, default=(0.25, 0.5, 1.0, 2.0)
        Penalties for rows of unit length, ascending.
    random_state : int, default=0
        Seed of leaving one out, and of a sample of 2000 documents where there are more than twice as many.

    Returns
    -------
    alpha : float
        The best of the penalties.
    loss : float
        Its log loss of all labels that are looked at, the mean over documents.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from textspace.classify import best_penalty
    >>> generator = np.random.default_rng(0)
    >>> X = generator.normal(size=(100, 20))
    >>> alpha, loss = best_penalty(X, sparse.csr_array(X[:, :3] > 0.5), [0.01, 1000.0])
    >>> alpha
    0.01
    """
    truth = sparse.csr_array(Y)
    if X.shape[0] > 2 * _SAMPLE:
        drawn = np.random.default_rng(random_state).choice(X.shape[0], _SAMPLE, replace=False)
        X, truth = X[np.sort(drawn)], truth[np.sort(drawn)]
    sizes = np.asarray(truth.sum(axis=0)).ravel()
    often = np.sort(np.argsort(-sizes, kind="stable")[:_LABELS])
    truth = truth[:, often[sizes[often] > 0]]
    X, penalties = X.astype(np.float32), [alpha * mean_square(X) for alpha in alphas]
    values, _ = left_out(X, truth.toarray(), penalties, tol=_TOLERANCE, random_state=random_state)
    losses = []
    for own in values:
        _, logits = fit_label_calibration(lambda rows, own=own: value_scores(own[rows]), truth)
        losses.append(label_log_loss(logits, truth))
    best = int(np.argmin(losses))
    return alphas[best], losses[best]


def mean_square(X):
    """Give the mean squared length of rows, above zero: what the penalty for unit rows is multiplied by."""
    entries = X.data if sparse.issparse(X) else np.ravel(X)
    return max(float(np.vdot(entries, entries)) / X.shape[0], 1e-12)


def _rounded(coef, most=1.0):
    """Give coefficients as multiples of a power of two, the coarser the larger: most are zero then.

    No more than a share `most` of them is kept.
    """
    sample = coef[:: -(-coef.size // _FEW)]
    step = _step(sample, _LOST if coef.size > _FEW else _LOST_OF_FEW)
    while np.mean(np.abs(sample) > step / 2) > most:
        step *= 2
    places = np.nonzero(np.abs(coef) > step / 2)
    return sparse.csr_array((np.rint(coef[places] / step) * step, places), shape=coef.shape)


def _step(coef, lost):
    """Find the largest power of two whose multiples lose no more than a share of the squared coefficients."""
    squares = np.vdot(coef, coef) or 1.0
    step = np.float32(2 ** np.ceil(2 + np.log2(squares / coef.size) / 2))
    while np.sum((coef - np.rint(coef / step) * step) ** 2) > lost * squares:
        step /= 2
    return step
