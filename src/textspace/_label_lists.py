"""Several labels a document: indicator matrices, and lists of labels, brought into one form."""

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from textspace._labels import of_one_type

COLLECTIONS = (list, tuple, set, frozenset, np.ndarray)


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


def indicators_of(y):
    """Give y as an indicator matrix where it is one, as estimators that take both ask.

    Parameters
    ----------
    y : {array-like, sparse matrix} of shape (n_samples,) or (n_samples, n_labels)
        Class of each document, or an indicator matrix of two columns or more.

    Returns
    -------
    csr_array of shape (n_samples, n_labels), float32, or None
        As by :func:`check_indicators`; None where each document has one class.

    Examples
    --------
    >>> from textspace._label_lists import indicators_of
    >>> indicators_of([[1, 0], [1, 1]]).toarray().tolist(), indicators_of(["corn", "ship"])
    ([[1.0, 0.0], [1.0, 1.0]], None)
    """
    check_classification_targets(y)
    kind = type_of_target(y)
    if kind == "multiclass-multioutput":
        raise ValueError("y has several columns but is no indicator matrix: its values must be 0 and 1.")
    return check_indicators(y) if kind == "multilabel-indicator" else None


def are_lists(y):
    """Whether labels come as lists: some row holds a collection."""
    return any(isinstance(labels, COLLECTIONS) for labels in y)


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
    if _is_indicator(y):
        raise ValueError(
            "y is an indicator matrix of zeros and ones: give lists of labels, as inverse_transform of "
            "sklearn.preprocessing.MultiLabelBinarizer makes them, or take SeveralLabelsBlend."
        )
    labelled = np.array([labels is not None for labels in y], dtype=bool)
    lists = []
    for row in np.flatnonzero(labelled):
        if not isinstance(y[row], COLLECTIONS):
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


def _is_indicator(y):
    """Whether rows are as long as each other, two or longer, and hold nothing but zeros and ones."""
    rows = [list(labels) for labels in y if isinstance(labels, COLLECTIONS)]
    return (
        len(rows) == len(y)
        and len({len(row) for row in rows}) == 1
        and len(rows[0]) > 1
        and all(
            isinstance(each, (bool, int, float, np.number)) and each in (0, 1) for row in rows for each in row
        )
        and any(len(set(row)) < len(row) for row in rows)
    )


def _label(label, row):
    """Give a label as Python has it; refuse what is none."""
    label = label.item() if isinstance(label, np.generic) else label
    if isinstance(label, bool) or not isinstance(label, (str, int)):
        raise ValueError(f"row {row} has {label!r} among its labels: they must be text or whole numbers.")
    if label == "":
        raise ValueError(f"row {row} has an empty text among its labels: leave it out, or give [] for none.")
    return label
