"""Corpora that many measurements of one process share, and draws from them."""

from dataclasses import replace
from functools import cache

import numpy as np

from textspace.datasets import load

# Name -> the corpus, and how many of its training and of its test documents are drawn
DRAWN = {"ohsumed-23-drawn": ("ohsumed-23", 634, 3038)}


@cache
def load_once(name):
    """Give a corpus, or a draw from one."""
    return draw(load(DRAWN[name][0]), *DRAWN[name][1:], name=name) if name in DRAWN else load(name)


def draw(corpus, n_train, n_test, *, name):
    """Draw documents from both sides of a corpus's own split; two of each class are learned from."""
    rng = np.random.default_rng(0)
    labels, sides = np.asarray(corpus.labels), np.asarray(corpus.split)
    train, test = (rng.permutation(np.flatnonzero(sides == side)) for side in ("train", "test"))
    ranks = np.empty(len(train), dtype=int)  # of each document among those of its class
    for label in np.unique(labels[train]):
        own = np.flatnonzero(labels[train] == label)
        ranks[own] = np.arange(len(own))
    train = train[np.argsort(ranks >= 2, kind="stable")]  # the first two of each class come first
    rows = np.sort(np.concatenate([train[:n_train], test[:n_test]]))
    return replace(
        corpus,
        name=name,
        texts=[corpus.texts[row] for row in rows],
        labels=labels[rows],
        split=sides[rows],
    )
