"""The numbers of a report on several labels a document, computed from a comparison and nothing else."""

from itertools import zip_longest

from textspace.evaluation._summary import class_sizes
from textspace.evaluation._verdict import label_verdict


def summarise_labels(comparison):
    """Compute everything that a report shows of a comparison on several labels a document.

    Parameters
    ----------
    comparison : MultilabelComparison
        Results of :func:`textspace.evaluation.compare_multilabel`.

    Returns
    -------
    dict
        ``corpus``, ``protocol`` and ``environment`` of the comparison, and its ``methods`` by name;
        ``n_splits``; ``leaderboard``, the methods that finished, the highest micro F1 first, each with
        ``counts``, dicts of a number of ``labels`` and of the documents that have (``true``) and were given
        (``predicted``) as many; ``failed``, the other methods; ``best`` and ``baseline``, rows of the
        leaderboard or None; ``labels``, the largest first: ``name``, ``train`` and ``test``, numbers of
        documents, and ``f1``, one a row of the leaderboard, or None if no test document has the label;
        ``verdict``, as by :func:`textspace.evaluation.summarise`.

    Examples
    --------
    >>> from textspace.datasets import Corpus
    >>> from textspace.evaluation import compare_multilabel, summarise_labels
    >>> texts = ["corn and wheat", "wheat by ship", "a ship at sea", "corn crop", "ship with corn"] * 4
    >>> labels = [["grain"], ["grain", "ship"], ["ship"], ["grain"], ["grain", "ship"]] * 4
    >>> summary = summarise_labels(compare_multilabel(Corpus("goods", texts, labels), ["svm", "rlsc"]))
    >>> summary["labels"][0]
    {'name': 'grain', 'train': 11, 'test': 5, 'f1': [1.0, 1.0]}
    """
    corpus, protocol = comparison.corpus, comparison.protocol
    finished = [
        row | {"counts": _counts(corpus["cardinality"], row["cardinality"])}
        for row in comparison.methods
        if row["error"] is None
    ]
    finished.sort(key=lambda row: -row["scores"]["micro_f1"])
    summary = {
        "corpus": corpus,
        "protocol": protocol,
        "environment": comparison.environment,
        "methods": {row["method"]: row for row in comparison.methods},
        "n_splits": protocol["n_splits"],
        "leaderboard": finished,
        "failed": [row for row in comparison.methods if row["error"] is not None],
        "best": finished[0] if finished else None,
        "baseline": next((row for row in finished if row["method"] == protocol["baseline"]), None),
        "labels": _labels(corpus, finished),
    }
    return summary | {"verdict": label_verdict(summary)}


def _counts(true, given):
    pairs = zip_longest(true, given, fillvalue=0)
    return [{"labels": n, "true": have, "predicted": got} for n, (have, got) in enumerate(pairs)]


def _labels(corpus, rows):
    place = {name: number for number, name in enumerate(corpus["classes"])}
    return [
        one | {"f1": [row["f1"][place[one["name"]]] for row in rows] if one["test"] else None}
        for one in class_sizes(corpus)
    ]
