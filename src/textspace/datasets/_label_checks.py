"""What may be wrong with documents that have several labels."""

import json
from collections import Counter

import numpy as np

MOST_LABELS = 100  # of a document: with more, the cell may be something else
TOGETHER = 10  # documents: two labels that always come together in so many say the same


def of_label_lists(lists, split):
    """Look at the lists of labels, and yield what a `Finding` is made of.

    What concerns each label alone is found by the checks of single labels, on :func:`one_a_row`.
    """
    known = [row for row, labels in enumerate(lists) if labels is not None]
    train = [(row, lists[row]) for row in known if split[row] == "train"]
    sizes = Counter(one for _, labels in train for one in labels)
    if not sizes:
        yield (
            "no labels",
            f"All {len(train)} lists of labels are empty, so that there is nothing to learn.",
            "Name another column with --label.",
            (),
            True,
        )
    everywhere = sorted(label for label, size in sizes.items() if size == len(train) > 1)
    if everywhere:
        yield (
            "labels of all",
            f"{_listed(map(repr, everywhere))} {'is' if len(everywhere) == 1 else 'are'} on every document, "
            "so that a model can but give them to all.",
            "Leave them out: they say nothing.",
            (),
            False,
        )
    crowded = [[row] for row in known if len(lists[row]) > MOST_LABELS]
    if crowded:
        yield (
            "many labels",
            f"{len(crowded)} of {len(known)} documents have more than {MOST_LABELS} labels.",
            "Look at some: their cells may hold something else, or the separator is another.",
            crowded,
            False,
        )
    twins = _twins(train, sizes)
    if twins:
        pairs = [f"{a!r} and {b!r}" for a, b in twins]
        yield (
            "labels that come together",
            f"Some labels never come one without the other: {_listed(pairs)}.",
            "If they are one, keep one of them.",
            (),
            False,
        )


def one_a_row(lists, split):
    """Give a label and a split for each pair of a document and a label, and the document of each."""
    pairs = [(one, split[row], row) for row, labels in enumerate(lists) if labels for one in labels]
    labels, parts, rows = map(list, zip(*pairs, strict=True)) if pairs else ([], [], [])
    return np.array(labels, dtype=str), np.array(parts, dtype=str), np.array(rows, dtype=int)


def as_texts(lists):
    """Give each list as one text, whatever its order, by which two are compared; "" for one not known."""
    return np.array(["" if labels is None else json.dumps(sorted(labels)) for labels in lists], dtype=str)


def _twins(train, sizes):
    """Find pairs of labels that are on the same documents, of which there are some."""
    documents = {label: [] for label, size in sizes.items() if size >= TOGETHER}
    for row, labels in train:
        for one in labels:
            if one in documents:
                documents[one].append(row)
    alike = {}
    for label in sorted(documents):
        alike.setdefault(tuple(documents[label]), []).append(label)
    groups = [group for rows, group in alike.items() if len(rows) < len(train)]
    return [(group[0], other) for group in groups for other in group[1:]]


def _listed(names):
    names = list(names)
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more
