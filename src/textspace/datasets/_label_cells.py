"""Cells that hold several labels: lists, texts with a separator, columns of yes and no."""

import json
import re
from collections import Counter, defaultdict

from textspace._label_sets import LISTS, label_lists

COLUMNS, NONE = "columns", "none"  # words that `several` may be, beside a separator
SEPARATORS = ";", "|", ",", "\n"  # that are looked for where the user named none
LINES = r"\n"  # as a line break between labels is named on a command line
MOSTLY = 0.95  # of the cells of a column say yes or no where the others are mistakes, which are named
LEAST_SHARE = 0.02  # of the cells have a separator, where they are taken for lists
YES = {True, "1", "1.0", "true", "True", "yes"}
NO = {False, None, "", "0", "0.0", "false", "False", "no"}
_QUOTED = r"""(?:'[^']*'|"[^"]*")"""
_PYTHON_LIST = re.compile(rf"\[\s*{_QUOTED}(?:\s*,\s*{_QUOTED})*\s*\]")


def lists_of(values, several, where):
    """Read a column of cells, each of which holds all labels of a document.

    Parameters
    ----------
    values : list
        Lists of labels, as JSON has them, or texts. A text that is a list of JSON or Python, such as
        ``["a;b", "c"]``, is taken as that list; others are cut at the separator. An empty cell says nothing;
        ``[]`` says that the document has no label.
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
    >>> lists_of(["grain; wheat;grain", "", "[]", '["a;b"]', "['a', 'b']"], ";", str).tolist()
    [('grain', 'wheat'), None, (), ('a;b',), ('a', 'b')]
    """
    several = "\n" if several == LINES else several
    return label_lists([_labels_of(value, several) for value in values], where)


def _labels_of(value, several):
    if value is None or value != value:  # a NaN differs from itself
        return None
    if isinstance(value, LISTS):
        return [_label(one) for one in value]
    if several is None or not isinstance(value, str | int | float):
        return value  # which is refused with its place
    text = _label(value).strip()
    if text.startswith("["):
        try:
            return [_label(one) for one in json.loads(text)]
        except ValueError:  # a list of Python, or a label that begins so
            if _PYTHON_LIST.fullmatch(text):
                return [quoted[1:-1] for quoted in re.findall(_QUOTED, text)]
    return [part.strip() for part in text.split(several) if part.strip()] if text else None


def _label(one):
    if isinstance(one, float) and one.is_integer():
        one = int(one)  # as whole numbers are often stored
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
    """Name the columns that say yes and no, all or nearly all cells, other than those that are taken."""
    return [name for name in table.names if name not in taken and _says_yes_no(table.column(name))]


def _says_yes_no(values):
    if any(isinstance(value, (*LISTS, dict)) for value in values):
        return False
    said = [value for value in values if value is not None and value != ""]
    plain = sum(value in YES | NO for value in said)
    return plain > 0 and plain >= MOSTLY * len(said)


def list_separator(labels):
    """Find what stands between the labels of cells that look like lists of labels; None if they do not.

    They do if the parts of cells that have a separator are also found alone or beside others: ``"a;b"``,
    ``"b;c"`` and ``"a"``, but not ``"Arts, culture"`` and ``"Health, care"``.

    Examples
    --------
    >>> list_separator(["grain;wheat", "grain", "wheat;corn", "ship"])
    ';'
    >>> list_separator(["Arts, culture", "Law"]) is None
    True
    """
    counts = Counter(label.strip() for label in labels if isinstance(label, str) and label.strip())
    for separator in SEPARATORS:
        lists = [label for label in counts if separator in label]
        if len(lists) < 2 or sum(counts[label] for label in lists) < LEAST_SHARE * counts.total():
            continue
        holders = defaultdict(set)
        for label in counts:
            for part in _parts(label, separator):
                holders[part].add(label)
        parts = {part for label in lists for part in _parts(label, separator)}
        if separator == "," and all(part.isdecimal() for part in parts):  # 3,5 is a number
            continue
        if 2 * sum(len(holders[part]) > 1 for part in parts) > len(parts):
            return separator
    return None


def _parts(label, separator):
    """Part a label, which may also be written as a list of JSON or Python: ['grain', 'ship']."""
    parts = (part.strip().strip("'\"") for part in label.strip("[]").split(separator))
    return {part for part in parts if part}
