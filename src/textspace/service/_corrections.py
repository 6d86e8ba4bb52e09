"""Corrections by users, as lines of a file that can be trained on."""

import json
import os
import threading
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: several services must not share a file there
    fcntl = None

_SUFFIXES = (".jsonl", ".ndjson")
_BEGINNING = b'{"text": "'


class Corrections:
    """A file of JSON lines with text, label, predicted label and time, to which lines are added.

    A line is added whole or not at all, under a lock: several threads and processes can share the file. The
    file, whose name ends in .jsonl, is made if it is not there. `line_bytes` and `file_bytes` are the most
    that a line and the file may have.

    >>> import tempfile
    >>> from textspace.datasets import read
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     corrections = Corrections(Path(folder, "corrections.jsonl"))
    ...     corrections.add("Corn is up", "grain", "ship")
    ...     read(corrections.path).labels
    array(['grain'], dtype='<U5')
    """

    def __init__(self, path, line_bytes=500_000, file_bytes=100_000_000):
        self.path = Path(path)
        self.line_bytes = line_bytes
        self.file_bytes = file_bytes
        self._lock = threading.Lock()
        if self.path.suffix.lower() not in _SUFFIXES:
            raise ValueError(
                f"corrections are saved as JSON lines, but {self.path} does not end in .jsonl: "
                "give it such a name, so that it can be trained on."
            )
        try:
            with self._locked() as file:
                _close_last_line(file, line_bytes)
        except OSError as error:
            raise OSError(
                error.errno,
                f"corrections cannot be saved to {self.path} ({error.strerror}): choose another file.",
            ) from error

    def add(self, text, label, predicted):
        """Add a line: a text, its right label, and the label that the classifier gave; lists of several."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        line = (
            json.dumps({"text": text, "label": label, "predicted": predicted, "time": now}).encode() + b"\n"
        )
        if len(line) > self.line_bytes:
            raise CorrectionsFullError(
                f"the correction has {len(line)} bytes as a line of its file, more than {self.line_bytes}: "
                "shorten the text."
            )
        with self._locked() as file:
            size = _close_last_line(file, self.line_bytes)
            if size + len(line) > self.file_bytes:
                raise CorrectionsFullError(
                    f"the file of corrections is full, with {size} of {self.file_bytes} bytes: whoever runs "
                    "the service may train on it and move it away."
                )
            if file.write(line) < len(line):
                file.truncate(size)
                raise OSError("the disk is full")
            os.fsync(file.fileno())

    @contextmanager
    def _locked(self):
        """Open the file to add to it, for one thread of one process at a time.

        It may be moved away or removed while another process is waited for: then it is opened anew.
        """
        with self._lock:
            while True:
                with open(self.path, "ab+", buffering=0) as file:
                    if fcntl is not None:
                        fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
                    if self._is_in_place(file):
                        yield file
                        return

    def _is_in_place(self, file):
        try:
            return os.path.samestat(os.fstat(file.fileno()), os.stat(self.path))
        except FileNotFoundError:
            return False


class CorrectionsFullError(Exception):
    """A correction that is too long, or for which the file has no room."""


def _close_last_line(file, longest):
    """See to it that the file ends with a whole line, and give its size.

    An editor may have left the last line open. A process that was killed may have written half of it, which
    no client was told to be saved: it is taken away. Nothing else is, as somebody else has written it.
    """
    size = file.seek(0, os.SEEK_END)
    last = _last_line(file, size, longest)
    if not last:
        return size
    if _is_half_a_line(last, longest):
        file.truncate(size - len(last))
        return size - len(last)
    return size + file.write(b"\n")


def _last_line(file, size, longest):
    """Give what stands behind the last end of a line, or its last bytes; and move to the end of the file."""
    last, length = b"", 1024
    while len(last) < min(size, longest) and b"\n" not in last:
        length *= 4
        start = file.seek(max(0, size - length))
        last = file.read(size - start)
    file.seek(0, os.SEEK_END)
    return last.rpartition(b"\n")[2]


def _is_half_a_line(last, longest):
    """Whether a line begins as :meth:`Corrections.add` writes them, and what it begins has no end.

    >>> [_is_half_a_line(last, 100) for last in (b'{"text": "cor', b'{"text": "corn"}', b"text,label")]
    [True, False, False]
    """
    if len(last) >= longest or not (last.startswith(_BEGINNING) or _BEGINNING.startswith(last)):
        return False
    try:
        json.JSONDecoder().raw_decode(last.decode("ascii"))
    except json.JSONDecodeError:
        return True
    except (UnicodeDecodeError, RecursionError):
        pass
    return False
