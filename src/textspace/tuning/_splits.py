"""Which documents are learned from and which are tested on.

Every function gives a list of pairs (training rows, test rows), each an increasing array of positions. Rows
whose label is the empty string, the unlabelled documents, are in neither. Of several labels a document, which
come as lists or as CSR indicators, None says that it is unlabelled; rare labels are on both sides of a split
that is drawn.
"""

import numpy as np
from scipy import sparse

from textspace._folds import deal_label_sets
from textspace._label_lists import are_lists
from textspace._label_sets import indicators, known_labels, label_lists


def given_split(labels, split):
    """Take the split that came with the corpus.

    Parameters
    ----------
    labels : array of shape (n,)
        Label of each document, "" for none.
    split : array of str, shape (n,)
        "train" or "test"; documents with any other word are left out.

    Returns
    -------
    list of one pair of arrays of int

    Examples
    --------
    >>> [(train, test)] = given_split(["a", "b", "", "a"], ["train", "train", "train", "test"])
    >>> train.tolist(), test.tolist()
    ([0, 1], [3])
    """
    labelled, split = _labelled(_as_array(labels)), np.asarray(split)
    train, test = (np.flatnonzero(labelled & (split == name)) for name in ("train", "test"))
    for rows, name in ((train, "train"), (test, "test")):
        if not len(rows):
            raise ValueError(
                f"the given split has no labelled document marked {name!r}: mark some, or draw a split "
                "with train_share=0.7."
            )
    return [(train, test)]


def share_splits(labels, train_share, *, repeats=1, random_state=0):
    """Draw a share of each class for training, again and again.

    Parameters
    ----------
    labels : array of shape (n,)
        Label of each document, "" for none.
    train_share : float
        Share of each class that goes to training, between 0 and 1.
    repeats : int, default=1
        Number of independent draws.
    random_state : int, default=0
        Seed.

    Returns
    -------
    list of pairs of arrays of int, of length `repeats`

    Notes
    -----
    At least two documents of each class go to training, whatever the share; of a class with three or more, at
    least one goes to the test. A class with one or two documents is learned from and never tested. Documents
    of several labels are dealt by iterative stratification: of a label with two documents or more at least
    one is wanted on each side, and that of a label with one is learned from.

    Examples
    --------
    >>> [(train, test)] = share_splits(["a"] * 8 + ["b"] * 3, 0.5)
    >>> len(train), len(test)
    (6, 5)
    """
    if not 0 < train_share < 1:
        raise ValueError(f"train_share is {train_share}: give a share between 0 and 1.")
    labels = _as_array(labels)
    several = are_lists(labels)
    splits = []
    for repeat in range(_at_least("repeats", repeats, 1)):
        if several:
            parts = _dealt(labels, [train_share, 1 - train_share], [random_state, repeat], both_sides=True)
            splits.append((np.flatnonzero(parts == 0), np.flatnonzero(parts == 1)))
            continue
        train = [np.empty(0, dtype=int)]
        for rows in _shuffled_classes(labels, [random_state, repeat]):
            wanted = int(np.floor(train_share * len(rows) + 0.5))
            train.append(rows[: max(2, min(wanted, len(rows) - 1))])
        train = np.sort(np.concatenate(train))
        splits.append((train, _others(labels, train)))
    return _with_tests(splits, "three")


def fold_splits(labels, folds, *, repeats=1, random_state=0):
    """Cut each class into folds, each of which is tested on once.

    Parameters
    ----------
    labels : array of shape (n,)
        Label of each document, "" for none.
    folds : int
        Number of folds, at least two.
    repeats : int, default=1
        How often to draw folds anew.
    random_state : int, default=0
        Seed.

    Returns
    -------
    list of pairs of arrays of int
        One a fold: ``folds * repeats``, or fewer if there are fewer documents than folds.

    Notes
    -----
    Unlike scikit-learn's StratifiedKFold this takes classes smaller than the number of folds: they are tested
    on in some folds only. A class with one document is learned from in every fold and never tested. Documents
    of several labels are dealt by iterative stratification and all tested, those too that have a label of
    their own.

    Examples
    --------
    >>> [len(test) for _, test in fold_splits(["a"] * 6 + ["b"] * 2 + ["c"], 3)]
    [3, 3, 2]
    """
    _at_least("folds", folds, 2)
    labels = _as_array(labels)
    several = are_lists(labels)
    splits = []
    for repeat in range(_at_least("repeats", repeats, 1)):
        if several:
            parts = _dealt(labels, [1 / folds] * folds, [random_state, repeat])
            tests = [np.flatnonzero(parts == fold) for fold in range(folds)]
            splits += [(_others(labels, test), test) for test in tests if len(test)]
            continue
        # Dealing goes on from class to class where the last one stopped, so that folds stay equal in size.
        classes = [rows for rows in _shuffled_classes(labels, [random_state, repeat]) if len(rows) > 1]
        dealt = np.concatenate([*classes, np.empty(0, dtype=int)])
        for fold in range(min(folds, len(dealt))):
            test = np.sort(dealt[fold::folds])
            splits.append((_others(labels, test), test))
    return _with_tests(splits, "two")


def _as_array(labels):
    if sparse.issparse(labels):  # indicators: columns stand for labels
        names = np.array([f"{column:09d}" for column in range(labels.shape[1])])  # sorted as the columns are
        labels = [tuple(names[own].tolist()) for own in np.split(labels.indices, labels.indptr[1:-1])]
    return label_lists(labels) if are_lists(labels) else np.asarray(labels)


def _dealt(labels, shares, seed, *, both_sides=False):
    """Deal documents of several labels into parts, or into two that each have some of every label."""
    rows, shares = np.flatnonzero(_labelled(labels)), np.array(shares)
    Y = indicators(labels[rows], known_labels(labels))
    sizes = Y.sum(0)
    wanted = sizes[:, None] * shares
    if both_sides:
        first = np.where(sizes == 1, 1, np.clip(wanted[:, 0], 1, sizes - 1))
        wanted = np.column_stack([first, sizes - first])
    parts = np.full(len(labels), -1)
    parts[rows] = deal_label_sets(Y, wanted, len(rows) * shares, random_state=seed)
    return parts


def _labelled(labels):
    if are_lists(labels):
        return np.array([label is not None for label in labels], dtype=bool)
    return labels != "" if labels.dtype.kind == "U" else np.ones(len(labels), dtype=bool)


def _shuffled_classes(labels, seed):
    rng = np.random.default_rng(seed)
    rows = np.flatnonzero(_labelled(labels))
    return [rng.permutation(rows[labels[rows] == label]) for label in np.unique(labels[rows])]


def _others(labels, rows):
    return np.setdiff1d(np.flatnonzero(_labelled(labels)), rows)


def _with_tests(splits, needed):
    if not any(len(test) for _, test in splits):
        raise ValueError(f"no class has {needed} labelled documents, so that nothing is left to test on.")
    return splits


def _at_least(name, value, least):
    if value < least:
        raise ValueError(f"{name} is {value}: give {least} or more.")
    return value
