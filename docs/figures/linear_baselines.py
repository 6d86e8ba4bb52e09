"""Draw docs/images/linear-baselines.svg: the demo corpus's test documents in the spaces of four methods."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import normalize

from textspace.datasets import load
from textspace.linear import CLSI, LSI, ClassCentroids, SpectralRegressionLDA
from textspace.text import VectorSpace

IMAGE = Path(__file__).parents[1] / "images" / "linear-baselines.svg"
SPACES = {
    "LSI": LSI(n_components=12, random_state=0),
    "CLSI": CLSI(n_components=12, random_state=0),
    "Class centroids": ClassCentroids(),
    "SR-LDA": SpectralRegressionLDA(),
}
COLORS = {"business": "#1f77b4", "home": "#e28a2b", "science": "#5aa469", "sport": "#b04a7c"}


def main():
    corpus = load("demo")
    train, test = corpus.train, corpus.test
    vectors = VectorSpace()
    X, queries = vectors.fit_transform(train.texts), vectors.transform(test.texts)
    truth = np.array([corpus.tree[label] for label in test.labels])

    plt.rcParams.update({"svg.hashsalt": "textspace", "font.size": 9})
    figure, panels = plt.subplots(1, 4, figsize=(9, 2.6), layout="constrained")
    for axes, (title, space) in zip(panels, SPACES.items(), strict=True):
        coordinates = normalize(space.fit(X, train.labels).transform(X))
        points = normalize(space.transform(queries))
        accuracy = KNeighborsClassifier(1).fit(coordinates, train.labels).score(points, test.labels)
        points = PCA(2).fit(coordinates).transform(points)
        for parent, color in COLORS.items():
            axes.scatter(*points[truth == parent].T, s=12, color=color, alpha=0.8, linewidths=0, label=parent)
        axes.set(title=f"{title}, {accuracy:.0%}", xticks=[], yticks=[], aspect="equal", adjustable="datalim")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=4, frameon=False)
    IMAGE.parent.mkdir(exist_ok=True)
    figure.savefig(IMAGE, metadata={"Date": None})


if __name__ == "__main__":
    main()
