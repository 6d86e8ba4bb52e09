"""Documents dealt into folds, each of which is held out once."""

import heapq

import numpy as np


def deal_folds(n_folds, y=None, *, n_samples):
    """Deal documents into folds like cards, class by class where there are classes.

    Parameters
    ----------
    n_folds : int
        Number of folds.
    y : ndarray of shape (n_samples,), optional
        Classes, so that each is spread evenly.
    n_samples : int
        Number of documents.

    Returns
    -------
    ndarray of shape (n_samples,), int
        Fold of each document.

    Examples
    --------
    >>> deal_folds(2, np.array(["a", "b", "b", "a"]), n_samples=4)
    array([0, 0, 1, 1])
    """
    folds = np.arange(n_samples) % n_folds
    if y is not None:
        folds[np.argsort(y, kind="stable")] = folds.copy()
    return folds


def deal_label_sets(Y, wanted, n_wanted, *, random_state=0):
    """Deal documents of several labels into parts, the rarest label first: iterative stratification [1]_.

    Parameters
    ----------
    Y : CSR array of bool, shape (n_samples, n_labels)
        Labels of the documents.
    wanted : ndarray of shape (n_labels, n_parts)
        How many documents of each label each part should have.
    n_wanted : ndarray of shape (n_parts,)
        How many documents each part should have: by this it is decided where labels leave it open.
    random_state : int or sequence of int, default=0
        Seed of the order in which documents are dealt.

    Returns
    -------
    ndarray of shape (n_samples,), int
        Part of each document.

    References
    ----------
    .. [1] K. Sechidis, G. Tsoumakas and I. Vlahavas, "On the stratification of multi-label data",
       ECML PKDD 2011.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> Y = csr_array([[1, 1], [1, 0], [1, 1], [1, 0]]).astype(bool)
    >>> parts = deal_label_sets(Y, np.array([[2.0, 2.0], [1.0, 1.0]]), np.array([2.0, 2.0]))
    >>> bool(parts[0] != parts[2]), bool(parts[1] != parts[3])
    (True, True)
    """
    order = np.random.default_rng(random_state).permutation(Y.shape[0])
    by_document = Y[order].tocsr()
    by_label = by_document.tocsc()
    left = np.diff(by_label.indptr).tolist()  # documents of each label that are not dealt yet
    wanted, n_wanted = wanted.tolist(), n_wanted.tolist()
    parts = [-1] * len(order)
    heap = [(size, label) for label, size in enumerate(left) if size]
    heapq.heapify(heap)
    while heap:
        size, label = heapq.heappop(heap)
        if size != left[label]:  # said before others of its documents were dealt
            continue
        for document in _entries(by_label, label):
            if parts[document] >= 0:
                continue
            part = _most_wanting(wanted[label], n_wanted)
            parts[document] = part
            n_wanted[part] -= 1
            for other in _entries(by_document, document):
                wanted[other][part] -= 1
                left[other] -= 1
                if other != label and left[other]:
                    heapq.heappush(heap, (left[other], other))
    for document, part in enumerate(parts):
        if part < 0:
            parts[document] = _most_wanting(n_wanted, n_wanted)
            n_wanted[parts[document]] -= 1
    result = np.empty(len(order), dtype=int)
    result[order] = parts
    return result


def _entries(compressed, line):
    return compressed.indices[compressed.indptr[line] : compressed.indptr[line + 1]].tolist()


def _most_wanting(wanted, n_wanted):
    most = max(wanted)
    return max((part for part, each in enumerate(wanted) if each == most), key=n_wanted.__getitem__)


def judged_folds(n_folds, y):
    """Deal documents into folds, but not those that must be learned from in every fold.

    Parameters
    ----------
    n_folds : int
        Number of folds.
    y : ndarray of shape (n_samples,), int
        Classes, 0 and above; -1 for a document without a label.

    Returns
    -------
    ndarray of shape (n_samples,), int
        Fold of each document. It is -1, never held out, for a document without a label and for the only
        document of a class.

    Examples
    --------
    >>> judged_folds(2, np.array([0, 0, 1, -1, 0]))
    array([ 0,  1, -1, -1,  0])
    """
    labelled = y >= 0
    folds = np.full(len(y), -1)
    folds[labelled] = deal_folds(n_folds, y[labelled], n_samples=int(labelled.sum()))
    sizes = np.bincount(y[labelled], minlength=1)
    folds[sizes[y] == 1] = -1
    return folds


def fold_rows(folds):
    """List the rows that are learned from and those that are judged, fold by fold.

    Parameters
    ----------
    folds : ndarray of shape (n_samples,), int
        Fold of each document; -1 for those that are learned from in every fold and never judged.

    Returns
    -------
    list of (ndarray of int, ndarray of int)
        Increasing positions: all documents that are not in the fold, and those that are.

    Examples
    --------
    Each document is judged by the mean of the others:

    >>> x, values = np.array([1.0, 2.0, 6.0, 9.0]), np.zeros(4)
    >>> for train, test in fold_rows(np.array([0, 1, 1, -1])):
    ...     values[test] = x[train].mean()
    >>> values
    array([5.66666667, 5.        , 5.        , 0.        ])
    """
    numbers = np.unique(folds[folds >= 0])
    return [(np.flatnonzero(folds != number), np.flatnonzero(folds == number)) for number in numbers]
