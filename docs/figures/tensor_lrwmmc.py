"""Draw docs/images/tensor-lrwmmc.svg: letters, F1 over ranks and the criterion on the demo corpus."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from textspace.datasets import load
from textspace.tensor import HOSVD, TensorLRWMMC
from textspace.tensor._products import project
from textspace.text import TrigramTensorSpace

IMAGE = Path(__file__).parents[1] / "images" / "tensor-lrwmmc.svg"
LETTERS = "abcdefghijklmnopqrstuvwxyz*"
RANKS = (2, 4, 6, 8, 10, 12, 15, 18, 22, 27)


def main():
    corpus = load("demo")
    train, test = corpus.train, corpus.test
    space = TrigramTensorSpace()
    X, new = space.fit_transform(train.texts), space.transform(test.texts)

    def share(factors):
        nearest = KNeighborsClassifier(1).fit(project(X, (27, 27, 27), factors), train.labels)
        return nearest.score(project(new, (27, 27, 27), factors), test.labels)

    rng = np.random.default_rng(0)
    curves = {
        "TensorLRWMMC": [share(TensorLRWMMC(ranks=each).fit(X, train.labels).factors_) for each in RANKS],
        "HOSVD": [share(HOSVD(ranks=each).fit(X).factors_) for each in RANKS],
        "random factors, mean of 10": [
            np.mean([share(random_factors(rng, each)) for _ in range(10)]) for each in RANKS
        ],
    }
    fitted = TensorLRWMMC(ranks=4).fit(X, train.labels)

    plt.rcParams.update({"svg.hashsalt": "textspace", "font.size": 9})
    figure, (letters, shares, criterion) = plt.subplots(
        1, 3, figsize=(11, 3.3), width_ratios=(5, 4, 3), layout="constrained"
    )
    draw_letters(letters, fitted.factors_)
    styles = (("o-", "C0"), ("s-", "C1"), ("--", "grey"))
    for (name, curve), (style, color) in zip(curves.items(), styles, strict=True):
        shares.plot(RANKS, curve, style, color=color, markersize=4, label=name)
    shares.set(title="new documents classified rightly", xlabel="ranks of the three modes", ylim=(0, None))
    shares.yaxis.set_major_formatter("{x:.0%}")
    shares.legend(frameon=False)
    trace = fitted.objective_trace_
    criterion.plot(np.arange(len(trace)) / 3, trace, "o-C0", markersize=3)
    criterion.set(title="criterion, ranks 4", xlabel="sweeps over the modes")
    for axes in (shares, criterion):
        axes.spines[["top", "right"]].set_visible(False)
    IMAGE.parent.mkdir(exist_ok=True)
    figure.savefig(IMAGE, metadata={"Date": None})


def random_factors(rng, ranks):
    return [np.linalg.qr(rng.standard_normal((27, ranks)))[0].astype(np.float32) for _ in range(3)]


def draw_letters(axes, factors):
    """Show the factors as one picture: a column a letter, a row a direction, a gap between the modes."""
    gap = np.full((1, 27), np.nan)
    rows = np.vstack([part for factor in factors for part in (factor.T, gap)][:-1])
    axes.imshow(rows, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    axes.set_xticks(range(27), LETTERS)
    axes.set_yticks([1.5, 6.5, 11.5], ["first\nletter", "second", "third"])
    axes.tick_params(length=0)
    axes.set_title("four directions of each mode")
    axes.spines[:].set_visible(False)


if __name__ == "__main__":
    main()
