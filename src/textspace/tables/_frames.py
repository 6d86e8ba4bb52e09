"""Tables of polars as blocks, and what is said when it cannot read or write a file."""

import os
import re
from contextlib import contextmanager

from textspace.tables import _blocks
from textspace.tables._blocks import Block
from textspace.tables._frame_rows import ERROR, HEIGHT, ROWS, UnreadableError, rows_apart
from textspace.tables._packed import refuse_bomb


def import_polars(path):
    """Import polars, or say how to get it."""
    try:
        import polars
    except ImportError as error:
        raise ImportError(f"{path} needs polars: pip install 'textspace[tables]'") from error
    return polars


def file_blocks(path, kind):
    """Yield the blocks of a Parquet or Arrow file, and refuse one that has none."""
    block = None
    for block in blocks_apart(path, kind):
        yield block
    if block is None:
        raise ValueError(f"{path} has no rows: give a file that has some")


def blocks_apart(path, kind):
    """Yield the blocks of a Parquet or Arrow file as a process of its own reads them."""
    polars = import_polars(path)
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{path} cannot be read, as its name is not UTF-8: rename it") from error
    height, n_before = None, 0
    try:
        for message, content in rows_apart(path, kind, _blocks.BLOCK_ROWS):
            if message == HEIGHT:
                height = int(content)
                refuse_bomb(path, height, os.stat(path).st_size)  # nulls take no bytes: a row counts as one
            elif message == ROWS:
                batch = polars.read_ipc_stream(content)
                if not batch.width:
                    raise UnreadableError(f"{height} rows are declared, but no columns")
                yield _block(polars, path, batch, n_before, height)
                n_before += batch.height
            elif message == ERROR:
                raise UnreadableError(content.decode())
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, UnreadableError) as error:
        raise damaged(path, kind, error, n_before, height) from error
    if n_before != height:  # a panic in a thread of polars ends the batches, and nothing else tells of it
        reason = f"{n_before} rows come where {height} are declared"
        raise damaged(path, kind, reason, n_before, height)


def damaged(path, kind, reason, n_before=0, height=0):
    """Give a ValueError that says that a file is damaged, and which of its rows cannot be read."""
    missing = f": rows {n_before + 1} to {height} cannot be read" if n_before < (height or 0) else ""
    return ValueError(f"{path} is damaged or no {kind} file ({reason}){missing}: write it again")


def _block(polars, path, batch, n_before, height):
    """Make a block of some rows of a frame; a value that Python has no form for is named."""

    def column(name):
        try:
            return batch[name].to_list()
        except (
            polars.exceptions.PanicException,
            polars.exceptions.PolarsError,
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


def frame_of(block, polars, schema):
    """Make a frame of a block, with the types of a schema if there is one; nothing of a value is left out."""
    if block.frame is not None:
        return block.frame
    columns = {name: block.column(name) for name in (schema or block.names)}
    frame = polars.DataFrame(columns, schema=schema)
    for name, values in columns.items():
        kept = frame[name].to_list()
        for position, value in enumerate(values if kept != values else ()):
            if not _is_kept(value, kept[position]):
                raise TypeError(
                    f"{block.where(position)}, column {name!r}: by the rows before it is of type "
                    f"{frame.schema[name]}, which has no place for {value!r:.60}"
                )
    return frame


def _is_kept(value, kept):
    """Tell whether what polars has made of a value holds all of it."""
    if isinstance(value, dict):
        return all(_is_kept(each, (kept or {}).get(name)) for name, each in value.items())
    if isinstance(value, list | tuple):
        return len(value) == len(kept or ()) and all(map(_is_kept, value, kept or ()))
    if value is None:
        return True
    return kept == value if isinstance(value, int) else kept is not None  # a float lacks digits of some


@contextmanager
def unwritable(polars, path, kind):
    """Say why polars cannot write a file: the disk is full, or a value has no place in it."""
    try:
        yield
    except (
        polars.exceptions.PolarsError,
        polars.exceptions.PanicException,
        TypeError,
        OverflowError,
        UnicodeEncodeError,
    ) as error:
        system = re.search(r"\(os error (\d+)\)", str(error))
        if system:
            raise OSError(int(system[1]), os.strerror(int(system[1])), str(path)) from error
        raise ValueError(f"{path} cannot be written as {kind} ({error}): choose .csv or .jsonl.") from error
