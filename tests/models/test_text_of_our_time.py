"""What a text classifier makes of emoji, and how it does in scikit-learn's hands."""

import random

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_score
from sklearn.multiclass import OneVsRestClassifier

from textspace.datasets import load
from textspace.models import TextClassifier

MOODS = {
    "thanks": ["👍", "👍🏽", "❤️", "🙏🏿", "🎉"],
    "angry": ["😡", "🤬", "👎🏻", "💢", "👎"],
    "bug": ["🐛", "🔥", "💥", "🤖", "🪲"],
    "question": ["🤔", "🤷‍♀️", "❓", "🤷🏾", "🙋"],
}
WORDS = ["the", "printer", "on", "floor", "three", "was", "seen", "again", "by", "team", "today", "invoice"]


def tickets(n, seed):
    """Give tickets of words that say nothing; 95 in 100 carry an emoji of their class."""
    draw = random.Random(seed)
    texts, labels = [], []
    for _ in range(n):
        label = draw.choice(list(MOODS))
        words = draw.choices(WORDS, k=draw.randint(4, 12))
        if draw.random() < 0.95:
            words.insert(draw.randint(0, len(words)), draw.choice(MOODS[label]))
        texts.append(draw.choice([" ", ""]).join(words) if draw.random() < 0.1 else " ".join(words))
        labels.append(label)
    return texts, labels


def test_tickets_that_hang_on_emoji():
    model = TextClassifier().fit(*tickets(600, 0))
    assert model.score(*tickets(600, 1)) >= 0.93


@pytest.fixture(scope="module")
def two_classes():
    corpus = load("demo").train
    rows = [row for row, label in enumerate(corpus.labels) if label in ("shipping", "banking")]
    return [corpus.texts[row] for row in rows], np.array([corpus.labels[row] for row in rows])


def test_the_area_under_the_curve_is_that_of_the_second_class(two_classes):
    texts, y = two_classes
    model = TextClassifier(quick=True).fit(texts[::2], y[::2])
    values = model.decision_function(texts[1::2])
    assert values.ndim == 1
    expected = roc_auc_score(y[1::2] == model.classes_[1], model.predict_proba(texts[1::2])[:, 1])
    assert roc_auc_score(y[1::2] == model.classes_[1], values) == expected > 0.9
    scores = cross_val_score(TextClassifier(quick=True), texts, y == "shipping", scoring="roc_auc", cv=2)
    assert scores.min() > 0.9


def test_one_against_the_rest_answers_as_the_classifier_itself():
    demo = load("demo")
    kept = [row for row, label in enumerate(demo.train.labels) if label in ("shipping", "banking", "cooking")]
    texts, y = [demo.train.texts[row] for row in kept], np.array(demo.train.labels)[kept]
    both = OneVsRestClassifier(TextClassifier(quick=True)).fit(texts[::2], y[::2])
    assert np.mean(both.predict(texts[1::2]) == y[1::2]) > 0.85
