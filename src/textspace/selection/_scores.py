"""Scores of terms: how much each is worth keeping, from the documents alone or with their classes.

``SCORES`` lists them by name; nothing else does. Each is called with the documents and their classes, and
gives one number, zero or more, for each term.
"""

import warnings
from numbers import Integral

import numpy as np
from scipy import sparse
from scipy.special import rel_entr
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.multiclass import check_classification_targets

from textspace._labels import check_labels
from textspace._validation import check_rows
from textspace.selection._leverage import leverage_scores


def subspace(X, y=None, *, rank=100, exact=False, random_state=None):
    """Leverage scores: squared row norms of the top right singular vectors (SS, eq. 22).

    A term that the main directions of the documents need is near 1; one that they hardly touch is near 0.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row.
    y : object, optional
        Ignored.
    rank : int, float or "rank", default=100
        Number of singular vectors; or the share of the squared Frobenius norm that they are to capture,
        above 0 and at most 1; or "rank" for all that there are. An integer above the rank of X is capped,
        with a warning.
    exact : bool, default=False
        Whether the singular vectors always come from a dense matrix as large as the shorter side of X. By
        default they do so for ``rank="rank"``, and if that side is at most 1000 or four times ``rank``; else
        they come from a block Lanczos iteration with a random start.
    random_state : int, RandomState instance or None, default=None
        Seed of the iteration. It changes the result by rounding only.

    Returns
    -------
    ndarray of shape (n_features,)
        Scores between 0 and 1; they sum to the number of singular vectors.

    Notes
    -----
    The iteration stops when the residual of each of the ``rank`` pairs is below a thousandth of its
    eigenvalue. On text in float32 that leaves the largest scores with relative errors of 1e-6 to 1e-4.

    References
    ----------
    A. Dasgupta, P. Drineas, B. Harb, V. Josifovski and M. W. Mahoney, "Feature selection methods for text
    classification", KDD 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.selection import subspace
    >>> X = np.array([[3.0, 3.0, 0.0], [3.0, 3.0, 0.0], [0.0, 0.0, 1.0]])
    >>> subspace(X, rank=1).round(6)
    array([0.5, 0.5, 0. ])
    >>> subspace(X, rank="rank").round(6)
    array([0.5, 0.5, 1. ])
    """
    X = check_rows(X)
    if not _has_entries(X):
        return np.zeros(X.shape[1])
    scores, n_vectors = leverage_scores(X, rank=rank, exact=exact, random_state=random_state)
    if isinstance(rank, Integral) and n_vectors < rank:
        warnings.warn(
            f"leverage scores of rank {rank} were asked for, but the documents have rank {n_vectors}: "
            f"the {n_vectors} singular vectors that there are were used.",
            stacklevel=2,
        )
    return scores


def weighted(X, y=None):
    """Squared column norms: the weight that a term has in all documents together (WS, eq. 23).

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row.
    y : object, optional
        Ignored.

    Returns
    -------
    ndarray of shape (n_features,)
        Their sum is the squared Frobenius norm of X.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.selection import weighted
    >>> weighted(np.array([[3.0, 1.0], [4.0, 0.0]]))
    array([25.,  1.])
    """
    return column_sums(check_rows(X), np.square)


def uniform(X, y=None):
    """Score every term alike (US): the straw man that others have to beat.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row.
    y : object, optional
        Ignored.

    Returns
    -------
    ndarray of shape (n_features,)
        Ones.

    Examples
    --------
    >>> from textspace.selection import uniform
    >>> uniform([[3.0, 0.0], [4.0, 0.0]])
    array([1., 1.])
    """
    return np.ones(check_rows(X).shape[1])


def document_frequency(X, y=None):
    """Count the documents that have a term (DF).

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row.
    y : object, optional
        Ignored.

    Returns
    -------
    ndarray of shape (n_features,)
        Numbers of entries other than zero.

    Examples
    --------
    >>> from textspace.selection import document_frequency
    >>> document_frequency([[3.0, 1.0], [4.0, 0.0]])
    array([2., 1.])
    """
    return column_sums(check_rows(X), is_present)


def information_gain(X, y, *, aggregate="max"):
    """Information, in nats, of the presence of a term about a class against all others (IG, eq. 24).

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row; only whether an entry is zero counts.
    y : array-like of shape (n_samples,), or indicators of shape (n_samples, n_classes)
        Classes of the documents.
    aggregate : {"max", "sum"} or None, default="max"
        Largest gain over the classes, or their sum. None gives the gains for each class.

    Returns
    -------
    ndarray of shape (n_features,), or (n_classes, n_features) if ``aggregate`` is None
        Gains, zero where the term is independent of the class; classes in sorted order.

    Notes
    -----
    With two classes both have the same gains. A classifier for each class on terms of its own is
    ``OneVsRestClassifier(make_pipeline(TermSelector("information_gain", mode="top"), RLSC()))``.

    References
    ----------
    Y. Yang and J. O. Pedersen, "A comparative study on feature selection in text categorization", ICML 1997.

    Examples
    --------
    >>> from textspace.selection import information_gain
    >>> X = [[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    >>> information_gain(X, ["earn", "earn", "corn", "corn"]).round(4)
    array([0.6931, 0.    ])
    """
    if aggregate not in ("max", "sum", None):
        raise ValueError(f"aggregate must be 'max', 'sum' or None, not {aggregate!r}.")
    X, indicators = documents_and_indicators(X, y)
    with_term, sizes = term_counts(X, indicators)
    gains = class_gains(with_term, sizes, document_frequency(X), X.shape[0])
    if aggregate is None:
        return gains
    return gains.max(axis=0) if aggregate == "max" else gains.sum(axis=0)


def mutual_information(X, y):
    """Information, in nats, of the presence of a term about the class among all classes (MI).

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row; only whether an entry is zero counts.
    y : array-like of shape (n_samples,), or indicators of shape (n_samples, n_classes)
        Classes of the documents. With indicators, each set of classes that occurs counts as a class.

    Returns
    -------
    ndarray of shape (n_features,)
        Mutual information, at most the entropy of the classes.

    Notes
    -----
    This is the expectation over presence and absence of a term, and over classes. Yang and Pedersen (1997)
    call another quantity mutual information: it is pointwise, has no expectation, and prefers rare terms.

    Examples
    --------
    >>> from textspace.selection import mutual_information
    >>> X = [[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    >>> mutual_information(X, ["earn", "earn", "corn", "corn"]).round(4)
    array([0.6931, 0.    ])
    """
    X, indicators = documents_and_indicators(X, y)
    _, combination = np.unique(indicators.toarray(), axis=0, return_inverse=True)
    with_term, sizes = term_counts(X, _one_column_a_class(combination.ravel()))
    return class_information(with_term, sizes, document_frequency(X), X.shape[0])


def chi2(X, y):
    """Chi-squared statistic of the weight of a term in each class against its expectation (CHI).

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents, one a row; no entry below zero.
    y : array-like of shape (n_samples,), or indicators of shape (n_samples, n_classes)
        Classes of the documents.

    Returns
    -------
    ndarray of shape (n_features,)
        Statistics as of ``sklearn.feature_selection.chi2``, but zero where a term occurs nowhere.

    Examples
    --------
    >>> from textspace.selection import chi2
    >>> chi2([[3.0, 1.0], [1.0, 1.0]], ["earn", "corn"])
    array([1., 0.])
    """
    X, indicators = documents_and_indicators(X, y)
    if X.min() < 0:
        raise ValueError(
            f"Negative values in data: chi2 needs weights of zero or more, but the smallest entry of X is "
            f"{X.min():g}. Choose another score."
        )
    X = X.astype(np.float64)
    observed = safe_sparse_dot(indicators.T, X, dense_output=True)
    return chi2_statistic(observed, np.asarray(indicators.mean(axis=0)).ravel(), column_sums(X, np.positive))


SCORES = {
    "subspace": subspace,
    "weighted": weighted,
    "uniform": uniform,
    "document_frequency": document_frequency,
    "information_gain": information_gain,
    "chi2": chi2,
    "mutual_information": mutual_information,
}
SUPERVISED = frozenset({"information_gain", "chi2", "mutual_information"})


def documents_and_indicators(X, y):
    """Check documents and classes; give the classes as sparse indicators (n_samples, n_classes)."""
    X, y = check_rows(X), check_labels(y)
    check_consistent_length(X, y)
    check_classification_targets(y)
    if sparse.issparse(y) or (np.ndim(y) == 2 and np.shape(y)[1] > 1):
        indicators = sparse.csr_array(y).astype(np.float64)
    else:
        indicators = _one_column_a_class(column_or_1d(y, warn=True))
    sizes = indicators.sum(axis=0)
    if not np.any((sizes > 0) & (sizes < X.shape[0])):
        raise ValueError("y holds only one class: there is nothing that a term could tell apart.")
    return X, indicators


def _one_column_a_class(labels):
    classes, positions = np.unique(labels, return_inverse=True)
    rows = np.arange(len(labels))
    return sparse.csr_array((np.ones(len(labels)), (rows, positions)), shape=(len(labels), len(classes)))


def class_gains(with_term, sizes, frequency, n_samples):
    """Gains of :func:`information_gain` for each class, shape (n_classes, n_features), from counts.

    `with_term`, of that shape, says how many documents of each class have each term; `sizes` and `frequency`
    are the numbers of documents of each class and with each term.
    """
    gains = _information(with_term, frequency, sizes, n_samples)
    gains += _information(frequency - with_term, frequency, n_samples - sizes, n_samples)
    return np.maximum(gains, 0)  # rounding


def class_information(with_term, sizes, frequency, n_samples):
    """Scores of :func:`mutual_information` from the counts that :func:`class_gains` takes."""
    return np.maximum(_information(with_term, frequency, sizes, n_samples).sum(axis=0), 0)


def chi2_statistic(observed, priors, totals):
    """Scores of :func:`chi2` from sums of weights.

    The sums are those in each class (`observed`) and in all documents (`totals`).
    """
    expected = np.outer(priors, totals)
    return np.sum(
        np.divide((observed - expected) ** 2, expected, where=expected > 0, out=np.zeros_like(expected)),
        axis=0,
    )


def term_counts(X, indicators):
    """Count documents by class and term, shape (n_classes, n_features), and by class."""
    present = X.astype(np.float64)
    if sparse.issparse(present):
        present.data = is_present(present.data)
    else:
        present = is_present(present)
    return safe_sparse_dot(indicators.T, present, dense_output=True), indicators.sum(axis=0)


def _information(with_term, frequency, sizes, n_samples):
    """Sum ``P(t, c) log(P(t, c) / P(t) P(c))`` over presence and absence of t, one row a class."""
    priors = sizes[:, None] / n_samples
    present = rel_entr(with_term / n_samples, frequency / n_samples * priors)
    absent = rel_entr((sizes[:, None] - with_term) / n_samples, (n_samples - frequency) / n_samples * priors)
    return present + absent


def is_present(entries):
    return (entries != 0).astype(np.float64)


def _has_entries(X):
    return np.any(X.data if sparse.issparse(X) else X)


def column_sums(X, function):
    """Sum a function of the entries, zero at zero, over documents in float64."""
    if sparse.issparse(X):
        return np.bincount(X.indices, function(X.data.astype(np.float64)), minlength=X.shape[1])
    return function(X.astype(np.float64)).sum(axis=0)
