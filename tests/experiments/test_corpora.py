"""Draws from corpora."""

import numpy as np

from experiments import corpora
from textspace.datasets import Corpus


def test_a_draw_has_the_numbers_asked_for_and_two_of_each_class_to_learn_from():
    labels = np.array((["large"] * 45 + ["small"] * 5) * 2)
    texts = [f"text {number}" for number in range(100)]
    sides = np.repeat(["train", "test"], 50)
    for n_train in (4, 10):
        drawn = corpora.draw(Corpus("whole", texts, labels, sides), n_train, 30, name="part")
        assert (drawn.name, len(drawn.train.texts), len(drawn.test.texts)) == ("part", n_train, 30)
        assert min(np.sum(drawn.train.labels == label) for label in ("large", "small")) >= 2
        place = {text: number for number, text in enumerate(texts)}
        rows = [place[text] for text in drawn.texts]
        assert rows == sorted(set(rows))
        np.testing.assert_array_equal(drawn.labels, labels[rows])
        np.testing.assert_array_equal(drawn.split, sides[rows])
    again = corpora.draw(Corpus("whole", texts, labels, sides), 10, 30, name="part")
    assert again.texts == drawn.texts


def test_a_draw_is_named_like_a_corpus(monkeypatch):
    whole = Corpus("ohsumed-23", ["a b", "c", "d", "e"], ["x", "x", "x", "x"], ["train"] * 3 + ["test"])
    monkeypatch.setattr(corpora, "load", {"ohsumed-23": whole}.__getitem__)
    monkeypatch.setattr(corpora, "DRAWN", {"part": ("ohsumed-23", 2, 1)})
    assert len(corpora.load_once.__wrapped__("part").texts) == 3
    assert corpora.load_once.__wrapped__("ohsumed-23") is whole
