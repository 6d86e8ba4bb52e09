"""Any text at all: rows are finite, fitting and transforming agree, a classifier answers."""

import time
import traceback
from functools import cache

import numpy as np
from hypothesis import HealthCheck, given, settings, strategies
from hypothesis import seed as start_from

from textspace import TextClassifier
from textspace.text import Alphabets, VectorSpace

# All of Unicode, halves of surrogate pairs among it, which JSON can bring; and what texts are made of.
LETTERS = strategies.text(strategies.characters(), max_size=30)
PIECES = ["corn", "CORN", "ships", "don't", "naïve", "x", "42", "🙂", "\u0301", "\x00", "the"]
WORDS = strategies.lists(strategies.sampled_from(PIECES)).map(" ".join)
TEXTS = strategies.lists(
    LETTERS | WORDS | strategies.builds("{}\u00a0{}".format, WORDS, LETTERS), min_size=1, max_size=5
)
SPACES = {
    "words": VectorSpace(),
    "pairs": VectorSpace(bigrams=True, stem=None, stop_words=None),
    "as written": VectorSpace(tokens="written", stem=None, stop_words=None),
    "hashed": VectorSpace(n_hashed=64, scheme="tf"),
    "letters": VectorSpace(letters=(2, 4), stem=None, stop_words=None),
    "alphabets": Alphabets(
        [("words", VectorSpace()), ("letters", VectorSpace(letters=(3, 3), stem=None, stop_words=None))]
    ),
}
ANCHORS = ["corn and wheat rose", "a ship sank, 42 🙂", "corn ships"]  # so that there are terms


def check_spaces(texts):
    """Check that each space gives finite rows, the same when it learns as later."""
    for name, space in SPACES.items():
        learned = space.fit_transform([*ANCHORS, *texts])
        again = space.transform([*ANCHORS, *texts])
        assert learned.shape == again.shape == (len(ANCHORS) + len(texts), learned.shape[1]), name
        assert np.isfinite(learned.data).all(), name
        assert abs(learned - again).max() < 1e-6, name
        space.fit(ANCHORS)
        assert np.isfinite(space.transform(texts).data).all(), name


def check_classifier(texts):
    """Check that a classifier answers each text with a class and probabilities that sum to one."""
    model = _classifier()
    probabilities = model.predict_proba(texts)
    assert probabilities.shape == (len(texts), 2)
    assert np.allclose(probabilities.sum(axis=1), 1)
    assert set(model.predict(texts)) <= {"grain", "ship"}
    for text in texts:
        explanation = model.explain(text)
        parts = sum(term.contribution for term in explanation.terms) + explanation.rest + explanation.constant
        assert np.isclose(parts, explanation.score, atol=1e-4)


@cache
def _classifier():
    grain = [f"corn wheat harvest {number}" for number in range(8)]
    ship = [f"vessel port cargo {number}" for number in range(8)]
    return TextClassifier(quick=True).fit(grain + ship, ["grain"] * 8 + ["ship"] * 8)


def made(check, n_examples):
    """Give a function that makes a check of so many lists of texts."""
    common = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}
    return settings(max_examples=n_examples, **common)(given(TEXTS)(check))


def run(seed, seconds):
    """Make checks until the time is over and print what they find; give the numbers of both."""
    stop, n_texts, n_findings, n_examples = time.monotonic() + seconds, 0, 0, 100
    while time.monotonic() < stop:
        for check in (check_spaces, check_classifier):
            try:
                start_from(seed + n_texts)(made(check, n_examples))()
            except Exception:
                traceback.print_exc()
                n_findings += 1
            n_texts += n_examples
    print(f"texts: {n_texts} lists of texts, {n_findings} findings")
    return n_texts, n_findings
