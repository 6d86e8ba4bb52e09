"""The model that is served, and how a newer one takes its place."""

import asyncio
import logging
import os
from datetime import UTC, datetime

from textspace.service._answers import Answers
from textspace.service._batches import Batches

_SECONDS_BETWEEN_LOOKS = 1.0
_log = logging.getLogger(__name__)


class Served:
    """A fitted model, or a model file that is loaded again when it changes.

    The new model is loaded beside the old one, which answers meanwhile. A file that cannot be loaded leaves
    the old one in place. Calls that have begun are answered by the model that they began with.

    Attributes
    ----------
    now : Model
        What answers.
    problem : str
        Why the model is older than its file, or empty.
    """

    def __init__(self, model, embeddings, verify, *threads):
        self._path = model if isinstance(model, str | os.PathLike) else None
        self._embeddings, self._verify = embeddings, verify
        self._threads = threads  # as `Batches` takes them
        self._stamp = self._look()
        self.problem = ""
        self.now = Model(model if self._path is None else self._load(), *threads)

    def ask(self):
        """Load the file again soon, even if it is the same."""
        self._stamp = None

    async def watch(self):
        """Load the file when it has changed and then rested from one look to the next."""
        seen = self._stamp
        while self._path is not None:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            found = self._look()
            if found == seen and found != self._stamp:
                self._stamp = found
                await asyncio.to_thread(self._replace)
            seen = found

    def _replace(self):
        try:
            self.now = Model(self._load(), *self._threads)
        except Exception as error:
            self.problem = "the model file cannot be loaded, so the model before it is served: see the log."
            _log.error("%s The model loaded before is served on.", error)
        else:
            self.problem = ""
            _log.info("%s was loaded again", self._path)

    def _load(self):
        from textspace.models import load

        return load(self._path, self._embeddings, verify=self._verify)

    def _look(self):
        """Give what tells one file from another; nothing for a file that is not there."""
        try:
            found = os.stat(self._path)
        except (OSError, TypeError):
            return ()
        return found.st_mtime_ns, found.st_size, found.st_ino


class Model:
    """A model at work: what it answers, and its queue."""

    def __init__(self, model, *threads):
        self.answers = Answers(model)
        self.classify = Batches(self.answers.predict, *threads)
        self.loaded = datetime.now(UTC).isoformat(timespec="seconds")
