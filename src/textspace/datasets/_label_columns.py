"""The labels of a table: a column of single ones or of lists, or columns of yes and no."""

from textspace._label_lists import are_lists
from textspace.datasets._columns import require_column
from textspace.datasets._label_cells import COLUMNS, NONE, lists_of, lists_of_columns

# Longer than any category's name: such a "label" is a text.
LONGEST_LABEL = 500
MOST_NAMED = 5  # labels in a note


def labels_of_columns(table, names, path, several, notes):
    """Read columns of yes and no, and note which say no throughout."""
    if several not in (None, COLUMNS):
        raise ValueError(
            f"{path}: several label columns, {', '.join(map(repr, names))}, hold yes and no each: leave out "
            "several= (--several), or name one column"
        )
    if not names:
        raise ValueError(
            f"{path} has no columns of yes and no (1 and 0): name them with label= (--label, once for each)"
        )
    for name in names:
        require_column(table, path, name, "label")
    columns = {name: table.column(name) for name in names}
    lists = lists_of_columns(columns, lambda row: f"{path}, {table.where(row)}")
    never = [repr(name) for name in names if not any(name in (labels or ()) for labels in lists)]
    if never:
        named = ", ".join(never[:MOST_NAMED]) + (" ..." if len(never) > MOST_NAMED else "")
        notes.append(f"No document has the label {named}.")
    return _known(lists)


def _known(lists):
    """Give lists of labels, and for want of any the mark of single ones that are not there."""
    return [""] * len(lists) if all(labels is None for labels in lists) else list(lists)


def _label_lists(table, column, path, several, notes):
    """Read cells that hold several labels each."""

    def where(row):
        return f"{path}, {table.where(row)}, column {column!r}"

    values = table.column(column)
    lists = lists_of(values, several, where)
    for row, labels in enumerate(lists):
        if labels and max(map(len, labels)) > LONGEST_LABEL:
            raise ValueError(
                f"{where(row)}: a label has more than {LONGEST_LABEL} characters: correct the cell, or name "
                "another separator with several= (--several)"
            )
    if several and max((len(labels) for labels in lists if labels), default=0) < 2:
        notes.append(f"No label cell holds the separator {several!r}: each document has one label at most.")
    return _known(lists)


def labels_of(table, column, path, several, notes):
    """Read the labels of a column, "" for each document if there is none, and note what is noticed."""
    if column is None:
        return [""] * table.n_rows
    values = table.column(column)
    if several not in (None, NONE) or (several is None and are_lists(values)):
        return _label_lists(table, column, path, several, notes)
    labels = [_label(value) for value in values]
    for position, label in enumerate(labels):
        if label is None or len(label) > LONGEST_LABEL or label.endswith("\0"):
            raise ValueError(
                f"{path}, {table.where(position)}, column {column!r}: expected one label of at most "
                f"{LONGEST_LABEL} characters that does not end with NUL: correct the cell or name another "
                "column with label= (--label)"
            )
    return labels


def _label(value):
    """Give a label as text, "" for none; None if the value is no label."""
    if value is None or value != value:  # a NaN differs from itself
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # whole numbers with gaps between them are often stored as floats
    if isinstance(value, str | int | float):
        return str(value).strip()
    return None
