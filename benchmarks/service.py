"""The service under load: single short texts at a steady rate, and the memory of its process."""

import asyncio
import json
import os
import re
import time
from multiprocessing import get_context

import numpy as np

from textspace.datasets import load
from textspace.models import TextClassifier
from textspace.service import create_app
from textspace.service._server import listen, run

CORPUS = "reuters-r8"
RATE = 200  # requests a second
CONNECTIONS = 32
CHARACTERS = 400  # of a text


def main(seconds=60):
    corpus = load(CORPUS)
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=_serve, args=(theirs,), daemon=True)
    server.start()
    port = ours.recv()
    try:
        asyncio.run(measure(port, [text[:CHARACTERS] for text in corpus.test.texts], seconds))
    finally:
        server.terminate()
        server.join()


def _serve(pipe):
    train = load(CORPUS).train
    model = TextClassifier().fit(train.texts, train.labels)
    listener = listen("127.0.0.1", 0)
    app = create_app(model)
    pipe.send(listener.getsockname()[1])
    run(app, listener)


async def measure(port, texts, seconds):
    requests = [_request("POST", "/predict", json.dumps({"text": text}).encode()) for text in texts]
    await drive(port, requests, RATE)  # a second to warm up
    before = await figures(port)
    begin = time.perf_counter()
    latencies, errors = await drive(port, requests, RATE * seconds)
    wall = time.perf_counter() - begin
    after = await figures(port)
    p50, p99 = 1000 * np.quantile(latencies, [0.5, 0.99])
    cpu = after["process_cpu_seconds_total"] - before["process_cpu_seconds_total"]
    memory = [each["process_resident_memory_bytes"] / 1e6 for each in (before, after)]
    print(f"Service: {RATE} single texts of {CHARACTERS} characters a second for {seconds} s, {CORPUS}")
    print(
        f"  answered {len(latencies) / wall:.0f} a second, {errors} errors; "
        f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {1000 * max(latencies):.0f} ms"
    )
    print(
        f"  server: {cpu / wall:.0%} of a core, {1000 * cpu / len(latencies):.2f} ms of CPU a request; "
        f"memory {memory[0]:.0f} MB before, {memory[1]:.0f} MB after; "
        f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )


async def drive(port, requests, number):
    """Send requests at their times, whether or not the earlier ones are answered.

    A latency runs from the time at which a request was due: one that waits for a free connection is late.
    """
    free = asyncio.Queue()
    for _ in range(CONNECTIONS):
        free.put_nowait(await asyncio.open_connection("127.0.0.1", port))
    latencies, statuses = [], []

    async def send(request, due):
        connection = await free.get()
        try:
            status, _ = await _exchange(*connection, request)
        finally:
            free.put_nowait(connection)
        latencies.append(time.perf_counter() - due)
        statuses.append(status)

    begin, calls = time.perf_counter(), []
    for i in range(number):
        due = begin + i / RATE
        await asyncio.sleep(due - time.perf_counter())
        calls.append(asyncio.create_task(send(requests[i % len(requests)], due)))
    failed = sum(isinstance(each, Exception) for each in await asyncio.gather(*calls, return_exceptions=True))
    while not free.empty():
        free.get_nowait()[1].close()
    return latencies, failed + sum(status != 200 for status in statuses)


async def figures(port):
    """Read the service's own metrics: numbers by name, without those that have labels."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    _, body = await _exchange(reader, writer, _request("GET", "/metrics", b""))
    writer.close()
    return {name: float(value) for name, value in re.findall(r"^(\w+) (\S+)$", body.decode(), re.MULTILINE)}


def _request(method, path, body):
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def _exchange(reader, writer, request):
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
    return int(head.split()[1]), await reader.readexactly(length)
