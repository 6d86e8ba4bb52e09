"""Read archives that may be damaged or hostile, in memory: nothing of them reaches the disk."""

import gzip
import io
import tarfile
import zipfile
import zlib

MAX_BYTES = 512 * 1024**2
MAX_STREAM = 1024**3
MAX_MEMBERS = 100_000


def read_tar(path, *, max_bytes=MAX_BYTES, max_members=MAX_MEMBERS):
    """Read every file of a gzipped tar archive: contents by the name inside, without a leading "./".

    A ValueError names what is damaged, too large when unpacked, or has no place in a corpus: an absolute
    path, a path with "..", a link or a device.
    """
    try:
        # Unpacking first, up to the limit, bounds whatever the headers inside may claim.
        with gzip.open(path) as packed:
            unpacked = packed.read(max_bytes + 1)
        if len(unpacked) > max_bytes:
            raise _too_large(path, max_bytes)
        with tarfile.open(fileobj=io.BytesIO(unpacked), mode="r:") as archive:
            files = [member for member in _checked(archive, path, max_members) if member.isfile()]
        return {
            file.name.removeprefix("./"): unpacked[file.offset_data : file.offset_data + file.size]
            for file in files
        }
    except (gzip.BadGzipFile, zlib.error, EOFError, tarfile.TarError) as error:
        raise damaged(path, error) from error


def read_zip(path, names, *, max_bytes=MAX_BYTES):
    """Read the named members of a zip archive (a wheel is one), in the order of `names`.

    A ValueError says so if the archive is damaged, lacks a member, or is too large when unpacked.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(archive.getinfo(name).file_size for name in names) > max_bytes:
                raise _too_large(path, max_bytes)
            return [archive.read(name) for name in names]
    except KeyError as error:
        raise damaged(path, error.args[0]) from error
    # A RuntimeError is what zipfile raises for a password or an unknown compression.
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise damaged(path, error) from error


def zip_names(path, *, max_members=MAX_MEMBERS):
    """List the files in a zip archive.

    A ValueError says so if it is damaged, holds too many members, or one whose path leads out of it.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, EOFError) as error:
        raise damaged(path, error) from error
    for number, name in enumerate(names, start=1):
        _check_name(name, number, path, max_members)
    return [name for name in names if not name.endswith("/")]


def gzip_lines(path, *, encoding="latin-1", max_bytes=MAX_STREAM):
    """Read a gzipped text line by line; a ValueError says so if it is damaged or too large when unpacked."""
    left = max_bytes
    try:
        with gzip.open(path) as packed:
            # The limit holds within a line too: a bomb may be one line.
            while line := packed.readline(left + 1):
                left -= len(line)
                if left < 0:
                    raise _too_large(path, max_bytes)
                yield line.decode(encoding)
    except (gzip.BadGzipFile, zlib.error, EOFError, UnicodeDecodeError) as error:
        raise damaged(path, error) from error


def damaged(path, reason):
    """Make the error that says that a file is not what it should be, and the remedy."""
    return ValueError(f"{path} is damaged or not the expected file ({reason}): delete it and get it again")


def _checked(archive, path, max_members):
    for number, member in enumerate(archive, start=1):
        _check_name(member.name, number, path, max_members)
        if not (member.isfile() or member.isdir()) or member.issparse():
            raise ValueError(f"{path} is refused: its member {member.name!r} is a link or a device")
        yield member


def _check_name(name, number, path, max_members):
    if name.startswith("/") or ".." in name.split("/"):
        raise ValueError(f"{path} is refused: its member {name!r} points out of the archive")
    if number > max_members:
        raise ValueError(f"{path} is refused: it holds more than {max_members} members")


def _too_large(path, max_bytes):
    return ValueError(f"{path} is refused: unpacked it is larger than {max_bytes} bytes")
