"""The server processes."""

import contextlib
import errno
import gc
import ipaddress
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from textspace.service._app import create_app
from textspace.service._connections import Connection, Connections
from textspace.service._limits import Limits

_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
_SECONDS_TO_END = 5
_SECONDS_OF_A_TURN = 0.0005  # shorter ones cost more than they gain
_LONGEST_PAUSE = 30.0  # seconds
_SHORT_LIFE = 2.0  # seconds
_FILES = 8192  # open ones: three times as many as there are connections that wait to be taken in, and more
_MOST_WAITING = 2048  # connections that are taken in at a time
_OWN_FILES = 32  # open ones that are no connections, and more
# macOS has libraries that do not bear it, Windows has no fork, and by 3.11.0 others of this machine could run
# code in what forks (CVE-2022-42919)
_may_fork = sys.platform == "linux" and sys.version_info >= (3, 11, 1)
_log = logging.getLogger(__name__)


def serve(
    model_path,
    *,
    host="127.0.0.1",
    port=8000,
    token=None,
    no_token=False,
    corrections=None,
    embeddings=None,
    verify=None,
    workers=1,
    limits=None,
):
    """Serve a model file until the process is interrupted.

    The file is loaded again when it changes, and at the signal SIGHUP.

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
    no_token : bool, default=False
        Let everyone in who can reach a `host` that other machines can reach.
    corrections : path, default=None
        File (.jsonl) to which corrections are added.
    embeddings : path, default=None
        Folder of the embedding, or its name, for a model that was trained with one.
    verify : path, default=None
        Public key that must have signed the file, each time that it is loaded.
    workers : int, default=1
        Processes that answer. Each holds the model; one that dies is replaced.
    limits : Limits, default=None
        What is too much, for each process; see :class:`Limits` for the default.

    Raises
    ------
    OSError
        The port is in use, or the address is not of this machine.
    ValueError
        Other machines can reach the host, and there is neither a token nor `no_token`.
    """
    local = is_loopback(host)
    if token is None and not (local or no_token):
        raise ValueError(
            f"whoever can reach {host} could use this service and read from its training texts: give a token "
            "(--token, or the variable TEXTSPACE_TOKEN), or say --no-token to let everyone in."
        )
    if token is not None and no_token:
        raise ValueError("there are both a token and --no-token: leave out one of them.")
    limits = limits or Limits()
    listener = listen(host, port)
    _allow_many_files()
    try:
        # pages of other sites must not reach a service of this machine by a name of theirs
        hosts = (*_LOOPBACK_NAMES, host) if local and token is None else None
        settings = {
            "token": token,
            "corrections": corrections,
            "embeddings": embeddings,
            "verify": verify,
            "hosts": hosts,
        }
        make = partial(_make_app, Path(model_path), limits=limits, **settings)
        app = make()  # also with several workers: what is wrong is said here, and once
        print(f"serving {Path(model_path).name} at {address(listener)} until Ctrl+C", file=sys.stderr)
        if workers == 1:
            _keep_nobody_waiting()
            run(app, listener, limits)
        else:
            del app
            os.environ["PYTHONSAFEPATH"] = "1"  # no module of the current folder is taken for another
            imported = [name for name in sys.modules if name.startswith(("textspace.", "numba."))]
            multiprocessing.set_forkserver_preload(imported)
            start = partial(_make_worker, make)
            _Workers(configure(start, limits, factory=True, workers=workers), [listener]).run()
    finally:
        listener.close()


def run(app, listener, limits=None):
    """Answer the requests that arrive at a socket, until the process is told to end."""
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(configure(app, limits or Limits())).run(sockets=[listener])


def configure(app, limits, **settings):
    """Give uvicorn's settings for an application and its limits."""
    connections, waiting = share_files(_most_files(), limits.connections)
    return uvicorn.Config(
        app,
        http=partial(Connection, Connections(replace(limits, connections=connections))),
        backlog=waiting,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=_SECONDS_TO_END,
        **settings,
    )


def share_files(most, wanted):
    """Give how many connections there may be, and how many that wait are taken in at a time.

    Those are open for three turns of the event loop until they are refused. Where no file can be opened any
    more, each of them that still waits would be told in the log, a thousand lines each second.

    >>> share_files(8192, 512), share_files(64, 512)
    ((512, 2048), (16, 5))
    """
    free = max(most - _OWN_FILES, 8)
    connections = min(wanted, free // 2)
    return connections, min(_MOST_WAITING, (free - connections) // 3)


def _most_files():
    """Give how many files this process may have open."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return _FILES
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _FILES if most == resource.RLIM_INFINITY else most


def _allow_many_files():
    """Let this process have more files open, where it may: often 1024 are its limit until it asks for more.

    Connections that come in at once are all taken in before those are refused that are too many.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _make_app(model_path, **settings):
    """Make the application of a process, which loads its model again at the signal SIGHUP."""
    app = create_app(model_path, **settings)
    with contextlib.suppress(AttributeError, ValueError):  # Windows has no such signal; nor have threads
        signal.signal(signal.SIGHUP, lambda *_: app.state.served.ask())
    return app


def _make_worker(make):
    """Make the application of one of several processes; one that cannot start says why and ends."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        app = make()
    except Exception as error:
        _log.error("%s", error)
        sys.exit(STARTUP_FAILURE)
    _keep_nobody_waiting()
    return app


def _keep_nobody_waiting():
    """Let the thread that answers have its turn soon, whatever the threads with the texts do.

    It waits for its turn several times a request, by default 5 ms each time that another thread is at work.
    All threads stand still while garbage is collected: what is there from the start is none.
    """
    sys.setswitchinterval(_SECONDS_OF_A_TURN)
    gc.collect()
    gc.freeze()


def _end_with_parent():
    """End this process, one of several, when that which watches over it or has forked it is killed."""
    watching, forked_by = multiprocessing.parent_process(), os.getppid()
    while watching.is_alive() and os.getppid() == forked_by:
        watching.join(1)
    os.kill(os.getpid(), signal.SIGTERM)


class _Worker(Process):
    """A process that answers."""

    def __init__(self, config, sockets):
        super().__init__(config, sockets)
        self._sockets = sockets
        self.begun = time.monotonic()

    def start(self):
        """Fork the process, where that is safe, from one that has imported everything and done nothing else.

        Importing takes seconds of a core, which those who wait for an answer of the other processes would
        miss. It is done all the same where nothing can be forked, as there is no folder for temporary files.
        """
        if _may_fork:
            from multiprocessing import forkserver

            begin = multiprocessing.get_context("forkserver").Process
            forked = begin(target=_work, args=(self.config, self.target, self._sockets))
            with contextlib.suppress(OSError, EOFError):
                with _ignored(signal.SIGINT, signal.SIGHUP):
                    forkserver.ensure_running()
                forked.start()
                self.process = forked
                return
        super().start()


@contextlib.contextmanager
def _ignored(*signals):
    """Ignore signals meanwhile; a process that is started meanwhile ignores them for good.

    They are sent to all processes of a terminal or of a service at once. What forks the others would end, and
    they with it.
    """
    handlers = [signal.signal(each, signal.SIG_IGN) for each in signals]
    try:
        yield
    finally:
        for each, handler in zip(signals, handlers, strict=True):
            signal.signal(each, handler)


def _work(config, target, sockets):
    """Answer, as one of several processes."""
    config.configure_logging()
    target(sockets)


class _Workers(Multiprocess):
    """Several processes that answer at one socket."""

    def __init__(self, config, sockets):
        super().__init__(config, sockets)
        self._pause = 0.0
        self._was_short = False  # the life of the process that has ended last
        self._due = {}  # process that has ended -> when another takes its place

    def init_processes(self):
        """Start all processes, or none."""
        try:
            for _ in range(self.processes_num):
                self.processes.append(self._started())
        except OSError:
            self.terminate_all()
            raise

    def _started(self):
        worker = _Worker(self.config, self.sockets)
        worker.start()
        return worker

    def keep_subprocess_alive(self):
        """Replace processes that have ended; uvicorn would wait for an answer of each, deaf to signals.

        Those that cannot start, as the model file is damaged or the system has no room for another process,
        or that end one after another as soon as they begin, are replaced after longer and longer pauses.
        """
        for place, process in enumerate(self.processes):
            if self.should_exit.is_set() or process.process.is_alive():
                continue
            if process not in self._due:
                was_short, self._was_short = self._was_short, time.monotonic() - process.begun < _SHORT_LIFE
                failed = process.exitcode == STARTUP_FAILURE or (was_short and self._was_short)
                soon = self._put_off(process, failed)
                _log.error(
                    "a worker has ended (exit code %s): another takes its place%s.", process.exitcode, soon
                )
            if time.monotonic() >= self._due[process]:
                try:
                    self.processes[place] = self._started()
                except OSError as error:
                    soon = self._put_off(process, True)
                    _log.error("no worker can be started (%s): tried again%s.", error.strerror, soon)
                else:
                    del self._due[process]

    def _put_off(self, process, failed):
        """Set the time at which another process takes the place of one, and put it into words."""
        self._pause = min(max(1.0, 2 * self._pause), _LONGEST_PAUSE) if failed else 0.0
        self._due[process] = time.monotonic() + self._pause
        return f" in {self._pause:g} s" if failed else ""

    def handle_hup(self):
        """Let each process load the model again; uvicorn would start all of them anew."""
        for process in self.processes:
            if process.process.is_alive() and process.is_ready():  # before that, the signal would end it
                os.kill(process.pid, signal.SIGHUP)


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
