"""Workbooks: the rows of one sheet, read with python-calamine and written with XlsxWriter."""

import datetime
import itertools
import os
import re
import zipfile
import zlib

from textspace._files import atomic_open
from textspace.tables import _blocks
from textspace.tables._blocks import Block, Dialect, laid_out, refuse_new_names
from textspace.tables._delimited import column_names, numbered
from textspace.tables._format import Format
from textspace.tables._packed import refuse_bomb

MOST_ROWS, LONGEST_CELL = 1_048_576, 32_767  # of a sheet, as Excel has it
MOST_PARTS = 10_000
CHUNK = 1 << 20
LONGEST_FORMULA = 8192
NO_VALUE = re.compile(rb'<c r="([A-Z]+\d+)"[^>]*><f(?:/>|[^>]*>[^<]*</f>)(?:<v></v>|<v ?/>)?</c>')


def read(path, how):
    """Yield the blocks of a sheet; empty rows are left out."""
    calamine = _import("python_calamine", path)
    notes = _look_through(path)
    try:
        book = calamine.CalamineWorkbook.from_path(str(path))
        sheet, more = _sheet(book, path, how.sheet)
        rows = _merged_filled(sheet, sheet.merged_cell_ranges or ())
    except ValueError:
        raise
    except BaseException as error:  # a panic of compiled code is no Exception
        raise _damaged(path, error) from error
    yield from _sheet_blocks(rows, path, how, sheet.name, (*notes, *more))


def _look_through(path):
    """Unpack a workbook once, to see that it is whole and no bomb; give notes on formulas without a value."""
    size, n_bytes, notes = os.stat(path).st_size, 0, []
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > MOST_PARTS:
                raise ValueError(f"{path} is refused: it has more than {MOST_PARTS} parts")
            for member in members:
                before, is_sheet = b"", "worksheets/" in member.filename
                with archive.open(member) as file:
                    while piece := file.read(CHUNK):
                        n_bytes += len(piece)
                        refuse_bomb(path, n_bytes, size)
                        found = NO_VALUE.search(before + piece) if is_sheet else None
                        if found and not notes:
                            notes.append(
                                f"Formulas without a value, such as that of cell {found[1].decode()}, were "
                                "read as empty cells: save the workbook with a spreadsheet program first."
                            )
                        before = piece[-LONGEST_FORMULA:]
    except (
        zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, UnicodeError
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


def _merged_filled(sheet, ranges):
    """Give the rows of a sheet by their numbers, with the value of merged cells in each of them."""
    left = sheet.start[1] if sheet.start else 0
    starting = {}
    for (top, first), (bottom, last) in ranges:
        starting.setdefault(top, []).append((bottom, first - left, last - left))
    open_ranges = []  # the last row, the columns and the value of those that reach below their first row
    for number, cells in enumerate(sheet.iter_rows()):
        open_ranges = [each for each in open_ranges if each[0] >= number]
        for bottom, first, last in starting.get(number, ()):
            if 0 <= first < len(cells):
                open_ranges.append((bottom, first, last, cells[first]))
        for _, first, last, value in open_ranges:
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
        sheet = book.add_worksheet(dialect.sheet)
        names, row = None, 0
        for block in blocks:
            if names is None:
                names = block.names
                if dialect.header:
                    sheet.write_row(0, 0, names)
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


def _written(value):
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
