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
_BEGIN = b'{"text": "'


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
        """Open the file to add to it, for one thread of one process at a time."""
        with self._lock, open(self.path, "ab+", buffering=0) as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
            yield file


class CorrectionsFullError(Exception):
    """A correction that is too long, or for which the file has no room."""


def _close_last_line(file, line_bytes):
    """See to it that the file ends with a whole line, and give its size.

    An editor may have left the last line open. A process that was killed may have written half of a line of
    `line_bytes` at most, which no client was told to be saved: it is taken away. Nothing else is.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - line_bytes - 1))
    last = file.read(line_bytes + 1).rpartition(b"\n")[2]
    if not last:
        return size
    if len(last) <= line_bytes and _is_half(last):
        file.truncate(size - len(last))
        return size - len(last)
    return size + file.write(b"\n")


def _is_half(line):
    """Tell whether bytes are the beginning of a line of ours, and no more."""
    if not (line.startswith(_BEGIN) or _BEGIN.startswith(line)):
        return False
    try:
        json.JSONDecoder().raw_decode(line.decode("ascii"))
    except json.JSONDecodeError:
        return True
    except (UnicodeDecodeError, RecursionError):  # which a line of ours does not raise
        return False
    return False
