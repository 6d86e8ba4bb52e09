"""Tables from files and into files, in memory that does not grow with them."""

from pathlib import Path

from textspace.tables._blocks import join_blocks
from textspace.tables._format import format_named, format_of
from textspace.tables._text import STANDARD


def read_blocks(path, *, kind=None, encoding="utf-8"):
    r"""Read a table block by block, in memory that does not grow with the file.

    Parameters
    ----------
    path : path or "-"
        The file; "-" for the standard input stream.
    kind : str, default=None
        Name of the format; by default that of the file's name. A file of "lines" has one text a line, which
        are the column "text". The standard input stream is read as lines by default.
    encoding : str, default="utf-8"
        Encoding of text files. A byte order mark is skipped.

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
    if path == STANDARD:
        if not known.streams:
            raise ValueError(
                f"{kind} cannot be read from the standard input stream: give the name of a file."
            )
    elif not Path(path).is_file():
        what = "is a folder" if Path(path).is_dir() else "does not exist"
        raise FileNotFoundError(f"{path} {what}: give the name of a file with one text a row.")
    yield from known.read(path, encoding)


def read_table(path, *, kind=None, encoding="utf-8"):
    r"""Read all rows of a table.

    Parameters
    ----------
    path, kind, encoding
        As for `read_blocks`, whose errors it raises.

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
    return join_blocks(read_blocks(path, kind=kind, encoding=encoding))


def write_blocks(blocks, path, *, kind=None):
    r"""Write blocks of rows as they come, to a file that takes its name when all are written.

    Parameters
    ----------
    blocks : iterable of Block
        The rows; the first block says which columns there are.
    path : path or "-"
        The file; "-" for the standard output stream.
    kind : str, default=None
        Name of the format; by default that of the file's name.

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
