"""The rows of a Parquet or Arrow file, read by a process of its own.

A damaged page can make polars ask for more memory than there is, and that ends a process at once: none of its
own files is told, nor any sentence said. So another process reads, and sends what it finds through a pipe.
"""

import struct
import subprocess
import sys
from io import BytesIO
from pathlib import Path

PARQUET, ARROW = "Parquet", "Arrow"
MAGIC = b"ARROW1"  # a file of Arrow begins so, and a stream does not
HEIGHT, ROWS, ERROR, END = b"hrxe"
_HEAD = struct.Struct("<BQ")  # what follows, and its bytes
_CODE = "import sys; sys.path[:] = {!r}; from textspace.tables._frame_rows import send; send()"


class UnreadableError(Exception):
    """What is wrong with a file."""


def rows_apart(path, kind, n_rows):
    """Yield the messages of :func:`rows` for a file, from a process that reads it.

    Raises
    ------
    UnreadableError
        The process has ended before its last message.
    """
    # -P: no module of the current folder is taken for one of ours
    command = [sys.executable, "-P", "-c", _CODE.format(sys.path), str(path), kind, str(n_rows)]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **pipes) as process:
        try:
            message = None
            while message not in (ERROR, END):
                head = process.stdout.read(_HEAD.size)
                message, size = _HEAD.unpack(head) if len(head) == _HEAD.size else (None, 0)
                content = process.stdout.read(size)
                if message is None or len(content) < size:
                    raise UnreadableError("what stands in it ends the program that reads it")
                yield message, content
        finally:
            process.kill()


def rows(path, kind, n_rows):
    """Yield what a file holds, as pairs of a kind and bytes.

    First the number of its rows as text, then tables of at most so many rows in Arrow's format for streams,
    then the end; or what is wrong with it.
    """
    import polars

    try:
        frame = _open(polars, Path(path).resolve(), kind)
        yield HEIGHT, str(frame.select(polars.len()).collect().item()).encode()
        for batch in frame.collect_batches(chunk_size=n_rows, maintain_order=True):
            if batch.height:
                buffer = BytesIO()
                batch.write_ipc_stream(buffer)
                yield ROWS, buffer.getvalue()
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        yield ERROR, str(error).encode("utf-8", "replace")
    else:
        yield END, b""


def _open(polars, path, kind):
    if kind == PARQUET:
        return polars.scan_parquet(path, glob=False)
    with open(path, "rb") as file:
        is_file = file.read(len(MAGIC)) == MAGIC
    return (polars.read_ipc(path) if is_file else polars.read_ipc_stream(path)).lazy()


def send():
    """Write the messages of the file that the command line names to the standard output stream."""
    path, kind, n_rows = sys.argv[1:]
    for message, content in rows(path, kind, int(n_rows)):
        sys.stdout.buffer.write(_HEAD.pack(message, len(content)) + content)
        sys.stdout.buffer.flush()
