"""Several labels a document: indicator matrices, and lists of labels, brought into one form."""

import numpy as np
from scipy import sparse

from textspace._labels import of_one_type

_COLLECTIONS = (list, tuple, set, frozenset, np.ndarray)


def check_indicators(Y):
    """Give an indicator matrix in one form, and refuse what is none.

    Parameters
    ----------
    Y : {array-like, sparse matrix} of shape (n_samples, n_labels)
        Ones where a document has a label, else zeros.

    Returns
    -------
    csr_array of shape (n_samples, n_labels), float32
        Each one is held once, in the order of the labels.

    Examples
    --------
    >>> from textspace._label_lists import check_indicators
    >>> check_indicators([[1, 0], [1, 1]]).indices
    array([0, 0, 1], dtype=int32)
    """
    if not sparse.issparse(Y):
        try:
            Y = np.asarray(Y)
        except ValueError:
            Y = np.empty(0, dtype=object)
        if Y.dtype.kind not in "biuf" or Y.ndim != 2:
            raise ValueError(
                "Y must be an indicator matrix of zeros and ones, a row for each document and a column for "
                "each label: sklearn.preprocessing.MultiLabelBinarizer makes one of lists of labels."
            )
    found = sparse.coo_array(Y)
    wrong = np.flatnonzero((found.data != 1) & (found.data != 0))
    if len(wrong):
        row, column = (int(places[wrong[0]]) for places in found.coords)
        raise ValueError(
            f"Y holds {found.data[wrong[0]]:g} in row {row}, column {column}: an indicator matrix has 1 "
            "where a document has a label, and 0 elsewhere."
        )
    truth = sparse.csr_array(found, dtype=np.float32)
    truth.eliminate_zeros()
    truth.sort_indices()
    truth.data[:] = 1
    if truth.nnz == 0:
        raise ValueError(f"Y has no label: none of its {truth.shape[0]} documents has one.")
    return truth


def are_lists(y):
    """Whether labels come as lists: some row holds a collection."""
    return any(isinstance(labels, _COLLECTIONS) for labels in y)


def split_label_lists(y):
    """Tell labelled rows from unlabelled ones, and encode lists of labels.

    Parameters
    ----------
    y : sequence of length n_samples
        A list, tuple or set of labels for each document, empty where it has none; None where they are not
        known. A label that a list holds twice counts once.

    Returns
    -------
    labelled : ndarray of shape (n_samples,), bool
        Which rows are not None.
    truth : csr_array of shape (n_labelled, n_labels), float32
        Ones where a labelled document has a label.
    classes : ndarray of shape (n_labels,)
        The labels that occur, sorted as text.

    Examples
    --------
    >>> from textspace._label_lists import split_label_lists
    >>> labelled, truth, classes = split_label_lists([["ship", "corn"], None, [], ["corn"]])
    >>> labelled.tolist(), truth.toarray().tolist(), classes.tolist()
    ([True, False, True, True], [[1.0, 1.0], [0.0, 0.0], [1.0, 0.0]], ['corn', 'ship'])
    """
    labelled = np.array([labels is not None for labels in y], dtype=bool)
    lists = []
    for row in np.flatnonzero(labelled):
        if not isinstance(y[row], _COLLECTIONS):
            raise ValueError(
                f"row {row} holds {y[row]!r}, while others hold lists of labels: give a list for each row, "
                "of one label where it has one, [] where it has none and None where its labels are not known."
            )
        lists.append(list(dict.fromkeys(_label(each, row) for each in y[row])))
    every = sorted({label for labels in lists for label in labels}, key=str)
    if not every:
        raise ValueError(f"y has no label: all of its {len(labelled)} rows are empty lists or None.")
    of_one_type(every)
    places = {label: place for place, label in enumerate(every)}
    ends = np.cumsum([0, *map(len, lists)])
    indices = np.array([places[label] for labels in lists for label in labels], dtype=np.int32)
    truth = sparse.csr_array(
        (np.ones(len(indices), dtype=np.float32), indices, ends), shape=(len(lists), len(every))
    )
    truth.sort_indices()
    return labelled, truth, np.array(every)


def _label(label, row):
    """Give a label as Python has it; refuse what is none."""
    label = label.item() if isinstance(label, np.generic) else label
    if isinstance(label, bool) or not isinstance(label, (str, int)):
        raise ValueError(f"row {row} has {label!r} among its labels: they must be text or whole numbers.")
    if label == "":
        raise ValueError(f"row {row} has an empty text among its labels: leave it out, or give [] for none.")
    return label
