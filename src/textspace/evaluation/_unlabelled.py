"""Whether documents without a label have helped."""

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils.validation import column_or_1d

from textspace._labels import split_labelled
from textspace.evaluation._intervals import repeat_interval
from textspace.evaluation._leaderboard import run_pairs
from textspace.evaluation._scores import scores
from textspace.evaluation._significance import SignificanceTest, resampled_t_test
from textspace.tuning import fold_splits


@dataclass(frozen=True)
class UnlabelledGain:
    """What a classifier gains from unlabelled documents, on labelled ones that it has not learned from.

    Parameters
    ----------
    scores_without, scores_with : dict of str to float
        :func:`scores` of the classifier without and with the unlabelled documents.
    n_helped, n_harmed : int
        Number of documents that it classifies rightly only with them, and only without them.
    p_value : float
        That of the two-sided sign test on these two numbers.
    n_tested, n_unlabelled : int
        Number of labelled documents that were held out, and of unlabelled ones.
    """

    scores_without: dict
    scores_with: dict
    n_helped: int
    n_harmed: int
    p_value: float
    n_tested: int
    n_unlabelled: int

    @property
    def difference(self):
        """Micro F1 with the unlabelled documents minus micro F1 without."""
        return self.scores_with["micro_f1"] - self.scores_without["micro_f1"]

    def __str__(self):
        return (
            f"micro F1 {self.scores_without['micro_f1']:.3f} without and {self.scores_with['micro_f1']:.3f} "
            f"with {self.n_unlabelled} unlabelled documents; of {self.n_tested} held out, {self.n_helped} "
            f"right only with them, {self.n_harmed} only without (p = {self.p_value:.2g})"
        )


def unlabelled_gain(estimator, X, y, *, cv=5, random_state=0):
    """Find out by cross-validation whether unlabelled documents help a classifier.

    Each labelled document is classified twice by classifiers that have not learned from it: one has learned
    from the labelled documents of the other folds, one from these and from all unlabelled documents.

    Parameters
    ----------
    estimator : classifier
        One that takes rows without a label: :class:`textspace.classify.EMNaiveBayes`,
        :class:`textspace.classify.SelfTraining`, or a ``Pipeline`` that ends in
        :class:`textspace.classify.LabelledOnly` or one of these. It is cloned, not fitted.
    X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of str
        Documents, one a row; texts for a ``Pipeline`` that begins with a
        :class:`textspace.text.VectorSpace`, which then is learned without and with them too.
    y : array-like of shape (n_samples,)
        Their classes; -1, the empty string, None or NaN, the same throughout, where there is none.
    cv : int, default=5
        Number of folds. The only document of a class is never held out.
    random_state : int, default=0
        Seed of the folds.

    Returns
    -------
    UnlabelledGain
        Scores without and with the unlabelled documents, and a test of the difference; its ``print`` is one
        sentence.

    Notes
    -----
    With few labelled documents only large gains can be told from luck: look at the p value. The folds hold
    out labels, so that the classifiers have a little fewer than in the end, and unlabelled documents may seem
    to help a little more than they do.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.classify import EMNaiveBayes
    >>> rng = np.random.default_rng(0)
    >>> topic = np.arange(600) % 2
    >>> shares = np.repeat([[2, 1], [1, 2]], 50, axis=1) / 150  # of 100 terms in the documents of a topic
    >>> X = rng.multinomial(20, shares[topic])
    >>> y = np.where(np.arange(600) < 40, topic, -1)
    >>> gain = unlabelled_gain(EMNaiveBayes(), X, y)
    >>> bool(gain.difference > 0.1), bool(gain.p_value < 0.05)
    (True, True)
    """
    labelled, codes, classes = split_labelled(y)
    X, y = indexable(X, column_or_1d(np.asarray(y, dtype=object) if isinstance(y, (list, tuple)) else y))
    rows, others = np.flatnonzero(labelled), np.flatnonzero(~labelled)
    if not len(others):
        raise ValueError("y has a label in every row: there are no unlabelled documents to gain from.")
    tested, answers = np.zeros(len(y), dtype=bool), np.empty((2, len(y)), dtype=classes.dtype)
    for train, test in fold_splits(codes[rows], cv, random_state=random_state):
        few, held_out = rows[train], rows[test]
        many = np.concatenate([few, others])
        without = clone(estimator).fit(_safe_indexing(X, few), classes[codes[few]])
        having = clone(estimator).fit(_safe_indexing(X, many), y[many])
        if not np.isin(having.classes_, classes).all():
            raise ValueError(
                f"{type(estimator).__name__} takes unlabelled rows for a class of their own: let it end in "
                "LabelledOnly, or wrap it in SelfTraining."
            )
        tested[held_out] = True
        for answer, model in zip(answers, (without, having), strict=True):
            answer[held_out] = model.predict(_safe_indexing(X, held_out))
    truth, (without, having) = classes[codes[tested]], answers[:, tested]
    helped = int(np.sum((having == truth) & (without != truth)))
    harmed = int(np.sum((having != truth) & (without == truth)))
    return UnlabelledGain(
        scores_without=scores(truth, without),
        scores_with=scores(truth, having),
        n_helped=helped,
        n_harmed=harmed,
        p_value=_sign_p_value(helped, harmed),
        n_tested=len(truth),
        n_unlabelled=len(others),
    )


def twin_gains(comparison):
    """Compare methods with their twins, as :meth:`Comparison.unlabelled_gains` says it."""
    gains = []
    for name in comparison.methods:
        pairs = run_pairs(comparison, f"{name}-labelled", name)
        if pairs:
            title = comparison.methods[name]["title"]
            gains.append({"method": name, "title": title} | _gain(comparison, pairs))
    return sorted(gains, key=lambda gain: gain["difference"], reverse=True)


def _gain(comparison, pairs):
    without, having = ([run["scores"]["micro_f1"] for run in runs] for runs in zip(*pairs, strict=True))
    changes = _changes(comparison, pairs)
    helped, harmed = (None, None) if changes is None else (int(np.sum(changes > 0)), int(np.sum(changes < 0)))
    if len(comparison.truth) == 1:
        differences, overlap = changes, 0.0
        direction = int(np.sign(helped - harmed))
        test = SignificanceTest(float(helped), helped + harmed, _sign_p_value(helped, harmed), direction)
    else:
        differences = np.subtract(having, without)
        overlap = comparison.corpus["n_test"] / comparison.corpus["n_train"]
        test = resampled_t_test(differences, overlap)
    return {
        "without": float(np.mean(without)),
        "with": float(np.mean(having)),
        "difference": float(np.mean(differences)),
        "interval": _interval(differences, overlap),
        "p_value": test.p_value,
        "mark": test.mark,
        "n_helped": helped,
        "n_harmed": harmed,
    }


def _changes(comparison, pairs):
    """Say of each test document whether it became right (1) or wrong (-1); None without the predictions."""
    if any(run["predicted"] is None for pair in pairs for run in pair):
        return None
    truth = np.concatenate([comparison.truth[run["repeat"]] for _, run in pairs])
    without, having = (
        np.concatenate([run["predicted"] for run in runs]) for runs in zip(*pairs, strict=True)
    )
    return (having == truth).astype(int) - (without == truth)


def _interval(differences, overlap):
    """Give the 95 % interval of the mean, as wide as in :func:`resampled_t_test`; None for one difference."""
    n = len(differences)
    if n < 2:
        return None
    center = np.mean(differences)
    half = (repeat_interval(differences)[1] - center) * np.sqrt(1 + n * overlap)
    return float(center - half), float(center + half)


def _sign_p_value(helped, harmed):
    from scipy.stats import binomtest

    return float(binomtest(helped, helped + harmed).pvalue) if helped + harmed else 1.0
