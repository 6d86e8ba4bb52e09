"""Tab-separated: the first row names the columns; cells may be quoted, or hold quotation marks as they are.

Whether quotation marks quote is seen row by row, so that it does not matter how far one has read.

- A line with as many cells as there are columns is a row. Its cells are unquoted where marks enclose all of
  them; other marks are plain characters.
- A line with more or fewer cells begins a row with a quoted cell that holds a tab or a line break.
- A line with the right number may do so too, if its last cell is opened and a later line closes it. It does
  if the lines up to there cannot be rows of their own, as one has another number of cells; or if such a row
  came before; or if there is only one column, where the number says nothing.
"""

import csv
import itertools
from collections import deque

from textspace.tables import _blocks
from textspace.tables._blocks import Dialect
from textspace.tables._delimited import bad_quotes, delimited_blocks, newline_of, write_delimited
from textspace.tables._format import Format
from textspace.tables._text import open_lines

NOTE = "Quotation marks are read as plain characters where they do not enclose whole cells."


def read(path, how):
    """Yield the blocks of a tab-separated file."""
    with open_lines(path, how.encoding, newline="") as lines:
        first = next(iter(lines), "")
        _refuse_others(first, lines.name)
        rows = _Rows(lines.name, itertools.chain([first], lines))
        dialect = Dialect("tsv", lines.encoding, "\t", newline_of(first), header=how.header is not False)
        yield from delimited_blocks(iter(rows), lines, how, dialect, rows.notes)


def _refuse_others(first, name):
    """Raise a ValueError if the first row has no tab, but what stands between the cells of a CSV file."""
    sign = next((sign for sign in ";|," if sign in first), None)
    if "\t" not in first and sign and " " not in first.strip():
        raise ValueError(
            f"{name}: its first row has {sign!r} and no tab between the names of the columns: rename it so "
            "that it ends in .csv"
        )


class _Rows:
    """The rows of tab-separated lines that are not blank, each with the line at which it begins."""

    def __init__(self, name, lines):
        self.notes = []
        self._name, self._lines = name, iter(lines)
        self._ahead = deque()  # lines that were looked at and are still to be read
        self._n_columns = None  # as the first row has them
        self._has_quoted = False  # whether a row was read that makes sense only if quotation marks quote

    def __iter__(self):
        number = 0
        while (line := self._next_line()) is not None:
            number += 1
            cells = _cells(line)
            if cells == [""]:
                continue
            start = number
            if line.startswith('"') or '\t"' in line:
                cells, n_lines = self._with_quotes(line, cells, number)
                number += n_lines - 1
            self._n_columns = self._n_columns or len(cells)
            yield start, cells

    def _next_line(self):
        return self._ahead.popleft() if self._ahead else next(self._lines, None)

    def _with_quotes(self, line, cells, number):
        """Give the cells of a row some of which begin with a quotation mark, and the number of its lines."""
        fits = self._n_columns in (None, len(cells))
        unquoted = [_unquoted(cell) for cell in cells]
        if fits and None not in unquoted:
            return unquoted, 1
        quoted, taken, are_rows = self._read_on(line)
        if not fits and quoted is None:
            raise bad_quotes(self._name, number)
        if not fits or self._is_row(quoted, are_rows):
            self._has_quoted = self._has_quoted or not are_rows
            return quoted, len(taken)
        self._ahead.extendleft(reversed(taken[1:]))
        if NOTE not in self.notes:
            self.notes.append(NOTE)
        return [cell if inner is None else inner for cell, inner in zip(cells, unquoted, strict=True)], 1

    def _is_row(self, quoted, are_rows):
        """Tell whether lines are one row, of which the first could be one by itself."""
        if quoted is None or (self._n_columns or len(quoted)) != len(quoted):
            return False
        return not are_rows or self._has_quoted or self._n_columns == 1

    def _read_on(self, first):
        """Read a row as one of quoted cells, which may end some lines further on.

        Give its cells (None if marks are not closed, or stand where none may be), the lines that were read,
        and whether each line has as many cells as there are columns.
        """
        taken, are_rows, n_characters = [], True, 0

        def lines():
            nonlocal are_rows, n_characters
            line = first
            while line is not None:
                taken.append(line)
                n_characters += len(line)
                cells = _cells(line)
                are_rows = are_rows and (cells == [""] or len(cells) == self._n_columns)
                yield line
                # So many lines that can be rows are no cell.
                line = self._next_line() if n_characters < _blocks.BLOCK_CHARACTERS or not are_rows else None

        try:
            return next(csv.reader(lines(), delimiter="\t", strict=True)), taken, are_rows
        except csv.Error:
            return None, taken, are_rows


def _cells(line):
    return line.rstrip("\r\n").split("\t")


def _unquoted(cell):
    """Give what is in a cell; None if it begins with a quotation mark that does not enclose it."""
    if not cell.startswith('"'):
        return cell
    inner = cell[1:-1]
    if len(cell) < 2 or cell[-1] != '"' or '"' in inner.replace('""', ""):
        return None
    return inner.replace('""', '"')


def write(blocks, path):
    """Write blocks with a tab between the cells."""
    write_delimited(blocks, path, Dialect("tsv", delimiter="\t"))


FORMAT = Format("tsv", (".tsv", ".tab", ".tsv.gz"), read, write)
