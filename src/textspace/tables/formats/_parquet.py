"""Parquet: columns with types, read and written with polars."""

from pathlib import Path

from textspace._files import atomic_open
from textspace.tables import _blocks, _frames
from textspace.tables._blocks import refuse_new_names
from textspace.tables._format import Format


def read(path, how):
    """Yield the blocks of a Parquet file; it knows its encoding."""
    polars = _frames.import_polars(path)
    height, n_before = None, 0
    try:
        frame = polars.scan_parquet(Path(path).resolve(), glob=False)
        height = frame.select(polars.len()).collect().item()
        if not height:
            raise ValueError(f"{path} has no rows: give a file that has some")
        for batch in frame.collect_batches(chunk_size=_blocks.BLOCK_ROWS, maintain_order=True):
            if batch.height:
                yield _frames.frame_block(polars, path, batch, n_before, height)
            n_before += batch.height
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        raise _frames.damaged(path, "Parquet", error, n_before, height) from error
    if n_before != height:  # a panic in a thread of polars ends the batches, and nothing else tells of it
        reason = f"{n_before} rows come where {height} are declared"
        raise _frames.damaged(path, "Parquet", reason, n_before, height)


def write(blocks, path):
    """Write blocks as they come, with the types of the first."""
    polars = _frames.import_polars(path)
    from polars.io.plugins import register_io_source

    with atomic_open(path, "wb") as file:
        blocks = iter(blocks)
        first_block = next(blocks)
        with _frames.unwritable(polars, path, "Parquet"):
            first = _frames.frame_of(first_block, polars, None)

            def frames(*_):
                yield first
                for block in blocks:
                    refuse_new_names(block, first.columns)
                    yield _frames.frame_of(block, polars, first.schema)

            table = register_io_source(frames, schema=first.schema)
            table.sink_parquet(file, row_group_size=10 * _blocks.BLOCK_ROWS)


FORMAT = Format("parquet", (".parquet",), read, write, streams=False)
