"""The numbers of a report: a plain dictionary, computed from a comparison and nothing else."""

import numpy as np

from textspace.evaluation._categories import category_scores
from textspace.evaluation._leaderboard import difference_tests, run_pairs
from textspace.evaluation._scores import confusion, per_class
from textspace.evaluation._size_charts import size_charts
from textspace.evaluation._sweep import parameter_sweep
from textspace.evaluation._verdict import verdict
from textspace.tree import as_tree

MOST_CLASSES = 60  # rows of a confusion matrix that can still be read
MOST_CONFUSIONS = 12
MOST_MISTAKES = 50


def summarise(comparison):
    """Compute everything that a report shows of a comparison.

    Parameters
    ----------
    comparison : Comparison
        Results of :func:`textspace.evaluation.compare`.

    Returns
    -------
    dict
        ``corpus``, ``protocol``, ``environment`` and ``methods`` of the comparison; ``n_splits``;
        ``leaderboard``, the rows of :func:`textspace.evaluation.leaderboard` that finished, each with
        ``against_best``, and ``failed``, the other rows; ``best``, ``baseline`` and ``rival``, rows of the
        leaderboard, the rival being the baseline or, where the baseline is best or absent, the runner-up;
        ``only_right``, the numbers of documents that only the best and only the rival gets right; ``classes``
        (sizes), ``confusion``, ``per_class``, ``sweeps``, ``map`` and ``warnings``; ``sign``, the rows of the
        leaderboard by the sign rule, and ``by_size``, F1 over the size of the classes; ``unlabelled``, what
        methods gain from unlabelled documents, and ``tree``, the categories with their scores; ``verdict``,
        ``headline``, ``sentences`` and ``caveats``. What the results do not allow is None or empty.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> from textspace.evaluation import compare, summarise
    >>> summary = summarise(compare(load("demo"), "nb,svm", n_jobs=1))
    >>> summary["best"]["method"] in ("nb", "svm"), len(summary["classes"])
    (True, 12)
    """
    rows = comparison.leaderboard()
    finished = [row for row in rows if row["error"] is None]
    best, *others = finished or [None]
    baseline = next((row for row in finished if row["method"] == comparison.protocol["baseline"]), None)
    rival = baseline if baseline is not best else None
    rival = rival or next(iter(others), None)
    # Results of repeated splits may be published without the predictions, which are large.
    runs = [run for row in finished for run in comparison.runs_of(row["method"])]
    known = best is not None and all(run["predicted"] is not None for run in runs)
    has_tree = known and comparison.corpus.get("tree") is not None
    sign = [row for row in comparison.leaderboard("sign") if row["error"] is None]
    summary = {
        "corpus": comparison.corpus,
        "protocol": comparison.protocol,
        "environment": comparison.environment,
        "methods": comparison.methods,
        "n_splits": len(comparison.truth),
        "leaderboard": [row | {"against_best": against_best(comparison, row, best)} for row in finished],
        "failed": [row for row in rows if row["error"] is not None],
        "sign": sign,
        "best": best,
        "baseline": baseline,
        "rival": rival,
        "only_right": only_right(comparison, best["method"], rival["method"]) if known and rival else None,
        "unlabelled": comparison.unlabelled_gains(),
        "classes": class_sizes(comparison.corpus),
        "confusion": confusions(comparison, best["method"]) if known else None,
        "per_class": class_scores(comparison, best["method"], rival and rival["method"]) if known else None,
        "by_size": size_charts(comparison, {"argmax": finished, "sign": sign}) if known else [],
        "tree": _categories(comparison, best["method"]) if has_tree else None,
        "sweeps": [sweep for row in finished if (sweep := parameter_sweep(comparison, row))],
        "map": comparison.map and document_places(comparison),
        "warnings": collect_warnings(comparison),
    }
    return summary | {"verdict": verdict(summary)}


def against_best(comparison, row, best):
    """Test a row of the leaderboard against the best one on micro F1: a dict, None for the best itself."""
    if row is best:
        return None
    tests = difference_tests(comparison, run_pairs(comparison, row["method"], best["method"]))
    return tests["s" if len(comparison.truth) == 1 else "micro_f1"]


def answers(comparison, method):
    """Give the true and the predicted classes of all finished repeats of a method: two arrays of int."""
    runs = comparison.runs_of(method)
    truth = [comparison.truth[run["repeat"]] for run in runs]
    return np.concatenate(truth), np.concatenate([run["predicted"] for run in runs])


def only_right(comparison, method, other):
    """Count the test documents that only the one, and that only the other method classifies rightly."""
    counts = np.zeros(2, dtype=int)
    for runs in run_pairs(comparison, method, other):
        truth = np.array(comparison.truth[runs[0]["repeat"]])
        ours, theirs = (np.array(run["predicted"]) == truth for run in runs)
        counts += np.sum(ours & ~theirs), np.sum(theirs & ~ours)
    return counts.tolist()


def class_sizes(corpus):
    """List the classes with their training and test documents, the largest first."""
    sizes = zip(corpus["classes"], corpus["train_sizes"], corpus["test_sizes"], strict=True)
    return [
        {"name": name, "train": train, "test": test}
        for name, train, test in sorted(sizes, key=lambda size: (-size[1] - size[2], size[0]))
    ]


def confusions(comparison, method):
    """Count the documents of a method by true and by given class.

    Gives ``classes`` (the 60 largest, by size) and ``counts`` (a list of rows) of the matrix, ``n_left_out``,
    and ``largest``, the pairs of a true and a given class with the most documents.
    """
    truth, predicted = answers(comparison, method)
    names = comparison.corpus["classes"]
    counts = confusion(truth, predicted, classes=range(len(names)))
    sizes = counts.sum(axis=1)
    order = np.argsort(-sizes, kind="stable")[:MOST_CLASSES]
    wrong = counts - np.diag(np.diag(counts))
    rows, columns = np.nonzero(wrong)
    found = wrong[rows, columns]
    worst = np.lexsort((-found / sizes[rows], -found))[:MOST_CONFUSIONS]
    return {
        "classes": [names[i] for i in order],
        "counts": counts[np.ix_(order, order)].tolist(),
        "n_left_out": len(names) - len(order),
        "largest": [
            {"truth": names[i], "predicted": names[j], "count": int(wrong[i, j]), "total": int(sizes[i])}
            for i, j in zip(rows[worst], columns[worst], strict=True)
        ],
    }


def class_scores(comparison, method, other):
    """List the tested classes, the largest first, with the F1 of a method and of another (or None)."""
    names = comparison.corpus["classes"]
    ours = per_class(*answers(comparison, method), classes=range(len(names)))
    theirs = other and per_class(*answers(comparison, other), classes=range(len(names)))
    return [
        {
            "name": names[i],
            "support": int(ours["support"][i]),
            "ours": float(ours["f1"][i]),
            "theirs": float(theirs["f1"][i]) if theirs else None,
        }
        for i in np.argsort(-ours["support"], kind="stable")
        if ours["support"][i]
    ]


def document_places(comparison):
    """Arrange the map of documents by class, the largest first, in the unit square.

    Gives ``title`` and ``n_dimensions`` of the method; ``layout``, its way into the plane; ``n`` and
    ``n_wrong`` documents; ``groups``, one a class on the map (``name``, ``x``, ``y``, ``wrong``); ``data``,
    the same points in one list each, for the page's script; ``mistakes``, documents classified wrongly.
    """
    found, names = comparison.map, comparison.corpus["classes"]
    label, predicted = np.array(found["label"]), np.array(found["predicted"])
    x, y = (_to_unit(found[axis]) for axis in ("x", "y"))
    sizes = np.bincount(label, minlength=len(names))
    order = np.argsort(-sizes, kind="stable")
    # A class is known to the page's script by its place in this order; classes without a dot come last.
    place = np.argsort(order)
    wrong, where = predicted != label, found.get("place")
    return {
        "title": comparison.methods[found["method"]]["title"],
        "n_dimensions": comparison.runs_of(found["method"])[0]["n_dimensions"],
        "layout": found["layout"],
        "n": len(label),
        "n_wrong": int(wrong.sum()),
        "groups": [
            {
                "name": names[number],
                "x": x[label == number].tolist(),
                "y": y[label == number].tolist(),
                "wrong": wrong[label == number].tolist(),
            }
            for number in order[: np.count_nonzero(sizes)]
        ],
        "data": {
            "names": [names[number] for number in order],
            "x": x.tolist(),
            "y": y.tolist(),
            "group": place[label].tolist(),
            "predicted": place[predicted].tolist(),
            "text": found["text"],
            "place": where,
        },
        "mistakes": [
            {
                "truth": names[label[i]],
                "predicted": names[predicted[i]],
                "text": found["text"][i],
                "place": where[i] if where else "",
            }
            for i in np.flatnonzero(wrong)[:MOST_MISTAKES]
        ],
    }


def _to_unit(values):
    values = np.asarray(values, dtype=float)
    spread = np.ptp(values)
    return np.round((values - values.min()) / spread if spread else np.full(len(values), 0.5), 4)


def collect_warnings(comparison):
    """List what the methods warned of: pairs of title and sentence, each once."""
    found = {
        (comparison.methods[run["method"]]["title"], sentence): None
        for run in comparison.runs
        for sentence in run.get("warnings") or []
    }
    return list(found)


def _categories(comparison, method):
    classes = np.array(comparison.corpus["classes"])
    truth, predicted = (classes[codes] for codes in answers(comparison, method))
    return category_scores(as_tree(comparison.corpus["tree"]), truth, predicted)
