"""Files that are either whole or absent."""

import errno
import os
import re
import secrets
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where what was left stays
    fcntl = None

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_PART = re.compile(r"\..+\.\d+-[0-9a-f]{8}\.part", re.DOTALL)


@contextmanager
def atomic_open(path, mode="w", encoding=None):
    """Open a file for writing that takes its name only when all of it is on the disk.

    The bytes go to a hidden ``.part`` file in the same folder, which replaces ``path`` at the end of the
    ``with`` block. When the block raises, or the disk is full, or the process is interrupted, ``path`` stays
    as it was and the ``.part`` file is removed. What a process left that was killed is removed when the next
    file is written to the folder.

    Parameters
    ----------
    path : str or os.PathLike
        The file to write. Its folder must exist.
    mode : {"w", "wb", "w+b"}, default="w"
        Text or bytes.
    encoding : str, default=None
        For text; UTF-8 when not given.

    Yields
    ------
    file object
        Write to it; do not close it.

    Raises
    ------
    OSError
        If the file cannot be written, or a device or pipe has its name: it names ``path``.

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
    if path.exists() and not (path.is_file() or path.is_dir()):  # root could replace it
        raise FileExistsError(errno.EEXIST, "a device or pipe has this name, choose another one", str(path))
    _sweep(path.parent)
    encoding = (encoding or "utf-8") if mode == "w" else None
    part = file = None
    try:
        while file is None:
            part = _part_of(path)  # named before it is there: an interrupt may come at once
            file = _open_locked(part, mode, encoding)
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException as error:
        if part is not None:
            part.unlink(missing_ok=True)
        if isinstance(error, OSError) and _is_of_part(error):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


@contextmanager
def scratch_folder(parent):
    """Make a hidden folder beside files to come, for what is not whole yet; it goes with all that is in it.

    Parameters
    ----------
    parent : path
        The folder to make it in, which must exist.

    Yields
    ------
    Path
        The hidden folder. If the process is killed, it goes when the next file is written to `parent`.
    """
    _sweep(parent)
    folder = _part_of(Path(parent) / "scratch")
    try:
        os.mkdir(folder)
        with _opened(folder) as descriptor:
            _lock(descriptor)
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _part_of(path):
    return path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")


def _is_of_part(error):
    """Tell whether an error is about the hidden file; that of a full disk says no name."""
    if error.filename is None:
        return error.errno in NO_ROOM
    return _PART.fullmatch(Path(str(error.filename)).name) is not None


def _open_locked(part, mode, encoding):
    """Open a new hidden file, locked while it is open; give None if another process has taken it."""
    # Opened by name, not by mkstemp, so that the file gets the permissions every other new file gets.
    file = open(part, mode, encoding=encoding)  # noqa: SIM115
    # Before it was locked, another process may have taken it for one that was left.
    if _lock(file.fileno()) is not False and part.exists():
        return file
    file.close()
    part.unlink(missing_ok=True)
    return None


def _sweep(folder):
    """Remove the hidden files and folders whose writers were killed: nobody holds their locks."""
    with suppress(OSError):  # a folder that cannot be read
        for name in filter(_PART.fullmatch, os.listdir(folder)):
            part = Path(folder, name)
            with suppress(OSError), _opened(part) as descriptor:  # or else it is somebody else's
                if _lock(descriptor) and part.is_dir():
                    shutil.rmtree(part)
                elif _lock(descriptor):
                    part.unlink()


@contextmanager
def _opened(path):
    """Open a file or a folder to lock it; gives None on Windows, where folders cannot be opened."""
    if fcntl is None:
        yield None
        return
    # a pipe would wait for a writer, and a link lead elsewhere: others may write to the folder
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(descriptor):
    """Lock what is open, until it is closed: True, False if another has it, None where there are no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
