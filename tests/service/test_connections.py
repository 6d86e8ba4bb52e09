"""Clients that are slow, many or silent. They come from 127.0.0.2, the well-behaved one from 127.0.0.1."""

import json
import re
import select
import socket
import time
from contextlib import ExitStack, suppress

import httpx2
import pytest

from textspace.models import TextClassifier
from textspace.service import Limits
from textspace.service._connections import REQUESTS

HEAD = b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
HALF = HEAD + b"X-Slow: "


@pytest.fixture(scope="module")
def patient(serving):
    """A service that waits for a minute: what is answered sooner did not wait for anyone slow."""
    limits = Limits(seconds=60.0, head_seconds=60.0, calls=8, connections=60, client_connections=40)
    return serving(limits=limits)


@pytest.fixture(scope="module")
def strict(serving):
    return serving(limits=Limits(seconds=1.0, head_seconds=1.0))


def connect(place, source="127.0.0.2", **settings):
    host, port = re.fullmatch(r"http://(.+):(\d+)", place).groups()
    return socket.create_connection((host, int(port)), timeout=30, source_address=(source, 0), **settings)


def read(connection):
    """Read until the server closes; give the status, or None where there is no answer."""
    received = drain(connection)
    return int(received.split()[1]) if received else None


def ask(place):
    """Ask as a well-behaved client, who waits for half a minute."""
    assert httpx2.post(f"{place}/predict", json={"text": "corn"}, timeout=30).status_code == 200


def is_waiting(connection):
    return not select.select([connection], [], [], 0)[0]


def test_half_sent_heads_keep_nobody_waiting(patient):
    with ExitStack() as stack:
        slow = [stack.enter_context(connect(patient)) for _ in range(100)]
        for connection in slow:
            with suppress(ConnectionError):  # it had to make room
                connection.sendall(HALF)
        ask(patient)
        assert is_waiting(slow[-1])
        assert sum(map(is_waiting, slow)) <= 40


def test_slow_bodies_take_no_places(patient):
    with ExitStack() as stack:
        slow = [stack.enter_context(connect(patient)) for _ in range(20)]  # there are places for 8 calls
        for connection in slow:
            connection.sendall(HEAD + b'Content-Length: 1000\r\n\r\n{"text": "')
        ask(patient)
        assert all(map(is_waiting, slow))


@pytest.mark.parametrize(
    "sent", [HALF, HEAD + b'Content-Length: 1000\r\n\r\n{"text": "'], ids=["head", "body"]
)
def test_what_does_not_arrive_is_not_waited_for(strict, sent):
    with connect(strict) as connection:
        connection.sendall(sent)
        assert status(connection) == 408


def test_silent_connections_are_closed(strict):
    with connect(strict) as connection:
        assert read(connection) is None


def test_head_that_trickles_in_is_not_waited_for(strict):
    with connect(strict) as connection, pytest.raises(ConnectionError):
        trickle(connection)


def trickle(connection):
    for byte in HALF * 100:
        connection.send(bytes([byte]))
        time.sleep(0.02)


def status(connection):
    """Read an answer whose body ends with a bracket; give its status."""
    received = b""
    while not received.endswith(b"}"):
        data = connection.recv(65536)
        assert data
        received += data
    return int(received.split()[1])


def test_answers_that_nobody_takes_are_given_up(serving):
    labels = ["a" * 150_000, "b" * 150_000]
    model = TextClassifier("nb").fit(
        ["corn", "wheat", "sea", "port"], [label for label in labels for _ in "ab"]
    )
    place = serving(model=model, limits=Limits(seconds=3.0, head_seconds=1.0, calls=2))
    body = json.dumps({"texts": ["corn"] * 15, "top": 1}).encode()  # 6.8 MB, more than buffers hold
    with ExitStack() as stack:
        for _ in range(4):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.bind(("127.0.0.2", 0))
            connection.connect(("127.0.0.1", int(place.rpartition(":")[2])))
            stack.enter_context(connection)
            connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)
            time.sleep(0.1)
        assert httpx2.get(f"{place}/ready", timeout=30).status_code == 200  # they hold no places
        wait_for(
            lambda: 'route="/predict",status="200"} 4' in httpx2.get(f"{place}/metrics", timeout=30).text
        )
        connection.settimeout(30)
        assert 0 < len(drain(connection)) < 6_000_000


def wait_for(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def drain(connection):
    received = b""
    with suppress(ConnectionError):
        while data := connection.recv(1 << 20):
            received += data
    return received


def test_connection_that_is_idle_longest_makes_room(patient):
    with ExitStack() as stack:
        opened = []
        for _ in range(45):
            opened.append(stack.enter_context(connect(patient)))
            opened[-1].sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert status(opened[-1]) == 200
        assert read(opened[0]) is None  # of 40
        opened[-1].sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert status(opened[-1]) == 200


@pytest.mark.parametrize(
    "sent",
    [
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 100_000,
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"a:\n" * 15_000 + b"\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 40_000,
        b"GET /live HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 200 + b"\r\n",
        b"GET /live HTTP/1.1\nHost: localhost\n" + b"a:\n" * 15_000 + b"\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"a" * 100_000,
        HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x00\xff\r\n\r\n",
    ],
    ids=[
        "tiny chunks",
        "lines after chunks",
        "many headers",
        "some headers",
        "short lines",
        "long header",
        "two lengths",
        "no chunk",
        "nonsense",
    ],
)
def test_what_keeps_a_parser_busy_is_refused(patient, sent):
    with connect(patient) as connection:
        with suppress(ConnectionError):
            connection.sendall(sent)
        assert read(connection) in (None, 400)  # None: closed while more was being sent
    ask(patient)


@pytest.mark.parametrize("chunked", [True, False])
def test_a_line_or_a_chunk_for_each_of_many_texts_is_taken(serving, chunked):
    place, kind = serving(limits=Limits()), {"Content-Type": "application/json"}
    texts = [json.dumps("corn").encode()] * 1000
    sent = [b'{"texts": [', *(text + b"," for text in texts[1:]), texts[0], b"]}"]
    content = iter(sent) if chunked else b"\n".join(sent)
    assert httpx2.post(f"{place}/predict", content=content, headers=kind, timeout=60).status_code == 200


def test_refused_connection_is_told_so(serving):
    place = serving(limits=Limits(client_connections=2, calls=8))
    with ExitStack() as stack:
        for _ in range(2):
            busy = stack.enter_context(connect(place))
            busy.sendall(HEAD + b"Content-Length: 10\r\n\r\n{")
        time.sleep(0.2)
        third = stack.enter_context(connect(place))
        answer = third.recv(65536)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert "try again" in json.loads(answer.partition(b"\r\n\r\n")[2])["error"]
        ask(place)  # of another client


def test_connection_closes_after_many_requests(patient):
    """So that processes share their clients again after one of them was killed."""
    request = b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connect(patient) as connection:
        connection.sendall(request * (REQUESTS + 5))  # all at once: the answers come in order
        received = drain(connection)
    answers = received.split(b"HTTP/1.1 ")[1:]
    assert len(answers) == REQUESTS
    assert [b"connection: close" in answer.lower() for answer in answers] == [False] * (REQUESTS - 1) + [True]
