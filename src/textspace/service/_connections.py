"""Connections: how many there are, and how long one may keep silent."""

import json
import re
from http import HTTPStatus

import h11
from uvicorn.protocols.http.h11_impl import CLOSE_HEADER, H11Protocol

from textspace.service._clients import client_of

_LINES = 3000  # in a request, of 1000 texts; chunks of one byte or lines after them keep the parser busy
_HEAD_LINES = 100
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_SECONDS_BETWEEN_LOOKS = 0.5
REQUESTS = 100  # of one connection; then its client connects again, to whichever process has time


class Connections:
    """The open connections of a server process, in the order of their arrival."""

    def __init__(self, limits):
        self.limits = limits
        self._clients = {}

    def enter(self, connection):
        """Count a connection; tell whether there is room, which one that is idle may have to make."""
        client = client_of({"client": connection.client})
        own = [each for each, name in self._clients.items() if name == client]
        full = len(own) >= self.limits.client_connections
        if full or len(self._clients) >= self.limits.connections:
            idle = [each for each in (own if full else self._clients) if not each.is_at_work()]
            if not idle:
                return False
            longest = min(idle, key=lambda each: each.idle_since)
            self.leave(longest)
            longest.transport.abort()
        self._clients[connection] = client
        return True

    def leave(self, connection):
        """Forget a connection."""
        self._clients.pop(connection, None)


class _Parser(h11.Connection):
    """A parser of requests that reads no head of many lines, whatever ends them: that would keep it busy."""

    def next_event(self):
        """Give what has arrived next."""
        if self.their_state is h11.IDLE:
            received = self.trailing_data[0]
            end = _END_OF_HEAD.search(received)
            if received.count(b"\n", 0, end.start() if end else len(received)) > _HEAD_LINES:
                raise h11.RemoteProtocolError(f"a head has more than {_HEAD_LINES} lines")
        return super().next_event()


class Connection(H11Protocol):
    """One connection of uvicorn's, which is closed when a head does not arrive or an answer is not taken."""

    def __init__(self, open_connections, **settings):
        super().__init__(**settings)
        self.conn = _Parser(h11.SERVER)
        self._open = open_connections
        self._lines = 0
        self._answered = 0
        self._timer = None

    def is_at_work(self):
        """Tell whether a request is being read or answered: the gate then sees to the time."""
        return self.cycle is not None and not self.cycle.response_complete and not self.transport.is_closing()

    def connection_made(self, transport):
        """Take a connection in, or refuse it."""
        super().connection_made(transport)
        self.idle_since = self.loop.time()
        if self._open.enter(self):
            self._look()
        else:
            self._refuse(503, "there are too many connections at work: try again soon.")

    def connection_lost(self, exc):
        """Forget the connection."""
        super().connection_lost(exc)
        self._open.leave(self)
        if self._timer is not None:
            self._timer.cancel()

    def data_received(self, data):
        """Read what has arrived, unless it has more lines than any request needs."""
        self._lines += data.count(b"\n")
        if self._lines > _LINES:
            self._refuse(400, f"the request has more than {_LINES} lines or chunks: send fewer.")
        else:
            super().data_received(data)

    def handle_events(self):
        """Begin to answer what has arrived whole; the last answer of a connection says that it is the last.

        All connections of a process that is killed go to those that live. They would stay there for good.
        """
        super().handle_events()
        if self._answered >= REQUESTS - 1 and self.is_at_work():
            self.cycle.default_headers = [*self.server_state.default_headers, CLOSE_HEADER]

    def on_response_complete(self):
        """Begin to wait for the next request."""
        self._lines = 0
        self._answered += 1
        self.idle_since = self.loop.time()
        super().on_response_complete()

    def send_400_response(self, msg):
        """Answer what is no request."""
        self._refuse(400, "this is no request of HTTP/1.1, or its head is too long.")

    def _look(self):
        """Look at the connection twice a second, and close it when its time is over."""
        if not self.is_at_work() and self.loop.time() - self.idle_since > self._open.limits.head_seconds:
            if self.conn.trailing_data[0]:
                self._refuse(408, "the head of the request did not arrive in time: send it again.")
            self.transport.abort()
        else:
            self._timer = self.loop.call_later(_SECONDS_BETWEEN_LOOKS, self._look)

    def _refuse(self, status, sentence):
        """Answer with a sentence, unless an answer has begun, and close."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = json.dumps({"error": sentence})
            head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: application/json\r\n"
            end = f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            self.transport.write((head + end + body).encode())
        self.transport.close()
