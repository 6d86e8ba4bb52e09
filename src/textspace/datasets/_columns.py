"""Which columns of a table hold the text, the label and the split: as told, else as guessed."""

import difflib
import re

# The first name of each wins over the others.
KNOWN_NAMES = {
    "text": ("text", "body", "content", "message", "document", "review", "comment", "article", "abstract"),
    "label": ("label", "category", "class", "target", "topic", "tag", "genre", "section", "sentiment"),
    "split": ("split",),
}
# Names of a column that holds several labels in each cell.
PLURAL_NAMES = "labels", "tags", "topics", "categories", "classes"
NAMES = {name for names in (*KNOWN_NAMES.values(), PLURAL_NAMES) for name in names}
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
# A column of texts that are so long on average, in characters, may be worth reading.
SHORT_TEXT = 12
# What the first row holds is a text and no name if it is so long, or so many words that end as a sentence.
LONGEST_NAME = 100
MOST_WORDS = 6
# What a column of identifiers is called, by itself or behind another word: "id", "ticket_id", "orderNo".
_ID = re.compile(
    r"(?:.*[\W_])?(?:id|uid|uuid|guid|key|no|nr|num|number|nummer|ticket|番号)\.?", re.IGNORECASE
)
_CAMEL_ID = re.compile(r".*[a-z](?:Id|ID|No|Nr|Key)")
# Numbers, days and times, which are no texts.
_FIGURES = re.compile(r"[\d\s.,:/+\-]+(?:[T][\d:.,+\-]+Z?|[AaPp]\.?[Mm]\.?)?")
_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}")


def find_columns(table, path, *, text=None, label=None, split=None, several=False, like=None):
    """Find the columns and say in sentences which ones were guessed.

    Parameters
    ----------
    table : textspace.tables.Table
        The rows.
    path : path
        The file, for messages.
    text, label, split : str, default=None
        Names of columns; None to guess. `text` may be a list of names, of columns that are to be joined.
        ``label=False`` says that there are no labels, ``split=False`` that there is no split.
    several : bool, default=False
        Whether the label column holds several labels in each cell, and so may be named "tags" or the like.
    like : dict, default=None
        ``{"text": [...], "label": ...}``, the columns of another table, such as that of a model's training.
        They are taken before any is guessed.

    Returns
    -------
    text : list of str
        One column, or those that are to be joined.
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
    (['body'], 'topic', None)
    """
    text = [text] if isinstance(text, str) else list(text or ())
    for what, names in {"text": text, "label": [label], "split": [split]}.items():
        for name in (name for name in names if name not in (None, False)):
            require_column(table, path, name, what)
    if label and label in text:
        raise ValueError(f"{path}: column {label!r} cannot be both the text and the label")
    if like:
        text = text or _known(table, path, like["text"])
        label = like["label"] if label is None and like["label"] in table.names else label
    if not (text or label or table.header):
        _refuse_documents_as_names(table, path)
    notes = []
    if split is None:
        split = _guess_split(table, path, notes)
    guessed = not text
    if guessed:
        text = [_guess_text(table, path, {label, split}, notes)]
    if label is None:
        label = _guess_label(table, path, {*text, split}, notes, several)
    if guessed:
        notes += _note_other_texts(table, [*text, label, split])
    return text, label or None, split, notes


def find_ids(table, taken):
    """Give the identifiers of the rows of a table: of a column so called, in which no value comes twice.

    None if there is no such column, but for those that are taken.
    """
    for name in table.names:
        if name in taken or not (_ID.fullmatch(name) or _CAMEL_ID.fullmatch(name)):
            continue
        values = ["" if value is None else str(value).strip() for value in table.column(name)]
        given = [value for value in values if value]
        if given and len(set(given)) == len(given):
            return values
    return None


def require_column(table, path, name, what):
    """Raise a ValueError if there is no column of this name, and suggest the nearest."""
    if name not in table.names:
        close = difflib.get_close_matches(name, table.names, n=1, cutoff=0.5)
        hint = f": did you mean {close[0]!r}? Its" if close else ": its"
        raise ValueError(
            f"{path} has no column {name!r} for the {what}{hint} columns are {_list(table.names)}"
        )


def _known(table, path, names):
    """Give the columns of these names; none if they are to be guessed, as there was one only."""
    absent = [name for name in names if name not in table.names]
    if not absent:
        return names
    if len(names) == 1 or len(table.names) == 1:
        return []
    raise ValueError(
        f"{path} has no column {absent[0]!r}, and the model was trained on {_list(names)} joined: its "
        f"columns are {_list(table.names)}; name those to be joined with text= (--text)"
    )


def _refuse_documents_as_names(table, path):
    """Raise a ValueError if the first row, taken for names of columns, seems to be a document or a title."""
    nameless = [f"column {number}" for number in range(1, len(table.names) + 1)]
    filled = [name for name in set(nameless) & set(table.names) if any(table.column(name))]
    n_named = len(table.names) - len(filled)
    if len(filled) > n_named:
        raise ValueError(
            f"{path}: the first row names {n_named} of {len(table.names)} columns: delete what stands above "
            "the names of the columns; or give header=False (--no-header) if it has none"
        )
    if {name.lower() for name in table.names} & NAMES:
        return
    for name in table.names:
        values = [str(value).strip() for value in table.column(name) if value not in (None, "")]
        words = name.split()
        if values.count(name) > 1:
            reason = f"{name!r} comes again in its column"
        elif len(name) > LONGEST_NAME or (len(words) > MOST_WORDS and name.endswith((".", "!"))):
            reason = f"{name[:40]!r} ... is a text"
        elif _NUMBER.fullmatch(name) and values and all(map(_NUMBER.fullmatch, values)):
            reason = f"{name!r} is a number, as those below it are"
        else:
            continue
        raise ValueError(
            f"{path}: the first row seems to be a document and not the names of the columns, as {reason}: "
            "give header=False (--no-header) and the columns by number, such as --text 1 --label 2; or "
            "header=True (--header) if these are names"
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


def _note_other_texts(table, taken):
    """Say which other columns seem to hold texts, as those of a subject beside a body."""
    others = [
        name
        for name in table.names
        if name not in taken and _mean_length(table.column(name)) >= SHORT_TEXT and _are_distinct(table, name)
    ]
    if not others:
        return []
    told = " ".join(f"--text {name!r}" for name in [*others, taken[0]])
    return [f"{_list(others)} may hold texts too: {told} joins them."]


def _are_distinct(table, name):
    """Tell whether most values of a column differ, and are no addresses or keys, which have no spaces."""
    values = [str(value) for value in table.column(name) if value not in (None, "")]
    spoken = {value for value in values if " " in value.strip() or not value.isascii()}
    return 2 * len(spoken) > len(values)


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
    free = [name for name in table.names if name not in taken]
    # Of objects within JSON the last name counts, "ticket.text" as "text", unless a column is called so.
    names = {name.lower().rpartition(".")[2]: name for name in free} | {name.lower(): name for name in free}
    found = [names[known] for known in KNOWN_NAMES[what] if known in names]
    if len(found) > 1 and found[0].lower() != KNOWN_NAMES[what][0]:
        raise _ambiguous(what, found, table, path)
    return found[0] if found else None


def _mean_length(values):
    """Mean length of the texts in a column; 0 if half of its values or more are none, or figures."""
    present = [value for value in values if value is not None]
    texts = [value for value in present if isinstance(value, str) and not _FIGURES.fullmatch(value)]
    if 2 * len(texts) <= len(present):
        return 0.0
    return sum(map(len, texts)) / len(present)


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
