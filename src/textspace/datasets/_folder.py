"""A folder with one subfolder a class and one file a document."""

from collections.abc import Callable
from typing import NamedTuple

from textspace.datasets._columns import SPLIT_NAMES
from textspace.tables import read_text


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
    """

    texts: list
    labels: list
    split: list | None
    where: Callable
    notes: tuple


def read_folder(path, encoding):
    """Read a folder; subfolders "train" and "test", if it has both, are the split and hold the classes."""
    named = {folder: SPLIT_NAMES.get(folder.name.lower()) for folder in _children(path) if folder.is_dir()}
    # Only the two together are a split: one of them alone may well be a class.
    is_split = {"train", "test"} <= set(named.values())
    found = []
    for folder, side in named.items():
        if not is_split:
            found += [(file, folder.name, None) for file in _files(folder)]
        elif side is None:
            raise ValueError(f"{path} has the folder {folder.name!r} beside train and test: move it away")
        elif side == "unlabelled":
            found += [(file, "", side) for place in (folder, *_folders(folder)) for file in _files(place)]
        else:
            found += [(file, place.name, side) for place in _folders(folder) for file in _files(place)]
    if not found:
        raise ValueError(
            f"{path} holds no documents: it should have one subfolder a class, a file a document"
        )
    files, labels, split = map(list, zip(*found, strict=True))
    n_ignored = sum(file.is_file() and not _is_hidden(file, path) for file in path.rglob("*")) - len(files)
    note = f"{n_ignored} files do not lie directly in the folder of a class and were not read."
    return RawDocuments(
        texts=[read_text(file, encoding) for file in files],
        labels=labels,
        split=split if is_split else None,
        where=lambda position: str(files[position].relative_to(path)),
        notes=(note,) if n_ignored else (),
    )


def _children(path):
    """List what is in a folder in the order of the names, without hidden things such as .DS_Store."""
    return sorted(child for child in path.iterdir() if not _is_hidden(child, path))


def _is_hidden(file, path):
    return any(name.startswith(".") for name in file.relative_to(path).parts)


def _folders(path):
    return [child for child in _children(path) if child.is_dir()]


def _files(path):
    return [child for child in _children(path) if child.is_file()]
