"""Draw a tree with its scaled terms, and its documents by LSI with and without them.

Needs the corpus reuters-tree-b: ``python docs/figures/hierarchy.py``.
"""

import warnings
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from sklearn.manifold import TSNE
from sklearn.preprocessing import normalize

from textspace.datasets import load
from textspace.linear import LSI, LabelDrivenLSI
from textspace.text import VectorSpace

IMAGES = Path(__file__).parent.parent / "images"
COLOURS = {
    "barley": "#e0a030",
    "cocoa": "#8c4a2f",
    "rice": "#c2571a",
    "copper": "#1f5fa8",
    "iron-steel": "#4a4a55",
    "tin": "#3fa7a0",
}


def draw_tree(axis, space):
    tree = space.tree_
    axis.set(xlim=(0, 1), ylim=(-len(tree) + 0.5, 0.8), xticks=[], yticks=[], title="tree and scaled terms")
    axis.spines[:].set_visible(False)
    rows = {node: -row for row, node in enumerate(tree)}
    for node, row in rows.items():
        left = 0.02 + 0.09 * (tree.depth(node) - 1)
        colour = COLOURS.get(node, "black")
        if tree.parent(node) is not None:
            stem = left - 0.07
            axis.plot(
                [stem, stem, left - 0.015], [rows[tree.parent(node)] - 0.3, row, row], color="#bbbbbb", lw=1
            )
        axis.text(left, row, node, va="center", color=colour, weight="bold")
        own = {term: scaled for term, scaled in space.scaled_terms_.items() if scaled.node == node}
        names = [term for term, scaled in own.items() if scaled.reason == "in the name"]
        near = [term for term, scaled in own.items() if scaled.reason != "in the name"]
        factor = next(iter(own.values())).factor
        axis.text(0.42, row + 0.16, f"× {factor:.2f}  {', '.join(names)}", va="center", fontsize=9)
        axis.text(0.565, row - 0.22, f"near: {', '.join(near)}", va="center", fontsize=8, color="#777777")


def draw_plane(axis, title, coordinates, is_new, labels):
    plane = TSNE(metric="cosine", perplexity=20, random_state=0).fit_transform(coordinates)
    for label, colour in COLOURS.items():
        old, new = ((labels == label) & (is_new == each) for each in (False, True))
        axis.scatter(*plane[old].T, s=9, color=colour, alpha=0.35, linewidths=0)
        axis.scatter(*plane[new].T, s=14, color=colour, label=label)
    axis.set(title=title, xticks=[], yticks=[])


def main():
    corpus = load("reuters-tree-b")
    vectors = VectorSpace().fit(corpus.train.texts)
    X, X_new = vectors.transform(corpus.train.texts), vectors.transform(corpus.test.texts)
    labels = np.concatenate([corpus.train.labels, corpus.test.labels])
    is_new = np.arange(len(labels)) >= X.shape[0]
    adaptive = LabelDrivenLSI(50, tree=corpus.tree, terms=vectors.get_feature_names_out(), random_state=0)
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.8), layout="constrained", width_ratios=[1.15, 1, 1])
    for axis, title, space in [(axes[1], "LSI", LSI(50, random_state=0)), (axes[2], "SLSI", adaptive)]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            space.fit(X)
        coordinates = normalize(np.vstack([space.transform(X), space.transform(X_new)]))
        draw_plane(axis, title, coordinates, is_new, labels)
    axes[2].legend(frameon=False, fontsize=8, loc="best")
    draw_tree(axes[0], adaptive)
    plt.rcParams["svg.hashsalt"] = "hierarchy"
    figure.savefig(IMAGES / "hierarchy.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
