"""A corpus of made-up words that is quick to compare methods on."""

import numpy as np
import pytest
from tests.comparisons import comparison_maker, with_tree, with_twins  # noqa: F401

from textspace.datasets import Corpus
from textspace.models import TextClassifier

TOPICS = {
    "grain": "wheat corn barley harvest bushel crop mill",
    "metal": "copper tin zinc ore smelter mine ingot",
    "ship": "port vessel cargo tanker freight dock captain",
}
COMMON = "price market week report said year trade"


def make_corpus(per_class=(24, 20, 16), seed=0, name="made-up"):
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for (label, words), count in zip(TOPICS.items(), per_class, strict=True):
        for _ in range(count):
            own = rng.choice(words.split(), 4)
            other = rng.choice((COMMON + " " + " ".join(TOPICS.values())).split(), 6)
            texts.append(" ".join([*own, *other]))
            labels.append(label)
    order = rng.permutation(len(texts))
    split = np.where(np.arange(len(texts)) % 3 == 0, "test", "train")
    return Corpus(name, [texts[i] for i in order], np.array(labels)[order], split)


@pytest.fixture
def corpus():
    return make_corpus()


@pytest.fixture(scope="session")
def new_corpus():
    return make_corpus


@pytest.fixture(scope="session")
def others():
    """Documents that the model has not learned from."""
    return make_corpus(per_class=(9, 8, 7), seed=1)


@pytest.fixture(scope="session")
def model():
    corpus = make_corpus()
    return TextClassifier().fit(corpus.texts, corpus.labels)
