"""Labels that programs and people write where there is none."""

MARKS = ("n/a", "#n/a", "n.a.", "nan", "null", "none", "?", "-", "--", "-1")


def missing_marks(labels):
    """Give the labels that may stand for none, each with the positions of its documents.

    Among signs alone, such as "+" and "-", and -1 among numbers, they are classes like the others.

    Parameters
    ----------
    labels : list of str
        Labels, "" for none.

    Returns
    -------
    dict of str to list of int

    Examples
    --------
    >>> missing_marks(["grain", "N/A", "ship", "", "?"])
    {'N/A': [1], '?': [4]}
    >>> missing_marks(["+", "-"]), missing_marks(["-1", "0", "1"])
    ({}, {})
    """
    kinds = set(labels) - {""}
    others = [label for label in kinds if label.casefold() not in MARKS]
    if all(label.lstrip("-").isdecimal() for label in others):
        kinds.discard("-1")
    if not any(letter.isalnum() for label in kinds for letter in label):
        return {}
    marks = {label: [] for label in labels if label in kinds and label.casefold() in MARKS}
    for position, label in enumerate(labels):
        if label in marks:
            marks[label].append(position)
    return marks


def without_missing(labels, where, path, *, missing):
    """Leave labels as they are, take those that may stand for none away, or ask: give labels and notes.

    Examples
    --------
    >>> without_missing(["grain", "n/a"], str, "mails.csv", missing="drop")
    (['grain', ''], ["1 document is labelled 'n/a' and counts as unlabelled."])
    """
    if missing not in (None, "drop", "keep"):
        raise ValueError(f"missing is {missing!r}: give 'drop' or 'keep'")
    marks = {} if missing == "keep" else missing_marks(labels)
    if not marks:
        return labels, []
    if missing is None:
        ways = [f"{mark!r} ({len(rows)}, first in {where(rows[0])})" for mark, rows in marks.items()]
        raise ValueError(
            f"{path}: labels that may stand for none: {', '.join(ways)}: say missing='drop' (--missing drop) "
            "to take these documents as unlabelled, or 'keep' (--missing keep) to learn them as classes"
        )
    notes = [
        f"{len(rows)} document{' is' if len(rows) == 1 else 's are'} labelled {mark!r} and "
        f"count{'s' if len(rows) == 1 else ''} as unlabelled."
        for mark, rows in marks.items()
    ]
    return ["" if label in marks else label for label in labels], notes
