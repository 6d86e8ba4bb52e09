"""Read archives that may be damaged or hostile, in memory: nothing of them reaches the disk."""

import gzip
import io
import itertools
import os
import stat
import struct
import tarfile
import zipfile
from collections import Counter
from contextlib import contextmanager

MAX_BYTES = 512 * 1024**2
MAX_STREAM = 1024**3
MAX_MEMBERS = 100_000


def read_tar(path, *, max_bytes=MAX_BYTES, max_members=MAX_MEMBERS):
    """Read every file of a gzipped tar archive: contents by the name inside, without a leading "./".

    A ValueError names what is damaged, too large when unpacked, or has no place in a corpus: an absolute
    path, a path with "..", a name that comes twice, a link or a device.
    """
    # Unpacking first, up to the limit, bounds whatever the headers inside may claim.
    with open(path, "rb") as file, _damage(path), gzip.open(file) as packed:
        unpacked = packed.read(max_bytes + 1)
    if len(unpacked) > max_bytes:
        raise _too_large(path, max_bytes)
    with _damage(path), tarfile.open(fileobj=io.BytesIO(unpacked), mode="r:") as archive:
        members = list(itertools.islice(archive, max_members + 1))
        end = archive.offset
    _check_names(path, [member.name for member in members], max_members)
    for member in members:
        if not (member.isfile() or member.isdir()) or member.issparse():
            raise _refused(path, f"its member {member.name!r} is a link or a device")
    # At a header that is damaged or cut, tarfile just stops. The end of an archive is a block of zeros.
    if len(unpacked) < end + tarfile.BLOCKSIZE or unpacked[end:].strip(b"\0"):
        raise damaged(path, f"it breaks off behind {len(members)} members")
    return {
        member.name.removeprefix("./"): unpacked[member.offset_data : member.offset_data + member.size]
        for member in members
        if member.isfile()
    }


def read_zip(path, names, *, max_bytes=MAX_BYTES):
    """Read the named members of a zip archive (a wheel is one), in the order of `names`.

    A ValueError says so if the archive is damaged, lacks a member, is too large when unpacked, or has a link
    in place of a member.
    """
    with _opened_zip(path) as (archive, members):
        for name in names:
            if name not in members:
                raise damaged(path, f"there is no {name!r} in it")
            if stat.S_ISLNK(members[name].external_attr >> 16):
                raise _refused(path, f"its member {name!r} is a link")
        if sum(members[name].file_size for name in names) > max_bytes:
            raise _too_large(path, max_bytes)
        with _damage(path):
            for name in names:
                _check_header(archive.fp, members[name])
            return [archive.read(name) for name in names]


def zip_names(path, *, max_members=MAX_MEMBERS):
    """List the files in a zip archive.

    A ValueError says so if it is damaged, holds too many members, or one whose path leads out of it.
    """
    with _opened_zip(path, max_members) as (_, members):
        return [name for name in members if not name.endswith("/")]


@contextmanager
def _opened_zip(path, max_members=MAX_MEMBERS):
    """Give a zip archive and its members by name."""
    with open(path, "rb") as file:
        with _damage(path):
            archive = zipfile.ZipFile(file)
        _check_names(path, archive.namelist(), max_members)
        yield archive, {member.filename: member for member in archive.infolist()}


def _check_header(file, member):
    """Raise a ValueError if a zip archive says other sizes before a member than in its list."""
    file.seek(member.header_offset)
    flags, crc, packed, unpacked = struct.unpack("<6xH6xLLL", file.read(26))
    said = crc, packed, unpacked
    # They may be said behind the member, and sizes above 4 GB in another place.
    if (
        not flags & 8
        and 0xFFFFFFFF not in said
        and said != (member.CRC, member.compress_size, member.file_size)
    ):
        raise ValueError(f"{member.filename!r} is listed with another size or content")


def gzip_lines(path, *, encoding="latin-1", max_bytes=MAX_STREAM):
    """Read a gzipped text line by line; a ValueError says so if it is damaged or too large when unpacked."""
    left = max_bytes
    if not os.path.getsize(path):
        raise damaged(path, "it is empty")
    with open(path, "rb") as file, gzip.open(file) as packed:
        while True:
            with _damage(path):
                # The limit holds within a line too: a bomb may be one line.
                line = packed.readline(left + 1)
                text = line.decode(encoding) if len(line) <= left else ""
            if not line:
                return
            left -= len(line)
            if left < 0:
                raise _too_large(path, max_bytes)
            yield text


@contextmanager
def _damage(path):
    """Say that a file is damaged, whatever its bytes lead a library to raise."""
    try:
        yield
    except Exception as error:
        raise damaged(path, error) from error


def damaged(path, reason):
    """Make the error that says that a file is not what it should be, and the remedy."""
    return ValueError(f"{path} is damaged or not the expected file ({reason}): delete it and get it again")


def _check_names(path, names, max_members):
    if len(names) > max_members:
        raise _refused(path, f"it holds more than {max_members} members")
    for name in names:
        if name.startswith("/") or ".." in name.split("/"):
            raise _refused(path, f"its member {name!r} points out of the archive")
    if len(set(names)) < len(names):
        [(name, _)] = Counter(names).most_common(1)
        raise _refused(path, f"its member {name!r} is there twice")


def _too_large(path, max_bytes):
    return _refused(path, f"unpacked it is larger than {max_bytes} bytes")


def _refused(path, reason):
    return ValueError(f"{path} is refused: {reason}")
