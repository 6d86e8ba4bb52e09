"""A small classifier, and a server that runs it."""

import threading
import time
from itertools import product

import pytest
import uvicorn

from textspace.models import TextClassifier
from textspace.service import Limits, create_app
from textspace.service._server import address, configure, listen

WORDS = {
    "grain": ("corn wheat barley", "harvest of the corn", "wheat crop", "tonnes of barley"),
    "coffee": ("coffee beans", "roasted coffee", "beans from the plantation", "espresso and coffee"),
    "ship": ("a ship at sea", "the port and the tanker", "cargo ship", "tanker ran aground at sea"),
}
SMALL = Limits(body_bytes=100_000, texts=100, characters=5000, seconds=60.0)


@pytest.fixture(scope="package")
def model():
    """Three classes, two of them in one category."""
    texts = [f"{a} {b}" for phrases in WORDS.values() for a, b in product(phrases, phrases)]
    labels = [label for label in WORDS for _ in range(16)]
    return TextClassifier(tree={"grain": "farm", "coffee": "farm", "ship": None}).fit(texts, labels)


@pytest.fixture(scope="package")
def serving(model):
    """Give a function that starts a service and returns its address; all end with the tests."""
    servers = []

    def start(**settings):
        listener = listen("127.0.0.1", 0)
        settings = {"limits": SMALL, "model": model} | settings
        server = uvicorn.Server(configure(create_app(**settings), settings["limits"]))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        servers.append((server, thread))
        while not server.started:
            time.sleep(0.01)
        return address(listener)

    yield start
    for server, _ in servers:
        server.should_exit = True
    for _, thread in servers:
        thread.join(60)
