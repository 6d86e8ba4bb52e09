"""Which columns of a table hold the text, the label and the split: as told, else as guessed."""

import difflib

# The first name of each wins over the others.
KNOWN_NAMES = {
    "text": ("text", "body", "content", "message", "document", "review", "comment", "article", "abstract"),
    "label": ("label", "category", "class", "target", "topic", "tag", "genre", "section", "sentiment"),
    "split": ("split",),
}
# Names of a column that holds several labels in each cell.
PLURAL_NAMES = "labels", "tags", "topics", "categories", "classes"
# What a split may say, and what it means.
SPLIT_NAMES = {
    "train": "train",
    "training": "train",
    "test": "test",
    "testing": "test",
    "unlabelled": "unlabelled",
    "unlabeled": "unlabelled",
    "unsupervised": "unlabelled",
}
# A guess by content wants the texts of one column to be clearly longer than those of any other.
CLEARLY_LONGER = 2.0
# It takes a column for labels if each value comes this often on average.
LABEL_REPEATS = 3


def find_columns(table, path, *, text=None, label=None, split=None, several=False):
    """Find the columns and say in sentences which ones were guessed.

    Parameters
    ----------
    table : textspace.tables.Table
        The rows.
    path : path
        The file, for messages.
    text, label, split : str, default=None
        Names of columns; None to guess. ``label=False`` says that there are no labels, ``split=False`` that
        there is no split.
    several : bool, default=False
        Whether the label column holds several labels in each cell, and so may be named "tags" or the like.

    Returns
    -------
    text : str
    label, split : str or None
        None where there is no such column.
    notes : list of str
        What was guessed.

    Examples
    --------
    >>> from textspace.datasets import find_columns
    >>> from textspace.tables import Table
    >>> values = {"body": ["Corn rose"], "topic": ["grain"]}
    >>> table = Table(["body", "topic"], 1, values.get, lambda position: f"row {position + 1}")
    >>> find_columns(table, "mails.csv")[:3]
    ('body', 'topic', None)
    """
    for what, name in {"text": text, "label": label, "split": split}.items():
        if name:
            require_column(table, path, name, what)
    if text and text == label:
        raise ValueError(f"{path}: column {text!r} cannot be both the text and the label")
    notes = []
    if split is None:
        split = _guess_split(table, path, notes)
    if text is None:
        text = _guess_text(table, path, {label, split}, notes)
    if label is None:
        label = _guess_label(table, path, {text, split}, notes, several)
    return text, label or None, split, notes


def require_column(table, path, name, what):
    """Raise a ValueError if there is no column of this name, and suggest the nearest."""
    if name not in table.names:
        close = difflib.get_close_matches(name, table.names, n=1, cutoff=0.5)
        hint = f": did you mean {close[0]!r}? Its" if close else ": its"
        raise ValueError(
            f"{path} has no column {name!r} for the {what}{hint} columns are {_list(table.names)}"
        )


def _guess_text(table, path, taken, notes):
    found = _guess_by_name("text", table, path, taken)
    if found:
        notes.append(f"The text column {found!r} was guessed by its name.")
        return found
    lengths = {name: _mean_length(table.column(name)) for name in table.names if name not in taken}
    ranked = sorted((name for name in lengths if lengths[name]), key=lengths.get, reverse=True)
    if not ranked:
        raise ValueError(f"{path} has no column of texts; its columns are {_list(table.names)}")
    if len(ranked) > 1 and lengths[ranked[0]] < CLEARLY_LONGER * lengths[ranked[1]]:
        raise _ambiguous("text", ranked[:2], table, path)
    notes.append(f"The text column {ranked[0]!r} was guessed by its content: it has the longest texts.")
    return ranked[0]


def _guess_label(table, path, taken, notes, several):
    found = _guess_by_name("label", table, path, taken)
    free = [name for name in table.names if name not in taken]
    plural = [name for name in free if name.lower() in PLURAL_NAMES]
    candidates = [] if found else [name for name in free if _looks_like_labels(table.column(name))]
    if not found and len(plural) == 1 and (several or not candidates):
        [found] = plural
    if found:
        notes.append(f"The label column {found!r} was guessed by its name.")
        return found
    if len(candidates) > 1:
        raise _ambiguous("label", candidates, table, path)
    if not candidates:
        notes.append(f"All documents are unlabelled: no label column was found among {_list(table.names)}.")
        return None
    notes.append(f"The label column {candidates[0]!r} was guessed by its content: few values that recur.")
    return candidates[0]


def _guess_split(table, path, notes):
    found = _guess_by_name("split", table, path, taken=())
    if found is None:
        return None
    values = {str(value).strip().lower() for value in table.column(found)}
    if not values & {"train", "training", "test", "testing"}:
        notes.append(f"Column {found!r} was not used as the split: it says neither 'train' nor 'test'.")
        return None
    notes.append(f"The split was taken from column {found!r}.")
    return found


def _guess_by_name(what, table, path, taken):
    """Find the one column with a known name; None if there is none."""
    names = {name.lower(): name for name in table.names if name not in taken}
    found = [names[known] for known in KNOWN_NAMES[what] if known in names]
    if len(found) > 1 and found[0].lower() != KNOWN_NAMES[what][0]:
        raise _ambiguous(what, found, table, path)
    return found[0] if found else None


def _mean_length(values):
    """Mean length of the texts in a column; 0 if there is anything but text in it."""
    present = [value for value in values if value is not None]
    if not present or not all(isinstance(value, str) for value in present):
        return 0.0
    return sum(map(len, present)) / len(present)


def _looks_like_labels(values):
    present = [value for value in values if value not in (None, "")]
    if not all(isinstance(value, str | int) for value in present):
        return False
    return 2 <= len(set(present)) <= len(present) / LABEL_REPEATS


def _ambiguous(what, candidates, table, path):
    return ValueError(
        f"{path}: the {what} may be in {' or in '.join(map(repr, candidates))}: say which with {what}= "
        f"(on the command line --{what}), one of {_list(table.names)}"
    )


def _list(names):
    return ", ".join(map(repr, names))
