"""Text files as lines, and lines into text files."""

import codecs
import gzip
import io
import itertools
import os
import sys
from contextlib import contextmanager

from textspace._files import atomic_open
from textspace.tables._encodings import find_encoding, marked_encoding
from textspace.tables._packed import Unpacked

STANDARD = "-"  # in place of a file name: the standard input or output stream
CHUNK = 1 << 16  # bytes that are read at a time
# A quotation mark that is never closed, or a file without line breaks, would else fill the memory.
LONGEST = 1 << 28
PACKED = ".gz"
WESTERN = "'cp1252' or 'latin-1' if it is Western European text; or correct this line"


class Lines:
    """Lines of a text file, each with its line break, as they are read; it counts their characters.

    The `encoding` may be None where only a byte order mark tells it; the `notes` say what was assumed of it.
    """

    def __init__(self, file, name, encoding, newline, size=None, notes=()):
        self.name, self.n_characters = name, 0
        self.encoding, self.notes = encoding or "utf-8", notes
        self._file, self._size = file, size
        self._lines = itertools.chain.from_iterable(self._counted(_line_lists(file, name, encoding, newline)))

    def __iter__(self):
        return self._lines

    def again(self, ahead):
        """Give lines that were looked at again, and then the others; they are counted as they are given."""
        self.n_characters -= sum(map(len, ahead))
        for line in ahead:
            self.n_characters += len(line)
            yield line
        yield from self

    def _counted(self, line_lists):
        for lines in line_lists:
            self.n_characters += sum(map(len, lines))
            yield lines

    @property
    def share(self):
        """Share of the file that has been read; None where that is not known."""
        return self._file.tell() / self._size if self._size else None


@contextmanager
def open_lines(path, encoding, *, newline="\n"):
    r"""Open a text file, or with "-" the standard input stream, to read its lines.

    A byte order mark is skipped. A byte that cannot be read is named when its turn comes. What ends a line is
    `newline` ("" for any of "\n", "\r" and "\r\n"); it is kept. Without an `encoding` the file is looked
    through first, to tell it. One whose name ends in ".gz" is unpacked.
    """
    if path == STANDARD:
        yield Lines(sys.stdin.buffer, "standard input", encoding, newline)
        return
    with open(path, "rb") as file:
        content = Unpacked(file, path) if str(path).lower().endswith(PACKED) else file
        note = ""
        if encoding is None:
            encoding, note = find_encoding(content, path)
            content.seek(0)
        size = os.fstat(file.fileno()).st_size
        yield Lines(content, path, encoding, newline, size, (note,) if note else ())


def read_text(path, encoding=None, *, notes=None):
    """Read a text file, without its byte order mark if it has one, or say which byte cannot be read.

    Parameters
    ----------
    path : path or "-"
        The file; "-" for the standard input stream.
    encoding : str, default=None
        Its encoding. If None it is told by the bytes: UTF-8, UTF-16, cp1252 or latin-1.
    notes : list, default=None
        Gets a sentence if another encoding than UTF-8 was assumed.

    Returns
    -------
    str
        All of it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from textspace.tables import read_text
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.txt")
    ...     _ = path.write_text("Corn rose", encoding="utf-8-sig")
    ...     read_text(path)
    'Corn rose'
    """
    with open_lines(path, encoding) as lines:
        if notes is not None:
            notes.extend(lines.notes)
        return "".join(lines)


@contextmanager
def open_output(path, encoding="utf-8"):
    """Open a text file that takes its name when all is written, or with "-" the standard output stream.

    One whose name ends in ".gz" is packed. Line breaks are written as they are given.
    """
    if path == STANDARD:
        yield sys.stdout
        return
    # JSON may name half a surrogate pair; of other encodings than UTF-8, a letter that they lack is said.
    errors = "replace" if encoding.startswith("utf") else "strict"
    with atomic_open(path, "wb") as file:
        is_packed = str(path).lower().endswith(PACKED)
        target = gzip.GzipFile("", "wb", fileobj=file, mtime=0) if is_packed else file
        text = io.TextIOWrapper(target, encoding=encoding, errors=errors, newline="")
        try:
            yield text
            text.flush()
        except UnicodeEncodeError as error:
            letter = error.object[error.start]
            raise ValueError(
                f"{path}: {letter!r} cannot be written in {encoding}, the encoding of the file that was "
                "read: write to a file that ends in .jsonl or .xlsx"
            ) from error
        finally:
            text.detach()
            if is_packed:
                target.close()


def _line_lists(file, name, encoding, newline):
    """Give the lines of a file of bytes in lists, the last line of a chunk with those of the next."""
    decoder = None if encoding is None else _decoder(encoding)
    marked, n_bytes, n_lines = False, 0, 0
    unfinished, length = [], 0  # pieces of a line whose end has not been read
    while True:
        content = file.read1(CHUNK)
        marked = marked or (not n_bytes and content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)))
        n_bytes += len(content)
        if decoder is None:
            encoding = marked_encoding(content) or "utf-8"
            decoder = _decoder(encoding)
        try:
            text = decoder.decode(content, final=not content)
        except UnicodeError as error:
            before = "".join(unfinished) + _readable(error, encoding)
            line = n_lines + len(_split(before + "x", newline))
            raise _undecodable(error, name, line, n_bytes, encoding, marked) from error
        if not n_lines and not length:
            text = text.lstrip("\ufeff")
        unfinished.append(text)
        length += len(text)
        if not content:
            yield _split("".join(unfinished), newline)
            return
        if "\n" in text or (not newline and "\r" in text):
            # The last one may be half a line, or lack the second half of its line break.
            *lines, last = _split("".join(unfinished), newline)
            yield lines
            n_lines += len(lines)
            unfinished, length = [last], len(last)
        if length > LONGEST:
            raise ValueError(f"{name}, line {n_lines + 1} has more than {LONGEST} characters: part it.")


def _split(text, newline):
    return io.StringIO(text, newline=newline).readlines()


def _decoder(encoding):
    try:
        "x".encode(encoding).decode(encoding)  # refuses what is no encoding of text, such as "hex"
        return codecs.getincrementaldecoder(encoding)()
    except (LookupError, UnicodeError) as error:
        raise ValueError(
            f"there is no encoding {encoding!r}: give one that Python knows, such as 'utf-8' or 'latin-1'"
        ) from error


def _readable(error, encoding):
    """Give the text before the byte that cannot be read."""
    if not isinstance(error, UnicodeDecodeError):
        return ""
    return error.object[: error.start].decode(encoding, errors="replace")


def _undecodable(error, name, line, n_bytes, encoding, marked):
    if not isinstance(error, UnicodeDecodeError):
        return ValueError(f"{name} is not {encoding} ({error}): say its encoding= (--encoding)")
    position = n_bytes - len(error.object) + error.start
    remedy = "'utf-16'" if marked else WESTERN
    return ValueError(
        f"{name}, line {line}: byte 0x{error.object[error.start]:02x} at position {position} is not "
        f"{encoding}: say the file's encoding= (on the command line --encoding), perhaps {remedy}"
    )
