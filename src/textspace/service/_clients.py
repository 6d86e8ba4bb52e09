"""What each client takes: requests in a second, and memory for what is on its way to or from it."""

import ipaddress
from collections import Counter

_BURST_SECONDS = 2.0
_MANY = 10_000  # clients to remember
_SMALL = 64_000  # bytes of a body or an answer that always pass


def client_of(scope):
    """Give the name of the client of a request: its address, or the network of it.

    >>> client_of({"client": ("127.0.0.1", 50123)}), client_of({"client": ("2001:db8::1:2", 50123)})
    ('127.0.0.1', '2001:db8::/64')
    """
    address = (scope.get("client") or ("",))[0]
    if ":" not in address:
        return address
    found = ipaddress.ip_address(address.partition("%")[0])
    # whoever has one IPv6 address has all of its network
    return str(found.ipv4_mapped or ipaddress.IPv6Network((int(found), 64), strict=False))


class Clients:
    """The clients of a service, by name. Only the thread of the event loop uses it."""

    def __init__(self, limits):
        self._rate = limits.client_rate
        self._own_bytes = 4 * (limits.body_bytes + limits.answer_bytes)
        self._all_bytes = 8 * self._own_bytes
        self._next = {}  # client -> when its next request would be due at a steady rate
        self._held = Counter()

    def wait(self, client, now):
        """Count a request that comes at a time; give the seconds that it is too early, 0 if it may pass.

        >>> from textspace.service import Limits
        >>> clients = Clients(Limits(client_rate=0.5))  # so two in a burst of two seconds
        >>> [clients.wait("a", 100.0) for _ in range(3)], clients.wait("b", 100.0), clients.wait("a", 104.0)
        ([0.0, 0.0, 2.0], 0.0, 0.0)
        """
        if not self._rate:
            return 0.0
        if len(self._next) > _MANY:
            self._next = {name: due for name, due in self._next.items() if due > now}
        due = max(self._next.get(client, now), now)
        if due - now > _BURST_SECONDS:
            return due - now - _BURST_SECONDS
        self._next[client] = due + 1 / self._rate
        return 0.0

    def hold(self, client, size, more):
        """Take memory for more bytes of a body of which `size` are there; tell whether there is room."""
        if size + more > _SMALL and (
            self._held[client] + more > self._own_bytes or self._held.total() + more > self._all_bytes
        ):
            return False
        self._held[client] += more
        return True

    def release(self, client, size):
        """Give memory back."""
        self._held[client] -= size
        if not self._held[client]:
            del self._held[client]
