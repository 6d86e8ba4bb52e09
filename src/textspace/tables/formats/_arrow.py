"""Arrow and Feather: columns with types, read and written with polars."""

import itertools
from pathlib import Path

from textspace._files import atomic_open
from textspace.tables import _frames
from textspace.tables._blocks import refuse_new_names
from textspace.tables._format import Format

MAGIC = b"ARROW1"


def read(path, how):
    """Yield the blocks of an Arrow file or stream."""
    polars = _frames.import_polars(path)
    with _frames.refused(polars, path, "Arrow"):
        frame = open_frame(polars, path)
        if not frame.height:
            raise ValueError(f"{path} has no rows: give a file that has some")
    yield from _frames.frame_blocks(polars, path, frame)


def open_frame(polars, path):
    """Open an Arrow file, which stays on the disk where it can, or one that holds a stream."""
    with open(path, "rb") as file:
        is_file = file.read(len(MAGIC)) == MAGIC
    whole = Path(path).resolve()
    return polars.read_ipc(whole) if is_file else polars.read_ipc_stream(whole)


def write(blocks, path):
    """Write all blocks at once, with the types of the first."""
    polars = _frames.import_polars(path)
    blocks = iter(blocks)
    first = next(blocks)
    with atomic_open(path, "wb") as file, _frames.unwritable(polars, path, "Arrow"):
        frames = [_frames.frame_of(first, polars, None)]
        for block in itertools.chain(blocks):
            refuse_new_names(block, frames[0].columns)
            frames.append(_frames.frame_of(block, polars, frames[0].schema))
        polars.concat(frames).write_ipc(file, compression="zstd")


FORMAT = Format("arrow", (".arrow", ".feather"), read, write, streams=False)
