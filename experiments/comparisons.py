"""Methods side by side on the corpora of a paper, and tables with its figures beside ours."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from experiments.corpora import load_once
from experiments.markdown import table
from textspace.evaluation import Comparison, compare

WITHOUT_BEST = ("fit", "auc")  # what is not known of a setting that was tried on the test documents


@dataclass(frozen=True)
class Comparisons:
    """Results of :func:`textspace.evaluation.compare`, one for each data set of the paper.

    Parameters
    ----------
    corpora : mapping of str to str
        Our corpus, or draw from one, for each data set of the paper.
    methods : callable
        ``methods()`` gives the list of :class:`textspace.methods.Method` to compare.
    space : callable
        ``space()`` gives what makes rows of texts.
    protocol : mapping of str to object
        All other arguments of :func:`textspace.evaluation.compare`: splits, repeats, folds, seed.
    """

    corpora: Mapping[str, str]
    methods: Callable
    space: Callable
    protocol: Mapping[str, object]

    def measure(self, unfinished, *, n_jobs, progress, label):
        """Make the runs that the folder of unfinished work does not hold; give the comparison by data set."""
        return {
            dataset: compare(
                load_once(corpus),
                self.methods(),
                space=self.space(),
                language="en",
                n_jobs=n_jobs,
                progress=progress,
                resume=unfinished / corpus,
                **self.protocol,
            )
            for dataset, corpus in self.corpora.items()
        }

    def write(self, comparisons, folder):
        """Write a file for each corpus; say how far the figures moved from the files that were there."""
        changes = []
        for dataset, corpus in self.corpora.items():
            path, comparison = folder / f"{corpus}.json", _for_publication(comparisons[dataset])
            if path.exists():
                changes.append(f"{corpus}: {_largest_change(Comparison.load(path), comparison)}")
            comparison.save(path)
        return changes

    def read(self, folder):
        """Give the comparisons that were written into a folder, by data set of the paper."""
        return {
            dataset: Comparison.load(folder / f"{corpus}.json") for dataset, corpus in self.corpora.items()
        }


def _for_publication(comparison):
    """Leave out the map, which quotes documents that are not ours, and the predictions of repeated splits."""
    comparison = replace(comparison, map=None)
    if len(comparison.truth) == 1:
        return comparison
    runs = [
        run | {"predicted": None, "sign": run["sign"] and run["sign"] | {"accepted": None}}
        for run in comparison.runs
    ]
    return replace(comparison, truth=[[] for _ in comparison.truth], runs=runs)


def _largest_change(old, new):
    """Say how far micro F1 moved since the results that are about to be replaced."""
    moved = {
        method: _mean_micro_f1(after) - _mean_micro_f1(before)
        for method in new.methods
        if method in old.methods and (before := old.runs_of(method)) and (after := new.runs_of(method))
    }
    if not moved:
        return "nothing to compare with in the earlier results"
    method = max(moved, key=lambda name: abs(moved[name]))
    return f"largest change of micro F1 against the earlier results {moved[method]:+.4f} ({method})"


def _mean_micro_f1(runs):
    return sum(run["scores"]["micro_f1"] for run in runs) / len(runs)


def best_on_test(run):
    """Scores and settings of the grid point with the highest micro F1 on the test documents."""
    scored = [trial for trial in run["oracle"] if trial["error"] is None]
    return max(scored, key=lambda trial: trial["scores"]["micro_f1"])


def report(comparisons, *, published, measures):
    """Give a table for each data set, ours beside the paper's.

    Parameters
    ----------
    comparisons : dict of str to Comparison
        Results by data set.
    published : mapping of str to mapping of str to tuple
        The paper's figures by data set and method name, in the order of the measures.
    measures : mapping of str to str
        Headings of what the table shows, and their names in a comparison's scores; ``"fit"`` for the
        seconds of a fit.

    Returns
    -------
    str
    """
    return "\n".join(
        _table(dataset, comparison, published.get(dataset, {}), measures)
        for dataset, comparison in comparisons.items()
    )


def _table(dataset, comparison, published, measures):
    corpus, oracle, splits = comparison.corpus, comparison.protocol["oracle"], len(comparison.truth)
    headings = ["method"]
    for title, score in measures.items():
        headings += [f"paper {title}", f"ours {title}"]
        headings += ["best on test"] if oracle and score not in WITHOUT_BEST else []
    headings += ["chosen on training data"] + ([] if "fit" in measures.values() else ["fit s"])
    order = list(comparison.methods)
    rows = sorted(comparison.leaderboard(), key=lambda row: order.index(row["method"]))
    return (
        f"## {dataset}: `{corpus['name']}`, {corpus['n_train']} / {corpus['n_test']} documents, "
        f"{len(corpus['classes'])} classes" + (f", {splits} random splits" if splits > 1 else "") + "\n\n"
        f"{table(headings, [_entries(comparison, row, published, measures) for row in rows])}\n"
    )


def _entries(comparison, row, published, measures):
    """Give what stands in one row of the table."""
    if row["error"]:
        return [row["title"], f"failed: {row['error']}"]
    theirs = published.get(row["method"], ())
    oracle = comparison.protocol["oracle"]
    best = best_on_test(comparison.runs_of(row["method"])[0])["scores"] if oracle else {}
    entries = [row["title"]]
    for place, score in enumerate(measures.values()):
        entries.append(_number(theirs[place]) if place < len(theirs) else "")
        if score == "fit":
            entries.append(f"{row['seconds']['fit']:.1f}")
        else:
            interval = row["intervals"].get(score) if len(comparison.truth) > 1 else None
            spread = f" ± {(interval[1] - interval[0]) / 2:.4f}" if interval else ""
            entries.append(_number(row["scores"][score]) + spread)
            entries += [_number(best[score])] if oracle and score not in WITHOUT_BEST else []
    chosen = (f"{name.split('__')[-1]}={_short(value)}" for name, value in row["params"].items())
    entries.append(", ".join(chosen))
    return entries + ([] if "fit" in measures.values() else [f"{row['seconds']['fit']:.2f}"])


def _short(value):
    return f"{value:.3g}" if isinstance(value, float) else value


def _number(value):
    return f"{value:.4f}" if value < 2 else f"{value:.1f}"
