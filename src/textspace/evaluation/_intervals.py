"""How far a score could be off: intervals over test documents and over repeats."""

import numpy as np
from scipy import sparse

from textspace.evaluation._decisions import binary_decisions
from textspace.evaluation._scores import f1_averages

_BLOCK = 100  # resamples at a time: bounds the memory at _BLOCK * n_documents numbers


def bootstrap_intervals(y_true, y_pred, *, level=0.95, n_resamples=1000, random_state=0):
    """Percentile bootstrap intervals of the scores, over the test documents.

    They tell how much the scores depend on which documents were tested, the trained classifier being fixed.
    Resamples have fewer different documents, which lowers the macro scores of rare classes: the interval is
    moved by the distance of their mean from the score, so that it stands around the score itself.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or boolean array of shape (n, c), dense or sparse
        As in :func:`scores`.
    level : float, default=0.95
        Confidence level.
    n_resamples : int, default=1000
        Number of resamples of the documents.
    random_state : int, default=0
        Seed.

    Returns
    -------
    dict of str to pair of float
        Lower and upper end for ``accuracy`` and each micro and macro score. In each resample, macro averages
        are taken over the classes that a document in it has or is given.

    Examples
    --------
    >>> low, high = bootstrap_intervals(["a", "b"] * 50, ["a", "b"] * 40 + ["b", "a"] * 10)["accuracy"]
    >>> bool(low < 0.8 < high)
    True
    """
    decisions, _ = binary_decisions(y_true, y_pred)
    truth, answer = (sparse.csr_array(each).astype(np.float64) for each in decisions)
    n, n_classes = truth.shape
    right = sparse.csr_array(((truth != answer).sum(1) == 0)[:, None].astype(np.float64))
    counted = sparse.hstack([truth * answer, truth, answer, right], format="csr")
    rng = np.random.default_rng(random_state)
    draws = {}
    for start in range(0, n_resamples, _BLOCK):
        size = min(_BLOCK, n_resamples - start)
        rows = rng.integers(n, size=(size, n)) + np.arange(size)[:, None] * n
        weights = np.bincount(rows.ravel(), minlength=size * n).reshape(size, n)
        totals = weights @ counted
        hits, n_true, n_answered = totals[:, :-1].reshape(size, 3, n_classes).transpose(1, 0, 2)
        block = f1_averages(hits, n_true, n_answered, n_true + n_answered > 0) | {
            "accuracy": totals[:, -1] / n
        }
        for name, values in block.items():
            draws.setdefault(name, []).append(values)
    hits, n_true, n_answered = (part.sum(axis=0) for part in (truth * answer, truth, answer))
    found = f1_averages(hits, n_true, n_answered, n_true + n_answered > 0) | {"accuracy": right.mean()}
    ends = [(1 - level) / 2, (1 + level) / 2]
    intervals = {}
    for name, blocks in draws.items():
        values = np.concatenate(blocks)
        moved = np.quantile(values, ends) + found[name] - values.mean()
        intervals[name] = tuple(np.clip(moved, 0, 1).tolist())
    return intervals


def repeat_interval(values, *, level=0.95):
    """Interval of the mean of a score over repeats, by Student's t.

    Parameters
    ----------
    values : array-like of shape (n_repeats,)
        The score of each repeat, two or more.
    level : float, default=0.95
        Confidence level.

    Returns
    -------
    pair of float
        Lower and upper end.

    Examples
    --------
    >>> [round(end, 3) for end in repeat_interval([0.90, 0.92, 0.94])]
    [0.87, 0.97]
    """
    values = np.asarray(values, dtype=float)
    if len(values) < 2 or not np.isfinite(values).all():
        raise ValueError(f"an interval needs two finite values or more, but they are {values.tolist()}.")
    from scipy import stats

    half = stats.t.ppf((1 + level) / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean() - half), float(values.mean() + half)
