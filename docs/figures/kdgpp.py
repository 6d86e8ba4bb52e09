"""Draw kernel matrices of demo documents: the fixed kernel, the learned one, and new documents in it."""

from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt

from textspace.datasets import load
from textspace.kernel import KDGPP
from textspace.kernel._kernels import kernel_matrix
from textspace.text import VectorSpace

IMAGES = Path(__file__).parent.parent / "images"


def main():
    corpus = load("demo")
    parents, new_parents = (
        np.array([corpus.tree[label] for label in split.labels]) for split in (corpus.train, corpus.test)
    )
    vectors = VectorSpace().fit(corpus.train.texts)
    X, new = vectors.transform(corpus.train.texts), vectors.transform(corpus.test.texts)
    space = KDGPP(n_landmarks=60, random_state=0).fit(X, parents)
    order = np.argsort(new_parents, kind="stable")
    features = space.transform(new)[order]
    matrices = {
        "fixed kernel, 60 landmarks": (
            kernel_matrix(space.landmarks_, space.landmarks_, sigma=space.sigma),
            space.classes_[space.landmark_classes_],
        ),
        "learned kernel, the same landmarks": (
            space.embedding_ @ space.embedding_.T,
            space.classes_[space.landmark_classes_],
        ),
        "learned kernel, new documents": (features @ features.T, new_parents[order]),
    }
    figure, axes = plt.subplots(1, 3, figsize=(11, 4.3), layout="constrained")
    for axis, (title, (matrix, labels)) in zip(axes, matrices.items(), strict=True):
        off_diagonal = matrix[~np.eye(len(matrix), dtype=bool)]
        if off_diagonal.min() < 0:
            reach = np.quantile(np.abs(off_diagonal), 0.99)
            axis.imshow(matrix, cmap="RdBu_r", vmin=-reach, vmax=reach, interpolation="nearest")
        else:
            low, high = off_diagonal.min(), np.quantile(off_diagonal, 0.99)
            axis.imshow(matrix, cmap="Reds", vmin=low, vmax=high, interpolation="nearest")
        names, starts, sizes = np.unique(labels, return_index=True, return_counts=True)
        axis.set_xticks(starts + sizes / 2 - 0.5, names, fontsize=8)
        axis.set(title=title, yticks=[])
    IMAGES.mkdir(exist_ok=True)
    plt.rcParams["svg.hashsalt"] = "kdgpp"
    figure.savefig(IMAGES / "kdgpp.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
