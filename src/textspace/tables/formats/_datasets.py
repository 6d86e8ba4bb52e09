"""Folders that Hugging Face's `datasets` have saved: Arrow files, one folder a split."""

import json
from pathlib import Path

from textspace.tables import _frames
from textspace.tables._blocks import Block
from textspace.tables._format import Format
from textspace.tables._frame_rows import ARROW

SPLITS, FILES, ABOUT = "dataset_dict.json", "state.json", "dataset_info.json"
TAKEN = ("train", "test", "unsupervised")  # of several splits; others are left out, and a note says so


def is_at(path):
    """Tell whether a folder was saved so."""
    return Path(path).is_dir() and (Path(path, SPLITS).is_file() or Path(path, FILES).is_file())


def read(path, how):
    """Yield the blocks of a folder, with a column that names the split if it has several."""
    path, notes = Path(path), ()
    parts = {None: path}
    if (path / SPLITS).is_file():
        names = [name for name in _list(path / SPLITS, "splits") if _is_name(name)]
        wanted = [how.sheet] if how.sheet else [name for name in names if name in TAKEN] or names[:1]
        if not set(wanted) <= set(names):
            raise ValueError(f"{path} has no split {how.sheet!r}: its splits are {', '.join(names)}")
        left = [name for name in names if name not in wanted]
        if left and not how.sheet:
            notes = (f"Splits that were not read: {', '.join(left)}. Name one with sheet= (--sheet).",)
        parts = {name if len(wanted) > 1 else None: path / name for name in wanted}
    n_rows = 0
    for split, folder in parts.items():
        for block in _read_split(folder, split, notes):
            yield block
            n_rows += block.n_rows
    if not n_rows:
        raise ValueError(f"{path} has no rows: give a folder that has some")


def _read_split(folder, split, notes):
    about = _json(folder / ABOUT) if (folder / ABOUT).is_file() else {}
    files = [_inner(each, "filename") for each in _list(folder / FILES, "_data_files")]
    classes = _classes(about.get("features"))
    n_before = 0
    for name in files:
        if not _is_name(name) or not (folder / name).is_file():
            raise ValueError(f"{folder / FILES} is refused: {name!r} is no file of the folder")
        n_of_files = n_before
        for block in _frames.blocks_apart(folder / name, ARROW):
            yield _named(block, classes, split, n_of_files, notes, folder / name)
            n_before += block.n_rows
    said = _inner(_inner(about.get("splits"), str(_json(folder / FILES).get("_split"))), "num_examples")
    if said not in (None, n_before):
        raise _frames.damaged(folder, ARROW, f"{n_before} rows come of {said}")


def _named(block, classes, split, n_before, notes, path):
    """Put the names of classes in place of their numbers, and the split into a column."""

    def column(name):
        if split is not None and name == "split":
            return [split] * block.n_rows
        values = block.column(name)
        if name not in classes:
            return values
        try:
            return [_name_of(value, classes[name]) for value in values]
        except LookupError as error:
            raise ValueError(
                f"{path}, column {name!r}: {error.args[0]!r} is no number of one of its {len(classes[name])} "
                "classes: save the folder again"
            ) from error

    return Block(
        block.names if split is None or "split" in block.names else [*block.names, "split"],
        block.n_rows,
        column=column,
        where=lambda position: f"{split or ''} row {n_before + position + 1}".strip(),
        notes=notes,
    )


def _classes(features):
    """Give the names of the classes of each column that has numbers for them."""
    found = {}
    for name, about in features.items() if isinstance(features, dict) else ():
        about = about if isinstance(about, dict) else {}
        one = about["feature"] if isinstance(about.get("feature"), dict) else about  # that of a list
        if one.get("_type") == "ClassLabel" and isinstance(one.get("names"), list):
            found[name] = one["names"]
    return found


def _name_of(value, names):
    """Give the name of a class by its number, or those of a list of numbers; None for none, which is -1."""
    if isinstance(value, list):
        return [_name_of(one, names) for one in value]
    if value is None or value == -1:
        return None
    if not isinstance(value, int) or not 0 <= value < len(names):
        raise LookupError(value)
    return names[value]


def _is_name(name):
    return isinstance(name, str) and name not in ("", ".", "..") and Path(name).name == name


def _inner(value, name):
    """Give what an object of JSON has under a name; None if it has nothing there, or is no object."""
    return value.get(name) if isinstance(value, dict) else None


def _list(path, name):
    """Give a list that a file of JSON must hold."""
    found = _json(path).get(name)
    if not isinstance(found, list):
        raise ValueError(f"{path} is damaged: it holds no list {name!r}: save the folder again")
    return found


def _json(path):
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} is damaged ({error}): save the folder again") from error
    if not isinstance(value, dict):
        raise ValueError(f"{path} is damaged: it holds no object of JSON")
    return value


FORMAT = Format("datasets", (), read, streams=False, is_at=is_at)
