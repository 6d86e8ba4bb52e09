"""What a format of tables is, and which ones there are."""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textspace.tables import formats


@dataclass(frozen=True)
class Format:
    """A way to keep rows and columns in a file.

    Parameters
    ----------
    name : str
        What users call it.
    suffixes : tuple of str
        How the names of such files end, in lower case; ".csv" or ".csv.gz".
    read : callable
        ``read(path, encoding)`` opens the file and yields its rows as `Block`; never none. What cannot be
        read is a ValueError that names the file, the row and what to do.
    write : callable, default=None
        ``write(blocks, path)`` writes blocks to a file that takes its name when all are written. None where
        such files cannot be written.
    streams : bool, default=True
        Whether the path may be "-", the standard input or output stream.
    """

    name: str
    suffixes: tuple
    read: Callable
    write: Callable | None = None
    streams: bool = True


def known_formats():
    """Find the formats: the `FORMAT` of each module of `textspace.tables.formats`.

    Returns
    -------
    list of Format
        In the order of the modules' names.

    Examples
    --------
    >>> [known.name for known in known_formats()]
    ['csv', 'jsonl', 'lines', 'parquet', 'tsv']
    """
    modules = sorted(module.name for module in pkgutil.iter_modules(formats.__path__))
    return [importlib.import_module(f"{formats.__name__}.{name}").FORMAT for name in modules]


def format_of(path, *, to_write=False):
    """Tell the format of a file by how its name ends.

    Parameters
    ----------
    path : path
        The file; it need not exist.
    to_write : bool, default=False
        Whether it is to be written, which not all formats can be.

    Returns
    -------
    Format

    Examples
    --------
    >>> format_of("mails.CSV").name, format_of("mails.txt").name
    ('csv', 'lines')
    """
    able = [known for known in known_formats() if known.write is not None or not to_write]
    suffixes = {suffix: known for known in able for suffix in known.suffixes}
    # The longest first: ".csv.gz" before ".gz".
    for suffix in sorted(suffixes, key=len, reverse=True):
        if Path(path).name.lower().endswith(suffix):
            return suffixes[suffix]
    verb = "written" if to_write else "read"
    raise ValueError(f"{path} cannot be {verb}: give a file that ends in {', '.join(suffixes)}.")


def format_named(kind, *, to_write=False):
    """Find a format by its name, to read or to write, or say which ones there are."""
    able = {known.name: known for known in known_formats() if known.write is not None or not to_write}
    if kind not in able:
        verb = "written" if to_write else "read"
        raise ValueError(f"there is no format {kind!r} that can be {verb}: choose from {', '.join(able)}.")
    return able[kind]
