"""A service of its own process, for hostile clients."""

import re
import subprocess
import sys
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from textspace.models import TextClassifier, save

WORDS = {
    "grain": ("corn wheat barley", "harvest of the corn", "wheat crop", "tonnes of barley"),
    "coffee": ("coffee beans", "roasted coffee", "beans from the plantation", "espresso and coffee"),
    "ship": ("a ship at sea", "the port and the tanker", "cargo ship", "tanker ran aground at sea"),
}


def small_model():
    """Train a model of three classes."""
    texts = [f"{a} {b}" for phrases in WORDS.values() for a, b in product(phrases, phrases)]
    return TextClassifier().fit(texts, [label for label in WORDS for _ in range(16)])


@contextmanager
def serving(model, *options):
    """Serve a model on the loopback address.

    Gives the process, its port and its folder, where model.textspace, corrections.jsonl and log.txt lie.
    """
    with TemporaryDirectory() as folder, open(Path(folder, "log.txt"), "w+") as log:
        path = Path(folder, "model.textspace")
        save(model, path)
        command = [sys.executable, "-m", "textspace", "serve", path, "--port", "0"]
        saved = Path(folder, "corrections.jsonl")
        process = subprocess.Popen([*command, "--corrections", saved, *options], stderr=log)
        try:
            while not (found := re.search(r"http://127\.0\.0\.1:(\d+)", Path(folder, "log.txt").read_text())):
                if process.poll() is not None:
                    raise AssertionError(Path(folder, "log.txt").read_text())
            yield process, int(found[1]), Path(folder)
            if process.poll() is not None:
                raise AssertionError(f"the service has ended: {Path(folder, 'log.txt').read_text()}")
        finally:
            process.terminate()
            process.wait(60)


def workers(service):
    """Give the numbers of the processes of a service that answer: below its fork server, if it has one."""
    below = _children(service)
    forking = [each for each in below if b"forkserver" in _command(each)]
    spawned = [each for each in below if b"spawn_main" in _command(each)]
    return {each for fork in forking for each in _children(fork)}.union(spawned)


def _children(process):
    try:
        return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:  # it has just ended
        return []


def _command(process):
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
