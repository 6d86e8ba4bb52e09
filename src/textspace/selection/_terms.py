"""The terms of documents with their scores, and the class that each tells most about."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import clone

from textspace._validation import check_rows
from textspace.selection._scores import SCORES, document_frequency
from textspace.text import VectorSpace, endings_of


class ScoredTerms(NamedTuple):
    """Terms of documents, and a selector that has scored and chosen among them.

    Attributes
    ----------
    space : VectorSpace
        Turns texts into rows over the terms.
    X : CSR matrix of shape (n_documents, n_terms)
        Rows of the documents.
    y : ndarray of str, shape (n_documents,)
        Their labels.
    names : ndarray of str, shape (n_terms,)
        The terms, each in its commonest form.
    frequencies : ndarray of int, shape (n_terms,)
        Number of documents that have each term.
    selector : TermSelector
        Fitted on X and y.
    """

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


def score_terms(texts, y, selector, *, scheme="ltc", names=None, language="auto"):
    """Score the terms of documents and choose among them.

    Parameters
    ----------
    texts : list of str, or sparse matrix of shape (n_documents, n_columns)
        Texts, or raw counts of terms.
    y : ndarray of str, shape (n_documents,)
        Their labels; ignored by the scores that need none.
    selector : TermSelector
        Not changed.
    scheme : str, default="ltc"
        Weights, as in :class:`textspace.text.VectorSpace`.
    names : sequence of str, default=None
        Terms of the columns, where counts are given; by default they are called by their numbers.
    language : str, default="auto"
        Whose stems and stop words are taken, as in :func:`textspace.text.endings_of`.

    Returns
    -------
    ScoredTerms
        The terms, in the order of the columns.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.selection import TermSelector, score_terms
    >>> texts, y = ["corn rose", "corn fell", "ships sank"], np.array(["grain", "grain", "ship"])
    >>> scored = score_terms(texts, y, TermSelector("document_frequency", n_terms=1, mode="top"))
    >>> scored.names[scored.order].tolist(), scored.names[scored.selector.get_support()].tolist()
    (['corn', 'fell', 'rose', 'sank', 'ships'], ['corn'])
    """
    space = VectorSpace(scheme=scheme, **endings_of(language))
    X = space.fit_transform(texts)
    found = space.forms_of(np.arange(space.n_terms_))
    if names is not None:  # columns of counts are named by their numbers
        found = np.array([names[int(name)] for name in found], dtype=object)
    frequencies = document_frequency(X).astype(int)
    # A term of every document has the idf 0 and no entries; a term of none has no column.
    frequencies[frequencies == 0] = X.shape[0]
    return ScoredTerms(space, X, y, found, frequencies, clone(selector).fit(X, y))


def classes_of_terms(score, X, y):
    """Name for each term the class that it tells most about, by a score that needs classes.

    That is the class with the highest score if it is to be told from all others. With two classes both have
    the same; then it is the class of which a larger share of documents has the term.

    Parameters
    ----------
    score : str
        Name of the score.
    X : CSR matrix of shape (n_documents, n_terms)
        Documents.
    y : ndarray of str, shape (n_documents,), or CSR indicators of shape (n_documents, n_labels)
        Their labels, one or several each.

    Returns
    -------
    ndarray of shape (n_terms,)
        Labels; the numbers of their columns where y are indicators.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from textspace.selection import classes_of_terms
    >>> X = sparse.csr_matrix([[1.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    >>> classes_of_terms("chi2", X, np.array(["grain", "grain", "ship"])).tolist()
    ['grain', 'ship', 'grain']
    """
    X = check_rows(X)
    if sparse.issparse(y):
        varies = np.flatnonzero((y.sum(axis=0) > 0) & (y.sum(axis=0) < y.shape[0]))
        found = [SCORES[score](X, y[:, [column]].toarray().ravel() > 0) for column in varies]
        return varies[np.argmax(found, axis=0)]
    classes = np.unique(y)
    if len(classes) == 2:
        found = [document_frequency(X[y == label]) / np.sum(y == label) for label in classes]
    else:
        found = [SCORES[score](X, y == label) for label in classes]
    return classes[np.argmax(found, axis=0)]
