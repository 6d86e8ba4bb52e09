"""Draw the demo corpus in two dimensions by several projections: ``python docs/figures/planes.py``."""

from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt

from textspace.datasets import load
from textspace.linear import DGPP, DNE, LPP, LRWMMC, LSI, MFA, MaximumMarginCriterion
from textspace.text import VectorSpace

IMAGES = Path(__file__).parent.parent / "images"
COLOURS = {"home": "#c2571a", "sport": "#1f5fa8", "science": "#2e7d4f", "business": "#7b4fa0"}
FEW = {"n_latent": 30, "random_state": 0}
FIGURES = {
    "local-methods": {
        "LSI (ignores labels)": LSI(2, random_state=0),
        "DNE, k = 3": DNE(2),
        "MMC": MaximumMarginCriterion(2),
        "LRWMMC, k = 5": LRWMMC(2),
    },
    "locality": {
        "LSI (ignores labels)": LSI(2, random_state=0),
        "LPP (ignores labels)": LPP(2, **FEW),
        "LPP, supervised": LPP(2, supervised=True, **FEW),
        "MFA": MFA(2, **FEW),
    },
    "geometry": {
        "scatter alone": DGPP(2, alpha=1e6),
        r"DGPP, $\alpha$ = 2": DGPP(2, alpha=2.0),
        r"DGPP, $\alpha$ = 1": DGPP(2),
        r"DGPP, $\alpha$ = 0.5": DGPP(2, alpha=0.5),
    },
}


def draw(name, projections, X, y, X_new, y_new):
    figure, axes = plt.subplots(1, len(projections), figsize=(11, 3), layout="constrained")
    for axis, (title, projection) in zip(axes, projections.items(), strict=True):
        points, new = projection.fit(X, y).transform(X), projection.transform(X_new)
        for parent, colour in COLOURS.items():
            axis.scatter(*points[y == parent].T, s=9, color=colour, alpha=0.35, linewidths=0)
            axis.scatter(*new[y_new == parent].T, s=13, color=colour, label=parent)
        axis.set(title=title, xticks=[], yticks=[])
    axes[0].legend(frameon=False, fontsize=8)
    plt.rcParams["svg.hashsalt"] = name
    figure.savefig(IMAGES / f"{name}.svg", metadata={"Date": None})


def main():
    corpus = load("demo")
    vectors = VectorSpace().fit(corpus.train.texts)
    documents = []
    for split in (corpus.train, corpus.test):
        documents += [
            vectors.transform(split.texts),
            np.array([corpus.tree[label] for label in split.labels]),
        ]
    for name, projections in FIGURES.items():
        draw(name, projections, *documents)


if __name__ == "__main__":
    main()
