"""Draw the demo corpus in two dimensions: without labels, and with neighbours of the same class."""

from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt

from textspace.datasets import load
from textspace.linear import LPP, LSI, MFA
from textspace.text import VectorSpace

IMAGES = Path(__file__).parent.parent / "images"
COLOURS = {"home": "#c2571a", "sport": "#1f5fa8", "science": "#2e7d4f", "business": "#7b4fa0"}


def main():
    corpus = load("demo")
    train_parents, test_parents = (
        np.array([corpus.tree[label] for label in part.labels]) for part in (corpus.train, corpus.test)
    )
    vectors = VectorSpace().fit(corpus.train.texts)
    X, test = vectors.transform(corpus.train.texts), vectors.transform(corpus.test.texts)
    figure, axes = plt.subplots(1, 4, figsize=(11, 3), layout="constrained")
    few = {"n_latent": 30, "random_state": 0}
    projections = {
        "LSI (ignores labels)": LSI(n_components=2, random_state=0),
        "LPP (ignores labels)": LPP(n_components=2, **few),
        "LPP, supervised": LPP(n_components=2, supervised=True, **few),
        "MFA": MFA(n_components=2, **few),
    }
    for axis, (title, projection) in zip(axes, projections.items(), strict=True):
        projection.fit(X, train_parents)
        points, new = projection.transform(X), projection.transform(test)
        for parent, colour in COLOURS.items():
            axis.scatter(*points[train_parents == parent].T, s=9, color=colour, alpha=0.35, linewidths=0)
            axis.scatter(*new[test_parents == parent].T, s=13, color=colour, label=parent)
        axis.set(title=title, xticks=[], yticks=[])
    axes[0].legend(frameon=False, fontsize=8)
    IMAGES.mkdir(exist_ok=True)
    plt.rcParams["svg.hashsalt"] = "locality"
    figure.savefig(IMAGES / "locality.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
