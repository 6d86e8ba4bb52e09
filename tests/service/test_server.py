import re
import select
import socket
from contextlib import ExitStack
from types import SimpleNamespace

import httpx2
import pytest

from textspace.service import Limits, _server, serve
from textspace.service._server import address, is_loopback, listen

PREDICT = b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def place(serving):
    return serving()


def connect(place):
    host, port = re.fullmatch(r"http://(.+):(\d+)", place).groups()
    return socket.create_connection((host, int(port)), timeout=60)


def status(connection):
    return int(connection.recv(4096).split()[1])


def is_well(place):
    return httpx2.post(f"{place}/predict", json={"text": "corn"}, timeout=60).status_code == 200


def test_large_body_is_refused_when_announced(place):
    with connect(place) as connection:
        connection.sendall(PREDICT + b"Content-Length: 32000000\r\n\r\n")
        assert status(connection) == 413  # before the first byte of it


def test_large_body_is_refused_while_it_streams(place):
    def chunks():
        for _ in range(32):
            yield b" " * 1_000_000

    response = httpx2.post(f"{place}/predict", content=chunks(), headers={"Content-Type": "application/json"})
    assert response.status_code == 413
    assert "100000 bytes" in response.json()["error"]


def test_client_may_hang_up_at_any_moment(place):
    body = b'{"texts": [' + b",".join([b'"corn at sea"'] * 90) + b"]}"
    whole = PREDICT + b"Content-Length: %d\r\n\r\n" % len(body) + body
    for end in (0, 10, len(PREDICT), len(whole) - 5, len(whole)):
        with connect(place) as connection:
            connection.sendall(whole[:end])
            if end == len(whole):  # closed with a reset, as by a process that was killed
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert is_well(place)


def test_nonsense_is_answered(place):
    for sent in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"):
        with connect(place) as connection:
            connection.sendall(sent)
            assert status(connection) == 400
    assert is_well(place)


def test_short_texts_do_not_wait_for_a_long_call(serving):
    place = serving(limits=Limits(body_bytes=8_000_000))
    texts = ["corn at sea " * 600] * 1000
    with connect(place) as connection:
        body = str({"texts": texts}).replace("'", '"').encode()
        connection.sendall(PREDICT + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        for _ in range(3):
            assert is_well(place)
            assert not select.select([connection], [], [], 0)[0]  # the long call is still at work
        assert status(connection) == 200


def test_short_explanations_do_not_wait_for_long_ones(serving):
    place = serving(limits=Limits())
    body = str({"text": "corn at sea " * 2_500}).replace("'", '"').encode()
    head = PREDICT.replace(b"/predict", b"/explain")
    with ExitStack() as stack:
        connections = [stack.enter_context(connect(place)) for _ in range(8)]
        for connection in connections:
            connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert httpx2.post(f"{place}/explain", json={"text": "corn"}, timeout=60).status_code == 200
        done = select.select(connections, [], [], 0)[0]
        assert len(done) < 8  # others are still at work, or wait
        assert {status(connection) for connection in connections} == {200}


def test_text_too_long_to_be_explained(serving):
    place = serving(limits=Limits(explained_characters=100))
    answer = httpx2.post(f"{place}/explain", json={"text": "corn " * 21}, timeout=60)
    assert (answer.status_code, "105 characters, more than 100" in answer.json()["error"]) == (413, True)
    assert httpx2.post(f"{place}/predict", json={"text": "corn " * 21}, timeout=60).status_code == 200


def test_address_of_another_machine_is_a_sentence():
    for host in ("192.0.2.1", "no such host"):
        with pytest.raises(OSError, match="another host"):
            listen(host, 0)


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("127.1.2.3", True), ("::1", True), ("localhost", True), ("0.0.0.0", False)],
)
def test_loopback_is_known(host, local):
    assert is_loopback(host) is local


def test_service_for_everyone_needs_a_token_or_a_word(tmp_path):
    absent = tmp_path / "absent.textspace"
    for host in ("0.0.0.0", "::", "192.0.2.1", "name.example"):
        with pytest.raises(ValueError, match=r"give a token .* or say --no-token"):
            serve(absent, host=host, port=0)
    with pytest.raises(ValueError, match="leave out one"):
        serve(absent, host="0.0.0.0", port=0, token="s3cret", no_token=True)
    with pytest.raises(FileNotFoundError, match="absent"):
        serve(absent, port=0, no_token=True)


def test_address_is_one_for_browsers():
    with listen("127.0.0.1", 0) as listener:
        assert address(listener) == f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_processes_that_end_as_they_begin_are_replaced_after_longer_and_longer_pauses(monkeypatch, caplog):
    """Whatever ends them: to start one takes a second of a core."""
    monkeypatch.setattr("uvicorn.supervisors.multiprocess.SIGNALS", [])
    now = [100.0]
    monkeypatch.setattr(_server, "time", SimpleNamespace(monotonic=lambda: now[0]))
    workers = _server._Workers(SimpleNamespace(workers=1), [])

    class Ended:
        process, exitcode = SimpleNamespace(is_alive=lambda: False), -11

        def __init__(self):
            self.begun = now[0]

    workers._started = Ended
    workers.init_processes()
    for _ in range(60):  # half a minute
        now[0] += 0.5
        workers.keep_subprocess_alive()
    said = [record.message.partition("takes its place")[2] for record in caplog.records]
    assert said == [".", " in 1 s.", " in 2 s.", " in 4 s.", " in 8 s.", " in 16 s."]
