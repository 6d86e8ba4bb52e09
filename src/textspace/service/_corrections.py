"""Corrections by users, as lines of a file that can be trained on."""

import json
import os
import threading
from datetime import UTC, datetime
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: several services must not share a file there
    fcntl = None

_SUFFIXES = (".jsonl", ".ndjson")


class Corrections:
    """A file of JSON lines with text, label, predicted label and time, to which lines are added.

    A line is added whole or not at all, under a lock: several threads and services can share the file. The
    file, whose name ends in .jsonl, is made if it is not there.

    >>> import tempfile
    >>> from textspace.datasets import read
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     corrections = Corrections(Path(folder, "corrections.jsonl"))
    ...     corrections.add("Corn is up", label="grain", predicted="ship")
    ...     read(corrections.path).labels
    array(['grain'], dtype='<U5')
    """

    def __init__(self, path):
        self.path = Path(path)
        self._lock = threading.Lock()
        if self.path.suffix.lower() not in _SUFFIXES:
            raise ValueError(
                f"corrections are saved as JSON lines, but {self.path} does not end in .jsonl: "
                "give it such a name, so that it can be trained on."
            )
        try:
            self._open().close()
        except OSError as error:
            raise OSError(
                error.errno,
                f"corrections cannot be saved to {self.path} ({error.strerror}): choose another file.",
            ) from error

    def add(self, text, *, label, predicted):
        """Add a line: a text, its right label, and the label that the classifier gave."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        line = json.dumps({"text": text, "label": label, "predicted": predicted, "time": now}) + "\n"
        with self._lock, self._open() as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
            _append(file, line.encode())

    def _open(self):
        return open(self.path, "ab+", buffering=0)


def _append(file, line):
    """Add a line of bytes behind the last one, or leave the file as it is."""
    size = file.seek(0, os.SEEK_END)
    if size:
        file.seek(size - 1)
        if file.read(1) != b"\n":  # an editor may have left the last line open
            line = b"\n" + line
    if file.write(line) < len(line):
        file.truncate(size)
        raise OSError("the disk is full")
    os.fsync(file.fileno())
