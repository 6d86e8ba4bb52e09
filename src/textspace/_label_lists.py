"""Several labels a document: lists of them, and indicators with one column a label."""

import numpy as np
from scipy import sparse

LISTS = list, tuple, set, frozenset


def is_several(labels):
    """Tell whether labels are lists, several a document, or single ones.

    Parameters
    ----------
    labels : array-like of shape (n_documents,)
        Labels, or lists of labels; None for a document without.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_several([None, ("grain", "wheat")]), is_several(["grain", ""])
    (True, False)
    """
    if isinstance(labels, np.ndarray) and labels.dtype != object:
        return False
    return any(isinstance(label, LISTS) for label in labels)


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


def check_indicators(Y, name="Y"):
    """Bring indicators into one form: only yes and no, and sparse if they were.

    Parameters
    ----------
    Y : {array-like, sparse matrix} of shape (n_documents, n_labels)
        1 or True where a document has a label, 0 or False where it has not.
    name : str, default="Y"
        What to call it in a message.

    Returns
    -------
    ndarray or CSR array of bool, shape (n_documents, n_labels)

    Examples
    --------
    >>> check_indicators([[1, 0], [0, 1]]).tolist()
    [[True, False], [False, True]]
    """
    Y = sparse.csr_array(Y) if sparse.issparse(Y) else np.asarray(Y)
    if Y.ndim != 2 or Y.dtype.kind not in "biuf":
        raise ValueError(f"{name} is no matrix of numbers: give a row a document and a column a label.")
    if Y.dtype == bool:
        return Y
    values = Y.data if sparse.issparse(Y) else Y
    odd = values[(values != 0) & (values != 1)]
    if odd.size:
        raise ValueError(
            f"{name} holds {odd.flat[0]:g} where only 0 and 1 are meant: write 1 where a document has a "
            "label, and 0 where it has not."
        )
    Y = Y.astype(bool)
    if sparse.issparse(Y):
        Y.eliminate_zeros()
    return Y
