"""The report as one HTML file."""

from dataclasses import dataclass

from textspace._files import atomic_open
from textspace._wording import parameter_name, parameters_text, seconds_text, signed_text
from textspace.evaluation import MultilabelComparison, summarise, summarise_labels
from textspace.report._figures import (
    MOST_COLORS,
    color_of,
    confusion_matrix,
    document_map,
    size_chart,
    sweep_chart,
    ticks,
)
from textspace.report._label_report import SCORES
from textspace.report._model_figures import cardinality_chart
from textspace.report._templates import SCORE, template

ONE_SPLIT_TESTS = {
    "s": "Micro sign test over the yes/no decisions, one a document and {unit}: large {units} weigh most.",
    "S": "Macro sign test over the F1 of the {units}: in how many {units} is a method ahead?",
    "T": "Macro t-test over the F1 of the {units}: by how much is it ahead, on average over the {units}?",
}
MOST_LABELS = 200
LABEL_SCORES = (
    "micro_f1", "macro_f1", "macro_f1_tested", "example_f1", "subset_accuracy", "precision_at_1",
    "precision_at_3", "precision_at_5", "ndcg_at_5", "calibration_error", "hierarchical_f1",
)  # fmt: skip
SEVERAL_SPLITS_TESTS = {
    "micro_f1": "Corrected resampled t-test on the micro F1 of the splits; it allows for their overlap.",
    "macro_f1": "The same on macro F1.",
}


def write_report(comparison, path):
    """Write the report of a comparison: one HTML file that needs nothing but a browser.

    The file makes no request to anywhere, and the same comparison gives the same file.

    Parameters
    ----------
    comparison : Comparison or MultilabelComparison
        Results of :func:`textspace.evaluation.compare` or :func:`textspace.evaluation.compare_multilabel`.
    path : str or os.PathLike
        The file, written whole or not at all. Its folder must exist.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from textspace.datasets import load
    >>> from textspace.evaluation import compare
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(compare(load("demo"), "nb,svm", n_jobs=1), Path(folder, "report.html"))
    ...     Path(folder, "report.html").read_text(encoding="utf-8")[:15]
    '<!DOCTYPE html>'
    """
    if isinstance(comparison, MultilabelComparison):
        page = render_labels(summarise_labels(comparison))
    else:
        page = render(summarise(comparison))
    with atomic_open(path, "wb") as file:
        file.write(page.encode("utf-8", "replace"))  # half a surrogate pair has no bytes


def render(summary):
    """Turn a summary into the text of the HTML file.

    Parameters
    ----------
    summary : dict
        As :func:`textspace.evaluation.summarise` gives it.

    Returns
    -------
    str
        The page.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> from textspace.evaluation import compare, summarise
    >>> from textspace.report import render
    >>> render(summarise(compare(load("demo"), "nb,svm", n_jobs=1)))[:15]
    '<!DOCTYPE html>'
    """
    page = template(
        "report.html",
        signed=signed_text,
        duration=seconds_text,
        parameters=parameters_text,
        grid=_grid_text,
    )
    places = summary["map"]
    return page.render(
        **summary,
        axis=_Axis.over(summary["leaderboard"]),
        tests=_tests(ONE_SPLIT_TESTS if summary["n_splits"] == 1 else SEVERAL_SPLITS_TESTS),
        largest_class=max(max(one["train"], one["test"]) for one in summary["classes"]),
        confusion_figure=summary["confusion"] and confusion_matrix(summary["confusion"]),
        sign_axis=_Axis.over(summary["sign"]),
        gain_axis=_gain_axis(summary["unlabelled"]),
        size_figures=[size_chart(chart) for chart in summary["by_size"]],
        sweep_figures=[sweep_chart(sweep) for sweep in summary["sweeps"]],
        map_figure=places and document_map(places),
        n_colors=MOST_COLORS,
        color_of=color_of,
        settings=_settings(summary),
    )


def render_labels(summary):
    """Turn the summary of a comparison on several labels a document into the text of the HTML file.

    It is as :func:`textspace.evaluation.summarise_labels` gives it.
    """
    page = template("label_comparison.html", signed=signed_text, settled=_settled_text)
    rows = summary["leaderboard"]
    return page.render(
        **summary,
        axis=_Axis.over(rows),
        columns=_columns(rows),
        tests=_tests(ONE_SPLIT_TESTS if summary["protocol"]["tested_once"] else {}, "label"),
        shown=summary["labels"][:MOST_LABELS],
        cardinality_figures=[cardinality_chart(row["counts"]) for row in rows],
        settings=_settings(summary, "label"),
    )


def _columns(rows):
    """List the columns of a table of methods: what they are called and mean, pairs of text and is-best."""
    columns = []
    for key in LABEL_SCORES:
        name, meaning = SCORES[key]
        values = [row["scores"].get(key) for row in rows]
        best = min if key == "calibration_error" else max
        columns.append({"name": name, "meaning": meaning, "cells": _cells(values, best, SCORE)})
    seconds = [row["cpu_seconds"] for row in rows]
    meaning = "processor time of learning and answering, all splits together"
    columns.append({"name": "CPU", "meaning": meaning, "cells": _cells(seconds, min, seconds_text)})
    return [column for column in columns if any(text != "–" for text, _ in column["cells"])]


def _cells(values, best, text):
    """Write values, None as a dash, and mark those that read as the best of two or more does."""
    known = [value for value in values if value is not None]
    first = text(best(known)) if len(known) > 1 else None
    texts = ["–" if value is None else text(value) for value in values]
    return [(each, each == first) for each in texts]


def _tests(meanings, unit="class"):
    """List significance tests with their meaning, which is about classes or labels."""
    units = {"class": "classes", "label": "labels"}[unit]
    return [
        {"key": key, "symbol": key.removesuffix("_f1"), "meaning": text.format(unit=unit, units=units)}
        for key, text in meanings.items()
    ]


def _settled_text(splits):
    """Write the settings that were chosen on the splits, each once."""
    return "; ".join(dict.fromkeys(map(parameters_text, splits)))


@dataclass(frozen=True)
class _Axis:
    """A stretch of scores, drawn from 0 to 100 % of a box's width."""

    low: float
    high: float

    @classmethod
    def over(cls, rows):
        """Cover all intervals of a leaderboard."""
        ends = [end for row in rows for end in row["intervals"]["micro_f1"] or [row["scores"]["micro_f1"]]]
        return cls(min(ends) - 0.005, max(ends) + 0.005) if ends else cls(0.0, 1.0)

    def place(self, score):
        return f"{100 * (score - self.low) / (self.high - self.low):.2f}%"

    @property
    def ticks(self):
        return ticks(self.low, self.high)


def _gain_axis(gains):
    """Cover the intervals of all differences, and zero."""
    ends = [0.0, *(end for gain in gains for end in gain["interval"] or [gain["difference"]])]
    return _Axis(min(ends) - 0.005, max(ends) + 0.005)


def _grid_text(grid):
    return "; ".join(f"{parameter_name(name)} {', '.join(map(str, values))}" for name, values in grid.items())


def _settings(summary, unit="class"):
    """List the protocol as pairs of name and text."""
    protocol = summary["protocol"]
    repeats = protocol["repeats"]
    times = f", {repeats} times" if repeats > 1 else ""
    split = {
        "given": "as the corpus gives it",
        "share": f"{protocol['train_share'] or 0:.0%} of each {unit} for training, drawn at random{times}",
        "folds": f"{protocol['folds']} folds{times}",
    }[protocol["split"]]
    settings = {
        "split": split,
        "parameters chosen by": f"{protocol['cv']}-fold cross-validation on training documents, micro F1",
        "baseline": summary["methods"].get(protocol["baseline"], {}).get("title", protocol["baseline"]),
        "seed": protocol["random_state"],
    }
    if protocol.get("ancestors"):
        settings["tree"] = "each label implies those above it"
    if "space" in protocol:
        settings["document space"] = protocol["space"]
    return list(settings.items())
