"""Tables that are larger than the memory, read in blocks of rows."""

import csv
import io
import itertools
import json
import os
import re
import sys
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textspace.datasets._tables import DELIMITERS, Table, quotes_nothing

STANDARD = "-"  # in place of a file name: the standard input or output stream
KINDS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".txt": "lines",
}
BLOCK_ROWS = 2000
BLOCK_CHARACTERS = 1 << 22
# A quotation mark that is never closed would otherwise make one cell of the rest of the file.
LONGEST_CELL = 1 << 28
ESCAPED = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True)
class Block(Table):
    """Some consecutive rows of a file.

    Parameters
    ----------
    names, n_rows, column, where, notes
        As for `Table`; `where` takes positions within the block and names rows of the file.
    share : float, default=None
        Share of the file that has been read at the end of the block; None where that is not known.
    frame : polars.DataFrame, default=None
        The rows with their types, where they come from a Parquet file.
    """

    share: float | None = None
    frame: Any = None

    def with_columns(self, columns):
        """Give the block with more columns behind its own.

        Parameters
        ----------
        columns : dict of str to list
            Values by the name of the column.

        Returns
        -------
        Block
        """
        for name in columns:
            if name in self.names:
                raise ValueError(f"{self.where(0)} or one soon after it already has a column {name!r}.")
        frame = self.frame
        if frame is not None:
            import polars

            frame = frame.with_columns(*(polars.Series(name, values) for name, values in columns.items()))
        return replace(
            self,
            names=[*self.names, *columns],
            column=lambda name: columns[name] if name in columns else self.column(name),
            frame=frame,
        )


def kind_of(path):
    """Tell what kind of file a name stands for: "csv", "tsv", "jsonl", "parquet" or "lines".

    Examples
    --------
    >>> kind_of("mails.CSV"), kind_of("mails.txt")
    ('csv', 'lines')
    """
    kind = KINDS.get(Path(path).suffix.lower())
    if kind is None:
        raise ValueError(f"{path} is of no known kind: give a file that ends in {', '.join(KINDS)}.")
    return kind


def read_blocks(path, *, kind=None, encoding="utf-8"):
    r"""Read a table block by block, in memory that does not grow with the file.

    Parameters
    ----------
    path : path or "-"
        The file; "-" for the standard input stream.
    kind : {"csv", "tsv", "jsonl", "parquet", "lines"}, default=None
        How to read it; by default as its name ends. "lines" has one text a line, which are the column
        "text". The standard input stream is read as lines by default.
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
        kind = "lines" if path == STANDARD else kind_of(path)
    if path != STANDARD and not Path(path).is_file():
        what = "is a folder" if Path(path).is_dir() else "does not exist"
        raise FileNotFoundError(f"{path} {what}: give the name of a file with one text a row.")
    if kind == "parquet":
        yield from _parquet_blocks(path)
        return
    name = "standard input" if path == STANDARD else path
    newline = "" if kind in ("csv", "tsv") else "\n"
    with _opened(path) as file, closing(_decoded(file, name, encoding, newline)) as lines:
        size = None if path == STANDARD else os.fstat(file.fileno()).st_size
        for block in _TEXT_READERS[kind](lines, name):
            yield replace(block, share=file.tell() / size) if size else block


@contextmanager
def _opened(path):
    if path == STANDARD:
        yield sys.stdin.buffer
        return
    with open(path, "rb") as file:
        yield file


def _decoded(file, path, encoding, newline):
    """Give the lines of a file of bytes as text, or say which byte of which line cannot be read."""
    try:
        # What cannot be decoded comes through as half a surrogate pair, so that its line can be named.
        text = io.TextIOWrapper(file, encoding, errors="surrogateescape", newline=newline)
    except LookupError as error:
        raise ValueError(
            f"there is no encoding {encoding!r}: give one that Python knows, such as 'utf-8' or 'latin-1'"
        ) from error
    number = 0
    try:
        while line := text.readline(LONGEST_CELL + 1):
            number += 1
            if len(line) > LONGEST_CELL:
                raise ValueError(f"{path}, line {number} has more than {LONGEST_CELL} characters: part it.")
            if number == 1:
                line = line.removeprefix("\ufeff")
            escaped = None if line.isascii() else ESCAPED.search(line)
            if escaped:
                raise _undecodable(path, number, encoding, f"byte 0x{ord(escaped[0]) - 0xDC00:02x}")
            yield line
    except UnicodeDecodeError as error:
        raise _undecodable(path, number + 1, encoding, f"byte 0x{error.object[error.start]:02x}") from error
    finally:
        text.detach()  # the file belongs to the caller


def _undecodable(path, line, encoding, what):
    return ValueError(
        f"{path}, line {line}: {what} is not {encoding}: say the file's --encoding, perhaps 'cp1252' or "
        "'latin-1' if it is Western European text, or correct the line if only it is encoded otherwise."
    )


def _csv_blocks(lines, path):
    first = []
    for line in lines:
        first.append(line)
        if line.strip():
            break
    delimiter = max(DELIMITERS, key="".join(first).count)
    return _delimited_blocks(itertools.chain(first, lines), path, delimiter=delimiter, strict=True)


def _tsv_blocks(lines, path):
    first = list(itertools.islice(lines, BLOCK_ROWS))
    dialect = {"quoting": csv.QUOTE_NONE} if quotes_nothing("".join(first)) else {"strict": True}
    return _delimited_blocks(itertools.chain(first, lines), path, delimiter="\t", **dialect)


def _delimited_blocks(lines, path, **dialect):
    rows = _numbered_rows(lines, path, **dialect)
    names = [name.strip() for name in next(rows, ("", []))[1]]
    if not any(names):
        raise ValueError(f"{path} is empty: give a file with documents")
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise ValueError(f"{path} names the column {repeated[0]!r} more than once: rename one of them")
    columns = {name: number for number, name in enumerate(names)}
    n_before = 0
    for block in _batched(rows, lambda row: sum(map(len, row[1]))):
        yield _delimited_block(block, n_before, names, columns, path)
        n_before += len(block)
    if not n_before:
        raise ValueError(f"{path} has no rows below its header: give a file with documents")


def _delimited_block(block, n_before, names, columns, path):
    def where(position):
        return f"row {n_before + position + 1} (line {block[position][0]})"

    for position, (_, cells) in enumerate(block):
        if len(cells) != len(names):
            raise ValueError(
                f"{path}, {where(position)}: {len(cells)} cells where the first row names {len(names)} "
                "columns: quote cells that hold the delimiter or a line break"
            )
    return Block(names, len(block), lambda name: [cells[columns[name]] for _, cells in block], where)


def _numbered_rows(lines, path, **dialect):
    """Give the rows that are not blank, each with the line at which it begins."""
    reader = csv.reader(lines, **dialect)
    while True:
        line = reader.line_num + 1
        # The limit holds for all readers of the process, so it is put back before others have their turn.
        limit = csv.field_size_limit(LONGEST_CELL)
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ValueError(
                f"{path}, line {line}: {error}: check the quotation marks there; double those inside a cell"
            ) from error
        finally:
            csv.field_size_limit(limit)
        if cells:
            yield line, cells


def _jsonl_blocks(lines, path):
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    empty = True
    for block in _batched(numbered, lambda pair: len(pair[1])):
        yield _jsonl_block(block, path)
        empty = False
    if empty:
        raise ValueError(f"{path} is empty: give a file with documents")


def _jsonl_block(block, path):
    objects = []
    for number, line in block:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path}, line {number}: not valid JSON ({error})") from error
        if not isinstance(value, dict):
            raise ValueError(
                f"{path}, line {number}: expected a JSON object, such as {{'text': ..., 'label': ...}}"
            )
        objects.append(value)
    names = list(dict.fromkeys(name for value in objects for name in value))
    numbers = [number for number, _ in block]
    return Block(
        names,
        len(objects),
        lambda name: [value.get(name) for value in objects],
        lambda position: f"line {numbers[position]}",
    )


def _line_blocks(lines, path):
    n_before = 0
    for block in _batched(lines, len):
        texts = [line.rstrip("\r\n") for line in block]
        yield Block(
            ["text"],
            len(texts),
            lambda _, texts=texts: texts,
            lambda position, n_before=n_before: f"line {n_before + position + 1}",
        )
        n_before += len(block)
    if not n_before:
        raise ValueError(f"{path} is empty: give one text a line")


_TEXT_READERS = {"csv": _csv_blocks, "tsv": _tsv_blocks, "jsonl": _jsonl_blocks, "lines": _line_blocks}


def _batched(rows, length):
    """Group rows into lists that are neither long nor large; a row that is large alone is one by itself."""
    block, n_characters = [], 0
    for row in rows:
        block.append(row)
        n_characters += length(row)
        if len(block) == BLOCK_ROWS or n_characters >= BLOCK_CHARACTERS:
            yield block
            block, n_characters = [], 0
    if block:
        yield block


def _parquet_blocks(path):
    if path == STANDARD:
        raise ValueError("Parquet cannot be read from the standard input stream: give the name of a file.")
    polars = import_polars(path)
    try:
        frame = polars.scan_parquet(Path(path).resolve(), glob=False)
        height = frame.select(polars.len()).collect().item()
        if not height:
            raise ValueError(f"{path} has no rows: give a file with documents")
        n_before = 0
        for batch in frame.collect_batches(chunk_size=BLOCK_ROWS, maintain_order=True):
            start = n_before
            n_before += batch.height
            if batch.height:
                yield Block(
                    batch.columns,
                    batch.height,
                    lambda name, batch=batch: batch[name].to_list(),
                    lambda position, start=start: f"row {start + position + 1}",
                    share=n_before / height,
                    frame=batch,
                )
    except (polars.exceptions.PolarsError, OSError) as error:
        raise ValueError(f"{path} is damaged or no Parquet file ({error}): write it again") from error


def import_polars(path):
    """Import the reader and writer of Parquet files, or say how to get it."""
    try:
        import polars
    except ImportError as error:
        raise ImportError(f"{path} needs polars: pip install 'textspace[tables]'") from error
    return polars
