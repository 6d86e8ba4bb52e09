"""Learning from few texts of few words, labels drawn at random: any method answers or says why not."""

import numpy as np
from tests.adversary.findings import FindingError, judge, outcome, repeat

from textspace import TextClassifier
from textspace.methods import METHODS

WORDS = [
    "corn", "wheat", "ships", "the", "not", "I", "x", "!", "7", "42", "1.5", "naïve", "日本語", "Привет",
    "🙂", "don't", "a@b.org", "#tag", "\n", " ", "",
]  # fmt: skip
KINDS = ("auto", "quick", "several", "unlabelled", "weighted", "method")


def trial(seed, number):
    """Learn once and ask for answers; raise what is found."""
    rng = np.random.default_rng([seed, number])
    texts = _texts(rng)
    kind = str(rng.choice(KINDS))
    settings, given = {}, {}
    n_classes = int(rng.integers(2, 7)) if rng.random() < 0.8 else len(texts)
    labels = [f"class {code}" for code in rng.integers(0, n_classes, len(texts))]
    if kind == "quick":
        settings["quick"] = True
    elif kind == "several":
        labels = [[f"tag {tag}" for tag in np.flatnonzero(row)] for row in rng.random((len(texts), 4)) < 0.4]
    elif kind == "unlabelled":
        given["unlabelled"] = _texts(rng)
    elif kind == "weighted":
        given["sample_weight"] = rng.choice([0.0, 0.5, 1.0, 3.0], len(texts))
    elif kind == "method":
        settings["method"] = str(rng.choice(list(METHODS)))
    asked = [*texts[:5], "", "a word that no text has"]
    where = f"TextClassifier({settings}).fit({texts}, {labels}, {given})"
    found = outcome(_learn_and_ask, TextClassifier(random_state=0, **settings), texts, labels, given, asked)
    judge(found, where, (seed, number))
    if not isinstance(found, Exception):
        _check(found, len(asked), kind, f"{(seed, number)}: {where}")


def _texts(rng):
    """Draw texts; now and then all are the same."""
    words = rng.choice(WORDS, rng.integers(1, len(WORDS)))
    texts = [" ".join(rng.choice(words, rng.integers(0, 7))) for _ in range(rng.integers(2, 60))]
    return [texts[0]] * len(texts) if rng.random() < 0.15 else texts


def _learn_and_ask(model, texts, labels, given, asked):
    model.fit(texts, labels, **given)
    values = model.predict_proba(asked) if hasattr(model, "predict_proba") else None
    return model.predict(asked), values


def _check(found, n_asked, kind, where):
    answers, probabilities = found
    if len(answers) != n_asked:
        raise FindingError(f"{where}: {len(answers)} answers to {n_asked} texts")
    if probabilities is None:
        return
    if np.any(probabilities < 0) or np.any(probabilities > 1 + 1e-6):
        raise FindingError(f"{where}: probabilities {probabilities}")
    if kind != "several" and not np.allclose(probabilities.sum(axis=1), 1, atol=1e-4):
        raise FindingError(f"{where}: probabilities sum to {probabilities.sum(axis=1)}")


def run(seed, seconds):
    """Make trials until the time is over and print what they find; give the numbers of both."""
    return repeat(trial, "learning", seed, seconds)
