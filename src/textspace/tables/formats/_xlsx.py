"""Workbooks: the rows of one sheet, read with python-calamine and written with XlsxWriter."""

import datetime
import itertools
import os
import re
import zipfile
import zlib
from contextlib import contextmanager
from xml.parsers import expat

from textspace._files import atomic_open
from textspace.tables import _blocks
from textspace.tables._blocks import Block, Dialect, laid_out, refuse_new_names
from textspace.tables._delimited import column_names, numbered
from textspace.tables._extent import CHUNK, Extent, refuse_gaps
from textspace.tables._format import Format
from textspace.tables._packed import refuse_bomb

MOST_ROWS, MOST_COLUMNS, LONGEST_CELL, LONGEST_NAME = 1_048_576, 16_384, 32_767, 31  # of a sheet, in Excel
EXACT = 10**15  # a number of more than 15 digits loses the others in Excel
MOST_PARTS = 10_000
LONGEST_FORMULA = 8192
NO_VALUE = re.compile(rb'<c r="([A-Z]+\d+)"[^>]*><f(?:/>|[^>]*>[^<]*</f>)(?:<v></v>|<v ?/>)?</c>')


def read(path, how):
    """Yield the blocks of a sheet; empty rows are left out."""
    calamine = _import("python_calamine", path)
    notes = _look_through(path)
    with open(path, "rb") as file:  # and not its name, which need not be UTF-8
        with _damage(path):
            book = calamine.CalamineWorkbook.from_filelike(file)
            sheet, more = _sheet(book, path, how.sheet)
            rows = _merged_filled(_rows(sheet, path), sheet)
        yield from _sheet_blocks(rows, path, how, sheet.name, (*notes, *more))


@contextmanager
def _damage(path):
    """Say that a workbook is damaged, whatever its bytes lead compiled code to raise."""
    try:
        yield
    except (ValueError, KeyboardInterrupt):
        raise
    except BaseException as error:  # a panic is no Exception
        raise _damaged(path, error) from error


def _rows(sheet, path):
    """Give the rows of a sheet."""
    rows = sheet.iter_rows()
    while True:
        with _damage(path):  # a day may be out of all bounds
            cells = next(rows, None)
        if cells is None:
            return
        yield cells


def _look_through(path):
    """Unpack a workbook once, to see that it is whole and no bomb; give notes on formulas without a value."""
    size, n_bytes, notes = os.stat(path).st_size, 0, []
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > MOST_PARTS:
                raise ValueError(f"{path} is refused: it has more than {MOST_PARTS} parts")
            for member in members:
                before, is_sheet, extent = b"", "worksheets/" in member.filename, Extent()
                with archive.open(member) as file:
                    while piece := file.read(CHUNK):
                        n_bytes += len(piece)
                        refuse_bomb(path, n_bytes, size)
                        extent.add(before + piece)
                        found = NO_VALUE.search(before + piece) if is_sheet else None
                        if found and not notes:
                            notes.append(
                                f"Formulas without a value, such as that of cell {found[1].decode()}, were "
                                "read as empty cells: save the workbook with a spreadsheet program first."
                            )
                        before = piece[-LONGEST_FORMULA:]
                if extent.is_large:
                    with archive.open(member) as file:
                        refuse_gaps(file, path)
    except (
        zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, UnicodeError,
        expat.ExpatError,
    ) as error:  # fmt: skip
        raise _damaged(path, error) from error
    return notes


def _damaged(path, error):
    return ValueError(
        f"{path} is damaged, protected by a password or no .xlsx workbook ({error}): save it again as .xlsx"
    )


def _sheet(book, path, name):
    """Find the sheet that is meant, and say which one if there are more."""
    names = book.sheet_names
    listed = ", ".join(map(repr, names))
    if name is not None:
        if name not in names:
            raise ValueError(f"{path} has no sheet {name!r}: its sheets are {listed}")
        return book.get_sheet_by_name(name), ()
    sheets = (book.get_sheet_by_name(each) for each in names)
    sheet = next((each for each in sheets if each.height), None)
    if sheet is None:
        raise ValueError(f"{path} is empty: give a workbook that has rows")
    note = f"Of the sheets {listed}, {sheet.name!r} was read: name another with sheet= (--sheet)."
    return sheet, (note,) if len(names) > 1 else ()


def _merged_filled(rows, sheet):
    """Give the rows of a sheet by their numbers, with the value of merged cells in each of them."""
    left = sheet.start[1] if sheet.start else 0
    starting = {}
    for (top, first), (bottom, last) in sheet.merged_cell_ranges or ():
        starting.setdefault(top, {})[first - left] = bottom, last - left
    # By their first column, as they do not overlap: the last row, the last column and the value.
    open_ranges = {}
    for number, cells in enumerate(rows):
        open_ranges = {first: each for first, each in open_ranges.items() if each[0] >= number}
        for first, (bottom, last) in starting.get(number, {}).items():
            if 0 <= first < len(cells):
                open_ranges[first] = bottom, last, cells[first]
        for first, (_, last, value) in open_ranges.items():
            cells[first : last + 1] = [value] * (min(last + 1, len(cells)) - first)
        yield number + 1, [_value(cell) for cell in cells]


def _value(cell):
    """Give a whole number as one, as a sheet has no others than floats; None for an empty cell."""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return None if cell == "" else cell


def _sheet_blocks(rows, path, how, sheet, notes):
    filled = ((number, cells) for number, cells in rows if any(cell is not None for cell in cells))
    first = next(filled, None)
    if first is None:
        raise ValueError(f"{path} is empty: its sheet {sheet!r} has no rows")
    if how.header is False:
        names, filled = numbered(first[1]), itertools.chain([first], filled)
    else:
        names = column_names(["" if cell is None else cell for cell in first[1]], path)
    dialect, n_before = Dialect("xlsx", header=how.header is not False, sheet=sheet), 0
    while batch := list(itertools.islice(filled, _blocks.BLOCK_ROWS)):
        yield _block(batch, n_before, names, how, dialect, notes)
        n_before += len(batch)
    if not n_before:
        raise ValueError(f"{path} has no rows below its header: give a workbook that has some")


def _block(batch, n_before, names, how, dialect, notes):
    numbers = {name: number for number, name in enumerate(names)}
    return Block(
        names,
        len(batch),
        column=lambda name: [cells[numbers[name]] for _, cells in batch],
        where=lambda position: f"row {n_before + position + 1} (row {batch[position][0]} of the sheet)",
        notes=notes,
        header=how.header is not None or None,
        dialect=dialect,
    )


def write(blocks, path):
    """Write blocks into one sheet as they come; texts are never run as formulas."""
    xlsxwriter = _import("xlsxwriter", path)
    dialect, blocks = laid_out(blocks, Dialect("xlsx", sheet="Sheet1"))
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with atomic_open(path, "wb") as file:
        options = {"constant_memory": True, "nan_inf_to_errors": True, "default_date_format": "yyyy-mm-dd"}
        book = xlsxwriter.Workbook(file, plain | options)
        sheet = book.add_worksheet(_sheet_name(dialect.sheet))
        names, row = None, 0
        for block in blocks:
            if names is None:
                names = block.names
                if len(names) > MOST_COLUMNS:
                    raise ValueError(
                        f"{path}: a sheet has no room for more than {MOST_COLUMNS} columns: {INSTEAD}"
                    )
                if dialect.header:
                    for number, name in enumerate(names):
                        if len(name) > LONGEST_CELL:
                            raise ValueError(
                                f"{path}: a name of a column has more than {LONGEST_CELL} letters: {INSTEAD}"
                            )
                        sheet.write(0, number, _written(name))
                    sheet.freeze_panes(1, 0)
                    row = 1
            refuse_new_names(block, names)
            columns = [block.column(name) for name in names]
            for position, values in enumerate(zip(*columns, strict=True)):
                if row >= MOST_ROWS:
                    raise ValueError(f"{path}: a sheet has no room for more than {MOST_ROWS} rows: {INSTEAD}")
                for number, value in enumerate(values):
                    cell = _written(value)
                    if isinstance(cell, str) and len(cell) > LONGEST_CELL:
                        raise ValueError(
                            f"{path}, {block.where(position)}, column {names[number]!r}: a cell of a "
                            f"workbook has no room for more than {LONGEST_CELL} characters: {INSTEAD}"
                        )
                    sheet.write(row, number, cell)
                row += 1
        book.close()


INSTEAD = "write to a file that ends in .csv or .jsonl"


def _sheet_name(name):
    """Give a name that Excel takes, of 31 characters and without those that it does not allow.

    >>> _sheet_name("'24: what customers wrote to our support'")
    '24_ what customers wrote to our'
    """
    return re.sub(r"[\[\]:*?/\\]", "_", name).strip("'")[:LONGEST_NAME].strip("'") or "Sheet1"


def _written(value):
    if isinstance(value, int) and abs(value) > EXACT:
        return str(value)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()  # JSON may name half a surrogate pair
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=None)
    plain = value is None or isinstance(value, bool | int | float | datetime.date | datetime.time)
    return value if plain else str(value)


def _import(name, path):
    try:
        return __import__(name)
    except ImportError as error:
        raise ImportError(f"{path} needs {name}: pip install 'textspace[tables]'") from error


FORMAT = Format("xlsx", (".xlsx",), read, write, streams=False)
