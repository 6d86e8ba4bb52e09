"""Clients that are slow, many or silent. They come from 127.0.0.2, the well-behaved one from 127.0.0.1."""

import json
import re
import socket
import time
from contextlib import ExitStack, suppress

import httpx2
import pytest

from textspace.service import Limits

HEAD = b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
HALF = HEAD + b"X-Slow: "


@pytest.fixture(scope="module")
def place(serving):
    limits = Limits(seconds=2.0, head_seconds=2.0, calls=8, connections=60, client_connections=40)
    return serving(limits=limits)


def connect(place, source="127.0.0.2", **settings):
    host, port = re.fullmatch(r"http://(.+):(\d+)", place).groups()
    return socket.create_connection((host, int(port)), timeout=30, source_address=(source, 0), **settings)


def read(connection):
    """Read until the server closes; give the status, or None where there is no answer."""
    received = drain(connection)
    return int(received.split()[1]) if received else None


def ask(place):
    """Tell how long a well-behaved client waits for a prediction."""
    begin = time.perf_counter()
    assert httpx2.post(f"{place}/predict", json={"text": "corn"}, timeout=30).status_code == 200
    return time.perf_counter() - begin


def test_half_sent_heads_keep_nobody_waiting(place):
    with ExitStack() as stack:
        slow = [stack.enter_context(connect(place)) for _ in range(100)]
        for connection in slow:
            connection.setblocking(False)
            with suppress(ConnectionError):  # it had to make room
                connection.send(HALF)
            connection.settimeout(30)
        assert ask(place) < 2  # before the first of them is closed
        begin = time.perf_counter()
        answers = [read(connection) for connection in slow]
        assert time.perf_counter() - begin < 10
    assert set(answers) <= {None, 408}
    assert answers.count(408) >= 30


def test_silent_connections_are_closed(place):
    with connect(place) as connection:
        begin = time.perf_counter()
        assert read(connection) is None
        assert time.perf_counter() - begin < 8


def test_head_that_trickles_in_is_not_waited_for(place):
    begin = time.perf_counter()
    with connect(place) as connection, suppress(ConnectionError):
        for byte in HALF * 100:
            connection.send(bytes([byte]))
            time.sleep(0.02)
    assert time.perf_counter() - begin < 10


def test_slow_bodies_take_no_places(place):
    with ExitStack() as stack:
        slow = [stack.enter_context(connect(place)) for _ in range(20)]  # there are places for 8 calls
        for connection in slow:
            connection.sendall(HEAD + b'Content-Length: 1000\r\n\r\n{"text": "')
        time.sleep(0.3)
        assert ask(place) < 2
        assert {status(connection) for connection in slow} == {408}


def status(connection):
    """Read an answer whose body ends with a bracket; give its status."""
    received = b""
    while not received.endswith(b"}"):
        data = connection.recv(65536)
        assert data
        received += data
    return int(received.split()[1])


def test_answers_that_nobody_takes_are_dropped(serving):
    limits = Limits(seconds=1.0, head_seconds=1.0, calls=4, texts=20_000)
    place = serving(limits=limits)
    body = json.dumps({"texts": ["corn"] * 20_000}).encode()  # the answer of 4 MB is larger than the buffers
    with ExitStack() as stack:
        for _ in range(3):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.bind(("127.0.0.2", 0))
            connection.connect(("127.0.0.1", int(place.rpartition(":")[2])))
            stack.enter_context(connection)
            connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert ask(place) < 10
        wait_for(lambda: 'route="/predict",status="200"} 4' in httpx2.get(f"{place}/metrics").text)
        connection.settimeout(30)
        assert b"}]}]}" not in drain(connection)[-10:]  # the rest of it was given up
        assert ask(place) < 2


def wait_for(condition):
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def drain(connection):
    received = b""
    with suppress(ConnectionError):
        while data := connection.recv(1 << 20):
            received += data
    return received


def test_connection_that_is_idle_longest_makes_room(place):
    with ExitStack() as stack:
        opened = []
        for _ in range(45):
            opened.append(stack.enter_context(connect(place)))
            opened[-1].sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert status(opened[-1]) == 200
        assert read(opened[0]) is None  # of 40
        opened[-1].sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert status(opened[-1]) == 200


@pytest.mark.parametrize(
    "sent",
    [
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 100_000,
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 40_000,
        b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"a" * 100_000,
        HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x00\xff\r\n\r\n",
    ],
    ids=["tiny chunks", "many headers", "long header", "two lengths", "no chunk", "nonsense"],
)
def test_what_keeps_a_parser_busy_is_refused(place, sent):
    with connect(place) as connection:
        with suppress(ConnectionError):
            connection.sendall(sent)
        assert read(connection) in (None, 400)  # None: closed while more was being sent
    assert ask(place) < 2


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
        assert ask(place) < 2  # of another client
