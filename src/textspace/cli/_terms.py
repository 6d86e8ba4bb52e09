"""The terms of a corpus by a score, and how well documents are classified by some of them."""

from typing import Any, NamedTuple

import numpy as np
from joblib import delayed
from scipy import sparse
from sklearn.base import clone

from textspace._parallel import run_jobs
from textspace.classify import RLSC
from textspace.evaluation import scores
from textspace.selection import SCORES, document_frequency
from textspace.text import VectorSpace
from textspace.tuning import given_split, share_splits

TRAIN_SHARE = 0.8  # of the labelled documents, where the corpus has no split


class ScoredTerms(NamedTuple):
    """Terms of some documents of a corpus, and a selector that has scored and chosen among them.

    Attributes
    ----------
    rows : ndarray of int, shape (n,)
        The documents that were learned from.
    space : VectorSpace
        Turns texts into rows over the terms.
    X : CSR matrix of shape (n, d)
        Their rows.
    y : ndarray of str, shape (n,)
        Their labels.
    names : ndarray of str, shape (d,)
        The terms.
    frequencies : ndarray of int, shape (d,)
        Number of documents that have each term.
    selector : TermSelector
        Fitted on X and y.
    """

    rows: np.ndarray
    space: Any
    X: Any
    y: np.ndarray
    names: np.ndarray
    frequencies: np.ndarray
    selector: Any

    @property
    def order(self):
        """Positions of the terms, from the highest score to the lowest; among equals as they are."""
        return np.argsort(-self.selector.scores_, kind="stable")


def training_rows(corpus, *, labelled):
    """Give the documents to learn from: those that the corpus marks so, else all, or all with a label."""
    is_wanted = np.full(len(corpus), True) if corpus.split is None else corpus.split == "train"
    if labelled:
        is_wanted = is_wanted & (corpus.labels != "")
    return np.flatnonzero(is_wanted)


def held_out_rows(corpus, seed):
    """Give documents to learn from and to test on: the split of the corpus, else one drawn at random."""
    if corpus.split is not None:
        [split] = given_split(corpus.labels, corpus.split)
    else:
        [split] = share_splits(corpus.labels, TRAIN_SHARE, random_state=seed)
    return split


def score_terms(corpus, rows, selector, *, scheme):
    """Score the terms of some documents and choose among them.

    Parameters
    ----------
    corpus : Corpus
        Texts, or counts.
    rows : ndarray of int
        The documents to learn from.
    selector : TermSelector
        Not changed.
    scheme : str
        Weights, as in :class:`textspace.text.VectorSpace`.

    Returns
    -------
    ScoredTerms
    """
    part = corpus.subset(rows)
    space = VectorSpace(scheme=scheme)
    X = space.fit_transform(part.texts)
    names = space.get_feature_names_out()
    if corpus.terms is not None:  # columns of counts are named by their numbers
        names = np.array([corpus.terms[int(name)] for name in names], dtype=object)
    frequencies = document_frequency(X).astype(int)
    # A term of every document has the idf 0 and no entries; a term of none has no column.
    frequencies[frequencies == 0] = len(rows)
    return ScoredTerms(rows, space, X, part.labels, names, frequencies, clone(selector).fit(X, part.labels))


def classes_of_terms(score, X, y):
    """Name for each term the class that it tells most about, by a score that needs classes.

    That is the class with the highest score if it is to be told from all others. With two classes both have
    the same; then it is the class of which a larger share of documents has the term.

    Parameters
    ----------
    score : str
        Name of the score.
    X : CSR matrix of shape (n, d)
        Documents.
    y : ndarray of str, shape (n,)
        Their labels.

    Returns
    -------
    ndarray of str, shape (d,)

    Examples
    --------
    >>> X = sparse.csr_matrix([[1.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    >>> classes_of_terms("chi2", X, np.array(["grain", "grain", "ship"])).tolist()
    ['grain', 'ship', 'grain']
    """
    classes = np.unique(y)
    if len(classes) == 2:
        found = [document_frequency(X[y == label]) / np.sum(y == label) for label in classes]
    else:
        found = [SCORES[score](X, y == label) for label in classes]
    return classes[np.argmax(found, axis=0)]


def f1_curve(corpus, terms, test, *, progress=None):
    """Classify held-out documents by regularised least squares, on more and more terms.

    The penalty is chosen on the training documents with all terms and then kept.

    Parameters
    ----------
    corpus : Corpus
        Texts, or counts.
    terms : ScoredTerms
        The terms of the training documents.
    test : ndarray of int
        The documents to classify.
    progress : bool, default=None
        Whether to show progress on the standard error stream; by default if that is a terminal.

    Returns
    -------
    list of dict
        ``n_terms``, the number of terms kept, ascending; ``micro_f1`` and ``macro_f1`` over the classes that
        have test documents. The last is on all terms.
    """
    X_test, y_test = terms.space.transform(corpus.subset(test).texts), corpus.labels[test]
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
        found = scores(y_test, model.predict(selector.transform(X_test)), classes=np.unique(y_test))
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
    """Choose numbers of terms for a curve on a logarithmic axis.

    Parameters
    ----------
    n_terms : int
        Number of all terms; the last of the curve.
    n_useful : int
        Number of terms with a score above zero; others are only kept with all.
    wanted : int
        A number that is to be among them.

    Returns
    -------
    list of int

    Examples
    --------
    >>> curve_sizes(16346, n_useful=16000, wanted=1500)
    [10, 20, 50, 100, 200, 500, 1000, 1500, 2000, 5000, 10000, 16346]
    """
    first = 10 ** max(0, len(str(n_terms)) - 4)
    rounded = [first * 10**power * factor for power in range(4) for factor in (1, 2, 5)]
    below = {size for size in (*rounded, min(wanted, n_useful)) if size <= n_useful and size < n_terms}
    return [*sorted(below), n_terms]


def has_names(corpus):
    """Tell whether the terms have names: columns of counts often have numbers only."""
    return corpus.terms is not None or not sparse.issparse(corpus.texts)
