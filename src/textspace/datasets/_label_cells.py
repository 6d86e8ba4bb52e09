"""Cells that hold several labels: lists, texts with a separator, columns of yes and no."""

import json
from collections import defaultdict

from textspace._label_sets import LISTS, label_lists

COLUMNS, NONE = "columns", "none"  # words that `several` may be, beside a separator
SEPARATORS = ";", "|", ","  # that are looked for where the user named none
LEAST_SHARE = 0.02  # of the cells have a separator, where they are taken for lists
YES = {True, "1", "1.0", "true", "True", "yes"}
NO = {False, None, "", "0", "0.0", "false", "False", "no"}


def lists_of(values, several, where):
    """Read a column of cells, each of which holds all labels of a document.

    Parameters
    ----------
    values : list
        Lists of labels, as JSON has them, or texts. A text that is a list of JSON, such as ``["a;b", "c"]``,
        is taken as that list; others are cut at the separator. An empty cell says nothing; ``[]`` says that
        the document has no label.
    several : str or None
        What stands between labels; None where all cells are lists.
    where : callable
        Gives what to call a cell in a message by its position.

    Returns
    -------
    ndarray of object, shape (n_documents,)
        A tuple of str, or None, for each document.

    Examples
    --------
    >>> lists_of(["grain; wheat;grain", "", "[]", '["a;b"]'], ";", str).tolist()
    [('grain', 'wheat'), None, (), ('a;b',)]
    """
    return label_lists([_labels_of(value, several) for value in values], where)


def _labels_of(value, several):
    if value is None or value != value:  # a NaN differs from itself
        return None
    if isinstance(value, LISTS):
        return [_label(one) for one in value]
    if several is None or not isinstance(value, str | int | float):
        return value  # which is refused with its place
    text = str(value).strip()
    if text.startswith("["):
        try:
            return [_label(one) for one in json.loads(text)]
        except ValueError:  # a label that begins so
            pass
    return [part.strip() for part in text.split(several) if part.strip()] if text else None


def _label(one):
    return str(one) if isinstance(one, int | float) and not isinstance(one, bool) else one


def lists_of_columns(columns, where):
    """Read columns of yes and no, one a label.

    Parameters
    ----------
    columns : dict of str to list
        Cells of each label: 1, true or yes, and 0, false, no or nothing.
    where : callable
        Gives what to call a row in a message by its position.

    Returns
    -------
    list of tuple of str
        Labels of each row; None for one whose cells are all empty.

    Examples
    --------
    >>> lists_of_columns({"grain": ["1", "0", ""], "ship": ["1", "0", ""]}, str)
    [('grain', 'ship'), (), None]
    """
    n_rows = len(next(iter(columns.values())))
    found, known = [[] for _ in range(n_rows)], [False] * n_rows
    for name, values in columns.items():
        for row, value in enumerate(values):
            value = value.strip() if isinstance(value, str) else value
            if isinstance(value, (*LISTS, dict)) or value not in YES | NO:
                raise ValueError(
                    f"{where(row)}, column {name!r}: {value!r:.40} says neither yes nor no: write 1 where "
                    "the document has the label and 0 where it has not, or name the columns of labels with "
                    "label= (--label, once for each)"
                )
            known[row] |= value not in (None, "")
            if value in YES:
                found[row].append(name)
    return [tuple(labels) if yes else None for labels, yes in zip(found, known, strict=True)]


def yes_no_columns(table, taken):
    """Name the columns that say only yes and no, other than those that are taken."""
    return [name for name in table.names if name not in taken and _says_yes_no(table.column(name))]


def _says_yes_no(values):
    said = {value for value in values if isinstance(value, str | int | float)} - {""}
    return bool(said) and said <= YES | NO and not any(isinstance(value, (*LISTS, dict)) for value in values)


def seems_several(values):
    """Find the separator of labels that look like lists; None if they do not.

    They do if the parts of cells that have a separator are also found alone or beside others: ``"a;b"``,
    ``"b;c"`` and ``"a"``, but not ``"Arts, culture"`` and ``"Health, care"``.

    Examples
    --------
    >>> seems_several(["grain;wheat", "grain", "wheat;corn", "ship"]), seems_several(["Arts, culture", "Law"])
    (';', None)
    """
    texts = [value.strip() for value in values if isinstance(value, str) and value.strip()]
    for separator in SEPARATORS:
        parted = [text for text in texts if separator in text]
        if len(set(parted)) < 2 or len(parted) < LEAST_SHARE * len(texts):
            continue
        cells = defaultdict(set)
        for text in set(texts):
            for part in text.split(separator):
                cells[part.strip()].add(text)
        parts = {part.strip() for text in set(parted) for part in text.split(separator)} - {""}
        if 2 * sum(len(cells[part]) > 1 for part in parts) > len(parts):
            return separator
    return None
