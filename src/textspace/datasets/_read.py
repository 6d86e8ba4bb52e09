"""Read a user's own documents."""

from dataclasses import replace
from datetime import date, time
from pathlib import Path

from textspace._wording import without_password
from textspace.datasets._columns import SPLIT_NAMES, find_columns, find_ids
from textspace.datasets._corpus import Corpus
from textspace.datasets._folder import RawDocuments, read_files, read_folder
from textspace.datasets._label_cells import COLUMNS, NONE, list_separator, yes_no_columns
from textspace.datasets._label_columns import labels_of, labels_of_columns
from textspace.datasets._missing import without_missing
from textspace.tables import is_elsewhere, read_table

EMPTY_NAMED = 3


def read(path, *, text=None, label=None, split=None, several=None, missing=None, **reading):
    r"""Read documents from a table or a file of lines, or from a folder with a subfolder a class.

    Parameters
    ----------
    path : path
        A file of a format that `textspace.tables` reads: its name ends in .csv, .tsv, .jsonl, .json (all of
        these also packed, with .gz behind it), .txt (one text a line, or fastText's form), .sqlite; or in
        .xlsx, .parquet, .arrow or .feather, which need ``pip install 'textspace[tables]'``. Or the address
        of a database (``pip install 'textspace[sql]'``), or a folder that Hugging Face's `datasets` have
        saved. Or a folder which holds one subfolder a class, each with one file a document; or it holds
        "train" and "test" (and perhaps "unlabelled"), which hold those.
    text : str or list of str, default=None
        Column of the texts, or columns whose texts are joined by a line break. If None it is guessed: by its
        name (text, body, content, message ...), else as the column with clearly the longest texts.
    label : str, list of str or False, default=None
        Column of the labels; an empty cell means unlabelled. If None it is guessed: by its name (label,
        category, class, target, topic ...), else as the only other column with few values. If False there
        are no labels, and a folder may hold its files in any way. Of several columns each is a label, and
        says yes or no.
    split : str or False, default=None
        Column that says "train", "test" or "unlabelled". If None, a column of the name "split" is taken if
        it says that. If False there is no split.
    several : str, default=None
        For several labels a document: what stands between the labels of a cell, such as ";". "columns" where
        each label has a column of its own, of 1 and 0: those of `label`, or all that say only yes and no.
        "none" where there is one label a document, whatever it looks like. Cells that are lists, as JSON has
        them, need not be announced, and a cell such as ``["a;b", "c"]`` is taken as such a list; an empty
        cell means unlabelled, ``[]`` that the document has no label. None refuses labels that look like
        lists.
    missing : {"drop", "keep"}, default=None
        What to do with labels that programs write for none, such as "n/a", "?", "-", "null" and "none":
        "drop" takes the documents as unlabelled, "keep" takes the labels as classes. None refuses them.
    **reading : dict
        `encoding`, `header`, `sheet` and `query`, as for :func:`textspace.tables.read_blocks`; and `like`, as
        for :func:`read_documents`.

    Returns
    -------
    Corpus
        Its `notes` say what was guessed. Documents without a text are left out; a note counts them.

    Raises
    ------
    FileNotFoundError
        If there is nothing at `path`.
    ValueError
        If the file cannot be read as it stands, or it is not clear which column is which: the message names
        the file, the row or column, and what to do.
    ImportError
        If a Parquet file is to be read without polars.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from textspace.datasets import read
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "mail.csv"
    >>> _ = path.write_text("id,body,topic\n1,Corn prices rose,grain\n2,A tanker ran aground,ship\n")
    >>> corpus = read(path)
    >>> corpus.texts, corpus.labels
    (['Corn prices rose', 'A tanker ran aground'], array(['grain', 'ship'], dtype='<U5'))
    >>> print(*corpus.notes, sep="\n")
    The text column 'body' was guessed by its name.
    The label column 'topic' was guessed by its name.
    >>> folder.cleanup()
    """
    texts, labels, split, where, notes, columns, ids = read_documents(
        path, text=text, label=label, split=split, several=several, **reading
    )
    shown = without_password(path)
    places = list(zip(map(where, range(len(texts))), ids or [""] * len(texts), strict=True))
    corpus = Corpus(_name(path), texts, labels, split, columns=columns, places=places)
    if several is None and columns is not None and not corpus.several:
        _refuse_lists(labels, columns["label"], shown)
    labels, more = without_missing(labels, where, shown, missing=missing)
    notes = (*notes, *more, *_move_unlabelled(split, labels), *_note_empty(texts, where, shown))
    notes = (*notes, *_note_lost(texts, labels))
    corpus = replace(corpus, labels=labels, split=split, notes=notes)
    return corpus.subset([position for position, value in enumerate(texts) if value.strip()])


def _name(path):
    """Name a corpus after its file; after its address without what may be secret."""
    if "://" in str(path) and not Path(path).exists():
        return str(path).partition("?")[0].rpartition("/")[2] or "database"
    name = Path(path).expanduser().resolve().name.removesuffix(".gz")
    return Path(name).stem or name


def _refuse_lists(labels, column, path):
    """Raise a ValueError if single labels look like lists."""
    separator = list_separator(labels)
    if separator:
        raise ValueError(
            f"{path}, column {column!r}: labels look like lists separated by {separator!r}: add --several "
            f"{separator!r} or --several none (several= in Python)"
        )


def read_documents(path, *, text=None, label=None, split=None, several=None, like=None, **reading):
    r"""Read documents as `read` does, those without a text among them, with what to call each.

    Parameters
    ----------
    path : path
        A file or a folder.
    text, label, split, several
        As for `read`; labels that look like lists are left as they are.
    like : dict, default=None
        Columns of another table, as for :func:`find_columns`.
    **reading : dict
        As for `read`.

    Returns
    -------
    RawDocuments
        The documents, in the order of the file.

    Examples
    --------
    >>> import tempfile
    >>> from textspace.datasets import read_documents
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "mails.csv")
    ...     _ = path.write_text("text,label\nCorn rose,grain\n,ship\n")
    ...     documents = read_documents(path)
    >>> documents.texts, documents.labels, documents.where(1)
    (['Corn rose', ''], ['grain', 'ship'], 'row 2 (line 3)')
    """
    columns = {"text": text, "label": label, "split": split, "several": several}
    file = Path(path).expanduser()
    if file.is_file():
        return _read_table(file, **columns, like=like, **reading)
    if is_elsewhere(path):
        return _read_table(path, **columns, like=like, **reading)
    if file.is_dir():
        encoding = reading.pop("encoding", None)
        if any(columns.values()) or any(value is not None for value in reading.values()):
            raise ValueError(
                f"{file} is a folder and has no columns: leave out text, label, split, several, header, "
                "sheet, query"
            )
        return read_files(file, encoding) if label is False else read_folder(file, encoding)
    raise FileNotFoundError(f"there is no file or folder {file}: check the name")


def _read_table(path, *, text, label, split, several, like, **reading):
    table = read_table(path, **reading)
    path = path if isinstance(path, Path) else str(path).rpartition("@")[2]  # no password in a message
    named = [label] if isinstance(label, str) else list(label or ())
    if not named and label is not False and several in (None, COLUMNS):
        named = _trained_labels(table, like)
    label = named[0] if len(named) == 1 else label if label is False else None
    if several == "":
        raise ValueError(
            f"{path}: several= (--several) is empty: say what stands between labels, such as ';'"
        )
    if several == COLUMNS or len(named) > 1:
        text, _, split, notes = find_columns(table, path, text=text, label=False, split=split, like=like)
        label = named or yes_no_columns(table, {*text, split})
        labels = labels_of_columns(table, label, path, several, notes)
    else:
        text, label, split, notes = find_columns(
            table,
            path,
            text=text,
            label=label,
            split=split,
            several=several not in (None, NONE),
            like=like,
        )
        labels = labels_of(table, label, path, several, notes)
    texts = texts_of(table, text, path)
    _refuse_names_again(texts, labels, text, label, table, path)
    return RawDocuments(
        texts=texts,
        labels=labels,
        split=_split(table, split, labels, path) if split else None,
        where=table.where,
        notes=(*table.notes, *notes),
        columns={"text": text, "label": label},
        ids=find_ids(table, {*text, *([label] if isinstance(label, str) else label or ()), split}),
    )


def _trained_labels(table, like):
    """Give the columns of yes and no that a model was trained on, if a table has them all."""
    names = like["label"] if like and isinstance(like["label"], list) else []
    return names if set(map(str, names)) <= set(table.names) else []


def _refuse_names_again(texts, labels, text, label, table, path):
    """Raise a ValueError if a row holds the names of the columns, as where two files were put together."""
    names = "\n".join(text)
    for position, (own, found) in enumerate(zip(texts, labels, strict=True)):
        if label and own == names and found in (label, (label,)):
            raise ValueError(
                f"{path}, {table.where(position)} holds the names of the columns again: delete it"
            )


def texts_of(table, columns, path):
    """Give the texts of a table, or say which cell is no text.

    Parameters
    ----------
    table : textspace.tables.Table
        The rows.
    columns : list of str
        Names of the columns. The texts of several are joined by line breaks, without those that are empty.
    path : path
        The file, for messages.

    Returns
    -------
    list of str
        "" where there is none.

    Examples
    --------
    >>> from textspace.datasets import texts_of
    >>> from textspace.tables import Table
    >>> table = Table(["text"], 2, {"text": ["Corn rose", None]}.get, lambda position: f"row {position + 1}")
    >>> texts_of(table, ["text"], "mails.csv")
    ['Corn rose', '']
    """
    texts = [_column_of_texts(table, column, path) for column in columns]
    if len(texts) == 1:
        return texts[0]
    return ["\n".join(filter(None, parts)) for parts in zip(*texts, strict=True)]


def _column_of_texts(table, column, path):
    values = table.column(column)
    # A workbook may have made a number or a day of a text. A column of nothing else was not meant.
    kinds = str | None
    if any(isinstance(value, str) for value in values):
        kinds = kinds | int | float | date | time
    texts = []
    for position, value in enumerate(values):
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise ValueError(
                f"{path}, {table.where(position)}, column {column!r}: expected text, found "
                f"{type(value).__name__}: correct the cell or name another column with text= (--text)"
            )
        texts.append("" if value is None or value != value else str(value))
    return texts


def _split(table, column, labels, path):
    split = []
    for position, value in enumerate(table.column(column)):
        said = "" if value is None else str(value).strip().lower()
        if not said and labels[position] in (None, ""):
            said = "unlabelled"
        if said not in SPLIT_NAMES:
            raise ValueError(
                f"{path}, {table.where(position)}, column {column!r}: {said!r} is none of 'train', 'test' "
                "and 'unlabelled': correct the cell, or rename the column if it is not the split"
            )
        split.append(SPLIT_NAMES[said])
    return split


def _move_unlabelled(split, labels):
    """Turn documents of train and test that have no label into unlabelled ones, in place."""
    if split is None:
        return []
    moved = [
        place for place, label in enumerate(labels) if label in (None, "") and split[place] != "unlabelled"
    ]
    for position in moved:
        split[position] = "unlabelled"
    if not moved:
        return []
    return [f"{len(moved)} documents of the train or test split have no label and count as unlabelled."]


def _note_empty(texts, where, path):
    empty = [position for position, text in enumerate(texts) if not text.strip()]
    if len(empty) == len(texts):
        raise ValueError(f"{path}: every text is empty: check the file, and the column if it has any")
    if not empty:
        return []
    named = ", ".join(where(position) for position in empty[:EMPTY_NAMED])
    more = " and others" if len(empty) > EMPTY_NAMED else ""
    return [f"{len(empty)} of {len(texts)} documents have no text and were left out: {named}{more}."]


def _note_lost(texts, labels):
    """Name the classes that have no document with a text; of several labels nothing is said."""
    known = {True: set(), False: set()}
    for text, label in zip(texts, labels, strict=True):
        if isinstance(label, str) and label:
            known[bool(text.strip())].add(label)
    lost = sorted(known[False] - known[True])
    return [f"The class {label!r} has no document with a text and is not learned." for label in lost]
