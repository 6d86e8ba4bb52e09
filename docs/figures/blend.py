"""Draw what each score that the blend keeps is worth alone, and how far its probabilities can be trusted.

Needs the corpora reuters-r52, 20newsgroups, ohsumed-23 and tdt2-30, and half a minute:
``python -m docs.figures.blend``, in the root of the repository.
"""

from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt

from textspace.classify import SubspaceBlend
from textspace.datasets import load
from textspace.evaluation import calibration_error, reliability_bins
from textspace.text import VectorSpace
from textspace.tuning import given_split, share_splits, vectorise

CORPORA = {
    "reuters-r52": "Reuters R52",
    "20newsgroups": "20 Newsgroups",
    "ohsumed-23": "Ohsumed-23",
    "tdt2-30": "TDT2-30",
}
IMAGES = Path(__file__).parent.parent / "images"
SCORES = {
    "ridge regression": ("o", "#c2571a"),
    "cosine in the discriminant space": ("s", "#3fa7a0"),
    "scaled ridge regression": ("v", "#7a4fa3"),
    "complement naive Bayes": ("^", "#999999"),
    "blend": ("D", "#1f5fa8"),
}
OF_SCORERS = {
    "ridge": ["ridge regression", "cosine in the discriminant space"],
    "scaled ridge": ["scaled ridge regression"],
    "naive Bayes": ["complement naive Bayes"],
}
COLOURS = ["#1f5fa8", "#c2571a", "#3fa7a0", "#7a4fa3"]


def weigh(name):
    """Give the rows of a corpus in its own split or, if it has none, in random halves."""
    corpus = load(name)
    if corpus.split is None:
        [split] = share_splits(corpus.labels, 0.5, random_state=0)
    else:
        [split] = given_split(corpus.labels, corpus.split)
    space = VectorSpace(scheme="ltc", bigrams=True)
    return vectorise(corpus, *split, space=space, scheme="ltc", bigrams=True)


def main():
    plt.rcParams.update({"svg.hashsalt": "blend", "font.size": 9})
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.4), layout="constrained")
    for place, (corpus, title) in enumerate(CORPORA.items()):
        documents = weigh(corpus)
        model = SubspaceBlend(documents.context["blocks"]).fit(documents.X_train, documents.y_train)
        [blend] = model._blends
        X = documents.X_test
        scores = [score for scorer in blend.scorers for score in scorer.scores(X[:, scorer.columns])]
        names = [name for kept in model.kept_ for name in OF_SCORERS[kept.name]]
        probabilities = model.predict_proba(documents.X_test)
        for name, values in zip([*names, "blend"], [*scores, probabilities], strict=True):
            wrong = 100 * np.mean(model.classes_[values.argmax(axis=1)] != documents.y_test)
            marker, colour = SCORES[name]
            left.plot(wrong, place, marker, color=colour)
            print(f"{title}, {name}: {100 - wrong:.1f} %")
        right_answers = model.classes_[probabilities.argmax(axis=1)] == documents.y_test
        surest = probabilities.max(axis=1)
        bins = [b for b in reliability_bins(surest, right_answers) if b["n_documents"] >= 20]
        error = calibration_error(surest, right_answers)
        right.plot(
            [b["confidence"] for b in bins],
            [b["accuracy"] for b in bins],
            "o-",
            ms=3,
            color=COLOURS[place],
            label=f"{title}, error {error:.3f}",
        )
    left.set(xlabel="wrong answers on test documents, %", ylim=(len(CORPORA) - 0.5, -0.5))
    left.set_xlim(left=0)
    left.set_yticks(range(len(CORPORA)), CORPORA.values())
    left.grid(color="#e5e5e5")
    for name, (marker, colour) in SCORES.items():
        left.plot([], [], marker, color=colour, label=name)
    left.legend(frameon=False, loc="lower right")
    right.plot([0.2, 1], [0.2, 1], "k:", lw=1)
    right.set(xlabel="probability of the answer", ylabel="share of right answers")
    right.grid(color="#e5e5e5")
    right.legend(frameon=False)
    for axis in (left, right):
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(IMAGES / "blend.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
