"""What every request passes before the application sees it."""

import asyncio
import hmac
import logging
import time
from contextlib import contextmanager

from textspace.service._errors import refusal

OPEN = ("/", "/docs", "/openapi.json", "/health")  # without a token: these tell nothing of the model
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
_log = logging.getLogger(__name__)


class Gate:
    """ASGI middleware that refuses what is too much, measures what passes, and never shows a traceback.

    The body of a request is read here, before the application parses it. Some requests are refused before
    their body is in memory: the body is too large, too many calls are at work, the client does not show the
    `token` (None lets all in), or it calls the service by a name that is not in `hosts` (None takes any).
    """

    def __init__(self, app, *, limits, metrics, token=None, hosts=None):
        self.app = app
        self.limits = limits
        self.metrics = metrics
        self.token = token
        self.hosts = hosts
        self._calls = 0

    async def __call__(self, scope, receive, send):
        """Let a request pass, or answer it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begin, status = time.perf_counter(), None

        async def send_on(message):
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = message | {"headers": [*message.get("headers", ()), *_HEADERS]}
            await send(message)

        try:
            self._check(scope)
            with self._counted(scope):
                if scope["method"] == "POST":
                    receive = _replay(await self._body(receive), receive)
                async with asyncio.timeout(self.limits.seconds):
                    await self.app(scope, receive, send_on)
        except _HungUpError:
            pass
        except Exception as error:
            answer = self._failure(error, _route(scope))
            if status is None:
                await answer(scope, receive, send_on)
        finally:
            # 499: the client was gone before there was an answer
            self.metrics.observe(_route(scope), status or 499, time.perf_counter() - begin)

    def _check(self, scope):
        """Raise a _RefusedError if a request must not pass, before its body is read."""
        headers = dict(scope["headers"])
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

    @contextmanager
    def _counted(self, scope):
        """Count a call while it is at work; refuse it if there are too many."""
        taken = scope["method"] == "POST"
        if taken and self._calls >= self.limits.calls:
            raise _RefusedError(
                503, f"{self._calls} calls are at work or waiting: try again soon.", {"Retry-After": "1"}
            )
        self._calls += taken
        try:
            yield
        finally:
            self._calls -= taken

    async def _body(self, receive):
        """Read the body of a request."""
        chunks, size = [], 0
        try:
            async with asyncio.timeout(self.limits.seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _HungUpError
                    chunks.append(message.get("body", b""))
                    size += len(chunks[-1])
                    self._check_size(size)
                    if not message.get("more_body"):
                        return b"".join(chunks)
        except TimeoutError:
            raise _RefusedError(
                408, f"the request did not arrive within {self.limits.seconds:g} s: send it again."
            ) from None

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


def _host_name(host):
    """Give the name in a Host header, without the port."""
    if host.startswith("["):  # an IPv6 address
        return host.partition("]")[0].strip("[")
    return host.partition(":")[0].lower()


def _route(scope):
    path = scope["path"]
    if path in ROUTES:
        return path
    return STATIC if path.startswith(f"{STATIC}/") else "other"
