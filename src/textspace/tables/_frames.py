"""Tables of polars as blocks, and what is said when it cannot read or write a file."""

import os
import re
from contextlib import contextmanager

from textspace.tables import _blocks
from textspace.tables._blocks import Block


def import_polars(path):
    """Import polars, or say how to get it."""
    try:
        import polars
    except ImportError as error:
        raise ImportError(f"{path} needs polars: pip install 'textspace[tables]'") from error
    return polars


@contextmanager
def refused(polars, path, kind):
    """Say of a file that polars cannot read that it is damaged."""
    try:
        yield
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        raise damaged(path, kind, error) from error


def damaged(path, kind, reason, n_before=0, height=0):
    """Give a ValueError that says that a file is damaged, and which of its rows cannot be read."""
    missing = f": rows {n_before + 1} to {height} cannot be read" if n_before < (height or 0) else ""
    return ValueError(f"{path} is damaged or no {kind} file ({reason}){missing}: write it again")


def frame_blocks(polars, path, frame):
    """Yield the blocks of a frame."""
    for start in range(0, frame.height, _blocks.BLOCK_ROWS):
        yield frame_block(polars, path, frame.slice(start, _blocks.BLOCK_ROWS), start, frame.height)


def frame_block(polars, path, batch, n_before, height):
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
    """Make a frame of a block, with the types of a schema if there is one."""
    if block.frame is not None:
        return block.frame
    columns = {name: block.column(name) for name in (schema or block.names)}
    return polars.DataFrame(columns, schema=schema)


@contextmanager
def unwritable(polars, path, kind):
    """Say why polars cannot write a file: the disk is full, or a value has no place in it."""
    try:
        yield
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, TypeError) as error:
        system = re.search(r"\(os error (\d+)\)", str(error))
        if system:
            raise OSError(int(system[1]), os.strerror(int(system[1])), str(path)) from error
        raise ValueError(f"{path} cannot be written as {kind} ({error}): choose .csv or .jsonl.") from error
