"""CSV: the first row names the columns and shows the delimiter; cells may be quoted."""

import csv
import itertools
import re

from textspace.tables._blocks import Dialect
from textspace.tables._delimited import bad_quotes, delimited_blocks, newline_of, write_delimited
from textspace.tables._format import Format
from textspace.tables._text import open_lines

DELIMITERS = ",;\t|"
LOOKED_AT = 20  # rows, where the first one leaves open what the delimiter is
SAID = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)  # a first line by which Excel is told the delimiter


def read(path, how):
    """Yield the blocks of a CSV file."""
    with open_lines(path, how.encoding, newline="") as lines:
        ahead = []
        for line in lines:
            ahead.append(line)
            if line.strip():
                break
        said = SAID.fullmatch(ahead[-1]) if ahead else None
        n_above = len(ahead) if said else 0
        if said:
            delimiter, ahead = said[1], list(itertools.islice(lines, 1))
        else:
            delimiter = _delimiter(ahead, lines)
        first = next((line for line in ahead if line.strip()), "")
        dialect = Dialect(
            "csv",
            lines.encoding,
            delimiter,
            newline_of(first),
            quoted=_all_quoted(first, delimiter),
            header=how.header is not False,
        )
        note = f"The columns are separated by {delimiter!r}, as in the first row."
        rows = _rows(lines.again(ahead), lines.name, delimiter, n_above)
        yield from delimited_blocks(rows, lines, how, dialect, () if delimiter == "," else (note,))


def _delimiter(ahead, lines):
    """Tell the delimiter by the first row; where it has several, by the next ones, which join `ahead`."""
    first = "".join(ahead)
    unquoted = re.sub(r'"[^"]*"', "", first)
    found = [sign for sign in DELIMITERS if sign in unquoted]
    if len(found) == 1:
        return found[0]
    ahead += itertools.islice(lines, LOOKED_AT)
    if not found:
        _refuse_title(ahead, lines.name)
        return max(DELIMITERS, key=first.count)
    for sign in sorted(found, key=unquoted.count, reverse=True):
        widths = _widths(ahead, sign)
        if len(widths) > 1 and len(set(widths[:LOOKED_AT])) == 1:
            return sign
    return max(found, key=unquoted.count)


def _widths(lines, sign):
    """Count the cells of rows that are not blank; nothing if there is a cell that is too long to look at."""
    try:
        return [len(cells) for cells in csv.reader(lines, delimiter=sign) if cells]
    except csv.Error:
        return []


def _refuse_title(ahead, name):
    """Raise a ValueError if there are cells side by side, but not in the first row: it is then a title."""
    for sign in DELIMITERS:
        widths = _widths(ahead, sign)
        below = widths[len(widths) // 2 :]
        if len(below) > 1 and widths[0] == 1 < below[0] and len(set(below)) == 1:
            raise ValueError(
                f"{name}: the first row has one cell, but those below have {below[0]} with {sign!r} between "
                "them: delete what stands above the names of the columns, or quote the cells of one column"
            )


def _all_quoted(line, delimiter):
    cells = line.strip().split(delimiter)
    return len(cells) > 1 and all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in cells)


def _rows(lines, name, delimiter, n_above):
    """Give the rows that are not blank, each with the line at which it begins."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    start = n_above + 1
    try:
        for cells in reader:
            if cells:
                yield start, cells
            start = n_above + reader.line_num + 1
    except csv.Error as error:
        raise bad_quotes(name, start, error) from error


def write(blocks, path):
    """Write blocks with a comma between the cells, or as in the CSV file they come from."""
    write_delimited(blocks, path, Dialect("csv"))


FORMAT = Format("csv", (".csv", ".csv.gz"), read, write)
