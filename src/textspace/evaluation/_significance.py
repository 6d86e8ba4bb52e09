"""Whether one classifier is better than another, or only luckier."""

from dataclasses import dataclass

import numpy as np

from textspace.evaluation._decisions import binary_decisions
from textspace.evaluation._scores import precision_recall_f1


@dataclass(frozen=True)
class SignificanceTest:
    """Outcome of one two-sided test of system A against system B.

    Parameters
    ----------
    statistic : float
        Number of wins of A in a sign test, t in a t-test.
    n : int
        Number of differing pairs in a sign test, of pairs in a t-test.
    p_value : float
        Two-sided p value.
    direction : {-1, 0, 1}
        1 where A is ahead, -1 where B is, 0 for neither.

    Examples
    --------
    >>> SignificanceTest(statistic=9.0, n=10, p_value=0.0215, direction=1).mark
    '>'
    """

    statistic: float
    n: int
    p_value: float
    direction: int

    @property
    def mark(self):
        """``">>"`` or ``"<<"`` for p <= .01, ``">"`` or ``"<"`` for p <= .05, otherwise ``"~"``."""
        if self.p_value > 0.05 or self.direction == 0:
            return "~"
        return (">" if self.direction > 0 else "<") * (2 if self.p_value <= 0.01 else 1)


@dataclass(frozen=True)
class Significance:
    """The tests of Yang and Liu, as :func:`significance` gives them.

    Parameters
    ----------
    s : SignificanceTest
        Micro sign test, over the decisions.
    S : SignificanceTest
        Macro sign test, over the F1 of the classes.
    T : SignificanceTest
        Macro t-test, over the F1 of the classes.
    """

    s: SignificanceTest
    S: SignificanceTest
    T: SignificanceTest


def significance(y_true, a, b, classes=None):
    """Compare two classifiers on the same documents by the tests of Yang and Liu [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n,), or boolean array of shape (n, c), dense or sparse
        True labels; or yes/no, one column a category.
    a, b : array-like of the same shape
        Answers of the systems A and B.
    classes : array-like of shape (c,), default=None
        The categories (or column numbers) of `S` and `T`; by default all that occur.

    Returns
    -------
    Significance
        ``s``: a sign test over the yes/no decisions, one for each document and category, in which exactly one
        of the systems is right. ``S``: a sign test over the categories whose F1 differs. ``T``: a paired
        t-test on the F1 of the categories. Each has ``p_value`` (two-sided), ``direction`` and ``mark``.

    Notes
    -----
    All p values are two-sided, and ``T`` takes in the categories in which both systems have the same F1.
    Categories without a document in `y_true` have no F1 and take no part in ``S`` and ``T``. With one label a
    document, a document on which only A is right counts twice in ``s``: for its own category, and for the one
    that B took instead. The decisions are not independent, so ``s`` is bolder than a test on documents.

    References
    ----------
    .. [1] Y. Yang and X. Liu, "A re-examination of text categorization methods", SIGIR 1999.

    Examples
    --------
    >>> truth = ["grain"] * 8 + ["ship"] * 8
    >>> result = significance(truth, truth, ["grain"] * 16)
    >>> result.s.mark, result.s.n, result.S.mark
    ('>>', 16, '~')
    """
    (truth, a, b), columns = binary_decisions(y_true, a, b, classes=classes)
    a_wrong, b_wrong = a != truth, b != truth
    n_wanted = len(columns) if classes is None else len(classes)
    measured = (truth.sum(0) > 0) & (np.arange(len(columns)) < n_wanted)
    a_f1, b_f1 = (
        precision_recall_f1((truth * x).sum(0), truth.sum(0), x.sum(0))[2][measured] for x in (a, b)
    )
    s = _sign_test((b_wrong > a_wrong).sum(), (a_wrong > b_wrong).sum())
    return Significance(s, *f1_significance(a_f1, b_f1))


def f1_significance(a, b):
    """Compare two classifiers by the F1 of the categories, such as means over repeated splits.

    Parameters
    ----------
    a, b : array-like of shape (n_categories,)
        F1 of each category by the systems A and B.

    Returns
    -------
    S : SignificanceTest
        Sign test over the categories whose F1 differs.
    T : SignificanceTest
        Paired t-test on the F1 of the categories.

    See Also
    --------
    significance : The same from answers, with the sign test over decisions.

    Examples
    --------
    >>> S, T = f1_significance([0.8, 0.7, 0.9, 0.6, 0.5, 0.7], [0.7, 0.6, 0.8, 0.5, 0.4, 0.5])
    >>> S.mark, T.mark
    ('>', '>>')
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return _sign_test(np.sum(a > b), np.sum(a < b)), _t_test(a - b, 1 / max(len(a), 1))


def resampled_t_test(differences, test_train_ratio):
    """Compare two systems over repeated splits by the corrected resampled t-test of Nadeau and Bengio [1]_.

    The training sets of repeated splits overlap, so that the plain t-test finds differences where there are
    none. The correction adds the ratio of the sizes to the factor of the variance.

    Parameters
    ----------
    differences : array-like of shape (n_repeats,)
        Score of A minus score of B, one a repeat.
    test_train_ratio : float
        Number of test documents over number of training documents.

    Returns
    -------
    SignificanceTest

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.

    Examples
    --------
    >>> resampled_t_test([0.02, 0.03, 0.02, 0.025, 0.02], 0.5).mark
    '>>'
    >>> resampled_t_test([0.02, 0.03, -0.02, 0.025, 0.02], 0.5).mark
    '~'
    """
    differences = np.asarray(differences, dtype=float)
    if not np.isfinite(differences).all() or not 0 <= test_train_ratio < np.inf:
        raise ValueError(
            f"differences must be finite and test_train_ratio, {test_train_ratio}, finite and not negative."
        )
    return _t_test(differences, 1 / max(len(differences), 1) + test_train_ratio)


def _sign_test(wins, losses):
    wins, losses = int(wins), int(losses)
    from scipy import stats

    p_value = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    return SignificanceTest(float(wins), wins + losses, float(p_value), int(np.sign(wins - losses)))


def _t_test(differences, variance_factor):
    """Two-sided t-test that the mean is 0, the variance of the mean being variance_factor * s**2."""
    n = len(differences)
    if n < 2 or not np.any(differences):
        return SignificanceTest(0.0, n, 1.0, 0)
    mean, spread = differences.mean(), differences.std(ddof=1)
    # All differences alike: there is no variance to divide by, and no doubt about the sign.
    t = mean / (spread * np.sqrt(variance_factor)) if spread > 1e-12 else np.inf * np.sign(mean)
    from scipy import stats

    return SignificanceTest(float(t), n, float(2 * stats.t.sf(abs(t), n - 1)), int(np.sign(mean)))
