"""Draw what ties between unlabelled documents do to a space: ``python docs/figures/semi_supervised.py``."""

import warnings
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from sklearn.neighbors import KNeighborsClassifier

from textspace.datasets import load
from textspace.linear import LSI, SDA, SemiSupervisedLRWMMC
from textspace.text import VectorSpace

IMAGES = Path(__file__).parent.parent / "images"
COLOURS = {"home": "#c2571a", "sport": "#1f5fa8", "science": "#2e7d4f", "business": "#7b4fa0"}
GRID = [0.003, 0.01, 0.03, 0.1, 0.3, 1.0]
N_DRAWS = 20


def draw_labels(y, seed, n_each=10):
    """Keep the labels of some documents of each class, and take the others away."""
    rng = np.random.default_rng(seed)
    kept = [rng.permutation(np.flatnonzero(y == label))[:n_each] for label in np.unique(y)]
    partly = np.full_like(y, "")
    partly[np.concatenate(kept)] = y[np.concatenate(kept)]
    return partly


def accuracy(space, X, y, X_new, y_new):
    """Score the nearest labelled document, in a space learned from all."""
    space.fit(X, y)
    nearest = KNeighborsClassifier(1).fit(space.transform(X[y != ""]), y[y != ""])
    return nearest.score(space.transform(X_new), y_new)


def draw_plane(axis, title, space, X, y, X_new, y_new):
    space.fit(X, y)
    for label, colour in COLOURS.items():
        axis.scatter(*space.transform(X[y == label]).T, s=30, color=colour, marker="*", linewidths=0)
        axis.scatter(*space.transform(X_new[y_new == label]).T, s=9, color=colour, label=label, linewidths=0)
    axis.scatter(*space.transform(X[y == ""]).T, s=6, color="#b0b0b0", linewidths=0, zorder=0)
    axis.set(title=title, xticks=[], yticks=[])


def draw_curves(axis, X, y, X_new, y_new):
    latent = LSI(30, random_state=0).fit(X)
    rows = {"terms": (X, X_new, "-"), "LSI of all text": (latent.transform(X), latent.transform(X_new), "--")}
    methods = {"LRWMMC": (SemiSupervisedLRWMMC, "#1f5fa8"), "SDA": (SDA, "#c2571a")}
    for name, (method, colour) in methods.items():
        for place, (known, new, line) in rows.items():
            scores = np.array(
                [
                    [
                        accuracy(method(smoothness=s), known, draw_labels(y, seed), new, y_new)
                        for s in [0, *GRID]
                    ]
                    for seed in range(N_DRAWS)
                ]
            )
            means = 100 * scores.mean(axis=0)
            axis.plot(
                [GRID[0] / 3, *GRID], means, line, color=colour, marker="o", ms=3, label=f"{name}, {place}"
            )
    axis.set(xscale="log", xlabel="smoothness", title="accuracy of new documents, %", ylim=(45, 85))
    axis.set_xticks([GRID[0] / 3, 0.01, 0.1, 1.0], ["0", "0.01", "0.1", "1"])
    axis.minorticks_off()
    axis.legend(frameon=False, fontsize=8, loc="lower left")


def main():
    warnings.filterwarnings("ignore", message=".*components were asked for")
    corpus = load("demo")
    vectors = VectorSpace().fit(corpus.train.texts)
    documents = []
    for split in (corpus.train, corpus.test):
        documents += [
            vectors.transform(split.texts),
            np.array([corpus.tree[label] for label in split.labels]),
        ]
    X, y, X_new, y_new = documents
    partly = draw_labels(y, 0)
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    for axis, smoothness in zip(axes, (0.0, 0.3), strict=False):
        title = f"LRWMMC, smoothness {smoothness:g}"
        draw_plane(axis, title, SemiSupervisedLRWMMC(2, smoothness=smoothness), X, partly, X_new, y_new)
    axes[0].legend(frameon=False, fontsize=8)
    draw_curves(axes[2], *documents)
    plt.rcParams["svg.hashsalt"] = "semi-supervised"
    figure.savefig(IMAGES / "semi-supervised.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
