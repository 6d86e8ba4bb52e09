"""How well ridge regressions of many penalties decide on documents they have not seen."""

from itertools import product

import numpy as np

from textspace._compiled import blas_threads
from textspace.solvers import KrylovRidge

_GROUP = 32  # responses that share a Krylov space, whose cost is quadratic in their number
_PATIENCE = 2  # penalties in a row that must bring nothing before smaller ones are left alone
_GAIN = 1e-3  # of a score, relative, that counts as something
_TOLERANCE = 2e-2  # of the residual: on text it moves the micro F1 by less than .001


def tally(predictions, responses, weights, *, binary=False):
    """Count what the micro F1 and the squared error of decisions are made of.

    Values (..., n, k) above zero stand for yes; the truth (n, k) is 1 or -1; each document counts by its
    weight (n,). The counts (..., 4) are hits, decisions for yes, true ones, and the sum of squared errors.
    Where the one response tells two classes apart (`binary`), a rightly decided document is a hit whichever
    of the two it belongs to, and the micro F1 is the accuracy.
    """
    said, true = predictions > 0, responses > 0

    def count(each):
        return np.sum(each, axis=-1, dtype=np.float64) @ weights

    errors = count((predictions - responses) ** 2)
    if binary:
        hits, n_said, n_true = count(said == true), weights.sum(), weights.sum()
    else:
        hits, n_said, n_true = count(said & true), count(said), count(true)
    return np.stack(np.broadcast_arrays(hits, n_said, n_true, errors), axis=-1)


def micro_f1(counts):
    """Micro-averaged F1 of counts as :func:`tally` gives them, of shape (..., 4)."""
    return 2 * counts[..., 0] / np.maximum(counts[..., 1] + counts[..., 2], 1)


def squared_error(counts):
    """Sum of squared errors of counts as :func:`tally` gives them, of shape (..., 4)."""
    return counts[..., 3]


# Criterion -> what it prefers, the larger the better.
CRITERIA = {"micro_f1": micro_f1, "squared_error": lambda counts: -squared_error(counts)}


def leave_one_out(spectrum, responses, weights, lambdas):
    """Tally the exact leave-one-out decisions of every penalty, of shape (n_lambdas, 4)."""
    binary = responses.shape[1] == 1
    return sum(
        tally(predictions, responses[rows], weights[rows], binary=binary)
        for rows, predictions in spectrum.left_out(lambdas)
    )


# the products are spread over the cores already: threads of the BLAS would only wait for them
@blas_threads(1)
def cross_validate(X, responses, weights, lambdas, *, folds, center, criterion):
    """Tally cross-validated decisions, from the largest penalty down to where they have become worse.

    Each fold has one Krylov space for all penalties, which must grow as they fall. So the first fold stops
    after two penalties in a row that brought nothing by the criterion, or where the space is full, and the
    others follow as far as it came. The penalties are descending.

    Returns
    -------
    counts : ndarray of shape (m, 4)
        Counts of :func:`tally` for the first m penalties, all solved to a relative residual of at most 2e-2.
    full : bool
        Whether smaller penalties are missing because they could not be solved.
    """
    n_responses = responses.shape[1]
    n_groups = -(-n_responses // _GROUP)
    counts = np.zeros((len(lambdas), 4))
    trail, full = None, False
    for fold, group in product(np.unique(folds), range(n_groups)):
        columns = responses[:, group::n_groups]
        train = folds != fold
        path = KrylovRidge(X, columns, train=train, center=center, sample_weight=weights)
        scout, trail = trail is None, []
        for position in range(len(counts)):
            if not path.reach(lambdas[position], tol=_TOLERANCE):
                counts, full = counts[:position], True
                break
            held_out = path.held_out(lambdas[position])
            found = tally(held_out, columns[~train], weights[~train], binary=n_responses == 1)
            counts[position] += found
            trail.append(found)
            if scout and _stalled(np.array(trail), criterion):
                counts = counts[: position + 1]
                break
    return counts, full


def _stalled(counts, criterion):
    """Tell whether the last penalties hardly raised the score, and raised the squared error."""
    if len(counts) <= _PATIENCE:
        return False
    scores, errors = CRITERIA[criterion](counts), squared_error(counts)
    before, last = scores[:-_PATIENCE].max(), scores[-_PATIENCE:].max()
    # the scores alone do not tell: large penalties may all decide for no class, or for the larger one
    return last - before <= _GAIN * abs(before) and errors[-_PATIENCE:].min() > errors.min()
