"""Time and memory of a call, for ratios measured in one run."""

import multiprocessing
import re
import time
from pathlib import Path
from typing import NamedTuple


class Timing(NamedTuple):
    """Seconds on the clock and of all cores together."""

    wall: float
    cpu: float


def best_of(call, *arguments, repeats=3):
    """Time a call several times and keep the quickest: the least disturbed by others."""
    timings = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        call(*arguments)
        timings.append(Timing(time.perf_counter() - wall, time.process_time() - cpu))
    return min(timings)


def measured(call, *arguments):
    """Give a call's result, its time, and the megabytes of its process at the peak; on Linux only."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from what is held now
    wall, cpu = time.perf_counter(), time.process_time()
    result = call(*arguments)
    return result, Timing(time.perf_counter() - wall, time.process_time() - cpu), _peak_megabytes()


def peak_extra_memory(call, *arguments):
    """Megabytes of a call's peak beyond what its process held before; on Linux only."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_measure_peak, (call, arguments))


def _measure_peak(call, arguments):
    call(*(each[::40] for each in arguments))  # what is loaded or compiled once does not count
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from what is held now
    before = _peak_megabytes()
    call(*arguments)
    return _peak_megabytes() - before


def _peak_megabytes():
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024
