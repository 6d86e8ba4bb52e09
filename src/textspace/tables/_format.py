"""What a format of tables is, and which ones there are."""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textspace.tables import formats

# What people bring that no format reads, by how its name ends, and what to do with it.
REMEDIES = {
    ".zip .7z .rar .tar .tgz": "unpack it and give the table that is in it",
    ".xls .xlsb .xlsm .ods .numbers": "save it as .xlsx",
    ".doc .docx .odt .rtf .pdf .html .htm .eml .msg": "put its texts into a table, one a row, or save each "
    "as .txt in a folder",
    ".dta .sav .rds .rdata .sas7bdat .pkl .pickle": "export it as .csv or .parquet",
}


@dataclass(frozen=True)
class Reading:
    """What a user says of how a file is to be read.

    Parameters
    ----------
    encoding : str, default=None
        Encoding of text files; None to tell it by the bytes.
    header : bool, default=None
        Whether the first row names the columns. Without a header they are named "1", "2" and so on. None if
        nobody has said so: then it does.
    sheet : str, default=None
        Name of the sheet of a workbook, of the table of a database, or of the split of a folder of Hugging
        Face's `datasets`.
    query : str, default=None
        What to ask a database, in SQL.
    """

    encoding: str | None = None
    header: bool | None = None
    sheet: str | None = None
    query: str | None = None


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
        ``read(path, how)`` opens the file and yields its rows as `Block`; never none. `how` is a `Reading`.
        What cannot be read is a ValueError that names the file, the row and what to do.
    write : callable, default=None
        ``write(blocks, path)`` writes blocks to a file that takes its name when all are written. None where
        such files cannot be written.
    streams : bool, default=True
        Whether the path may be "-", the standard input or output stream.
    is_at : callable, default=None
        ``is_at(path)`` tells whether there is a table of this format at a path that is no file: in a folder,
        or at an address.
    """

    name: str
    suffixes: tuple
    read: Callable
    write: Callable | None = None
    streams: bool = True
    is_at: Callable | None = None


def known_formats():
    """Find the formats: the `FORMAT` of each module of `textspace.tables.formats`.

    Returns
    -------
    list of Format
        In the order of the modules' names.

    Examples
    --------
    >>> [known.name for known in known_formats()]
    ['arrow', 'csv', 'datasets', 'json', 'jsonl', 'lines', 'parquet', 'sql', 'sqlite', 'tsv', 'xlsx']
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
    for known in able:
        if known.is_at is not None and known.is_at(path):
            return known
    suffixes = {suffix: known for known in able for suffix in known.suffixes}
    # The longest first: ".csv.gz" before ".gz".
    for suffix in sorted(suffixes, key=len, reverse=True):
        if Path(path).name.lower().endswith(suffix):
            return suffixes[suffix]
    verb = "written" if to_write else "read"
    ending = Path(path).suffix.lower()
    remedy = next((REMEDIES[known] for known in REMEDIES if ending in known.split()), None)
    instead = "" if remedy is None or to_write else f"{remedy}; or "
    raise ValueError(f"{path} cannot be {verb}: {instead}give a file that ends in {', '.join(suffixes)}.")


def is_elsewhere(path):
    """Tell whether there is a table at a path that is no file: in a folder, or at an address.

    Parameters
    ----------
    path : path or str
        Of a file, a folder or a database.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_elsewhere("postgresql://host/mails"), is_elsewhere("mails.csv")
    (True, False)
    """
    return any(known.is_at is not None and known.is_at(path) for known in known_formats())


def format_named(kind, *, to_write=False):
    """Find a format by its name, to read or to write, or say which ones there are."""
    able = {known.name: known for known in known_formats() if known.write is not None or not to_write}
    if kind not in able:
        verb = "written" if to_write else "read"
        raise ValueError(f"there is no format {kind!r} that can be {verb}: choose from {', '.join(able)}.")
    return able[kind]
