"""Tables from files and into files, in memory that does not grow with them."""

from pathlib import Path

from textspace.tables._blocks import join_blocks
from textspace.tables._format import Reading, format_named, format_of
from textspace.tables._text import STANDARD

DATABASES = "sqlite", "sql"
SHEETS = "xlsx", "datasets", *DATABASES


def read_blocks(path, *, kind=None, encoding=None, header=None, sheet=None, query=None):
    r"""Read a table block by block, in memory that does not grow with the file.

    Parameters
    ----------
    path : path or "-"
        The file; "-" for the standard input stream. Or the address of a database ("postgresql://..."), or a
        folder that Hugging Face's `datasets` have saved.
    kind : str, default=None
        Name of the format; by default that of the file's name. A file of "lines" has one text a line, which
        are the column "text". The standard input stream is read as lines by default.
    encoding : str, default=None
        Encoding of text files. If None it is told by the bytes: UTF-8, UTF-16, cp1252 or latin-1; a note of
        the blocks says which, unless it is UTF-8. The standard input stream is UTF-8, or has a mark.
    header : bool, default=None
        Whether the first row of a text file or workbook names the columns, as it does if None. If False they
        are named "1", "2" and so on.
    sheet : str, default=None
        Name of the sheet of a workbook, of the table of a database, or of the split of a folder of
        `datasets`. By default the first sheet that is not empty, the only table, all splits.
    query : str, default=None
        What to ask a database, in SQL.

    Yields
    ------
    Block
        At most 2,000 rows, and fewer if they are long; never none.

    Raises
    ------
    ValueError
        If the file cannot be read as it stands: the message names the file, the row and what to do. It is
        raised when the row's turn comes.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "mails.csv")
    ...     _ = path.write_text("id,body\n1,Corn rose\n2,Wheat fell\n")
    ...     for block in read_blocks(path):
    ...         print(block.column("body"), block.where(1))
    ['Corn rose', 'Wheat fell'] row 2 (line 3)
    """
    if kind is None:
        kind = "lines" if path == STANDARD else format_of(path).name
    known = format_named(kind)
    how = Reading(encoding, header, sheet, query)
    _refuse_options(path, known, how)
    if path == STANDARD:
        if not known.streams:
            raise ValueError(
                f"{kind} cannot be read from the standard input stream: give the name of a file."
            )
    elif not Path(path).is_file() and not (known.is_at and known.is_at(path)):
        what = "is a folder" if Path(path).is_dir() else "does not exist"
        raise FileNotFoundError(f"{path} {what}: give the name of a file with one text a row.")
    yield from known.read(path, how)


def _refuse_options(path, known, how):
    """Raise a ValueError for an option that says nothing about such files."""
    if how.sheet is not None and known.name not in SHEETS:
        raise ValueError(f"{path} has no sheets: leave out sheet= (--sheet).")
    if how.query is not None and known.name not in DATABASES:
        raise ValueError(f"{path} is no database: leave out query= (--query).")


def read_table(path, *, kind=None, **reading):
    r"""Read all rows of a table.

    Parameters
    ----------
    path, kind
        As for `read_blocks`, whose errors it raises.
    **reading : dict
        `encoding`, `header`, `sheet` and `query`, as for `read_blocks`.

    Returns
    -------
    Table

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "mails.tsv")
    ...     _ = path.write_text("id\tbody\n1\tCorn rose\n2\tWheat fell\n")
    ...     table = read_table(path)
    >>> table.names, table.n_rows, table.column("body")
    (['id', 'body'], 2, ['Corn rose', 'Wheat fell'])
    """
    return join_blocks(read_blocks(path, kind=kind, **reading))


def write_blocks(blocks, path, *, kind=None):
    r"""Write blocks of rows as they come, to a file that takes its name when all are written.

    Parameters
    ----------
    blocks : iterable of Block
        The rows; the first block says which columns there are.
    path : path or "-"
        The file; "-" for the standard output stream.
    kind : str, default=None
        Name of the format; by default that of the file's name. Where the blocks come from a file of the same
        format, its encoding, delimiter, line breaks, quotation marks and header are those of that file.

    Raises
    ------
    ValueError
        If such a file cannot be written, which is found out before the first block is asked for; or if a
        block does not fit those before it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "mails.csv")
    ...     _ = path.write_text("id,body\n1,Corn rose\n")
    ...     write_blocks(read_blocks(path), Path(folder, "mails.jsonl"))
    ...     print(Path(folder, "mails.jsonl").read_text())
    {"id": "1", "body": "Corn rose"}
    """
    known = format_of(path, to_write=True) if kind is None else format_named(kind, to_write=True)
    if path == STANDARD and not known.streams:
        raise ValueError(
            f"{known.name} cannot be written to the standard output stream: give a file with -o."
        )
    known.write(blocks, path)
