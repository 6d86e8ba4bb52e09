"""JSON: an array of objects or of lists, an object a line, an object that holds such an array, or columns."""

import itertools
import json

from textspace._json import whole_object
from textspace.tables import _blocks
from textspace.tables._blocks import Block, Dialect
from textspace.tables._format import Format
from textspace.tables._nested import flattened, put_back
from textspace.tables._text import open_lines, open_output
from textspace.tables.formats import _jsonl


def read(path, how):
    """Yield the blocks of a JSON file; all of it is read at once, unless it has an object a line."""
    if _has_lines(path, how):
        yield from _jsonl.read(path, how)
        return
    with open_lines(path, how.encoding) as lines:
        text, notes = "".join(lines), lines.notes
    if not text.strip():
        raise ValueError(f"{path} is empty: give a file that has rows")
    try:
        rows, note = _rows(json.loads(text, object_pairs_hook=whole_object))
        notes = (*notes, *note)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is damaged: not valid JSON ({error})") from error
    if rows is None or not all(isinstance(row, dict) for row in rows):
        number = next((n for n, row in enumerate(rows or [], start=1) if not isinstance(row, dict)), 1)
        raise ValueError(
            f"{path}, row {number}: expected an array of objects, such as [{{'text': ..., 'label': ...}}]: "
            "write it so, or one object a line"
        )
    if not rows:
        raise ValueError(f"{path} has no rows: give a file that has some")
    apart = {}
    for start in range(0, len(rows), _blocks.BLOCK_ROWS):
        yield _block(rows[start : start + _blocks.BLOCK_ROWS], start, len(rows), notes, apart)


def _has_lines(path, how):
    """Tell whether the first two lines that are not blank are objects of their own."""
    with open_lines(path, how.encoding) as lines:
        first, second = itertools.islice(
            itertools.chain((line.strip() for line in lines if line.strip()), ["", ""]), 2
        )
    return first.startswith("{") and first.endswith("}") and second.startswith("{")


def _rows(value):
    """Give the rows of what a file holds, None if it holds none, and notes on how they were found."""
    if isinstance(value, dict) and {"columns", "data"} <= value.keys():  # as pandas writes it, split
        value = [value["columns"], *(value["data"] if isinstance(value["data"], list) else [None])]
    if isinstance(value, list):
        return _named(value), ()
    inner = [name for name in value if _are_objects(value[name])] if isinstance(value, dict) else []
    if len(inner) == 1 and not any(isinstance(value[name], list) for name in value if name != inner[0]):
        return value[inner[0]], (f"The rows are those of {inner[0]!r}; what stands beside it was not read.",)
    return _columns(value), ()


def _are_objects(value):
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _named(rows):
    """Give rows that are lists as objects, if the first one names the columns; others as they are."""
    names = rows[0] if rows else None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return rows
    fit = all(isinstance(row, list) and len(row) == len(names) for row in rows)
    if not fit or len(set(names)) < len(names):
        return rows
    return [dict(zip(names, row, strict=True)) for row in rows[1:]]


def _columns(value):
    """Give the rows of an object of columns, or of one object that is a row; None if it is neither."""
    columns = list(value.values()) if isinstance(value, dict) else []
    if columns and not any(isinstance(column, dict | list) for column in columns):
        return [value]
    if columns and all(isinstance(column, list) for column in columns):
        columns = [dict(enumerate(column)) for column in columns]
    if not columns or not all(isinstance(column, dict) for column in columns):
        return None
    keys = list(columns[0])
    if any(list(column) != keys for column in columns):
        return None
    return [dict(zip(value, (column[key] for column in columns), strict=True)) for key in keys]


def _block(rows, n_before, n_rows, notes, apart):
    rows, nested = flattened(rows, apart)
    return Block(
        list(dict.fromkeys(name for row in rows for name in row)),
        len(rows),
        column=lambda name: [row.get(name) for row in rows],
        where=lambda position: f"row {n_before + position + 1}",
        notes=notes,
        share=(n_before + len(rows)) / n_rows,
        dialect=Dialect("json", nested=nested),
    )


def write(blocks, path):
    """Write an array with one object a row and line."""
    with open_output(path) as file:
        between = "[\n"
        for block in blocks:
            columns = [block.column(name) for name in block.names]
            nested = block.dialect.nested if block.dialect else ()
            for values in zip(*columns, strict=True):
                row = put_back(dict(zip(block.names, values, strict=True)), nested)
                file.write(between + json.dumps(row, ensure_ascii=False, default=str))
                between = ",\n"
        file.write("\n]\n")


FORMAT = Format("json", (".json", ".json.gz"), read, write)
