"""Labels of which some are missing."""

import warnings
from numbers import Real

import numpy as np
from scipy import sparse
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d


def split_labelled(y, *, signs=False):
    """Tell labelled rows from unlabelled ones, and encode the labels.

    A row without a label is marked by -1, as in scikit-learn, by the empty string, by None (NA, a mask) or by
    NaN: by one of them throughout.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels: text, whole numbers or booleans.
    signs : bool, default=False
        Whether a y that holds -1 and 1 alone has these two classes. Classifiers must take it so to pass
        scikit-learn's checks; a warning says that they do. Otherwise it has one class, which is an error.

    Returns
    -------
    labelled : ndarray of shape (n_samples,), bool
        Which rows have a label.
    codes : ndarray of shape (n_samples,), int
        Position of each row's label in `classes`; -1 where there is none.
    classes : ndarray of shape (n_classes,)
        The labels that occur, sorted; at least two.

    Examples
    --------
    >>> from textspace._labels import split_labelled
    >>> labelled, codes, classes = split_labelled(["wheat", "", "corn", ""])
    >>> labelled.tolist(), codes.tolist(), classes.tolist()
    ([True, False, True, False], [1, -1, 0, -1], ['corn', 'wheat'])
    """
    if y is None:
        raise ValueError("learning requires y to be passed, but the target y is None.")
    # a list of text and -1 would become text throughout, and -1 a label
    y = without_na(np.asarray(y, dtype=object) if isinstance(y, (list, tuple)) else y)
    y = column_or_1d(y, warn=True)
    if y.dtype.kind in "mMV":
        raise ValueError(f"y holds {y.dtype}: labels are text, whole numbers or booleans.")
    values = y.tolist()
    refuse_collections(values)
    if signs and set(values) == {-1, 1}:
        warnings.warn("y holds -1 and 1 only: both are taken as classes, no row as unlabelled.", stacklevel=3)
        marks = np.full(len(values), "")
    else:
        marks = np.array([_mark(value) for value in values], dtype=str)
    labelled = marks == ""
    used, first = np.unique(marks[~labelled], return_index=True)
    rows = np.flatnonzero(~labelled)[first]
    if len(used) > 1:
        ways = " and ".join(f"{mark} (row {row})" for mark, row in zip(used, rows, strict=True))
        raise ValueError(
            f"y marks rows without a label in different ways, {ways}: use one of them throughout."
        )
    mark = used[0] if len(used) else "nothing"
    if not labelled.any():
        raise ValueError(f"y has no label: {len(values)} rows are marked as unlabelled, by {mark}.")
    labels = y[labelled]
    if y.dtype == object:
        labels = of_one_type(labels.tolist())
    if labels.dtype.kind != "U":  # text is never the value of a regression
        check_classification_targets(labels)
    codes = np.full(len(values), -1)
    classes, codes[labelled] = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        beside = f", beside rows marked as unlabelled by {mark}" if len(used) else ""
        raise ValueError(f"y holds only one class, {str(classes[0])!r}{beside}: there must be two or more.")
    return labelled, codes, classes


def _mark(value):
    """Say by what a row is marked as unlabelled; the empty string for a label."""
    if value is None:
        return "None"
    if value == "":
        return "the empty string"
    if value == -1:
        return "-1"
    return "NaN" if value != value else ""


def without_na(y):
    """Give labels with None where pandas has NA or a mask hides one, and text as objects.

    >>> without_na(np.ma.array([3, 4], mask=[False, True]))
    array([3, None], dtype=object)
    """
    if np.ma.is_masked(y):
        return np.array(y.tolist(), dtype=object)
    if y is None or sparse.issparse(y) or isinstance(y, (list, tuple)):
        return y
    array = np.asarray(y)
    if array.dtype.kind == "T":  # text of any length, of which scikit-learn knows nothing
        array = array.astype(object)
    if array.dtype != object:
        return array
    is_na = np.array([type(each).__name__ == "NAType" for each in array.flat], dtype=bool)
    return np.where(is_na.reshape(array.shape), None, array) if is_na.any() else array


def check_labels(y):
    """Give labels, of which none may be missing, as scikit-learn understands them.

    >>> check_labels(["grain", None])
    Traceback (most recent call last):
    ...
    ValueError: y has no label in row 1, but None: leave out rows without a label.
    """
    y = without_na(y)
    if y is None or sparse.issparse(y):
        return y
    try:
        array = np.asarray(y)
    except ValueError:
        refuse_collections(y)
        raise
    if array.dtype == object:
        values = array.ravel().tolist()
        refuse_collections(values)
        for row, value in enumerate(values):
            if value is None or value != value:
                raise ValueError(
                    f"y has no label in row {row // (array.size // len(array))}, but {value}: leave out rows "
                    "without a label."
                )
        of_one_type(values)
    return y


def refuse_collections(labels):
    """Raise an error where a row holds several labels."""
    for row, label in enumerate(labels):
        if isinstance(label, (list, tuple, set, frozenset, dict, np.ndarray)):
            raise ValueError(
                f"row {row} of y holds {label!r}: give one label a row, or, to what learns several, an "
                "indicator matrix."
            )


def of_one_type(labels):
    """Make an array of labels that are all text or all numbers."""
    text = [isinstance(label, str) for label in labels]
    if any(text) and not all(text):
        word, number = labels[text.index(True)], labels[text.index(False)]
        raise ValueError(
            f"y holds both text and other labels, such as {word!r} and {number!r}: use one kind."
        )
    return without_nul(labels) if any(text) else np.array(labels)


def without_nul(labels):
    r"""Make an array of labels that are text; refuse one that ends with NUL, which no array of text keeps.

    >>> without_nul(["grain", "\x00"])
    Traceback (most recent call last):
    ...
    ValueError: the label '\x00' ends with the character NUL: take it away, or name the class otherwise.
    """
    for label in labels:
        if label.endswith("\0"):
            raise ValueError(
                f"the label {label!r} ends with the character NUL: take it away, or name the class otherwise."
            )
    return np.array(labels, dtype=str)


def text_labels(labels):
    """Give labels as text, the empty string where there is none.

    Parameters
    ----------
    labels : array-like of shape (n_documents,)
        Text or numbers; "", None or NaN where there is none.

    Returns
    -------
    ndarray of str, shape (n_documents,)

    Examples
    --------
    >>> text_labels(["grain", None, 3]).tolist()
    ['grain', '', '3']
    """
    return without_nul(["" if label is None or label != label else str(label) for label in labels])


def class_weights(class_weight, labels):
    """Give what each document counts for its class, as scikit-learn does; refuse what none can count.

    >>> class_weights({"corn": 2.0}, ["corn", "ship"]).tolist()
    [2.0, 1.0]
    """
    for label, weight in class_weight.items() if isinstance(class_weight, dict) else ():
        if not (isinstance(weight, Real) and 0 <= weight < np.inf):
            raise ValueError(f"class_weight is {weight!r} for the class {label!r}: give a number, 0 or more.")
    return compute_sample_weight(class_weight, labels)
