"""From scores to probabilities, and from these to labels and to categories of the tree."""

import os
from collections import defaultdict
from itertools import pairwise
from numbers import Integral

import numpy as np
from scipy import sparse, special

from textspace import _rows
from textspace._rows import softmax

_BATCH = 1 << 18  # scores that are handled at a time


def batches(n_texts, n_classes):
    """Give slices of texts, of so many scores that there is room for copies, however many classes."""
    return _rows.batches(n_texts, max(1, _BATCH // n_classes))


def softmax_rows(scores):
    """Give the softmax of rows, some at a time."""
    shares = np.empty_like(scores)
    for rows in batches(*scores.shape):
        shares[rows] = softmax(scores[rows])
    return shares


def logistic(logits):
    """Give the probabilities of logits, of a dense array or of those that a CSR array holds."""
    if not sparse.issparse(logits):
        return special.expit(logits)
    return sparse.csr_array((special.expit(logits.data), logits.indices, logits.indptr), shape=logits.shape)


def check_room(n_texts, n_labels):
    """Refuse an array of all probabilities that would take most of this machine's memory."""
    needed = 16 * n_texts * n_labels  # logits and probabilities
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError):  # not known on this system
        return
    if needed > there / 2:
        raise MemoryError(
            f"probabilities of {n_labels} labels for {n_texts} texts need {needed / 1e9:.0f} GB: ask for the "
            "likeliest ones, likely_labels(texts, n_labels=5), or for fewer texts at a time."
        )


def check_count(name, count, least):
    """Refuse what is no number of things to list: a negative one would list all but the last."""
    if not isinstance(count, Integral) or count < least:
        raise ValueError(f"{name}={count!r} must be a whole number, at least {least}.")


def best_labels(probabilities, classes, tree, least):
    """Give the most probable label of each text; where it is less probable than `least`, a category or ""."""
    best = probabilities.argmax(axis=1)
    labels = classes[best]
    if least is None:
        return labels
    doubtful = np.flatnonzero(probabilities[np.arange(len(best)), best] < least)
    places = places_below(classes, tree) if len(doubtful) else None
    labels = labels.astype(object)
    for row in doubtful:
        labels[row] = next(iter(step_back([labels[row]], probabilities[row], places, tree, least)), "")
    return labels.astype(str)


def several_labels(given, probabilities, classes, tree, least, *, one_is_right):
    """Give the labels of each text as a tuple, by falling probability; which it has, `given` says.

    With `least`, answers are at least that probable, as by :func:`step_back`, and a text without a label is
    looked at for the most probable one.
    """
    names, found = classes.tolist(), []
    places = None if least is None else places_below(classes, tree)
    for has, own in zip(given, probabilities, strict=True):
        chosen = np.flatnonzero(has)
        if least is None:
            found.append(tuple(names[place] for place in chosen[np.argsort(-own[chosen], kind="stable")]))
        else:
            labels = [names[place] for place in chosen] or [names[own.argmax()]]
            found.append(step_back(labels, own, places, tree, least, one_is_right=one_is_right))
    return found


def add_ancestors(given, classes, tree):
    """Give texts the categories above their labels too, which the classes hold."""
    places = {name: place for place, name in enumerate(classes.tolist())}
    for name, place in places.items():
        for node in tree.ancestors(name):
            given[:, places[node]] |= given[:, place]
    return given


def places_below(classes, tree):
    """Give for each class its position, and for each other category those of the classes below it."""
    below = defaultdict(list)
    for place, name in enumerate(classes.astype(str).tolist()):
        for node in () if tree is None else tree.ancestors(name):
            below[node].append(place)
    return dict(below) | {name: [place] for place, name in enumerate(classes.tolist())}


def probability_of(label, probabilities, places, *, one_is_right):
    """Give the probability of a label or category, of which :meth:`TextClassifier.probability_of` tells."""
    if label not in places:
        raise ValueError(f"there is no label {label!r}, nor a category of that name above labels.")
    shares = probabilities[..., places[label]]
    if one_is_right or shares.shape[-1] == 1:
        return shares.sum(axis=-1)
    return 1 - np.prod(1 - shares, axis=-1)


def step_back(labels, probabilities, places, tree, least, *, one_is_right=True):
    """Replace labels of a text that are less probable than `least` by categories that are not.

    They are given as a tuple, by falling probability; no category to which one steps back is above another
    answer. Without a tree there is nothing to step back to.
    """
    above = {label: () if tree is None else tree.ancestors(str(label)) for label in labels}
    found = {}
    for label in labels:
        for node in (label, *above[label]):
            share = probability_of(node, probabilities, places, one_is_right=one_is_right)
            if share >= least:
                found[node] = share
                break
    covered = {node for answer in found if answer in above for node in above[answer]}
    kept = [node for node in found if node in above or node not in covered]
    return tuple(sorted(kept, key=lambda node: -found[node]))


def likeliest_pairs(probabilities, classes, n_labels):
    """Give pairs of a label and its probability for the likeliest labels of each text, these first."""
    best = np.argsort(-probabilities, axis=1, kind="stable")[:, :n_labels]
    shares = np.take_along_axis(probabilities, best, axis=1)
    return [_pairs(classes[own], each) for own, each in zip(best, shares, strict=True)]


def ranked_pairs(given, classes):
    """Give pairs of a label and its probability for each row of a CSR array, by falling probability."""
    found = []
    for start, stop in pairwise(given.indptr):
        order = start + np.argsort(-given.data[start:stop], kind="stable")
        found.append(_pairs(classes[given.indices[order]], given.data[order]))
    return found


def _pairs(labels, shares):
    return list(zip(labels.tolist(), shares.tolist(), strict=True))
