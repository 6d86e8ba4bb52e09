"""Who is whose parent: paths, nested mappings or tables -> entries -> one checked mapping."""

from collections.abc import Mapping
from itertools import dropwhile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from textspace.tables import read_table


class Entry(NamedTuple):
    """A category and the one above it; `where` says where that stands, for messages."""

    child: str
    parent: str | None
    where: str = ""


def path_entries(labels, separator):
    """Split path labels: "a/b" gives the entries of "a" and of "a/b"."""
    for label in labels:
        if not isinstance(label, str):
            raise TypeError(f"a label that is a path must be text, not {label!r}.")
        parts = label.split(separator)
        if not all(part.strip() for part in parts):
            raise ValueError(
                f"the label {label!r} has an empty part: between two {separator!r}, and at both ends, there "
                "must be a name. Leave out documents without a label."
            )
        parent = None
        for depth in range(1, len(parts) + 1):
            node = separator.join(parts[:depth])
            yield Entry(node, parent)
            parent = node


def nested_entries(nested):
    """Walk through mappings within mappings, whose innermost values are lists of names or None."""
    ahead = [(nested, None)]
    while ahead:
        below, parent = ahead.pop()
        if isinstance(below, str) or not hasattr(below, "__iter__"):
            raise TypeError(
                f"{parent!r} holds {below!r}: give a mapping, a list of names, or None for a leaf."
            )
        for name in below:
            yield Entry(name, parent)
            inside = below[name] if isinstance(below, Mapping) else None
            if inside is not None:
                ahead.append((inside, name))


def pair_entries(pairs):
    """Make entries of pairs of a child and a parent; messages call them by number."""
    for number, pair in enumerate(pairs, start=1):
        if isinstance(pair, str) or len(pair) != 2:
            raise ValueError(f"pair {number}, {pair!r}, does not hold one child and one parent.")
        yield Entry(*pair, f"pair {number}: ")


def read_entries(path, encoding):
    """Read the columns ``child`` and ``parent`` of a file; of two columns only ``parent`` needs its name."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path} to read a tree from.")
    table = read_table(path, encoding=encoding)
    columns = {name.lower(): name for name in table.names}
    others = [name for name in columns if name != "parent"]
    if "parent" not in columns or ("child" not in columns and len(others) != 1):
        raise ValueError(
            f"{path} has the columns {', '.join(map(repr, table.names))}: its first row must name one "
            "'child' and one 'parent'."
        )
    child = table.column(columns["child" if "child" in columns else others[0]])
    parent = table.column(columns["parent"])
    return [
        Entry(_stripped(child[row]), _stripped(parent[row]), f"{path}, {table.where(row)}: ")
        for row in range(table.n_rows)
    ]


def check_entries(entries):
    """Check that entries make a forest; give the parent of every node, None for a root.

    A parent that is None or empty makes its child a root; so does having no entry.
    """
    parents, where = {}, {}
    for entry in entries:
        child = _checked_name(entry.child, entry.where)
        parent = None if entry.parent in (None, "") else _checked_name(entry.parent, entry.where)
        if child in parents and parents[child] != parent:
            raise ValueError(
                f"{entry.where}{child!r} has two parents, {parents[child]!r} and {parent!r}: keep one, or "
                "name the two categories apart, for instance by their paths."
            )
        parents[child] = parent
        where.setdefault(child, entry.where)
    if not parents:
        raise ValueError("the tree is empty: give at least one category.")
    for parent in list(parents.values()):
        if parent is not None:
            parents.setdefault(parent, None)
    _refuse_cycles(parents, where)
    return parents


def _refuse_cycles(parents, where):
    harmless = {None}
    for node in parents:
        walked = {}  # in order
        while node not in harmless and node not in walked:
            walked[node] = None
            node = parents[node]
        if node not in harmless:
            circle = [*dropwhile(node.__ne__, walked), node]
            raise ValueError(
                f"{where[node]}the tree has a cycle, in which each is the parent of the one before: "
                f"{' -> '.join(circle)}. Take one of these entries out."
            )
        harmless.update(walked)


def _checked_name(name, where):
    if not isinstance(name, str):
        raise TypeError(f"{where}a category is called by a text, not by {name!r}: give its name as str.")
    if not name.strip():
        raise ValueError(f"{where}a category has an empty name: name it, or leave it out.")
    return str(name)  # numpy's str prints differently


def _stripped(cell):
    missing = cell is None or (isinstance(cell, float) and np.isnan(cell))
    return "" if missing else str(cell).strip()
