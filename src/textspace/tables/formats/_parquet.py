"""Parquet: columns with types, read and written with polars."""

from textspace._files import atomic_open
from textspace.tables import _blocks, _frames
from textspace.tables._blocks import refuse_new_names
from textspace.tables._format import Format
from textspace.tables._frame_rows import PARQUET


def read(path, how):
    """Yield the blocks of a Parquet file; it knows its encoding."""
    return _frames.file_blocks(path, PARQUET)


def write(blocks, path):
    """Write blocks as they come, with the types of the first."""
    polars = _frames.import_polars(path)
    from polars.io.plugins import register_io_source

    with atomic_open(path, "wb") as file:
        blocks = iter(blocks)
        first_block = next(blocks)
        with _frames.unwritable(polars, path, PARQUET):
            first = _frames.frame_of(first_block, polars, None)

            def frames(*_):
                yield first
                for block in blocks:
                    refuse_new_names(block, first.columns)
                    yield _frames.frame_of(block, polars, first.schema)

            table = register_io_source(frames, schema=first.schema)
            table.sink_parquet(file, row_group_size=10 * _blocks.BLOCK_ROWS)


FORMAT = Format("parquet", (".parquet",), read, write, streams=False)
