"""Draw docs/images/top-down.svg: a document in a tree, backing off, and how far probabilities are right.

Needs the corpus 20newsgroups-8: ``python docs/figures/top_down.py``.
"""

from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt

from textspace.classify import TopDownClassifier
from textspace.datasets import load
from textspace.text import VectorSpace
from textspace.tree import as_tree

IMAGE = Path(__file__).parents[1] / "images" / "top-down.svg"
LEVELS = np.linspace(0, 1, 101)
LEAST = 0.8


def main():
    corpus = load("20newsgroups-8")
    tree = as_tree(corpus.tree)
    space = VectorSpace()
    X, new = space.fit_transform(corpus.train.texts), space.transform(corpus.test.texts)
    model = TopDownClassifier(tree=tree).fit(X, corpus.train.labels)
    raw = TopDownClassifier(tree=tree, cv=None).fit(X, corpus.train.labels)
    truth = corpus.test.labels

    plt.rcParams.update({"svg.hashsalt": "textspace", "font.size": 9})
    figure, (left, middle, right) = plt.subplots(
        1, 3, figsize=(11, 3.5), layout="constrained", width_ratios=[1.1, 1.1, 0.9]
    )
    probabilities = model.node_proba(new)
    answers = model.predict(new, min_confidence=LEAST)
    sport = np.flatnonzero((answers == "rec.sport") & (truth == "rec.sport.hockey"))
    draw_document(left, tree, probabilities[sport[probabilities[sport].max(axis=1).argmin()]])
    draw_backing_off(middle, model, new, truth, tree)
    draw_reliability(
        right, {"calibrated (cv=5)": ("o-C0", model), "not (cv=None)": ("s--C1", raw)}, new, truth
    )
    for axes in (middle, right):
        axes.spines[["top", "right"]].set_visible(False)
    IMAGE.parent.mkdir(exist_ok=True)
    figure.savefig(IMAGE, metadata={"Date": None})


def draw_document(axes, tree, probabilities):
    """Show the tree with the probability of each node for one document."""
    for row, (node, probability) in enumerate(zip(tree, probabilities, strict=True)):
        color = "C0" if probability >= LEAST else "#b8c4d0"
        axes.text(0.06 * (tree.depth(node) - 1), -row, tree.name(node), va="center")
        axes.barh(-row, 0.45 * probability, left=0.42, color=color, height=0.6)
        axes.text(
            0.435 + 0.45 * probability, -row, f"{probability:.2f}", va="center", fontsize=8, color="#555555"
        )
    axes.axvline(0.42 + 0.45 * LEAST, color="#999999", lw=0.8, ls=":")
    axes.set(xlim=(0, 1), ylim=(-len(tree) + 0.4, 0.6), xticks=[], yticks=[])
    axes.set_title(f"one post on hockey, min_confidence={LEAST}")
    axes.spines[:].set_visible(False)


def draw_backing_off(axes, model, new, truth, tree):
    """Show which answers there are at each threshold, and how many of them are right."""
    paths = tree.paths(truth)
    kinds, right = [], []
    for least in LEVELS:
        answers = model.predict(new, min_confidence=least)
        answered = answers != ""
        at_leaf = np.isin(answers, tree.leaves)
        kinds.append([at_leaf.mean(), (answered & ~at_leaf).mean(), 1 - answered.mean()])
        right.append((paths == answers[:, None])[answered].any(axis=1).mean() if answered.any() else np.nan)
    names = "leaf", "category above", "no answer"
    axes.stackplot(LEVELS, np.transpose(kinds), labels=names, colors=["#9ecae1", "#dbe9f4", "#eeeeee"])
    axes.plot(LEVELS, right, "C3", label="right, of the answers")
    axes.set(title="backing off", xlabel="min_confidence", xlim=(0, 1), ylim=(0, 1))
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.legend(loc="lower left", fontsize=8)


def draw_reliability(axes, models, new, truth):
    """Show for answers of about equal probability how many are right."""
    axes.plot([0, 1], [0, 1], color="#bbbbbb", lw=1)
    for name, (style, model) in models.items():
        probabilities = model.predict_proba(new)
        surest = probabilities.max(axis=1)
        right = model.classes_[probabilities.argmax(axis=1)] == truth
        groups = np.array_split(np.argsort(surest, kind="stable"), 10)
        points = [(surest[rows].mean(), right[rows].mean()) for rows in groups]
        axes.plot(*np.transpose(points), style, markersize=4, label=name)
    axes.set(title="probabilities of leaves", xlabel="given", ylabel="share that is right", xlim=(0, 1.02))
    axes.set_ylim(0, 1.02)
    axes.legend(frameon=False, fontsize=8, loc="lower right")


if __name__ == "__main__":
    main()
