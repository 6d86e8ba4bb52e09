"""Hostile requests to a service that runs: each is answered by a 2xx, a 4xx or a 503, soon, or cut off.

``run(seed, seconds)`` starts a service and sends requests until the time is over; the same seed sends the
same requests. Nothing but the loopback address is spoken to.
"""

import json
import random
import re
import socket
import threading
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tests.adversary.served import serving, small_model

THREADS = 4
PATIENCE = 40  # seconds for an answer: more than any limit of the service
QUIET = 0.2  # seconds after which a request that needs no answer is given up
ANSWER_BYTES = 8_000_000
HEAD = re.compile(rb"HTTP/1\.1 (\d{3}) [ -~]*\r\n((?:[!-9;-~]+: ?[\t -~]*\r\n)*)\r\n")
TEXTS = ["corn at sea", "the tanker", "a" * 5000, "\x00\x1b\x7f", "😀 漢字 \u202e", " ", "", "corn " * 3000]
VALUES = [
    None,
    True,
    -1,
    0,
    1,
    3,
    1e308,
    10**40,
    "",
    "ship",
    "no class",
    [],
    ["corn"],
    [None],
    {},
    {"a": [1]},
]
FIELDS = ["text", "texts", "top", "min_confidence", "label", "n_terms", "n_neighbors", "x" * 300, "__proto__"]
NUMBERS = ["NaN", "-Infinity", "1e999", "-0", "1" * 4000, "0x1", "01", "1.", "1e-400", "٣", "true1"]
PATHS = ["/predict", "/explain", "/corrections"]
OTHERS = [
    "/",
    "/docs",
    "/live",
    "/ready",
    "/model",
    "/metrics",
    "/openapi.json",
    "/static/page.js",
    "/nothing",
]
TARGETS = [
    "*",
    "//",
    "/%00",
    "/%ff%fe",
    "/..%2f..%2fetc",
    "/static/..%5c..",
    "/static//page.js",
    "/?" + "a" * 9000,
]
TARGETS += [
    "http://evil.example/model",
    "/static/",
    "/static/%00",
    "/predict/",
    "/live?x=%",
    "/" + "%41" * 900,
]
HEADERS = ["Host: [::1]evil.example", "Host: \xff", "Authorization: Bearer \xff", "Expect: 100-continue"]
HEADERS += [
    "Content-Encoding: gzip",
    "Connection: close",
    "Upgrade: websocket",
    "Range: bytes=0-0",
    "Cookie: " + "a" * 4000,
]
HEADERS += ["Content-Type: text/plain", "Content-Type: application/json; charset=utf-7", "X: " + "y" * 20_000]


class Attack(NamedTuple):
    """What is sent, in pieces with pauses between them, and how many answers there must be at least."""

    pieces: list
    answers: int = 1
    pause: float = 0.0
    hang_up: bool = False


def run(seed, seconds):
    """Send hostile requests for some seconds and print those answered wrongly; give the numbers of both."""
    statuses, wrong = send_for(seed, seconds)
    print(f"answers by status: {dict(statuses)}")
    for sentence in wrong:
        print(sentence)
    return statuses.total(), len(wrong)


def send_for(seed, seconds):
    """Start a service and send it hostile requests; give its answers by status, and what was wrong."""
    statuses, wrong = Counter(), []
    with serving(small_model(), "--rate", "0") as (_, port, folder):
        end = time.monotonic() + seconds

        def work(number):
            generator = random.Random(f"{seed} {number}")
            while time.monotonic() < end:
                kind, attack = make(generator)
                try:
                    statuses.update(strike(port, attack))
                except (AssertionError, OSError, ValueError) as error:
                    wrong.append(f"seed {seed}, {kind}: {error!r}; sent {b''.join(attack.pieces)[:500]!r}")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            ask_kindly(port)
            time.sleep(0.2)
        log = Path(folder, "log.txt").read_text()
        if "Traceback" in log:
            wrong.append(log)
    return statuses, wrong


def make(generator):
    """Give the name of an attack and the attack."""
    kind = generator.choice(list(KINDS))
    return kind, KINDS[kind](generator)


def strike(port, attack, source="127.0.0.1"):
    """Send an attack and check what comes back; give the statuses."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0)) as connection:
        wanted = attack.answers
        try:
            for piece in attack.pieces:
                connection.sendall(piece)
                time.sleep(attack.pause)
        except OSError:  # the service may close while more is sent
            wanted = 0
        return [] if attack.hang_up else [status for status, _ in answers(connection, wanted)]


def answers(connection, wanted):
    """Read answers and check them; give statuses and bodies. If none is `wanted`, there may be none."""
    received, found = b"", []
    while len(found) < max(wanted, 1):
        connection.settimeout(PATIENCE if wanted or received else QUIET)
        try:
            data = connection.recv(1 << 20)
        except TimeoutError:
            if wanted or received:
                raise AssertionError(f"no whole answer within {PATIENCE} s: {received[:200]!r}") from None
            break
        except ConnectionError:
            data = b""
        if not data:
            assert len(found) >= wanted, f"{len(found)} answers of {wanted}, then {received[:200]!r}"
            break
        received += data
        while (answer := first_answer(received)) is not None:
            *checked, received = answer
            found += [checked] if checked[0] != 100 else []
    return found


def first_answer(received):
    """Check the first of several answers; give status, body and what follows, None if it is not whole."""
    head = HEAD.match(received)
    if head is None:
        assert len(received) < 20_000, f"no head of an answer: {received[:200]!r}"
        assert b"HTTP/1.1 "[: len(received)] == received[:9], f"no answer: {received[:200]!r}"
        return None
    status, headers = int(head[1]), head[2].lower()
    assert status == 100 or 200 <= status < 300 or 400 <= status < 500 or status == 503, f"status {status}"
    stated = re.search(rb"(?m)^content-length: (\d+)\r$", headers)
    end = head.end() + (int(stated[1]) if stated else 0)
    assert end <= ANSWER_BYTES + head.end()
    if len(received) < end:
        return None
    body = received[head.end() : end]
    if status >= 400:
        assert list(json.loads(body)) in (["error"], ["status", "loaded", "problem"]), body[:200]
    elif b"content-type: application/json" in headers:
        json.loads(body)
    return status, body, received[end:]


def ask_kindly(port):
    """Ask as any client does; the answer must be right."""
    head, body = b"POST /predict HTTP/1.1\r\nHost: localhost\r\n", b'{"text": "wheat crop and barley"}'
    request = head + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        connection.sendall(request)
        [(status, answer)] = answers(connection, 1)
    assert status == 200
    assert json.loads(answer)["predictions"][0]["label"] == "grain"


def post(path, body, *headers, length=True):
    """Write a POST."""
    head = [f"POST {path} HTTP/1.1", "Host: localhost", *headers]
    if not any(header.startswith("Content-Type") for header in headers):
        head.append("Content-Type: application/json")
    if length:
        head.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*head, "", ""]).encode("latin-1", "replace") + body


def get(target, *headers, method="GET", version="HTTP/1.1"):
    """Write a request without a body."""
    return "\r\n".join([f"{method} {target} {version}", "Host: localhost", *headers, "", ""]).encode(
        "latin-1"
    )


def well_formed(generator):
    """Write a request that is right, or nearly so."""
    if generator.random() < 0.3:
        return get(generator.choice(OTHERS))
    return post(generator.choice(PATHS), json.dumps(some_call(generator)).encode())


def some_call(generator):
    call = {"text": generator.choice(TEXTS)} if generator.random() < 0.5 else {}
    if not call and generator.random() < 0.7:
        call["texts"] = [generator.choice(TEXTS) for _ in range(generator.randrange(40))]
    if generator.random() < 0.5:
        call["label"] = generator.choice(["ship", "grain", "gold"])
    if generator.random() < 0.5:
        call["top"] = generator.choice([1, 3, 10**9, 0])
    return call


def broken_json(generator):
    body = bytearray(json.dumps(some_call(generator), ensure_ascii=generator.random() < 0.5).encode())
    for _ in range(generator.randrange(1, 5)):
        place = generator.randrange(len(body) + 1)
        if generator.random() < 0.3:
            del body[place : place + generator.randrange(20)]
        else:
            body[place:place] = generator.choice(
                [b'"', b"\\", b"{", b"]", b",", b"\x00", b"\xff", b"\xed\xa0\x80"]
            )
    return Attack([post(generator.choice(PATHS), bytes(body))])


def wrong_types(generator):
    names = generator.sample(FIELDS, generator.randrange(1, 5))
    body = {name: generator.choice(VALUES) for name in names}
    return Attack([post(generator.choice(PATHS), json.dumps(body).encode())])


def strange_numbers(generator):
    name, number = generator.choice(FIELDS), generator.choice(NUMBERS)
    return Attack([post(generator.choice(PATHS), f'{{"text": "corn", "{name}": {number}}}'.encode())])


def nesting(generator):
    depth, bracket = generator.choice([10, 200, 1000, 100_000]), generator.choice(["[", '{"text":', '[{"a":'])
    return Attack([post(generator.choice(PATHS), b'{"texts": ' + (bracket * depth).encode())])


def surrogates(generator):
    half = generator.choice(["\\ud83d", "\\udc00", "\\ud83d\\ud83d", "\\uDFFF x"])
    body = generator.choice(
        [
            '{"text": "corn %s"}',
            '{"text": "corn", "label": "%s"}',
            '{"text": "corn", "%s": 1}',
            '{"texts": ["%s"]}',
        ]
    )
    return Attack([post(generator.choice(PATHS), (body % half).encode())])


def control_characters(generator):
    sign = generator.choice(["\x00", "\x1b[2J", "\x7f", "\u2028", "\ufeff", "\uffff", "\r\n", "\\u0000"])
    body = '{"text": "corn' + sign * generator.choice([1, 50, 20_000]) + '", "label": "ship"}'
    return Attack([post(generator.choice(PATHS), body.encode())])


def many_values(generator):
    value = generator.choice([b"1,", b"[],", b'"",', b'"a",', b"null,", b'{"a":1},'])
    body = b'{"texts": [' + value * generator.choice([100, 900, 5000, 400_000]) + b'"corn"]}'
    return Attack([post(generator.choice(PATHS), body)], answers=0)


def large_answers(generator):
    call = {"texts": ["corn at sea"] * generator.choice([100, 1000, 1001]), "top": 10**9}
    n_words = generator.choice([6_000, 15_000, 60_000])
    text = {"text": generator.choice(["corn ", "a ", "\x01 "]) * n_words, "n_terms": 1000}
    path = generator.choice(PATHS)
    return Attack([post(path, json.dumps(call if path == "/predict" else text).encode())])


def chunks(generator):
    body = json.dumps(some_call(generator)).encode()
    pieces, start = [post(generator.choice(PATHS), b"", "Transfer-Encoding: chunked", length=False)], 0
    while start < len(body):
        part = body[start : start + generator.choice([1, 7, 100, 5000])]
        pieces.append(b"%x\r\n%b\r\n" % (len(part), part))
        start += len(part)
    end = generator.choice(
        [b"0\r\n\r\n", b"0\r\nTrailer: x\r\n\r\n", b"zz\r\n", b"-1\r\n\r\n", b"ffffffffffffffff\r\n", b""]
    )
    whole = end.startswith(b"0")
    return Attack([b"".join(pieces) + end], answers=int(whole))


def wrong_lengths(generator):
    body = b'{"text": "corn at sea"}'
    length = generator.choice(
        ["0", "5", "22", "24", "9999", "-1", "1e3", "٣", "99999999999999999999", "", "5, 5"]
    )
    head = [f"Content-Length: {length}"] * generator.choice([1, 1, 2])
    return Attack([post(generator.choice(PATHS), body, *head, length=generator.random() < 0.2)], answers=0)


def many_headers(generator):
    number, line = (
        generator.choice([50, 1000, 30_000]),
        generator.choice(["a: b", "Cookie: x=y", "Host: a", " folded"]),
    )
    return Attack([get("/live", *[line] * number)], answers=0)


def strange_heads(generator):
    method = generator.choice(
        ["GET", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "G\xe9T", "X" * 500]
    )
    version = generator.choice(["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9", "HTCPCP/1.0"])
    headers = generator.sample(HEADERS, generator.randrange(3))
    return Attack(
        [get(generator.choice([*TARGETS, *OTHERS]), *headers, method=method, version=version)], answers=0
    )


def pipeline(generator):
    requests = [well_formed(generator) for _ in range(generator.randrange(2, 30))]
    return Attack([b"".join(requests)], answers=len(requests))


def slow_sender(generator):
    request = well_formed(generator)[:400]
    size = generator.randrange(5, 60)
    pieces = [request[start : start + size] for start in range(0, len(request), size)]
    return Attack(pieces, answers=0, pause=generator.choice([0.001, 0.02]))


def hang_up(generator):
    request = well_formed(generator)
    return Attack([request[: generator.randrange(len(request))]], answers=0, hang_up=True)


def noise(generator):
    return Attack([generator.randbytes(generator.choice([1, 20, 3000]))], answers=0)


KINDS = {
    kind.__name__: kind
    for kind in (
        broken_json, wrong_types, strange_numbers, nesting, surrogates, control_characters, many_values,
        large_answers, chunks, wrong_lengths, many_headers, strange_heads, pipeline, slow_sender,
        hang_up, noise,
    )
}  # fmt: skip
