"""Tables whose cells stand in lines with a delimiter between them."""

import csv
import json

from textspace.tables import _text
from textspace.tables._blocks import Block, batched, refuse_new_names


def delimited_blocks(rows, lines, notes=()):
    """Make blocks of rows of cells, the first of which names the columns.

    A row is the line at which it begins and its cells; none is blank. `notes` are sentences on how the file
    is read; more may be added while the rows are.
    """
    names = [name.strip() for name in _next(rows, ("", []))[1]]
    if not any(names):
        raise ValueError(f"{lines.name} is empty: give a file that has rows")
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise ValueError(f"{lines.name} names the column {repeated[0]!r} more than once: rename one of them")
    batches = batched(rows, lines)
    n_before = 0
    while batch := _next(batches, None):
        yield _block(batch, n_before, names, lines, notes)
        n_before += len(batch)
    if not n_before:
        raise ValueError(f"{lines.name} has no rows below its header: give a file that has some")


def _next(iterator, default):
    # The csv module refuses cells above 128 kB unless told otherwise. The limit holds for all readers of the
    # process, so it is put back before others have their turn.
    limit = csv.field_size_limit(_text.LONGEST)
    try:
        return next(iterator, default)
    finally:
        csv.field_size_limit(limit)


def _block(batch, n_before, names, lines, notes):
    # Two lists and not one of pairs, which would keep the garbage collector busy.
    starts, rows = [start for start, _ in batch], [cells for _, cells in batch]

    def where(position):
        return f"row {n_before + position + 1} (line {starts[position]})"

    n_columns = len(names)
    for position, cells in enumerate(rows):
        if len(cells) != n_columns:
            raise ValueError(
                f"{lines.name}, {where(position)}: {len(cells)} cells where the first row names {n_columns} "
                "columns: quote cells that hold the delimiter or a line break"
            )
    numbers = {name: number for number, name in enumerate(names)}

    def column(name):
        number = numbers[name]
        return [cells[number] for cells in rows]

    return Block(names, len(rows), column, where, tuple(notes), share=lines.share)


def bad_quotes(name, line, error="a cell that is opened is not closed as it should be"):
    """Give a ValueError that says what is wrong with quotation marks, in the row that begins at `line`."""
    return ValueError(
        f"{name}, line {line}: {error}: check the quotation marks there; double those inside a cell"
    )


def write_delimited(blocks, path, delimiter):
    """Write blocks with a row of names, and quoted cells where they need it."""
    with _text.open_output(path) as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        names = None
        for block in blocks:
            if names is None:
                names = block.names
                writer.writerow(names)
            refuse_new_names(block, names)
            columns = (map(_cell, block.column(name)) for name in names)
            writer.writerows(zip(*columns, strict=True))


def _cell(value):
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, dict | list) else value
