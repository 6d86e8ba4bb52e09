"""Tables that are larger than the memory, written as their blocks of rows come."""

import csv
import json
import sys
from contextlib import contextmanager

from textspace._files import atomic_open
from textspace.datasets._stream import BLOCK_ROWS, STANDARD, import_polars, kind_of


def write_blocks(blocks, path, *, kind=None):
    """Write blocks of rows as they come, to a file that takes its name when all are written.

    Parameters
    ----------
    blocks : iterable of Block
        The rows; the first block says which columns there are.
    path : path or "-"
        The file; "-" for the standard output stream.
    kind : {"csv", "tsv", "jsonl", "parquet"}, default=None
        How to write it; by default as its name ends. "lines" is written as "tsv".
    """
    kind = kind or kind_of(path)
    if kind == "parquet":
        if path == STANDARD:
            raise ValueError("Parquet cannot be written to the standard output stream: give a file with -o.")
        polars = import_polars(path)
        with atomic_open(path, "wb") as file:
            _write_parquet(blocks, file, polars, path)
        return
    with _text_output(path) as file:
        if kind == "jsonl":
            _write_jsonl(blocks, file)
        else:
            _write_delimited(blocks, file, "," if kind == "csv" else "\t")


@contextmanager
def _text_output(path):
    if path == STANDARD:
        yield sys.stdout
        return
    with atomic_open(path, "w") as file:
        file.reconfigure(errors="replace", newline="\n")  # JSON may name half a surrogate pair
        yield file


def _write_delimited(blocks, file, delimiter):
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    names = None
    for block in blocks:
        if names is None:
            names = block.names
            writer.writerow(names)
        _refuse_new_names(block, names)
        columns = (map(_cell, block.column(name)) for name in names)
        writer.writerows(zip(*columns, strict=True))


def _refuse_new_names(block, names):
    # A line of JSON may have a key that no line before it had.
    new = [name for name in block.names if name not in names]
    if new:
        raise ValueError(
            f"from {block.where(0)} on there is a column {new[0]!r}, which is not in the rows before: write "
            "the result to a file that ends in .jsonl."
        )


def _cell(value):
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, dict | list) else value


def _write_jsonl(blocks, file):
    for block in blocks:
        columns = [block.column(name) for name in block.names]
        for values in zip(*columns, strict=True):
            row = dict(zip(block.names, values, strict=True))
            file.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")


def _write_parquet(blocks, file, polars, path):
    from polars.io.plugins import register_io_source

    blocks = iter(blocks)
    first = _frame(next(blocks), polars, None)

    def frames(*_):
        yield first
        for block in blocks:
            _refuse_new_names(block, first.columns)
            yield _frame(block, polars, first.schema)

    try:
        register_io_source(frames, schema=first.schema).sink_parquet(file, row_group_size=10 * BLOCK_ROWS)
    except (polars.exceptions.PolarsError, TypeError) as error:
        raise ValueError(f"{path} cannot be written as Parquet ({error}): choose .csv or .jsonl.") from error


def _frame(block, polars, schema):
    if block.frame is not None:
        return block.frame
    columns = {name: block.column(name) for name in (schema or block.names)}
    return polars.DataFrame(columns, schema=schema)
