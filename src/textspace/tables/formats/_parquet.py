"""Parquet: columns with types, read and written with polars."""

import os
import re

from textspace._files import atomic_open
from textspace.tables import _blocks
from textspace.tables._blocks import Block, refuse_new_names
from textspace.tables._format import Format
from textspace.tables._parquet_rows import ERROR, HEIGHT, ROWS, UnreadableError, rows_apart


def read(path, encoding):
    """Yield the blocks of a Parquet file; it knows its encoding."""
    polars = _import_polars(path)
    height, n_before = None, 0
    try:
        for kind, content in rows_apart(path, _blocks.BLOCK_ROWS):
            if kind == HEIGHT:
                height = int(content)
            elif kind == ROWS:
                batch = polars.read_ipc_stream(content)
                yield _block(polars, path, batch, n_before, height)
                n_before += batch.height
            elif kind == ERROR:
                raise UnreadableError(content.decode())
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, UnreadableError) as error:
        raise _damaged(path, error, n_before, height) from error
    if height == 0:
        raise ValueError(f"{path} has no rows: give a file that has some")
    if n_before != height:  # a panic in a thread of polars ends the batches, and nothing else tells of it
        raise _damaged(path, f"{n_before} rows come where {height} are declared", n_before, height)


def _damaged(path, reason, n_before, height):
    missing = f": rows {n_before + 1} to {height} cannot be read" if n_before < (height or 0) else ""
    return ValueError(f"{path} is damaged or no Parquet file ({reason}){missing}: write it again")


def _block(polars, path, batch, n_before, height):
    def column(name):
        try:
            return batch[name].to_list()
        except (
            polars.exceptions.PanicException,
            ValueError,
            OverflowError,
        ) as error:  # no calendar has the day
            rows = f"rows {n_before + 1} to {n_before + batch.height}, column {name!r}"
            raise ValueError(f"{path}, {rows}: a value cannot be read ({error}): correct it") from error

    return Block(
        batch.columns,
        batch.height,
        column=column,
        where=lambda position: f"row {n_before + position + 1}",
        share=(n_before + batch.height) / height,
        frame=batch,
    )


def write(blocks, path):
    """Write blocks as they come, with the types of the first."""
    polars = _import_polars(path)
    from polars.io.plugins import register_io_source

    with atomic_open(path, "wb") as file:
        blocks = iter(blocks)
        first_block = next(blocks)
        try:
            first = _frame(first_block, polars, None)

            def frames(*_):
                yield first
                for block in blocks:
                    refuse_new_names(block, first.columns)
                    yield _frame(block, polars, first.schema)

            table = register_io_source(frames, schema=first.schema)
            table.sink_parquet(file, row_group_size=10 * _blocks.BLOCK_ROWS)
        except (polars.exceptions.PolarsError, polars.exceptions.PanicException, TypeError) as error:
            system = re.search(r"\(os error (\d+)\)", str(error))
            if system:
                raise OSError(int(system[1]), os.strerror(int(system[1])), str(path)) from error
            raise ValueError(
                f"{path} cannot be written as Parquet ({error}): choose .csv or .jsonl."
            ) from error


def _frame(block, polars, schema):
    if block.frame is not None:
        return block.frame
    columns = {name: block.column(name) for name in (schema or block.names)}
    return polars.DataFrame(columns, schema=schema)


def _import_polars(path):
    try:
        import polars
    except ImportError as error:
        raise ImportError(f"{path} needs polars: pip install 'textspace[tables]'") from error
    return polars


FORMAT = Format("parquet", (".parquet",), read, write, streams=False)
