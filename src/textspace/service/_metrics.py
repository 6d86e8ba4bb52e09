"""Counts and times of requests, in the text format that Prometheus reads."""

import os
import time
from bisect import bisect_left
from collections import Counter
from itertools import accumulate
from pathlib import Path

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """What a service has done since it was started. Only the thread of the event loop uses it.

    >>> metrics = Metrics()
    >>> metrics.observe("/predict", 200, 0.003)
    >>> print(metrics.render().splitlines()[2])
    textspace_requests_total{route="/predict",status="200"} 1
    """

    def __init__(self):
        self.texts = 0
        self.calls = 0
        self._requests = Counter()
        self._buckets = {}
        self._seconds = Counter()

    def observe(self, route, status, seconds):
        """Count a request by its route, not by its path: clients can invent any number of those."""
        self._requests[route, status] += 1
        self._buckets.setdefault(route, [0] * (len(BUCKETS) + 1))[bisect_left(BUCKETS, seconds)] += 1
        self._seconds[route] += seconds

    def render(self):
        """Give all figures as lines of text."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self):
        yield "# HELP textspace_requests_total Requests answered."
        yield "# TYPE textspace_requests_total counter"
        for (route, status), number in sorted(self._requests.items()):
            yield f'textspace_requests_total{{route="{route}",status="{status}"}} {number}'
        yield "# HELP textspace_request_seconds Time from request to answer."
        yield "# TYPE textspace_request_seconds histogram"
        for route, counts in sorted(self._buckets.items()):
            *below, total = accumulate(counts)
            for bound, number in zip((*BUCKETS, "+Inf"), (*below, total), strict=True):
                yield f'textspace_request_seconds_bucket{{route="{route}",le="{bound}"}} {number}'
            yield f'textspace_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'textspace_request_seconds_count{{route="{route}"}} {total}'
        yield "# HELP textspace_texts_total Texts classified."
        yield "# TYPE textspace_texts_total counter"
        yield f"textspace_texts_total {self.texts}"
        yield "# HELP textspace_calls Calls at work or waiting."
        yield "# TYPE textspace_calls gauge"
        yield f"textspace_calls {self.calls}"
        yield "# HELP process_cpu_seconds_total Processor time of the process."
        yield "# TYPE process_cpu_seconds_total counter"
        yield f"process_cpu_seconds_total {time.process_time():.2f}"
        memory = resident_bytes()
        if memory is not None:
            yield "# HELP process_resident_memory_bytes Memory held by the process."
            yield "# TYPE process_resident_memory_bytes gauge"
            yield f"process_resident_memory_bytes {memory}"


def resident_bytes():
    """Give the memory that this process holds, in bytes; None where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None
