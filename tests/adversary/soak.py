"""A service for an hour among friends and foes: ``make soak``, or ``python -m tests.adversary.soak``.

Well-behaved clients (127.0.0.1) send 200 requests a second to a service of two processes. Hostile ones
(127.0.0.2) and slow ones (127.0.0.3) disturb it all the time. Every few minutes one of its processes is
killed and its model replaced, now and then by a damaged file. It fails unless every request of the
well-behaved was answered (one whose connection was cut is sent again), 99 % of them within 150 ms of when
they were due, and of the signs of life within 100 ms, memory does not grow, and every correction that was
acknowledged is in the file.
"""

import argparse
import asyncio
import json
import os
import random
import re
import signal
import socket
import sys
import time
from collections import Counter
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from tests.adversary import requests
from tests.adversary.served import serving, small_model, workers

from textspace.models import save

RATE = 200  # requests a second
CONNECTIONS = 24
P99, LIVE_P99 = 0.150, 0.100  # seconds
GROWTH = 1e6  # bytes a minute that count as none
WARM_UP = 15.0  # seconds
SETTLED = 400.0  # seconds after which the memory of a process is looked at: caches are full then
SPARED = 5  # kills of which one only hits the older process, so that one of the two grows old
SLOW = 30  # slow clients of each kind
TELL = 300.0  # seconds from one interim figure to the next
_HEAD = b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600.0, help="how long")
    parser.add_argument("--every", type=float, default=180.0, help="seconds from one blow to the next")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(1)
    )  # by an exception, so that the service is stopped too
    model = small_model()
    with serving(model, "--workers", "2") as (process, port, folder):
        requests.ask_kindly(port)
        foes = [get_context("spawn").Process(target=foe, args=(port, options)) for foe in (hostile, slow)]
        for foe in foes:
            foe.start()
        try:
            friends = Friends(port, options)
            blows = Blows(process, folder, model, options)
            with suppress(KeyboardInterrupt):  # what happened until then is told
                asyncio.run(live(friends, blows, options.seconds))
        finally:
            for foe in foes:
                foe.terminate()
                foe.join()
        problems = report(friends, blows, folder)
        log = Path(folder, "log.txt").read_text()
        problems += ["the log has a traceback:\n" + log[-2000:]] if "Traceback" in log else []
    for problem in problems:
        print(f"FAILED: {problem}")
    sys.exit(bool(problems))


async def live(friends, blows, seconds):
    """Let the well-behaved send at their times, and the blows fall at theirs."""
    await friends.send_for(WARM_UP)
    friends.forget_times()
    others = [asyncio.create_task(each) for each in (blows.fall(), blows.weigh(), friends.tell())]
    await friends.send_for(seconds)
    for task in others:
        task.cancel()
    for task in others:
        with suppress(asyncio.CancelledError):
            await task  # an error in one of them is an error


class Friends:
    """Well-behaved clients, what they were answered, and after what time."""

    def __init__(self, port, options):
        self.port = port
        self.generator = random.Random(options.seed)
        self.latencies, self.live, self.failures, self.saved = [], [], [], []
        self.late = []  # by how much requests were sent too late, which is not the fault of the service
        self.cut = 0
        self._free = asyncio.Queue()

        for _ in range(CONNECTIONS):
            self._free.put_nowait(None)

    def forget_times(self):
        """Leave out of the figures how long requests took while the service was starting."""
        self.latencies, self.live, self.late = [], [], []

    async def send_for(self, seconds):
        """Send requests at their times, whether or not the earlier ones are answered."""
        begin, calls = time.perf_counter(), set()
        for number in range(int(RATE * seconds)):
            due = begin + number / RATE
            await asyncio.sleep(due - time.perf_counter())
            self.late.append(time.perf_counter() - due)
            call = asyncio.create_task(self.send(number, due))
            calls.add(call)
            call.add_done_callback(calls.discard)
        await asyncio.gather(*calls)

    async def tell(self):
        """Print every few minutes how long requests took since."""
        while True:
            begin = len(self.latencies)
            await asyncio.sleep(TELL)
            p50, p99 = 1000 * np.quantile(self.latencies[begin:], [0.5, 0.99])
            print(f"p50 {p50:.0f} ms, p99 {p99:.0f} ms, {len(self.failures)} failed so far", flush=True)

    async def send(self, number, due):
        path, body = self.choose(number)
        connection = await self._free.get()
        for attempt in range(4):
            try:
                if connection is None:
                    connection = await asyncio.open_connection("127.0.0.1", self.port)
                status, answer, is_last = await asyncio.wait_for(exchange(*connection, path, body), 30)
                if is_last:
                    connection[1].close()
                    connection = None
                break
            except TimeoutError:
                status, answer, connection = None, "no answer within 30 s", None
                break
            except (OSError, asyncio.IncompleteReadError) as error:  # cut: by a blow, or while it was idle
                self.cut += 1
                status, answer, connection = None, repr(error), None
                await asyncio.sleep(0.05 * attempt)
        self._free.put_nowait(connection)
        waited = time.perf_counter() - due
        (self.live if path == "/live" else self.latencies).append(waited)
        if status not in (200, 201):
            self.failures.append((path, status, answer))
        elif path == "/corrections":
            self.saved.append(json.loads(body)["text"])

    def choose(self, number):
        """Give the path and the body of the next request."""
        share = self.generator.random()
        if share < 0.06:
            return self.generator.choice(["/live", "/ready", "/model"]), None
        if share < 0.08:
            return "/corrections", json.dumps({"text": f"correction {number} of corn", "label": "grain"})
        if share < 0.12:
            return "/explain", json.dumps({"text": "the tanker with coffee beans ran aground at sea"})
        if share < 0.16:
            return "/predict", json.dumps({"texts": ["a harvest of corn", "cargo ship"] * 10})
        return "/predict", json.dumps({"text": "tonnes of barley and a cargo ship, number " + str(number)})


async def exchange(reader, writer, path, body):
    """Send a request; give the status and the body of the answer, and whether it is the last there."""
    head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: localhost\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    writer.write(f"{head}\r\n{body or ''}".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
    is_last = b"connection: close" in head.lower()
    return int(head.split()[1]), await reader.readexactly(length), is_last


class Blows:
    """What happens to the service from outside, and the memory of its processes."""

    def __init__(self, process, folder, model, options):
        self.process, self.path, self.model = process, Path(folder, "model.textspace"), model
        self.every = options.every
        self.counts = Counter()
        self.memory = {}  # process -> times and bytes

    async def fall(self):
        """Kill a process; half the time later, replace the model: every third time by half a file."""
        for turn in range(10**9):
            await asyncio.sleep(self.every / 2)
            by_age = sorted(
                workers(self.process.pid), key=lambda worker: self.memory.get(worker, [(np.inf,)])[0][0]
            )
            is_spared = self.counts["killed"] % SPARED < SPARED - 1
            os.kill(by_age[-1 if is_spared else 0], signal.SIGKILL)
            self.counts["killed"] += 1
            await asyncio.sleep(self.every / 2)
            if turn % 3 == 2:
                self.path.write_bytes(self.path.read_bytes()[:-1000])
                self.counts["damaged files"] += 1
            else:
                save(self.model, self.path)
                self.counts["models replaced"] += 1
            if turn % 2:
                self.process.send_signal(signal.SIGHUP)
                self.counts["SIGHUP"] += 1
            await asyncio.sleep(5)
            save(self.model, self.path)  # a process that starts needs a whole file

    async def weigh(self):
        while True:
            await asyncio.sleep(2)
            for worker in workers(self.process.pid):
                with suppress(OSError):
                    pages = int(Path(f"/proc/{worker}/statm").read_text().split()[1])
                    self.memory.setdefault(worker, []).append(
                        (time.time(), pages * os.sysconf("SC_PAGE_SIZE"))
                    )

    def slopes(self):
        """Give by how many bytes a minute each process grew after it had settled."""
        slopes = []
        for samples in self.memory.values():
            times, sizes = np.array(samples).T
            late = times > times[0] + SETTLED
            if late.sum() >= 15:
                slopes.append(60 * np.polyfit(times[late] - times[0], sizes[late], 1)[0])
        return slopes


def hostile(port, options):
    """Send hostile requests, one after the other, for as long as the process lives."""
    generator = random.Random(options.seed)
    while True:
        with suppress(OSError, AssertionError):  # a blow may cut any of them
            requests.strike(port, requests.make(generator)[1], "127.0.0.2")
        time.sleep(0.02)


def slow(port, options):
    """Hold connections with half a head, half a body, or an answer that is not read; begin anew when cut."""
    starts = [_HEAD + b"X-Slow: ", _HEAD + b'Content-Length: 100000\r\n\r\n{"text": "', None]
    held = [None] * (SLOW * len(starts))
    many = json.dumps({"texts": ["corn at sea"] * 1000}).encode()
    reading = _HEAD + b"Content-Length: %d\r\n\r\n" % len(many) + many
    while True:
        for place, connection in enumerate(held):
            start = starts[place % len(starts)]
            try:
                if connection is None:
                    held[place] = connection = socket.create_connection(
                        ("127.0.0.1", port), 5, ("127.0.0.3", 0)
                    )
                    connection.sendall(start or reading)
                elif start is not None:
                    connection.sendall(b"a")
                elif random.random() < 0.1:
                    connection.recv(100)
            except OSError:
                if connection is not None:
                    connection.close()
                held[place] = None
            time.sleep(0.02)


def report(friends, blows, folder):
    """Print what happened; give what must not have."""
    slopes, lines = blows.slopes(), Path(folder, "corrections.jsonl").read_text().splitlines()
    texts = {json.loads(line)["text"] for line in lines}
    lost = [text for text in friends.saved if text not in texts]
    p50, p99 = np.quantile(friends.latencies, [0.5, 0.99])
    live99 = np.quantile(friends.live, 0.99)
    print(
        f"{len(friends.latencies) + len(friends.live)} requests, {len(friends.failures)} failed, "
        f"{friends.cut} connections cut and sent again; p50 {1000 * p50:.0f} ms, p99 {1000 * p99:.0f} ms, "
        f"longest {1000 * max(friends.latencies):.0f} ms; /live p99 {1000 * live99:.0f} ms, "
        f"longest {1000 * max(friends.live):.0f} ms; 99 % were sent less than "
        f"{1000 * np.quantile(friends.late, 0.99):.0f} ms late"
    )
    grown = ", ".join(f"{slope / 1e6:+.2f}" for slope in slopes)
    sizes = [samples[-1][1] / 1e6 for samples in blows.memory.values()]
    print(
        f"{len(friends.saved)} corrections acknowledged, {len(lost)} lost, {len(lines)} lines; "
        f"{dict(blows.counts)}; "
        f"memory {min(sizes):.0f} to {max(sizes):.0f} MB, growth {grown or 'not known'} MB a minute; "
        f"load of the machine {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores"
    )
    problems = [f"{path}: {status} {str(answer)[:200]}" for path, status, answer in friends.failures[:10]]
    problems += [f"{len(lost)} acknowledged corrections are lost"] if lost else []
    problems += [f"p99 is {1000 * p99:.0f} ms"] if p99 > P99 else []
    problems += [f"p99 of /live is {1000 * live99:.0f} ms"] if live99 > LIVE_P99 else []
    problems += ["memory grows"] if slopes and np.median(slopes) > GROWTH else []
    return problems


if __name__ == "__main__":
    main()
