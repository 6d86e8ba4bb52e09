"""Tab-separated: the first row names the columns; cells may be quoted, or hold quotation marks as they are.

Whether quotation marks quote is seen row by row, so that it does not matter how far one has read. A line with
as many cells as there are columns is a row, and its cells are unquoted where the marks enclose all of them;
other marks are plain characters. A line with more or fewer cells begins a row with a quoted cell that holds a
tab or a line break. So does, of the lines with the right number of cells, one whose cell is closed on a later
line, if a line between has not the right number.
"""

import csv
from collections import deque

from textspace.tables import _blocks
from textspace.tables._delimited import bad_quotes, delimited_blocks, write_delimited
from textspace.tables._format import Format
from textspace.tables._text import open_lines

NOTE = "Quotation marks are read as plain characters where they do not enclose whole cells."


def read(path, encoding):
    """Yield the blocks of a tab-separated file."""
    with open_lines(path, encoding, newline="") as lines:
        rows = _Rows(lines)
        yield from delimited_blocks(iter(rows), lines, rows.notes)


class _Rows:
    """The rows of tab-separated lines that are not blank, each with the line at which it begins."""

    def __init__(self, lines):
        self.notes = []
        self._name, self._lines = lines.name, iter(lines)
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
        quoted, taken, needs_quotes = self._read_on(line)
        n_cells = len(quoted) if isinstance(quoted, list) else None
        if n_cells is not None and (not fits or (n_cells == (self._n_columns or n_cells) and needs_quotes)):
            self._has_quoted = True
            return quoted, len(taken)
        if not fits:
            raise bad_quotes(self._name, number, quoted)
        self._ahead.extendleft(reversed(taken[1:]))
        if NOTE not in self.notes:
            self.notes.append(NOTE)
        return [cell if inner is None else inner for cell, inner in zip(cells, unquoted, strict=True)], 1

    def _read_on(self, first):
        """Read a row as one of quoted cells, which may end some lines further on.

        Returns
        -------
        cells : list of str, or csv.Error
            What is in the row, or why it is none.
        taken : list of str
            The lines that were read.
        needs_quotes : bool
            Whether these cannot be rows of their own, or rows before them had quoted cells.
        """
        taken, needs_quotes, n_characters = [], self._has_quoted, 0

        def lines():
            nonlocal needs_quotes, n_characters
            line = first
            while line is not None:
                taken.append(line)
                n_characters += len(line)
                cells = _cells(line)
                needs_quotes = needs_quotes or (cells != [""] and len(cells) != self._n_columns)
                yield line
                # So many rows as they should be are no cell.
                if n_characters > _blocks.BLOCK_CHARACTERS and not needs_quotes:
                    return
                line = self._next_line()

        try:
            return next(csv.reader(lines(), delimiter="\t", strict=True)), taken, needs_quotes
        except csv.Error as error:
            return error, taken, needs_quotes


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
    write_delimited(blocks, path, "\t")


FORMAT = Format("tsv", (".tsv", ".tab"), read, write)
