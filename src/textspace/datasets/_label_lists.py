"""Labels that are lists of labels."""

from collections import Counter, defaultdict

SEPARATORS = ";", "|", ",", "\n"
LEAST_LISTS = 0.05  # share of the labelled documents that have a list
LEAST_SHARED = 0.6  # share of the parts of lists that occur in other labels too


def list_separator(labels):
    """Find the sign by which labels are parted that look like lists of labels.

    Labels are lists if their parts come again in others: "grain;ship" beside "grain" and "ship;trade". Names
    that happen to hold the sign, such as "Food, drink", have parts of their own.

    Parameters
    ----------
    labels : list of str
        Labels, "" for none.

    Returns
    -------
    str or None
        The sign; None if they are no lists.

    Examples
    --------
    >>> from textspace.datasets import list_separator
    >>> list_separator(["grain;ship", "grain", "ship;trade", "trade"])
    ';'
    >>> list_separator(["Food, drink", "Arts, crafts", "Food, drink"]) is None
    True
    """
    counts = Counter(label for label in labels if label)
    for sign in SEPARATORS:
        lists = [label for label in counts if sign in label]
        if len(lists) < 2 or sum(counts[label] for label in lists) < LEAST_LISTS * counts.total():
            continue
        holders = defaultdict(set)
        for label in counts:
            for part in _parts(label, sign):
                holders[part].add(label)
        parts = {part for label in lists for part in _parts(label, sign)}
        is_numbers = sign == "," and all(part.isdecimal() for part in parts)  # 3,5 is a number
        shared = sum(len(holders[part]) > 1 for part in parts)
        if len(parts) > 1 and not is_numbers and shared >= LEAST_SHARED * len(parts):
            return sign
    return None


def _parts(label, sign):
    """Part a label, which may also be written as a list of Python: ['grain', 'ship']."""
    parts = (part.strip().strip("'\"") for part in label.strip().strip("[]").split(sign))
    return {part for part in parts if part}
