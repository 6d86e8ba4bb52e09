"""A hundred tasks of two classes that stand in for TechTC-100: pairs of newsgroups and of Reuters topics."""

import hashlib
from itertools import combinations

import numpy as np

from textspace.datasets._corpus import Corpus
from textspace.datasets._wheel import read_wheel

N_TASKS = 100
PER_CLASS = 75

# Classes with at least 75 documents, near ones together: TechTC-100 has pairs of near and of far categories.
FAMILIES = {
    "20newsgroups": (
        (
            "comp.graphics",
            "comp.os.ms-windows.misc",
            "comp.sys.ibm.pc.hardware",
            "comp.sys.mac.hardware",
            "comp.windows.x",
        ),
        ("rec.autos", "rec.motorcycles", "rec.sport.baseball", "rec.sport.hockey"),
        ("sci.crypt", "sci.electronics", "sci.med", "sci.space"),
        (
            "alt.atheism",
            "soc.religion.christian",
            "talk.religion.misc",
            "talk.politics.guns",
            "talk.politics.mideast",
            "talk.politics.misc",
        ),
        ("misc.forsale",),
    ),
    "reuters-r52": (
        ("acq", "earn"),
        ("interest", "money-fx", "money-supply", "trade"),
        ("coffee", "crude", "gold", "ship", "sugar"),
    ),
}
NOTE = "A stand-in for a task of TechTC-100: {first} against {second}, {n} documents each, from {source}."


def read_pairs(path):
    """Draw the tasks, as corpora without a split, from the two corpora in the wheel, one after the other.

    A task has 75 documents of each class, no text of which occurs twice or in both classes. They are the
    first by the hash of the task's name and the text: a draw that looks random and is the same on every
    machine.
    """
    texts = {source: _texts_by_class(read_wheel(source, path)) for source in FAMILIES}
    for number, (source, *pair) in enumerate(choose_pairs(), start=1):
        name = f"techtc-standin-{number:03d}"
        first, second = (texts[source][label] for label in pair)
        drawn = [
            sorted(own - other, key=lambda text: _draw(name, text))[:PER_CLASS]
            for own, other in ((first, second), (second, first))
        ]
        note = NOTE.format(first=pair[0], second=pair[1], n=PER_CLASS, source=source)
        yield Corpus(name, [*drawn[0], *drawn[1]], np.repeat(pair, PER_CLASS), notes=(note,))


def choose_pairs():
    """Choose the pairs: all within a family, and as many across families as make a hundred.

    Each is the corpus and two classes. Their order looks random, so that the first few are a mixture.
    """
    near, far = [], []
    for source, families in FAMILIES.items():
        family_of = {label: family for family in families for label in family}
        for first, second in combinations(family_of, 2):
            kind = near if family_of[first] is family_of[second] else far
            kind.append((source, first, second))
    far.sort(key=lambda pair: _draw(*pair))
    return sorted([*near, *far[: N_TASKS - len(near)]], key=lambda pair: _draw("order", *pair))


def _texts_by_class(corpus):
    return {label: set(corpus.subset(corpus.labels == label).texts) for label in corpus.classes.tolist()}


def _draw(*names):
    return hashlib.sha256("\0".join(names).encode()).digest()
