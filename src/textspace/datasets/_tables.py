"""Files of rows and columns: CSV, TSV, JSON lines and Parquet, each made into a `Table`."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass

# The csv module refuses cells above 128 kB unless told otherwise; its limit is a C long.
MAX_CELL = 2**31 - 1
DELIMITERS = ",;\t|"


@dataclass(frozen=True)
class Table:
    """Rows and columns of a file.

    Parameters
    ----------
    names : list of str
        Names of the columns.
    n_rows : int
        Number of rows below the header.
    column : callable
        Gives the list of the values of a column by its name; None where a row has no value.
    where : callable
        Gives what to call a row in a message by its position, "row 3 (line 4)".
    notes : tuple of str, default=()
        Sentences on how the file was read.
    """

    names: list
    n_rows: int
    column: Callable
    where: Callable
    notes: tuple = ()


def read_text(path, encoding):
    """Read a text file, without its byte order mark if it has one, or say which byte cannot be read."""
    content = path.read_bytes()
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except LookupError as error:
        raise ValueError(
            f"there is no encoding {encoding!r}: give one that Python knows, such as 'utf-8' or 'latin-1'"
        ) from error
    except UnicodeDecodeError as error:
        line = content[: error.start].decode(encoding, errors="replace").count("\n") + 1
        marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
        remedy = "'utf-16'" if marked else "'cp1252' or 'latin-1' if it is Western European text"
        raise ValueError(
            f"{path}, line {line}: byte 0x{content[error.start]:02x} at position {error.start} is not "
            f"{encoding}: say its encoding= (on the command line --encoding), perhaps {remedy}"
        ) from error


def read_csv(path, encoding):
    """Read a CSV file whose first row names the columns; the delimiter is taken from that row."""
    text = _not_empty(read_text(path, encoding), path)
    delimiter = max(DELIMITERS, key=text.lstrip().partition("\n")[0].count)
    notes = () if delimiter == "," else (f"The columns are separated by {delimiter!r}, as in the first row.",)
    return _delimited(text, path, notes, delimiter=delimiter, strict=True)


def read_tsv(path, encoding):
    """Read a tab-separated file whose first row names the columns, with or without quoted cells."""
    text = _not_empty(read_text(path, encoding), path)
    if quotes_nothing(text):
        notes = ("Quotation marks are read as plain characters, since they do not enclose whole cells.",)
        return _delimited(text, path, notes, delimiter="\t", quoting=csv.QUOTE_NONE)
    return _delimited(text, path, (), delimiter="\t", strict=True)


def read_jsonl(path, encoding):
    """Read a file of one JSON object a line; the columns are all keys that occur."""
    text = _not_empty(read_text(path, encoding), path)
    objects, lines, names = [], [], {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: not valid JSON ({error})") from error
        if not isinstance(value, dict):
            raise ValueError(
                f"{path}, line {number}: expected a JSON object, such as {{'text': ..., 'label': ...}}"
            )
        objects.append(value)
        lines.append(number)
        names |= dict.fromkeys(value)
    return Table(
        list(names),
        len(objects),
        column=lambda name: [value.get(name) for value in objects],
        where=lambda position: f"line {lines[position]}",
    )


def read_parquet(path, _encoding):
    """Read a Parquet file with polars; it knows its encoding."""
    try:
        import polars
    except ImportError as error:
        raise ImportError(f"reading {path} needs polars: pip install 'textspace[tables]'") from error
    try:
        with open(path, "rb") as file:
            frame = polars.read_parquet(file)
    except (polars.exceptions.PolarsError, OSError) as error:
        raise ValueError(f"{path} is damaged or no Parquet file ({error}): write it again") from error
    return Table(
        frame.columns,
        frame.height,
        column=lambda name: frame[name].to_list(),
        where=lambda position: f"row {position + 1}",
    )


READERS = {
    ".csv": read_csv,
    ".tsv": read_tsv,
    ".tab": read_tsv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
}


def _not_empty(text, path):
    if not text.strip():
        raise ValueError(f"{path} is empty: give a file with documents")
    return text


def quotes_nothing(text):
    """Tell whether each line of a tab-separated text has as many cells, and some cells have a stray quote."""
    lines = [line.rstrip("\r").split("\t") for line in text.split("\n") if line.strip("\r")]
    if len({len(cells) for cells in lines}) > 1:
        return False
    opened = [cell[1:] for cells in lines for cell in cells if cell.startswith('"')]
    return any(not rest.endswith('"') for rest in opened)


def _delimited(text, path, notes, **dialect):
    limit = csv.field_size_limit(MAX_CELL)
    try:
        lines, rows = _rows(text, path, **dialect)
    finally:
        csv.field_size_limit(limit)
    names = [name.strip() for name in rows.pop(0)]
    lines.pop(0)
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise ValueError(f"{path} names the column {repeated[0]!r} more than once: rename one of them")

    def where(position):
        return f"row {position + 1} (line {lines[position]})"

    for position, row in enumerate(rows):
        if len(row) != len(names):
            raise ValueError(
                f"{path}, {where(position)}: {len(row)} cells where the first row names {len(names)} "
                "columns: quote cells that hold the delimiter or a line break"
            )
    columns = {name: number for number, name in enumerate(names)}
    return Table(names, len(rows), lambda name: [row[columns[name]] for row in rows], where, notes)


def _rows(text, path, **dialect):
    """Give the rows that are not blank and the line at which each begins."""
    reader = csv.reader(io.StringIO(text, newline=""), **dialect)
    lines, rows = [], []
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return lines, rows
        except csv.Error as error:
            raise ValueError(
                f"{path}, line {line}: {error}: check the quotation marks there; double those inside a cell"
            ) from error
        if row:
            lines.append(line)
            rows.append(row)
