"""Tables whose cells stand in lines with a delimiter between them."""

import csv
import itertools
import json
import re
from dataclasses import replace
from functools import partial

from textspace.tables import _text
from textspace.tables._blocks import Block, batched, laid_out, refuse_new_names

_DECIMALS = {sign: re.compile(rf"-?\d+\{sign}\d+") for sign in ",."}


def delimited_blocks(rows, lines, how, dialect, notes=()):
    """Make blocks of rows of cells, the first of which names the columns unless `how` says otherwise.

    A row is the line at which it begins and its cells; none is blank. `notes` are sentences on how the file
    is read; more may be added while the rows are.
    """
    first = _next(rows, ("", []))
    if how.header is False and first[1]:
        names = numbered(first[1])
        rows = itertools.chain([first], rows)
    else:
        names = column_names(first[1], lines.name)
    batches = batched(rows, lines)
    n_before = 0
    while batch := _next(batches, None):
        if not n_before and dialect.delimiter != ",":
            dialect = replace(dialect, decimal=_decimal(batch))
        block = _block(batch, n_before, names, lines.name)
        n_before += len(batch)
        notes_so_far = (*lines.notes, *notes)
        yield Block(
            *block, notes_so_far, header=how.header is not None or None, share=lines.share, dialect=dialect
        )
    if not n_before:
        raise ValueError(f"{lines.name} has no rows below its header: give a file that has some")


def _decimal(batch):
    """Tell what stands before the decimals of numbers: a comma, if such numbers are there and no others."""
    cells = [cell for _, row in batch for cell in row]
    commas, points = (any(_DECIMALS[sign].fullmatch(cell) for cell in cells) for sign in ",.")
    return "," if commas and not points else "."


def numbered(cells):
    """Name the columns of a row by their numbers."""
    return [str(number) for number in range(1, len(cells) + 1)]


def column_names(cells, path):
    """Make names of the cells of the first row; a column without one is called "column 3"."""
    names = [str(cell).strip() for cell in cells]
    if not any(names):
        raise ValueError(f"{path} is empty: give a file that has rows")
    names = [name or f"column {number}" for number, name in enumerate(names, start=1)]
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise ValueError(f"{path} names the column {repeated[0]!r} more than once: rename one of them")
    return names


def _next(iterator, default):
    # The csv module refuses cells above 128 kB unless told otherwise. The limit holds for all readers of the
    # process, so it is put back before others have their turn.
    limit = csv.field_size_limit(_text.LONGEST)
    try:
        return next(iterator, default)
    finally:
        csv.field_size_limit(limit)


def _block(batch, n_before, names, path):
    # Two lists and not one of pairs, which would keep the garbage collector busy.
    starts, rows = [start for start, _ in batch], [cells for _, cells in batch]

    def where(position):
        return f"row {n_before + position + 1} (line {starts[position]})"

    n_columns = len(names)
    for position, cells in enumerate(rows):
        if len(cells) == n_columns:
            continue
        if len(cells) > n_columns and not any(cells[n_columns:]):  # delimiters at the end of a line
            rows[position] = cells[:n_columns]
        elif len(cells) < n_columns and names[len(cells) :] == unnamed(len(cells), n_columns):
            rows[position] = cells + [""] * (n_columns - len(cells))
        else:
            raise ValueError(
                f"{path}, {where(position)}: {len(cells)} cells where the first row names {n_columns} "
                "columns: quote cells that hold the delimiter or a line break"
            )
    numbers = {name: number for number, name in enumerate(names)}

    def column(name):
        number = numbers[name]
        return [cells[number] for cells in rows]

    return names, len(rows), column, where


def unnamed(start, end):
    """Give the names of the columns of a range, if the first row has none for them."""
    return [f"column {number}" for number in range(start + 1, end + 1)]


def newline_of(line):
    """Give what ends a line."""
    return "\r\n" if line.endswith("\r\n") else "\r" if line.endswith("\r") else "\n"


def bad_quotes(name, line, error="a cell that is opened is not closed as it should be"):
    """Give a ValueError that says what is wrong with quotation marks, in the row that begins at `line`."""
    return ValueError(
        f"{name}, line {line}: {error}: check the quotation marks there; double those inside a cell"
    )


def write_delimited(blocks, path, default):
    """Write blocks in a dialect: that of the file they come from, or the default one."""
    dialect, blocks = laid_out(blocks, default)
    quoting = csv.QUOTE_ALL if dialect.quoted else csv.QUOTE_MINIMAL
    with _text.open_output(path, dialect.encoding) as file:
        ends = {"delimiter": dialect.delimiter, "lineterminator": dialect.newline}
        writer = csv.writer(file, **ends, quoting=quoting)
        names = None
        for block in blocks:
            if names is None:
                names = block.names
                if dialect.header:
                    writer.writerow(names)
            refuse_new_names(block, names)
            columns = (map(partial(_cell, decimal=dialect.decimal), block.column(name)) for name in names)
            writer.writerows(zip(*columns, strict=True))


def _cell(value, decimal):
    if value is None:
        return ""
    if isinstance(value, float) and decimal != ".":
        return str(value).replace(".", decimal)
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, dict | list) else value
