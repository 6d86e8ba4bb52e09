"""Experiments of many small measurements, from which tables and figures are made."""

import hashlib
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree

import numpy as np
from joblib import delayed

from textspace._files import atomic_open
from textspace._parallel import run_jobs


@dataclass(frozen=True)
class Study:
    """A set of measurements, each a function of a few plain values, and what they say.

    Parameters
    ----------
    name : str
        Name on the command line, ``"stm-table3"``.
    title : str
        What the paper calls it.
    summary : str
        Protocol, and where ours departs from the paper's, in a few sentences.
    tasks : callable
        ``tasks()`` gives a list of dicts of plain values, one for each independent piece of work.
    measure : callable
        ``measure(**task)`` gives the task's records: a list of flat dicts of plain values. A function of a
        module, since other processes call it.
    report : callable
        ``report(records)`` gives the tables in Markdown. A record holds its task's values too.
    draw : callable, optional
        ``draw(records, folder)`` makes the figures with matplotlib and gives the list of their paths.
    """

    name: str
    title: str
    summary: str
    tasks: Callable
    measure: Callable
    report: Callable
    draw: Callable | None = None

    def run(self, folder, *, n_jobs=None, progress=None):
        """Measure what is missing, write the results into ``folder / name``, and give the tables as text.

        Parameters
        ----------
        folder : str or os.PathLike
            Where result files go. A run that was cut short continues there.
        n_jobs : int, optional
            Number of processes; all cores by default.
        progress : bool, optional
            Whether to show a progress bar; by default on a terminal.

        Returns
        -------
        str
            The tables, ours beside the paper's, in Markdown.
        """
        folder = Path(folder) / self.name
        cells = folder / "cells"
        cells.mkdir(parents=True, exist_ok=True)
        records = self._measured(cells, n_jobs, progress)
        with atomic_open(folder / "records.jsonl") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
        rmtree(cells)
        text = self.table(records)
        with atomic_open(folder / "table.md") as file:
            file.write(text)
        if self.draw is not None:
            text += "\n" + self._figures(records, folder)
        return text

    def load(self, folder):
        """Read the records that :meth:`run` wrote into a folder."""
        lines = (Path(folder) / self.name / "records.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def table(self, records):
        """Give the title, the summary and the tables, in Markdown."""
        return f"# {self.title}\n\n{self.summary}\n\n{self.report(records).rstrip()}\n"

    def _measured(self, cells, n_jobs, progress):
        tasks = self.tasks()
        paths = [cells / f"{_digest(self.name, task)}.json" for task in tasks]
        missing = [(task, path) for task, path in zip(tasks, paths, strict=True) if not path.exists()]
        jobs = (delayed(_measure)(self.measure, task, path) for task, path in missing)
        done = len(tasks) - len(missing)
        try:
            for _ in run_jobs(
                jobs, total=len(tasks), done=done, n_jobs=n_jobs, progress=progress, label=self.name
            ):
                done += 1
        except KeyboardInterrupt:
            print(
                f"Stopped after {done} of {len(tasks)} measurements. They are kept in {cells}: run the same "
                "experiment again to continue.",
                file=sys.stderr,
            )
            raise
        return [record for path in paths for record in json.loads(path.read_text(encoding="utf-8"))]

    def _figures(self, records, folder):
        try:
            import matplotlib as mpl
        except ImportError:
            return "No figure was drawn: it needs matplotlib, pip install 'textspace[figures]'."
        with mpl.rc_context(figure_style(self.name)):
            return "\n".join(f"Figure: {path}" for path in self.draw(records, folder))


def figure_style(name):
    """Give matplotlib's settings for the figures of an experiment; the name fixes the file's identifiers."""
    return {"svg.hashsalt": name, "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}


def save_figure(figure, path):
    """Write a figure without the date, so that the same records give the same file; give its path."""
    from matplotlib import pyplot as plt

    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    return path


def _measure(measure, task, path):
    """Do one piece of work and keep it; after this it survives the end of the process."""
    records = [_plain(task | record) for record in measure(**task)]
    with atomic_open(path) as file:
        json.dump(records, file)


def _plain(record):
    """Shorten numbers to six decimals, so that result files stay small, and to what JSON knows."""
    return {name: _plain_value(value) for name, value in record.items()}


def _plain_value(value):
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain_value(item) for item in value]
    value = value.item() if isinstance(value, np.generic) else value
    return round(value, 6) if isinstance(value, float) else value


def _digest(name, task):
    text = json.dumps([name, version("textspace"), task], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:20]
