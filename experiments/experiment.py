"""What every experiment shares: corpora, methods, the paper's figures, and ours beside them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from experiments.markdown import row as _row
from experiments.study import figure_style
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
        The paper's figures by data set and method name, in the order of the measures.
    measures : mapping of str to str
        Headings of what the table shows, and their names in a comparison's scores; ``"fit"`` for the
        seconds of a fit.
    protocol : mapping of str to object, default={}
        Arguments of :func:`textspace.evaluation.compare`: splits, repeats, folds, ``oracle``.
    draw : callable, optional
        ``draw(comparisons, path)`` makes the figure from a dict of comparisons by corpus.
    """

    name: str
    title: str
    summary: str
    corpora: Mapping[str, str]
    methods: Callable
    published: Mapping[str, Mapping[str, tuple[float, ...]]]
    measures: Mapping[str, str]
    protocol: Mapping[str, object] = field(default_factory=dict)
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
                n_jobs=n_jobs,
                progress=progress,
                resume=folder / "cells" / corpus,
                **self.protocol,
            )
            comparison = _for_publication(comparison)
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
            parts += [*self._table(dataset, comparison), ""]
        return "\n".join(parts)

    def _table(self, dataset, comparison):
        corpus, oracle = comparison.corpus, self.protocol.get("oracle", False)
        splits = len(comparison.truth)
        headings = ["method"]
        for title, score in self.measures.items():
            headings += [f"paper {title}", f"ours {title}"]
            headings += ["best on test"] if oracle and score != "fit" else []
        headings += ["chosen on training data"] + ([] if "fit" in self.measures.values() else ["fit s"])
        lines = [
            f"## {dataset}: `{corpus['name']}`, {corpus['n_train']} / {corpus['n_test']} documents, "
            f"{len(corpus['classes'])} classes" + (f", {splits} random splits" if splits > 1 else ""),
            "",
            _row(headings),
            _row(["---"] * len(headings)),
        ]
        for row in sorted(
            comparison.leaderboard(), key=lambda row: list(comparison.methods).index(row["method"])
        ):
            lines.append(_row(self._entries(dataset, comparison, row, oracle)))
        return lines

    def _entries(self, dataset, comparison, row, oracle):
        """Give what stands in one row of the table."""
        if row["error"]:
            return [row["title"], f"failed: {row['error']}"]
        published = self.published.get(dataset, {}).get(row["method"], ())
        best = best_on_test(comparison.cells_of(row["method"])[0])["scores"] if oracle else {}
        entries = [row["title"]]
        for place, score in enumerate(self.measures.values()):
            entries.append(_number(published[place]) if place < len(published) else "")
            if score == "fit":
                entries.append(f"{row['seconds']['fit']:.1f}")
            else:
                interval = row["intervals"].get(score) if len(comparison.truth) > 1 else None
                spread = f" ± {(interval[1] - interval[0]) / 2:.4f}" if interval else ""
                entries.append(_number(row["scores"][score]) + spread)
                entries += [_number(best[score])] if oracle else []
        chosen = (f"{name.split('__')[-1]}={_short(value)}" for name, value in row["params"].items())
        entries.append(", ".join(chosen))
        return entries + ([] if "fit" in self.measures.values() else [f"{row['seconds']['fit']:.2f}"])

    def _figure(self, comparisons, path):
        try:
            import matplotlib as mpl
        except ImportError:
            return "No figure was drawn: it needs matplotlib, pip install 'textspace[figures]'."
        with mpl.rc_context(figure_style(self.name)):
            self.draw(comparisons, path)
        return f"Figure: {path}"


def _for_publication(comparison):
    """Leave out the map, which quotes documents that are not ours, and the predictions of repeated splits."""
    comparison = replace(comparison, map=None)
    if len(comparison.truth) == 1:
        return comparison
    cells = [
        cell | {"predicted": None, "sign": cell["sign"] and cell["sign"] | {"accepted": None}}
        for cell in comparison.cells
    ]
    return replace(comparison, truth=[[] for _ in comparison.truth], cells=cells)


def best_on_test(cell):
    """Scores and settings of the grid point with the highest micro F1 on the test documents."""
    scored = [trial for trial in cell["oracle"] if trial["error"] is None]
    return max(scored, key=lambda trial: trial["scores"]["micro_f1"])


def _short(value):
    return f"{value:.3g}" if isinstance(value, float) else value


def _number(value):
    return f"{value:.4f}" if value < 2 else f"{value:.1f}"


def _largest_change(old, new):
    """Say how far micro F1 moved since the results that are about to be replaced."""
    moved = {
        method: _mean_micro_f1(after) - _mean_micro_f1(before)
        for method in new.methods
        if method in old.methods and (before := old.cells_of(method)) and (after := new.cells_of(method))
    }
    if not moved:
        return "nothing to compare with in the earlier results"
    method = max(moved, key=lambda name: abs(moved[name]))
    return f"largest change of micro F1 against the earlier results {moved[method]:+.4f} ({method})"


def _mean_micro_f1(cells):
    return sum(cell["scores"]["micro_f1"] for cell in cells) / len(cells)
