"""The archive that a model file is: limits on what is read from it, and the digest of what was written."""

import hashlib
import os
from io import BytesIO
from zipfile import BadZipFile

import numpy as np

_GIGABYTE = 1 << 30
_MOST_BYTES = 4 * _GIGABYTE  # uncompressed
_BOMB_BYTES, _BOMB_RATIO = _GIGABYTE, 200  # coefficients shrink by a tenth, text by two thirds
_SEAL = b"textspace sha256 "  # begins the comment at the end of the archive; the digest follows
_HEX = 64  # digits of a digest
_BLOCK = 1 << 20  # bytes that are hashed at a time


class ModelFileError(ValueError):
    """A file was not opened as a model: it is damaged, foreign, too new, or holds what could run code."""


def check_sizes(members, path):
    """Refuse archives that would fill the memory; no more is read than the sizes that they declare."""
    size = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if size > _MOST_BYTES or (size > _BOMB_BYTES and size > _BOMB_RATIO * packed):
        raise ModelFileError(
            f"{path} is too large: it would take {size / _GIGABYTE:.1f} GB of memory from {packed} bytes on "
            f"the disk; {_MOST_BYTES // _GIGABYTE} GB are the limit."
        )


def read_member(archive, name):
    """Read a member of an archive, never more than it declares: the rest of a bomb stays compressed."""
    size = archive.getinfo(name).file_size
    with archive.open(name) as member:
        content = member.read(size)
    if len(content) < size:
        raise BadZipFile(f"{name} is cut off")
    return content


def array_bytes(array):
    """Give an array in numpy's own format; objects are refused."""
    buffer = BytesIO()
    np.lib.format.write_array(buffer, np.asanyarray(array), allow_pickle=False)
    return buffer.getbuffer()


def read_array(content):
    """Give back the array of which :func:`array_bytes` made bytes; no objects are read."""
    return np.lib.format.read_array(BytesIO(content), allow_pickle=False)


def unsealed():
    """Give the comment of an archive that :func:`seal` is to complete."""
    return _SEAL + bytes(_HEX)


def seal(file):
    """Write the digest of all bytes before it over the end of a file, which is :func:`unsealed`."""
    end = file.seek(-_HEX, os.SEEK_END)
    digest = _digest(file, end)
    file.seek(end)
    file.write(digest)


def is_sealed(file, path):
    """Whether a file has a digest; one that is not that of its bytes is refused. It is left at its start."""
    end = max(0, file.seek(0, os.SEEK_END) - _HEX)
    file.seek(max(0, end - len(_SEAL)))
    found = file.read()
    if not found.startswith(_SEAL):
        file.seek(0)
        return False
    if found[len(_SEAL) :] != _digest(file, end):
        raise changed(path)
    return True


def changed(path):
    """Give the error for a file that is not as it was written."""
    return ModelFileError(
        f"{path} has changed since it was written: what is in it does not have the digest that was written "
        "with it. Get it anew."
    )


def _digest(file, size):
    """Give the SHA-256 of the first bytes of a file, and go back to its start."""
    file.seek(0)
    digest = hashlib.sha256()
    while size > 0 and (block := file.read(min(size, _BLOCK))):
        digest.update(block)
        size -= len(block)
    file.seek(0)
    return digest.hexdigest().encode("ascii")
