"""Files that are either whole or absent."""

import os
import secrets
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_open(path, mode="w", encoding=None):
    """Open a file for writing that takes its name only when all of it is on the disk.

    The bytes go to a hidden ``.part`` file in the same folder, which replaces ``path`` at the end of the
    ``with`` block. When the block raises, or the disk is full, or the process is interrupted, ``path`` stays
    as it was and the ``.part`` file is removed.

    Parameters
    ----------
    path : str or os.PathLike
        The file to write. Its folder must exist.
    mode : {"w", "wb"}, default="w"
        Text or bytes.
    encoding : str, default=None
        For text; UTF-8 when not given.

    Yields
    ------
    file object
        Write to it; do not close it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_open(Path(folder, "note.txt")) as file:
    ...         _ = file.write("whole or absent")
    ...     Path(folder, "note.txt").read_text()
    'whole or absent'
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    if mode == "w":
        encoding = encoding or "utf-8"
    try:
        # Opened by name, not by mkstemp, so that the file gets the permissions every other new file gets.
        with open(part, mode, encoding=encoding) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
