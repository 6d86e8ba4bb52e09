"""What every experiment has: measurements, their files, tables of them and figures."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree

from experiments.comparisons import Comparisons
from experiments.records import Records
from textspace._files import atomic_open


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper, declared: run it with :meth:`run`.

    Parameters
    ----------
    name : str
        Name on the command line, ``"lrwmmc-table2"``.
    title : str
        What the paper calls it.
    summary : str
        Protocol, and where ours departs from the paper's, in a few sentences.
    results : Records or Comparisons
        What is measured, and how it is written and read.
    report : callable
        ``report(results)`` gives the tables in Markdown, from the results as they are read.
    draw : callable, optional
        ``draw(results, folder)`` makes the figures with matplotlib and gives the list of their paths.
    brought : str, optional
        Corpus that is not to be had freely: who has it names its folder.
    """

    name: str
    title: str
    summary: str
    results: Records | Comparisons
    report: Callable
    draw: Callable | None = None
    brought: str = ""

    def run(self, folder, *, n_jobs=None, progress=None):
        """Run the experiment, write its results into ``folder / name``, and give its tables as text.

        Parameters
        ----------
        folder : str or os.PathLike
            Where result files go. A run that was cut short continues there; a finished one begins anew.
        n_jobs : int, optional
            Number of processes; all cores by default.
        progress : bool, optional
            Whether to show a progress bar; by default on a terminal.

        Returns
        -------
        str
            The tables, ours beside the paper's, in Markdown, and what changed.
        """
        folder = Path(folder) / self.name
        # Another version of textspace begins anew: what an earlier one left unfinished is not mixed with it.
        unfinished = folder / "runs" / version("textspace")
        unfinished.mkdir(parents=True, exist_ok=True)
        measured = self.results.measure(unfinished, n_jobs=n_jobs, progress=progress, label=self.name)
        changes = self.results.write(measured, folder)
        rmtree(folder / "runs")
        results = self.results.read(folder)
        text = self.table(results)
        with atomic_open(folder / "table.md") as file:
            file.write(text)
        return "\n".join([text, *self._figures(results, folder), *changes])

    def load(self, folder):
        """Read the results that :meth:`run` wrote into a folder."""
        return self.results.read(Path(folder) / self.name)

    def table(self, results):
        """Give the title, the summary and the tables, in Markdown."""
        return f"# {self.title}\n\n{self.summary}\n\n{self.report(results).rstrip()}\n"

    def _figures(self, results, folder):
        if self.draw is None:
            return []
        try:
            import matplotlib as mpl
        except ImportError:
            return ["No figure was drawn: it needs matplotlib, pip install 'textspace[figures]'."]
        style = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
        with mpl.rc_context(style | {"svg.hashsalt": self.name}):  # the salt fixes the file's identifiers
            return [f"Figure: {path}" for path in self.draw(results, folder)]


def save_figure(figure, path):
    """Write a figure without the date, so that the same results give the same file; give its path."""
    from matplotlib import pyplot as plt

    with atomic_open(path, "wb") as file:
        figure.savefig(file, format=path.suffix[1:], metadata={"Date": None})
    plt.close(figure)
    return path
