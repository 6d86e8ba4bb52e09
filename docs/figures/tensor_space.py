"""Draw docs/images/tensor-space.svg: the demo corpus's terms in two orders, and a slice of its trigrams."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap, LogNorm
from matplotlib.patches import Patch

from textspace.datasets import load
from textspace.text import FoldedTensorSpace, TrigramTensorSpace

IMAGE = Path(__file__).parents[1] / "images" / "tensor-space.svg"
COLORS = ["#1f77b4", "#e28a2b", "#4c9a5b", "#b5557f"]
SHAPE = (None, 40)
DOCUMENT = 0


def main():
    corpus = load("demo").train
    labels = np.array([corpus.tree[label] for label in corpus.labels])
    plt.rcParams.update({"svg.hashsalt": "textspace", "font.size": 8})
    figure, axes = plt.subplots(1, 4, figsize=(11, 3.3), layout="constrained")
    draw_frequencies(axes[0], corpus.texts, labels)
    for axis, order in zip(axes[1:3], ("document_frequency", "class_profile"), strict=True):
        draw_classes(axis, corpus.texts, labels, order)
    draw_trigrams(axes[3], corpus.texts)
    patches = [
        Patch(color=color, label=label) for color, label in zip(COLORS, np.unique(labels), strict=True)
    ]
    figure.legend(handles=patches, loc="outside lower center", ncol=4, frameon=False)
    IMAGE.parent.mkdir(exist_ok=True)
    figure.savefig(IMAGE, metadata={"Date": None})


def draw_frequencies(axis, texts, labels):
    """Show in how many documents the term of each entry stands, and the entries of one document."""
    space = FoldedTensorSpace(shape=SHAPE)
    X = space.fit_transform(texts, labels)
    frequencies = np.bincount(X.indices, minlength=X.shape[1]).reshape(space.tensor_shape_, order="F")
    shown = np.ma.masked_equal(frequencies, 0)
    picture = axis.imshow(shown, cmap="Blues", norm=LogNorm(vmin=0.4), aspect="auto", interpolation="nearest")
    rows, columns = np.unravel_index(X[[DOCUMENT]].indices, space.tensor_shape_, order="F")
    axis.plot(columns, rows, "o", color="#c23b22", markersize=2.5)
    name_sides(axis, "documents that have the term")
    axis.figure.colorbar(picture, ax=axis, pad=0.02).ax.set_ylim(1, None)


def draw_classes(axis, texts, labels, order):
    """Show for each entry the class in which its term weighs most."""
    space = FoldedTensorSpace(shape=SHAPE, order=order)
    X = space.fit_transform(texts, labels)
    classes = np.unique(labels)
    weights = np.stack([X[labels == label].sum(axis=0).A1 for label in classes])
    strongest = np.where(weights.any(axis=0), weights.argmax(axis=0), -1)
    entries = np.ma.masked_equal(strongest.reshape(space.tensor_shape_, order="F"), -1)
    axis.imshow(entries, cmap=ListedColormap(COLORS), vmin=0, vmax=3, aspect="auto", interpolation="nearest")
    name_sides(axis, f'class of the term, "{order}"')


def name_sides(axis, title):
    axis.set(xlabel="column $j$", ylabel="row $i$", xticks=[], yticks=[])
    axis.set_title(title, fontsize=8.5)


def draw_trigrams(axis, texts):
    """Show how often two letters begin a word: the slice of the mean tensor whose first symbol is *."""
    space = TrigramTensorSpace()
    mean = space.fit_transform(texts).mean(axis=0).A1.reshape((27, 27, 27), order="F")
    names = space.get_feature_names_out().reshape(27, 27, 27, order="F")
    highest = np.quantile(mean[26], 0.995)
    picture = axis.imshow(mean[26], cmap="Blues", vmax=highest, aspect="auto", interpolation="nearest")
    letters = [name[2] for name in names[0, 0]]
    axis.set_xticks(range(27), letters, fontsize=6)
    axis.set_yticks(range(27), letters, fontsize=6)
    axis.tick_params(length=0)
    axis.set(xlabel="third symbol", ylabel="second symbol")
    axis.set_title("weight of trigrams that begin with *", fontsize=8.5)
    axis.figure.colorbar(picture, ax=axis, pad=0.02)


if __name__ == "__main__":
    main()
