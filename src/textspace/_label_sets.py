"""Several labels a document, as they are read: tuples of them, and a yes or no to each label."""

import numpy as np
from scipy import sparse

LISTS = list, tuple, set, frozenset


def label_lists(labels, where=None):
    """Give lists of labels in one form, each label of a document once.

    Parameters
    ----------
    labels : iterable
        A list, tuple or set of texts for each document: an empty one says that it has no label, and None that
        its labels are not known.
    where : callable, default=None
        Gives what to call a document in a message by its position.

    Returns
    -------
    ndarray of object, shape (n_documents,)
        A tuple of str, or None, for each document.

    Examples
    --------
    >>> label_lists([["wheat", "grain", "wheat"], [], None]).tolist()
    [('wheat', 'grain'), (), None]
    """
    found = list(labels)
    result = np.empty(len(found), dtype=object)
    for position, label in enumerate(found):
        if label is None:
            continue
        name = where(position) if where else f"document {position + 1}"
        if not isinstance(label, LISTS):
            raise ValueError(
                f"{name} has the single label {label!r:.80} where others have lists: give a list for every "
                f"document, such as [{label!r:.80}]."
            )
        for one in label:
            if not isinstance(one, str) or not one.strip():
                raise ValueError(
                    f"{name} has {one!r:.80} among its labels: give texts that are not empty, and an empty "
                    "list for a document that has no label."
                )
        ordered = sorted(label) if isinstance(label, set | frozenset) else label
        result[position] = tuple(dict.fromkeys(ordered))
    return result


def known_labels(lists):
    """Give the labels that occur, sorted.

    Parameters
    ----------
    lists : ndarray of object, shape (n_documents,)
        As :func:`label_lists` gives them.

    Returns
    -------
    ndarray of str, shape (n_labels,)

    Examples
    --------
    >>> known_labels(label_lists([["wheat", "grain"], ["wheat"], None])).tolist()
    ['grain', 'wheat']
    """
    return np.array(sorted({one for labels in lists if labels is not None for one in labels}), dtype=str)


def indicators(lists, classes):
    """Say by yes and no which of the labels each document has.

    Parameters
    ----------
    lists : ndarray of object, shape (n_documents,)
        As :func:`label_lists` gives them; None counts as none.
    classes : array-like of str, shape (n_labels,)
        Labels of the columns. Others are left out.

    Returns
    -------
    CSR array of bool, shape (n_documents, n_labels)

    Examples
    --------
    >>> indicators(label_lists([["wheat", "grain"], [], ["wheat"]]), ["grain", "wheat"]).toarray().astype(int)
    array([[1, 1],
           [0, 0],
           [0, 1]])
    """
    place = {str(label): column for column, label in enumerate(classes)}
    rows = [sorted(place[one] for one in labels or () if one in place) for labels in lists]
    return from_columns(rows, len(place))


def from_columns(rows, n_labels):
    """Make indicators of the increasing column numbers of each document.

    Parameters
    ----------
    rows : sequence of sequence of int
        Columns in which each document has a yes.
    n_labels : int
        Number of columns.

    Returns
    -------
    CSR array of bool, shape (n_documents, n_labels)

    Examples
    --------
    >>> from_columns([[0, 2], []], 3).toarray().astype(int)
    array([[1, 0, 1],
           [0, 0, 0]])
    """
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.array([column for row in rows for column in row], dtype=np.int64)
    return sparse.csr_array((np.ones(len(columns), dtype=bool), columns, ends), shape=(len(rows), n_labels))
