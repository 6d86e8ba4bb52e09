"""A folder with one subfolder a class and one file a document."""

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from textspace.datasets._columns import SPLIT_NAMES
from textspace.tables import read_text

NAMED = 3  # of the things that were not read


class RawDocuments(NamedTuple):
    """What was read from a file or a folder, before empty documents are left out.

    Attributes
    ----------
    texts : list of str
        The documents.
    labels : list of str
        Their labels; "" for none.
    split : list of str, or None
        "train", "test" or "unlabelled" for each document; None where the source has no split.
    where : callable
        Gives what to call a document in a message by its position.
    notes : tuple of str
        Sentences on what was guessed or not read.
    columns : dict, default=None
        ``{"text": [...], "label": ...}``, the names of the columns of a table; None for a folder.
    ids : list of str, default=None
        What the table calls each document, in a column such as "id"; None where it has none.
    """

    texts: list
    labels: list
    split: list | None
    where: Callable
    notes: tuple
    columns: dict | None = None
    ids: list | None = None


def read_folder(path, encoding):
    """Read a folder; subfolders "train" and "test", if it has both, are the split and hold the classes."""
    named = {folder: SPLIT_NAMES.get(folder.name.lower()) for folder in _folders(path, path)}
    # Only the two together are a split: one of them alone may well be a class.
    is_split = {"train", "test"} <= set(named.values())
    found = []
    for folder, side in named.items():
        if not is_split:
            found += [(file, folder.name, None) for file in _files(folder, path)]
        elif side is None:
            raise ValueError(f"{path} has the folder {folder.name!r} beside train and test: move it away")
        elif side == "unlabelled":
            places = [folder, *_folders(folder, path)]
            found += [(file, "", side) for place in places for file in _files(place, path)]
        else:
            places = _folders(folder, path)
            found += [(file, place.name, side) for place in places for file in _files(place, path)]
    if not found:
        raise ValueError(
            f"{path} holds no documents: it should have one subfolder a class, a file a document"
        )
    files, labels, split = map(list, zip(*found, strict=True))
    texts, notes = _read_all(files, encoding)
    return RawDocuments(
        texts=texts,
        labels=labels,
        split=split if is_split else None,
        where=lambda position: str(files[position].relative_to(path)),
        notes=(*notes, *_notes(path, files)),
    )


def read_files(path, encoding):
    """Read all files of a folder and of those within it, as documents without a label."""
    files = sorted(file for file in _everything(path) if file.is_file() and not _is_foreign(file, path))
    if not files:
        raise ValueError(f"{path} holds no files: give a folder with one file a document")
    texts, notes = _read_all(files, encoding)
    return RawDocuments(
        texts=texts,
        labels=[""] * len(files),
        split=None,
        where=lambda position: str(files[position].relative_to(path)),
        notes=(*notes, *_notes(path, files)),
    )


def _read_all(files, encoding):
    """Read files; give their texts, and notes on encodings that were assumed."""
    notes = []
    texts = [read_text(file, encoding, notes=notes) for file in files]
    return texts, [f"{number} files: {note}" for note, number in Counter(notes).items()]


def _notes(path, files):
    """Say what lies in a folder and was not read."""
    others = sorted(set(_everything(path)) - set(files))
    foreign = [str(each.relative_to(path)) for each in others if _is_foreign(each, path)]
    n_ignored = sum(each.is_file() for each in others if not _is_foreign(each, path))
    notes = []
    if n_ignored:
        notes.append(f"{n_ignored} files do not lie directly in the folder of a class and were not read.")
    if foreign:
        named = ", ".join(foreign[:NAMED]) + (" and others" if len(foreign) > NAMED else "")
        notes.append(
            f"{len(foreign)} links that lead out of the folder, or things that are no files, were not read: "
            f"{named}."
        )
    return tuple(notes)


def _everything(path):
    """Find all that is in a folder and in those within it, without hidden things such as .DS_Store."""

    def refuse(error):
        raise error  # of a folder that cannot be read: its documents would be lost

    for folder, folders, files in os.walk(path, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(folder, name) for name in [*folders, *files] if not name.startswith("."))


def _children(path, root):
    """List what is in a folder in the order of the names, and is to be read."""
    children = path.iterdir()
    return sorted(each for each in children if not _is_hidden(each, root) and not _is_foreign(each, root))


def _is_hidden(file, path):
    return any(name.startswith(".") for name in file.relative_to(path).parts)


def _is_foreign(file, root):
    """Tell whether something is a link out of the root, or to nothing, or neither a file nor a folder."""
    if not (file.is_file() or file.is_dir()):
        return True
    return file.is_symlink() and not file.resolve().is_relative_to(root.resolve())


def _folders(path, root):
    return [child for child in _children(path, root) if child.is_dir()]


def _files(path, root):
    return [child for child in _children(path, root) if child.is_file()]
