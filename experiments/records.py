"""Many small measurements, each a few plain values: a line of a file."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from joblib import delayed

from textspace._files import atomic_open
from textspace.evaluation import RunStore, run_missing

FILE = "records.jsonl"


@dataclass(frozen=True)
class Records:
    """Results of tasks that do not depend on each other, each of which gives a few records.

    Parameters
    ----------
    tasks : callable
        ``tasks()`` gives a list of dicts of plain values, one for each independent measurement.
    measure_task : callable
        ``measure_task(**task)`` gives the task's records: a list of flat dicts of plain values. A function of
        a module, since other processes call it. A record gets its task's values too.
    """

    tasks: Callable
    measure_task: Callable

    def measure(self, unfinished, *, n_jobs, progress, label):
        """Measure what the folder of unfinished work does not hold; give all records, a list of dict."""
        tasks = {_digest(task): task for task in self.tasks()}
        store = RunStore(unfinished, {"experiment": label}, check=_check, work="experiment")

        def jobs(missing):
            return (delayed(_measure)(self.measure_task, name, tasks[name]) for name in missing)

        runs = run_missing(list(tasks), jobs, store=store, n_jobs=n_jobs, progress=progress, label=label)
        return [record for run in runs for record in run["records"]]

    def write(self, records, folder):
        """Write the records into a folder."""
        with atomic_open(folder / FILE) as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
        return []

    def read(self, folder):
        """Give the records that were written into a folder, a list of dict."""
        lines = (folder / FILE).read_text(encoding="utf-8").splitlines()
        return [
            _record(line, f"{folder / FILE}, line {number}") for number, line in enumerate(lines, start=1)
        ]


def _record(line, where):
    try:
        record = json.loads(line)
    except ValueError as error:
        raise ValueError(f"{where}: not valid JSON ({error}): run the experiment again.") from error
    if not isinstance(record, dict):
        raise ValueError(f"{where}: expected a JSON object: run the experiment again.")
    return record


def _check(run):
    """Raise a ValueError if a run does not hold records."""
    records = run.get("records")
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise ValueError("it has no records")


def _measure(measure_task, name, task):
    return name, {"records": [_plain(task | record) for record in measure_task(**task)]}


def _plain(record):
    """Shorten numbers to six decimals, so that result files stay small, and to what JSON knows."""
    return {name: _plain_value(value) for name, value in record.items()}


def _plain_value(value):
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain_value(item) for item in value]
    value = value.item() if isinstance(value, np.generic) else value
    return round(value, 6) if isinstance(value, float) else value


def _digest(task):
    return hashlib.sha256(json.dumps(task, sort_keys=True).encode()).hexdigest()[:20]
