"""Labels that programs and people write where there is none."""

from textspace._label_lists import are_lists

MARKS = ("n/a", "#n/a", "n.a.", "nan", "null", "none", "?", "-", "--", "-1")


def missing_marks(labels):
    """Give the labels that may stand for none, each with the positions of its documents.

    Among signs alone, such as "+" and "-", and -1 among numbers, they are classes like the others.

    Parameters
    ----------
    labels : list of str, or list of tuple of str
        Labels, "" for none. Of several labels a document a tuple for each, None where not known.

    Returns
    -------
    dict of str to list of int

    Examples
    --------
    >>> missing_marks(["grain", "N/A", "ship", "", "?"])
    {'N/A': [1], '?': [4]}
    >>> missing_marks([("grain", "ship"), ("n/a",), (), None])
    {'n/a': [1]}
    >>> missing_marks(["+", "-"]), missing_marks(["-1", "0", "1"])
    ({}, {})
    """
    lists = [_as_tuple(label) for label in labels]
    kinds = {one for own in lists for one in own}
    others = [label for label in kinds if label.casefold() not in MARKS]
    if all(label.lstrip("-").isdecimal() for label in others):
        kinds.discard("-1")
    if not any(letter.isalnum() for label in kinds for letter in label):
        return {}
    marks = {}
    for position, own in enumerate(lists):
        for one in own:
            if one in kinds and one.casefold() in MARKS:
                marks.setdefault(one, []).append(position)
    return marks


def _as_tuple(label):
    return (label,) if isinstance(label, str) and label else tuple(label or ())


def without_missing(labels, where, path, *, missing):
    """Leave labels as they are, take those that may stand for none away, or ask: give labels and notes.

    Of several labels a document, one that keeps no other counts as unlabelled.

    Examples
    --------
    >>> without_missing(["grain", "n/a"], str, "mails.csv", missing="drop")
    (['grain', ''], ["1 document is labelled 'n/a' and counts as unlabelled."])
    >>> without_missing([("grain", "?"), ("?",), ()], str, "mails.csv", missing="drop")[0]
    [('grain',), None, ()]
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
    nothing = None if are_lists(labels) else ""
    kept = [_without(label, marks, nothing) for label in labels]
    notes = []
    for mark, rows in marks.items():
        n_alone = sum(kept[row] == nothing for row in rows)
        if n_alone:
            is_, s = ("document is", "s") if n_alone == 1 else ("documents are", "")
            notes.append(f"{n_alone} {is_} labelled {mark!r} and count{s} as unlabelled.")
        if n_alone < len(rows):
            notes.append(f"{mark!r} beside other labels was left out, {len(rows) - n_alone} times.")
    return kept, notes


def _without(label, marks, nothing):
    if not isinstance(label, tuple):
        return nothing if label in marks else label
    return tuple(one for one in label if one not in marks) or (nothing if label else ())
