"""The server process."""

import contextlib
import errno
import ipaddress
import socket
import sys
import warnings
from pathlib import Path

import uvicorn

from textspace.service._app import create_app

_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
_CONNECTIONS = 500
_SECONDS_TO_END = 5


def serve(model_path, *, host="127.0.0.1", port=8000, token=None, corrections=None, embeddings=None):
    """Serve a model file until the process is interrupted.

    Parameters
    ----------
    model_path : path
        A model file, as :func:`textspace.models.save` writes it.
    host : str, default="127.0.0.1"
        Address to listen at. The default can be reached from this machine only; "0.0.0.0" from everywhere.
    port : int, default=8000
        Port to listen at; 0 for any that is free.
    token : str, default=None
        What clients must show; see :func:`create_app`.
    corrections : path, default=None
        File (.jsonl) to which corrections are added.
    embeddings : path, default=None
        Folder of the embedding, or its name, for a model that was trained with one.

    Raises
    ------
    OSError
        The port is in use, or the address is not of this machine.
    """
    from textspace.models import load

    listener = listen(host, port)
    try:
        local = is_loopback(host)
        if not local and token is None:
            warnings.warn(
                f"whoever can reach {host} may use this service and read from its training texts: give a "
                "token, or leave out the host to serve this machine only.",
                stacklevel=2,
            )
        # pages of other sites must not reach a service of this machine by a name of theirs
        hosts = (*_LOOPBACK_NAMES, host) if local and token is None else None
        app = create_app(load(model_path, embeddings), token=token, corrections=corrections, hosts=hosts)
        print(f"serving {Path(model_path).name} at {address(listener)} until Ctrl+C", file=sys.stderr)
        run(app, listener)
    finally:
        listener.close()


def run(app, listener):
    """Answer the requests that arrive at a socket, until the process is told to end."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=_SECONDS_TO_END,
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def listen(host, port):
    """Take an address, before the time is spent to load a model; the port 0 means any that is free.

    Who connects to the socket is kept waiting until the service runs.
    """
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise OSError(error.errno, f"{host} is no address of this machine: give another host.") from error
    if sys.platform != "win32":  # there it would let two services share the port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(place)
        listener.listen()  # two services may bind to a port, as long as none listens
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            sentence = f"port {port} of {host} is in use: choose another one with --port."
        else:
            sentence = f"cannot listen at {host}, port {port} ({error.strerror}): give another host or port."
        raise OSError(error.errno, sentence) from error
    return listener


def address(listener):
    """Give the address of a socket as a browser takes it."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host):
    """Tell whether an address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
