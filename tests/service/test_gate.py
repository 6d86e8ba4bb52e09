import asyncio
import json

import pytest

from textspace.service import Limits
from textspace.service._gate import Gate
from textspace.service._metrics import Metrics

CHUNK = b" " * 1000


def request(receive, headers=(), limits=None):
    """Send one request through a gate; give the answer, the body that passed, and the metrics."""
    sent, passed, metrics = [], [], Metrics()

    async def app(scope, receive, send):
        passed.append(await receive())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    async def send(message):
        sent.append(message)

    gate = Gate(app, limits=limits or Limits(body_bytes=10_000, seconds=0.2), metrics=metrics)
    headers = [(b"content-type", b"application/json; charset=utf-8"), *headers]
    scope = {"type": "http", "method": "POST", "path": "/predict", "headers": headers}
    asyncio.run(gate(scope, receive, send))
    assert metrics.calls == 0
    assert not gate._clients._held
    return sent, passed, metrics.render()


def stream(n_chunks):
    """Give a client that sends some chunks, and the list of those that were taken."""
    taken = []

    async def receive():
        taken.append(CHUNK)
        return {"type": "http.request", "body": CHUNK, "more_body": len(taken) < n_chunks}

    return receive, taken


def test_body_passes_as_a_whole():
    receive, _ = stream(10)
    sent, [message], _ = request(receive)
    assert message == {"type": "http.request", "body": CHUNK * 10, "more_body": False}
    assert sent[0]["status"] == 200


def test_announced_body_is_refused_unread():
    receive, taken = stream(32_000)
    sent, passed, _ = request(receive, [(b"content-length", b"32000000")])
    assert sent[0]["status"] == 413
    assert "10000 bytes" in json.loads(sent[1]["body"])["error"]
    assert taken == passed == []


@pytest.mark.parametrize("length", [None, b"5000", b"-1", b"many"])
def test_stream_is_refused_at_the_limit(length):
    receive, taken = stream(32_000)
    headers = [] if length is None else [(b"content-length", length)]
    sent, passed, _ = request(receive, headers)
    assert sent[0]["status"] == 413
    assert len(taken) == 11
    assert passed == []


def test_client_that_stops_sending_is_refused():
    async def receive():
        await asyncio.sleep(10)

    sent, passed, _ = request(receive)
    assert sent[0]["status"] == 408
    assert passed == []


def test_client_that_hangs_up_is_forgotten():
    async def receive():
        return {"type": "http.disconnect"}

    sent, passed, figures = request(receive)
    assert sent == passed == []
    assert 'status="499"} 1' in figures
