"""The numbers of a comparison in one row a method, and their table."""

from collections import Counter
from dataclasses import asdict

import numpy as np

from textspace.evaluation._hierarchical import hierarchical_scores
from textspace.evaluation._intervals import bootstrap_intervals, repeat_interval
from textspace.evaluation._sign import by_rule
from textspace.evaluation._significance import resampled_t_test, significance

_INTERVALS = ("accuracy", "micro_f1", "macro_f1", "macro_f1_of_means")
_MEASURED = (
    "scores", "intervals", "against_baseline", "n_dimensions", "n_terms", "params", "seconds", "cpu_seconds",
    "hierarchical",
)  # fmt: skip


def leaderboard(comparison, rule="argmax"):
    """Sum up each method in a row.

    Parameters
    ----------
    comparison : Comparison
        Results of :func:`compare`.
    rule : {"argmax", "sign"}, default="argmax"
        "argmax": each document gets one class, the one that the method predicts. "sign": it is put into every
        class whose decision value is above zero, or whose probability is above one half, which may be none or
        several. Methods that give no such answers are left out.

    Returns
    -------
    list of dict
        The highest micro F1 first, failed methods last. Keys: ``method``, ``title``; ``scores`` (means over
        the repeats); ``intervals`` (95 %: over the repeats by Student's t, or for one split over the test
        documents by the bootstrap); ``against_baseline``, None for the baseline itself, else a dict of test
        names to ``mark`` and the fields of :class:`SignificanceTest`: for one split the tests ``s``, ``S``
        and ``T`` of :func:`significance`, for several ``micro_f1`` and ``macro_f1`` by
        :func:`resampled_t_test`; ``n_dimensions`` and ``n_terms``, the width of the space in which documents
        are classified and of the document matrix (means); ``params``, those chosen most often; ``seconds``
        and ``cpu_seconds`` (means); ``hierarchical``, the :func:`hierarchical_scores` (means), None without a
        tree of the classes; ``n_failed``, the number of failed repeats; ``error``, the first failure
        of a method that never finished, else None. By the sign rule, ``scores`` has one more:
        ``unassigned``, the share of documents without a class, and ``hierarchical`` is None.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> from textspace.evaluation import compare, leaderboard
    >>> rows = leaderboard(compare(load("demo"), "nb,svm", n_jobs=1))
    >>> len(rows), rows[0]["scores"]["micro_f1"] >= rows[1]["scores"]["micro_f1"]
    (2, True)
    """
    comparison = by_rule(comparison, rule)
    rows = [_row(comparison, method) for method in comparison.methods]
    return sorted(rows, key=lambda row: -np.inf if row["error"] else row["scores"]["micro_f1"], reverse=True)


def _row(comparison, method):
    runs = comparison.runs_of(method)
    failed = [run for run in comparison.runs if run["method"] == method and run["error"] is not None]
    row = {
        "method": method,
        "title": comparison.methods[method]["title"],
        "n_failed": len(failed),
        "error": None if runs else failed[0]["error"],
    }
    if not runs:
        return row | dict.fromkeys(_MEASURED)
    chosen = Counter(repr(run["params"]) for run in runs).most_common(1)[0][0]
    return row | {
        "scores": _means([run["scores"] for run in runs]),
        "intervals": _intervals(comparison, runs),
        "against_baseline": _against_baseline(comparison, method),
        "n_dimensions": float(np.mean([run["n_dimensions"] for run in runs])),
        "n_terms": float(np.mean([run["n_terms"] for run in runs])),
        "params": next(run["params"] for run in runs if repr(run["params"]) == chosen),
        "seconds": _means([run["seconds"] for run in runs]),
        "cpu_seconds": _means([run["cpu_seconds"] for run in runs]),
        "hierarchical": _hierarchical(comparison, runs),
    }


def _means(dicts):
    """Mean of each key over dicts with the same keys; None where a value is None."""
    return {
        key: None if any(d[key] is None for d in dicts) else float(np.mean([d[key] for d in dicts]))
        for key in dicts[0]
    }


def _intervals(comparison, runs):
    if len(comparison.truth) == 1:
        intervals = bootstrap_intervals(comparison.truth[0], runs[0]["predicted"])
        return {name: intervals[name] for name in _INTERVALS}
    if len(runs) < 2:
        return dict.fromkeys(_INTERVALS)
    return {name: repeat_interval([run["scores"][name] for run in runs]) for name in _INTERVALS}


def _hierarchical(comparison, runs):
    tree = comparison.corpus.get("tree")  # results of an earlier version do not say
    # Neither by the sign rule, with several classes a document, nor without the predictions.
    if tree is None or np.ndim(runs[0]["predicted"]) != 1:
        return None
    classes = np.array(comparison.corpus["classes"])
    found = [
        hierarchical_scores(classes[comparison.truth[run["repeat"]]], classes[run["predicted"]], tree)
        for run in runs
    ]
    return {name: np.mean([scores[name] for scores in found], axis=0).tolist() for name in found[0]}


def _against_baseline(comparison, method):
    baseline = comparison.protocol["baseline"]
    pairs = run_pairs(comparison, method, baseline)
    return None if method == baseline or not pairs else difference_tests(comparison, pairs)


def run_pairs(comparison, method, other):
    """Give the runs of two methods on the same split, pair by pair."""
    others = {run["repeat"]: run for run in comparison.runs_of(other)}
    return [(run, others[run["repeat"]]) for run in comparison.runs_of(method) if run["repeat"] in others]


def difference_tests(comparison, pairs):
    """Test the difference of two methods: mark and figures, by the name of the test."""
    if len(comparison.truth) == 1:
        [(run, other)] = pairs
        found = significance(comparison.truth[0], run["predicted"], other["predicted"])
        tests = {"s": found.s, "S": found.S, "T": found.T}
    else:
        ratio = comparison.corpus["n_test"] / comparison.corpus["n_train"]
        tests = {
            name: resampled_t_test([a["scores"][name] - b["scores"][name] for a, b in pairs], ratio)
            for name in ("micro_f1", "macro_f1")
        }
    return {name: asdict(test) | {"mark": test.mark} for name, test in tests.items()}


def rich_table(comparison, rule="argmax"):
    """Lay out the leaderboard by a decision rule as a :class:`rich.table.Table`."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    one_split = len(comparison.truth) == 1
    baseline = comparison.protocol["baseline"]
    # Text, because a plain string would be read as markup, in which brackets have a meaning.
    rows = leaderboard(comparison, rule)
    extra = _extra_columns(rows, rule)
    title, caption = Text(_title(comparison)), Text(_caption(comparison, rule, extra))
    table = Table(title=title, caption=caption, box=box.SIMPLE)
    table.title_justify = table.caption_justify = "left"
    table.add_column("method", no_wrap=True)
    table.add_column("micro F1" + "\n= accuracy" * (rule == "argmax"), justify="right", no_wrap=True)
    table.add_column("macro F1", justify="right", no_wrap=True)
    for name in extra:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("AUC", justify="right", no_wrap=True)
    table.add_column(f"against {baseline}\n" + ("s  S  T" if one_split else "micro  macro"), no_wrap=True)
    table.add_column("dims", justify="right", no_wrap=True)
    table.add_column("chosen", overflow="fold")
    table.add_column("fit s", justify="right", no_wrap=True)
    table.add_column("predict s", justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, _texts(row, baseline, extra)))
    return table


def _extra_columns(rows, rule):
    """Name the columns that not every table has, each with what it says of a row."""
    if rule == "sign":
        return {"no class": lambda row: f"{row['scores']['unassigned']:.1%}"}
    if any(row["hierarchical"] for row in rows):
        return {"tree F1": lambda row: f"{row['hierarchical']['hierarchical_f1']:.3f}"}
    return {}


def _texts(row, baseline, extra):
    if row["error"]:
        return row["title"], "failed", "", *("" for _ in extra), "", "", "", row["error"], "", ""
    marks = row["against_baseline"]
    if marks is None:
        against = "baseline" if row["method"] == baseline else ""
    else:
        against = "  ".join(f"{test['mark']:<2}" for test in marks.values())
    return (
        row["title"] + (f" ({row['n_failed']} failed)" if row["n_failed"] else ""),
        _with_interval(row, "micro_f1"),
        _with_interval(row, "macro_f1"),
        *(text_of(row) for text_of in extra.values()),
        "" if row["scores"]["auc"] is None else f"{row['scores']['auc']:.3f}",
        against,
        f"{row['n_dimensions']:.0f}",
        " ".join(f"{name.split('__')[-1]}={value}" for name, value in row["params"].items()),
        f"{row['seconds']['fit']:.2f}",
        f"{row['seconds']['predict']:.2f}",
    )


def _with_interval(row, name):
    score, interval = row["scores"][name], row["intervals"][name]
    return f"{score:.3f}" + ("" if interval is None else f" [{interval[0]:.3f}, {interval[1]:.3f}]")


def _title(comparison):
    corpus = comparison.corpus
    repeats = len(comparison.truth)
    return (
        f"{corpus['name']}: {corpus['n_train']} training and {corpus['n_test']} test documents, "
        f"{len(corpus['classes'])} classes" + (f", {repeats} splits" if repeats > 1 else "")
    )


def _caption(comparison, rule, extra):
    lines = ["macro F1: the mean of the F1 of the classes."]
    if "tree F1" in extra:
        lines += ["tree F1: classes count with the categories above them, so a near miss is right in part."]
    if rule == "sign":
        lines[:0] = ["By the sign rule: a document is put into every class for which the method says yes."]
        lines += ["no class: documents for which it never does."]
        silent = [name for name in comparison.methods if name not in by_rule(comparison, rule).methods]
        lines += [f"Without yes/no answers, and left out: {', '.join(silent)}."] if silent else []
    if len(comparison.truth) == 1:
        lines += [
            "[low, high]: 95 % interval over the test documents (bootstrap).",
            "s, S, T: Yang and Liu's micro sign, macro sign and macro t-test (two-sided).",
        ]
    else:
        lines += [
            "[low, high]: 95 % interval of the mean over the splits (Student's t).",
            "micro, macro: corrected resampled t-test on the F1 of the splits (two-sided).",
        ]
    lines.append(">> or <<: p <= .01; > or <: p <= .05; ~: no difference shown.")
    return "\n".join(lines)
