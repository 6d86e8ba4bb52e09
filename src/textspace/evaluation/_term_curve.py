"""How well documents are classified by some of their terms, the more of them."""

import numpy as np
from joblib import delayed
from sklearn.base import clone

from textspace._parallel import run_jobs
from textspace.classify import RLSC
from textspace.evaluation._scores import scores
from textspace.tuning import given_split, share_splits

_TRAIN_SHARE = 0.8  # of the labelled documents, where they have no split


def held_out_rows(labels, split=None, *, random_state=None):
    """Give documents to learn from and to test on: by their split, else drawn at random.

    Parameters
    ----------
    labels : ndarray of str, shape (n_documents,)
        Labels; the empty string where there is none.
    split : ndarray of str, shape (n_documents,), default=None
        "train" or "test" for each document; without it four fifths of each class are drawn to learn from.
    random_state : int or None, default=None
        Seed of the draw.

    Returns
    -------
    train, test : ndarray of int
        Rows.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.evaluation import held_out_rows
    >>> train, test = held_out_rows(np.array(["grain", "ship"] * 5), random_state=0)
    >>> len(train), len(test)
    (8, 2)
    """
    if split is not None:
        [rows] = given_split(labels, split)
    else:
        [rows] = share_splits(labels, _TRAIN_SHARE, random_state=random_state)
    return rows


def f1_curve(terms, texts, labels, *, progress=None):
    """Classify held-out documents by regularised least squares, on more and more terms.

    The penalty is chosen on the training documents with all terms and then kept.

    Parameters
    ----------
    terms : ScoredTerms
        The terms of the training documents, by :func:`textspace.selection.score_terms`.
    texts : list of str, or sparse matrix of shape (n_texts, n_columns)
        The documents to classify, as the training documents were given.
    labels : ndarray of str, shape (n_texts,)
        Their labels.
    progress : bool, default=None
        Whether to show progress on the standard error stream; by default if that is a terminal.

    Returns
    -------
    list of dict
        ``n_terms``, the number of terms kept, ascending; ``micro_f1`` and ``macro_f1``. The last is
        on all terms.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> from textspace.evaluation import f1_curve
    >>> from textspace.selection import TermSelector, score_terms
    >>> train, test = load("demo").train, load("demo").test
    >>> scored = score_terms(train.texts, train.labels, TermSelector("weighted", n_terms=500, mode="top"))
    >>> [point["n_terms"] for point in f1_curve(scored, test.texts, test.labels)]
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 1960]
    """
    X_test = terms.space.transform(texts)
    full = RLSC().fit(terms.X, terms.y)

    def point(n_terms):
        # The scores are at hand: they need not be computed again.
        selector = clone(terms.selector).set_params(
            score=lambda X, y: terms.selector.scores_, n_terms=n_terms
        )
        selector.fit(terms.X)
        n_kept = int(selector.get_support().sum())
        if n_kept == 0:
            return None
        model = full
        if n_terms < terms.X.shape[1]:
            model = RLSC(lambdas=full.lambda_).fit(selector.transform(terms.X), terms.y)
        found = scores(labels, model.predict(selector.transform(X_test)))
        return {"n_terms": n_kept, "micro_f1": found["micro_f1"], "macro_f1": found["macro_f1"]}

    sizes = curve_sizes(
        terms.X.shape[1],
        n_useful=np.count_nonzero(terms.selector.scores_),
        wanted=terms.selector.get_params()["n_terms"],
    )
    # One process: the solvers spread their products over the cores.
    points = run_jobs(
        map(delayed(point), sizes), total=len(sizes), n_jobs=1, progress=progress, label="F1 by terms"
    )
    # With one seed, what is drawn for more terms holds what is drawn for fewer, and may be no more.
    return list({each["n_terms"]: each for each in points if each}.values())


def curve_sizes(n_terms, *, n_useful, wanted):
    """Choose numbers of terms for a curve on a logarithmic axis: `wanted` among them, `n_terms` the last.

    Terms beyond the `n_useful`, which have a score of zero, are only kept with all.

    Examples
    --------
    >>> curve_sizes(16346, n_useful=16000, wanted=1500)
    [10, 20, 50, 100, 200, 500, 1000, 1500, 2000, 5000, 10000, 16346]
    """
    first = 10 ** max(0, len(str(n_terms)) - 4)
    rounded = [first * 10**power * factor for power in range(4) for factor in (1, 2, 5)]
    below = {size for size in (*rounded, min(wanted, n_useful)) if size <= n_useful and size < n_terms}
    return [*sorted(below), n_terms]
