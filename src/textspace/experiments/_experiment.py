"""What every experiment shares: corpora, methods, the paper's figures, and ours beside them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from textspace._files import atomic_open


@dataclass(frozen=True)
class Experiment:
    """A table of a paper, declared: run it with :meth:`run`.

    Parameters
    ----------
    name : str
        Name on the command line, ``"lrwmmc-table2"``.
    title : str
        What the paper calls it.
    summary : str
        Protocol, and where ours departs from the paper's, in a few sentences.
    corpora : mapping of str to str
        Our corpus for each data set of the paper.
    methods : callable
        ``methods()`` gives the list of :class:`textspace.methods.Method` to compare.
    published : mapping of str to mapping of str to tuple
        The paper's micro and macro F1 by data set and method name.
    draw : callable, optional
        ``draw(comparisons, path)`` makes the figure from a dict of comparisons by corpus.
    """

    name: str
    title: str
    summary: str
    corpora: Mapping[str, str]
    methods: Callable
    published: Mapping[str, Mapping[str, tuple[float, float]]]
    draw: Callable | None = None

    def run(self, folder, *, n_jobs=None, progress=None):
        """Run the experiment, write its results into ``folder / name``, and give its tables as text.

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
        from textspace.datasets import load
        from textspace.evaluation import Comparison, compare

        folder = Path(folder) / self.name
        folder.mkdir(parents=True, exist_ok=True)
        comparisons, changes = {}, []
        for dataset, corpus in self.corpora.items():
            comparison = compare(
                load(corpus),
                self.methods(),
                oracle=True,
                n_jobs=n_jobs,
                progress=progress,
                resume=folder / "cells" / corpus,
            )
            comparison = replace(
                comparison, map=None
            )  # it quotes the documents, which are not ours to publish
            path = folder / f"{corpus}.json"
            if path.exists():
                changes.append(f"{corpus}: {_largest_change(Comparison.load(path), comparison)}")
            comparison.save(path)
            comparisons[dataset] = comparison
        text = self.report(comparisons)
        with atomic_open(folder / "table.md") as file:
            file.write(text)
        if self.draw is not None:
            text += "\n" + self._figure(comparisons, folder / "figure.svg")
        return "\n".join([text, *changes])

    def report(self, comparisons):
        """Give the tables in Markdown, from comparisons by data set of the paper."""
        parts = [f"# {self.title}", "", self.summary, ""]
        for dataset, comparison in comparisons.items():
            parts += [*_table(dataset, comparison, self.published.get(dataset, {})), ""]
        return "\n".join(parts)

    def _figure(self, comparisons, path):
        try:
            import matplotlib as mpl
        except ImportError:
            return "No figure was drawn: it needs matplotlib, pip install 'textspace[figures]'."
        with mpl.rc_context({"svg.hashsalt": self.name, "font.size": 9, "axes.spines.top": False}):
            self.draw(comparisons, path)
        return f"Figure: {path}"


def best_on_test(cell):
    """Scores and settings of the grid point with the highest micro F1 on the test documents."""
    scored = [trial for trial in cell["oracle"] if trial["error"] is None]
    return max(scored, key=lambda trial: trial["scores"]["micro_f1"])


def _table(dataset, comparison, published):
    corpus = comparison.corpus
    lines = [
        f"## {dataset}: `{corpus['name']}`, {corpus['n_train']} / {corpus['n_test']} documents, "
        f"{len(corpus['classes'])} classes",
        "",
        "| method | paper micro | ours micro | best on test | paper macro | ours macro | best on test "
        "| chosen on training data | fit s |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for method, about in comparison.methods.items():
        cells = comparison.cells_of(method)
        if not cells:
            lines.append(f"| {about['title']} | failed |" + " |" * 7)
            continue
        [cell] = cells
        best = best_on_test(cell)["scores"]
        micro, macro = published.get(method, (None, None))
        chosen = ", ".join(f"{name.split('__')[-1]}={value}" for name, value in cell["params"].items())
        numbers = [
            *(micro, cell["scores"]["micro_f1"], best["micro_f1"]),
            *(macro, cell["scores"]["macro_f1_of_means"], best["macro_f1_of_means"]),
        ]
        shown = " | ".join("" if number is None else f"{number:.4f}" for number in numbers)
        lines.append(f"| {about['title']} | {shown} | {chosen} | {cell['seconds']['fit']:.2f} |")
    return lines


def _largest_change(old, new):
    """Say how far micro F1 moved since the results that are about to be replaced."""
    moved = {
        method: after[0]["scores"]["micro_f1"] - before[0]["scores"]["micro_f1"]
        for method in new.methods
        if method in old.methods and (before := old.cells_of(method)) and (after := new.cells_of(method))
    }
    if not moved:
        return "nothing to compare with in the earlier results"
    method = max(moved, key=lambda name: abs(moved[name]))
    return f"largest change of micro F1 against the earlier results {moved[method]:+.4f} ({method})"
