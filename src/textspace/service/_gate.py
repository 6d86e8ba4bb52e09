"""What every request passes before the application sees it."""

import asyncio
import hmac
import logging
import math
import re
import time
from contextlib import ExitStack

from textspace.service._clients import Clients, client_of
from textspace.service._errors import refusal
from textspace.service._outline import Outline

PROBES = ("/live", "/ready")
OPEN = ("/", "/docs", "/openapi.json", *PROBES)  # without a token: these tell nothing of the model
ROUTES = (*OPEN, "/predict", "/explain", "/corrections", "/model", "/metrics")
STATIC = "/static"

# the page takes scripts, styles and data from this service only, and no other page may show it
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
)
_SOON = {"Retry-After": "1"}
_PIECE = 64_000  # bytes of an answer that are sent at a time
_LONGEST_PATH = 200  # characters; of a long one each part would be looked for on the disk
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^][:/@]+))(?::[0-9]*)?", re.ASCII)
_log = logging.getLogger(__name__)


class Gate:
    """ASGI middleware that refuses what is too much, measures what passes, and never shows a traceback.

    The body of a request is read here, before the application parses it. Some requests are refused before
    their body is in memory: the body is too large, the client sends too many requests, does not show the
    `token` (None lets all in), or calls the service by a name that is not in `hosts` (None takes any). A call
    takes its place among those at work when all of it has arrived, and leaves it when its answer begins.
    """

    def __init__(self, app, *, limits, metrics, token=None, hosts=None):
        self.app = app
        self.limits = limits
        self.metrics = metrics
        self.token = token
        self.hosts = hosts
        self._clients = Clients(limits)

    async def __call__(self, scope, receive, send):
        """Let a request pass, or answer it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begin, client, status = time.perf_counter(), client_of(scope), None
        place, memory, deadline = ExitStack(), ExitStack(), None

        async def send_on(message):
            nonlocal status
            if message["type"] == "http.response.start":
                size = int(dict(message["headers"]).get(b"content-length", 0))
                self._hold(client, 0, size)
                memory.callback(self._clients.release, client, size)
                status = message["status"]
                message = message | {"headers": [*message["headers"], *_HEADERS]}
                place.close()
                if deadline is not None:
                    deadline.reschedule(asyncio.get_running_loop().time() + self.limits.seconds)
            for piece in _pieces(message):
                await send(piece)

        try:
            self._check(scope, client)
            if scope["method"] == "POST":
                receive = _replay(await self._body(client, receive), receive)
                self._take(place)
            async with asyncio.timeout(self.limits.seconds) as deadline:
                await self.app(scope, receive, send_on)
        except _HungUpError:
            pass
        except Exception as error:
            answer = self._failure(error, _route(scope))
            if status is None:
                deadline = None
                await answer(scope, receive, send_on)
        finally:
            place.close()
            memory.close()
            # 499: the client was gone before there was an answer
            self.metrics.observe(_route(scope), status or 499, time.perf_counter() - begin)

    def _check(self, scope, client):
        """Raise a _RefusedError if a request must not pass, before its body is read."""
        headers = dict(scope["headers"])
        early = 0 if scope["path"] in PROBES else self._clients.wait(client, time.monotonic())
        if early:
            raise _RefusedError(
                429,
                f"a client may send {self.limits.client_rate:g} requests a second: try again later.",
                {"Retry-After": str(math.ceil(early))},
            )
        if len(scope["path"]) > _LONGEST_PATH:
            raise _RefusedError(414, "there is nothing at so long an address: /docs lists what there is.")
        if (
            self.hosts is not None
            and _host_name(headers.get(b"host", b"").decode("latin-1")) not in self.hosts
        ):
            raise _RefusedError(
                421, "this service answers to this machine only: start it with a token to use it from others."
            )
        if self.token is not None and not (scope["path"] in OPEN or scope["path"].startswith(f"{STATIC}/")):
            scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
            if scheme.lower() != b"bearer" or not hmac.compare_digest(given.strip(), self.token.encode()):
                raise _RefusedError(
                    401,
                    "this service wants its token, in the header 'Authorization: Bearer TOKEN'.",
                    {"WWW-Authenticate": "Bearer"},
                )
        if scope["method"] == "POST":
            if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != b"application/json":
                # a page of another site could send any other type without being asked first
                raise _RefusedError(415, "send JSON, with the header 'Content-Type: application/json'.")
            length = headers.get(b"content-length", b"0")
            self._check_size(int(length) if length.isdigit() else 0)

    def _check_size(self, size):
        if size > self.limits.body_bytes:
            raise _RefusedError(
                413, f"a request may have {self.limits.body_bytes} bytes: send the texts in several requests."
            )

    def _take(self, place):
        """Take a place for a call, which is free again when `place` is closed; refuse it if there is none."""
        if self.metrics.calls >= self.limits.calls:
            raise _RefusedError(
                503,
                f"{self.metrics.calls} calls are at work or waiting: try again soon.",
                {"Retry-After": "1"},
            )
        self.metrics.calls += 1
        place.callback(self._leave)

    def _leave(self):
        self.metrics.calls -= 1

    async def _body(self, client, receive):
        """Read the body of a request."""
        chunks, size, outline = [], 0, Outline()
        try:
            async with asyncio.timeout(self.limits.seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _HungUpError
                    chunk = message.get("body", b"")
                    self._check_size(size + len(chunk))
                    self._check_outline(outline, chunk)
                    self._hold(client, size, len(chunk))
                    chunks.append(chunk)
                    size += len(chunk)
                    if not message.get("more_body"):
                        return b"".join(chunks)
        except TimeoutError:
            raise _RefusedError(
                408, f"the request did not arrive within {self.limits.seconds:g} s: send it again."
            ) from None
        finally:
            self._clients.release(client, size)

    def _hold(self, client, size, more):
        if not self._clients.hold(client, size, more):
            raise _RefusedError(
                503, "too many large requests or answers are on their way: try again soon.", _SOON
            )

    def _check_outline(self, outline, chunk):
        outline.add(chunk)
        most = 4 * self.limits.texts + 1000
        if outline.signs > most:
            raise _RefusedError(
                413, f"the body has more than {most} signs outside its texts: send them in several requests."
            )

    def _failure(self, error, route):
        """Give the answer to a request that was refused or that failed."""
        if isinstance(error, _RefusedError):
            return refusal(*error.args)
        if isinstance(error, TimeoutError):
            return refusal(
                503, f"the work was not done within {self.limits.seconds:g} s: send fewer or shorter texts."
            )
        _log.error("a request to %s failed", route, exc_info=error)
        return refusal(500, "the service failed on this request: its log says why.")


class _RefusedError(Exception):
    """A request that is answered by a status, a sentence and headers."""


class _HungUpError(Exception):
    """A client that is gone before its request is whole."""


def _replay(body, receive):
    """Give a `receive` that hands out the body at once, then what comes after it."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again():
        return messages.pop() if messages else await receive()

    return receive_again


def _pieces(message):
    """Cut the body of an answer, so that what a client does not take is not all in the buffer."""
    body = message.get("body", b"")
    for start in range(0, max(1, len(body)), _PIECE):
        end = start + _PIECE
        more = message.get("more_body", False) or end < len(body)
        yield message | {"body": body[start:end], "more_body": more} if body else message


def _host_name(host):
    """Give the name in a Host header, without the port; "" if there is none.

    >>> _host_name("LocalHost:8000"), _host_name("[::1]:80"), _host_name("[::1]evil.example")
    ('localhost', '::1', '')
    """
    found = _HOST.fullmatch(host.lower())
    return (found[1] or found[2]) if found else ""


def _route(scope):
    path = scope["path"]
    if path in ROUTES:
        return path
    return STATIC if path.startswith(f"{STATIC}/") else "other"
