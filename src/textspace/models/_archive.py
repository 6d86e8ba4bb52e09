"""The archive that a model file is: limits on what is read from it, and the digest of what was written."""

import hashlib
import json
import math
import os
import stat
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile

import numpy as np

FORMAT = 2  # of model files

_GIGABYTE = 1 << 30
_MOST_BYTES = 4 * _GIGABYTE  # uncompressed
_MOST_PACKED = 5 * _GIGABYTE  # of the file: what cannot be compressed grows a little
_MEMORY = 260 << 20, 4  # bytes that any file may take, and times its size
_DIRECTORY = 8 << 20  # bytes of the names of all members
_END = b"PK\x05\x06", 22  # how the last record of an archive begins, and its bytes without the comment
_LOCATOR, _END_64 = (b"PK\x06\x07", 20), (b"PK\x06\x06", 56)  # the two before it in very large ones
_LONGEST_COMMENT = 1 << 16
_JSON_COSTS = {b"[": 190, b"{": 360, b",": 56, b'"': 45}  # bytes of memory for each of these in JSON
_BYTE_COST = 40  # bytes of memory for an item of one byte, of which trees of letters are made
_STEP_COST = 5  # for one of int8, of which float32 are
_LAST_CHARACTER = 0x10FFFF  # of Unicode
_LONGEST_EMPTY = 1 << 20  # side of an array without entries
_SEAL = b"textspace sha256 "  # begins the comment at the end of the archive; the digest follows
_HEX = 64  # digits of a digest
_BLOCK = 1 << 16  # bytes that are read at a time


class ModelFileError(ValueError):
    """A file was not opened as a model: it is damaged, foreign, too new, or holds what could run code."""


class Memory:
    """How much memory a file of a size may take; it is asked for before it is taken."""

    def __init__(self, path, size):
        self.path, self.size, self.taken, self.again = path, size, 0, 0

    def take(self, n_bytes):
        """Refuse the file if it takes more than it may."""
        self.taken += n_bytes
        if self.taken > allowed_memory(self.size):
            raise _too_large(self.path, self.taken, self.size)

    def look_again(self, n_bytes):
        """Refuse the file if more of what was taken is looked at again than time allows."""
        self.again += n_bytes
        if self.again > allowed_memory(self.size):
            raise ModelFileError(f"{self.path} was not opened: it has more parts than any model of its size.")


def allowed_memory(size):
    """Give the bytes of memory that a file of a size may take."""
    return _MEMORY[0] + _MEMORY[1] * size


def json_memory(content):
    """Give the bytes that JSON takes: each list, dict and text takes many times its characters."""
    return sum(cost * content.count(mark) for mark, cost in _JSON_COSTS.items()) + len(content)


def array_memory(kind, n_items):
    """Give the bytes that an array takes, with what is made of it."""
    if kind == np.int8:
        return n_items * _STEP_COST
    return n_items * (_BYTE_COST if kind.itemsize == 1 else kind.itemsize)


def without_waiting(path, flags):
    """Open what may be a pipe, to which nobody may ever write: an opener for :func:`open`."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def check_file(file, path):
    """Refuse what is no file, as a pipe, and what is so large that it takes long to read."""
    found = os.fstat(file.fileno())
    if not stat.S_ISREG(found.st_mode):
        raise ModelFileError(f"{path} is no file: give one that `textspace train -o` wrote.")
    if found.st_size > _MOST_PACKED:
        raise ModelFileError(f"{path} is too large: {found.st_size} bytes are more than any model has.")


def check_directory(file, path):
    """Refuse archives of so many members that their names alone would fill the memory."""
    size = file.seek(0, os.SEEK_END)
    start = max(0, size - _LONGEST_COMMENT - sum(length for _, length in (_END, _LOCATOR, _END_64)))
    file.seek(start)
    end = file.read()
    file.seek(0)
    if _directory(end, start) > _DIRECTORY:
        raise ModelFileError(f"{path} was not opened: it holds more files than any model.")


def _directory(end, start):
    """Give the bytes of the directory by the last records of an archive, where `zipfile` finds them.

    Of the archive stands there what begins at `start`. Very large ones have a second record before the last.
    """
    mark, length = _END
    is_last = end[-length:].startswith(mark) and end.endswith(b"\0\0")  # without a comment
    place = len(end) - length if is_last else end.rfind(mark)
    if place < 0:
        return 0
    (locator, locator_length), (mark_64, length_64) = _LOCATOR, _END_64
    middle = place - locator_length
    if middle < 0 or not end.startswith(locator, middle):
        return int.from_bytes(end[place + 12 : place + 16], "little")
    record = middle - length_64
    is_there = int.from_bytes(end[middle + 8 : middle + 16], "little") == start + record
    if record < 0 or not is_there or not end.startswith(mark_64, record):
        raise BadZipFile("its last records do not fit together")
    return int.from_bytes(end[record + 40 : record + 48], "little")


def check_sizes(members, path, packed):
    """Refuse archives, of so many bytes, that would fill the memory.

    No more is read than the sizes that they declare. What their members say that they take when they are
    packed is not asked: it may be more than there is.
    """
    size = check_total(members, path)
    if size > allowed_memory(packed):
        raise _too_large(path, size, packed)
    for member in members:
        if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise ModelFileError(
                f"{path} was not opened: {member.filename!r} in it is compressed as no textspace does."
            )


def check_total(members, path):
    """Refuse what is too large however it is packed; give its size when it is not."""
    size = sum(member.file_size for member in members)
    if size > _MOST_BYTES:
        raise _too_large(path, size, sum(member.compress_size for member in members))
    return size


def _too_large(path, size, packed):
    return ModelFileError(
        f"{path} is too large: it would take {size / _GIGABYTE:.1f} GB of memory from {packed} bytes on "
        f"the disk; {_MOST_BYTES // _GIGABYTE} GB are the limit, and {_MEMORY[1]} times what is on the disk."
    )


def read_member(archive, name):
    """Read a member of an archive, never more than it declares: the rest of a bomb stays compressed."""
    size = archive.getinfo(name).file_size
    with archive.open(name) as member:
        content = member.read(size)
    if len(content) < size:
        raise BadZipFile(f"{name} is cut off")
    return content


def read_json(content, memory, *, may_be_nan=False):
    """Give what JSON describes; NaN and infinity are refused, unless they are looked at later."""
    memory.take(json_memory(content))
    numbers = {} if may_be_nan else {"parse_float": _finite, "parse_constant": _finite}
    return json.loads(content, **numbers)


def _finite(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"it holds {text[:40]} in place of a number")
    return value


def array_bytes(array):
    """Give an array in numpy's own format; objects are refused."""
    buffer = BytesIO()
    np.lib.format.write_array(buffer, np.asanyarray(array), allow_pickle=False)
    return buffer.getbuffer()


def read_array(file, size, memory):
    """Give back the array of which :func:`array_bytes` made so many bytes; no objects are read.

    The bytes must be there before there is room for them.
    """
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("an array has a header that no textspace writes")
    shape, in_columns, kind = np.lib.format.read_array_header_1_0(file)
    n_items, size = math.prod(shape), size - file.tell()
    if kind.hasobject:
        raise ValueError("objects cannot be read with allow_pickle=False")
    if not kind.isnative or kind.itemsize * n_items != size or min(shape, default=0) < 0:
        raise ValueError(f"an array of shape {shape} has {size} bytes of {kind}")
    if n_items == 0 and max(shape) > _LONGEST_EMPTY:
        raise ValueError(f"an array without entries has the shape {shape}")
    memory.take(array_memory(kind, n_items))
    content = np.empty(size, np.uint8)
    for start in range(0, size, _BLOCK):
        block = file.read(min(_BLOCK, size - start))
        if len(block) < min(_BLOCK, size - start):
            raise BadZipFile("an array is cut off")
        content[start : start + len(block)] = np.frombuffer(block, np.uint8)
    # numpy takes each bit of a truth value, and each number of a character, for what it should be
    if (kind.kind == "b" and content.max(initial=0) > 1) or (
        kind.kind == "U" and content.view(np.uint32).max(initial=0) > _LAST_CHARACTER
    ):
        raise ValueError(f"an array of {kind} holds what is none")
    return content.view(kind).reshape(shape, order="F" if in_columns else "C")


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
