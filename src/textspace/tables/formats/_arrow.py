"""Arrow and Feather: columns with types, read and written with polars."""

from textspace._files import atomic_open
from textspace.tables import _frames
from textspace.tables._blocks import refuse_new_names
from textspace.tables._format import Format
from textspace.tables._frame_rows import ARROW


def read(path, how):
    """Yield the blocks of an Arrow file or stream."""
    return _frames.file_blocks(path, ARROW)


def write(blocks, path):
    """Write all blocks at once, with the types of the first."""
    polars = _frames.import_polars(path)
    blocks = iter(blocks)
    first = next(blocks)
    with atomic_open(path, "wb") as file, _frames.unwritable(polars, path, ARROW):
        frames = [_frames.frame_of(first, polars, None)]
        for block in blocks:
            refuse_new_names(block, frames[0].columns)
            frames.append(_frames.frame_of(block, polars, frames[0].schema))
        polars.concat(frames).write_ipc(file, compression="zstd")


FORMAT = Format("arrow", (".arrow", ".feather"), read, write, streams=False)
