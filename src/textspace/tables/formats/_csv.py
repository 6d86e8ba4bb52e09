"""CSV: the first row names the columns and shows the delimiter; cells may be quoted."""

import csv
import itertools

from textspace.tables._delimited import bad_quotes, delimited_blocks, write_delimited
from textspace.tables._format import Format
from textspace.tables._text import open_lines

DELIMITERS = ",;\t|"


def read(path, encoding):
    """Yield the blocks of a CSV file."""
    with open_lines(path, encoding, newline="") as lines:
        first = []
        for line in lines:
            first.append(line)
            if line.strip():
                break
        delimiter = max(DELIMITERS, key="".join(first).count)
        note = f"The columns are separated by {delimiter!r}, as in the first row."
        rows = _rows(itertools.chain(first, lines), lines.name, delimiter)
        yield from delimited_blocks(rows, lines, () if delimiter == "," else (note,))


def _rows(lines, name, delimiter):
    """Give the rows that are not blank, each with the line at which it begins."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    start = 1
    try:
        for cells in reader:
            if cells:
                yield start, cells
            start = reader.line_num + 1
    except csv.Error as error:
        raise bad_quotes(name, start, error) from error


def write(blocks, path):
    """Write blocks with a comma between the cells."""
    write_delimited(blocks, path, ",")


FORMAT = Format("csv", (".csv",), read, write)
