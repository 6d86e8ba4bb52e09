"""Draw docs/images/term-selection.svg (Reuters R52) and error-bound.svg (the demo corpus)."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import f1_score

from textspace.classify import RLSC
from textspace.datasets import load
from textspace.selection import TermSelector, decision_change, error_bound
from textspace.text import VectorSpace

IMAGES = Path(__file__).parents[1] / "images"
SIZES = (100, 200, 500, 1000, 2000, 5000)
CHOICES = {  # title -> selector, colour, line
    "information gain, best": (TermSelector("information_gain", mode="top"), "#2e7d4f", "--"),
    "subspace, k = 100, best": (TermSelector("subspace", rank=100, mode="top"), "#c2571a", "--"),
    "document frequency, best": (TermSelector("document_frequency", mode="top"), "#7b4fa0", "--"),
    "subspace, k = 100, drawn": (TermSelector("subspace", rank=100), "#c2571a", "-"),
    "weighted, drawn": (TermSelector("weighted"), "#1f5fa8", "-"),
    "uniform, drawn": (TermSelector("uniform"), "#888888", "-"),
}
DRAWS = 3


def main():
    plt.rcParams.update({"svg.hashsalt": "textspace", "font.size": 9})
    IMAGES.mkdir(exist_ok=True)
    draw_bound()
    draw_curves()


def draw_curves():
    corpus = load("reuters-r52")
    vectors = VectorSpace(scheme="ltc").fit(corpus.train.texts)
    X, new = vectors.transform(corpus.train.texts), vectors.transform(corpus.test.texts)
    y, truth = corpus.train.labels, corpus.test.labels[:, None]
    full = RLSC().fit(X, y)

    def micro_f1(model, documents):
        return f1_score(truth == model.classes_, model.decision_function(documents) > 0, average="micro")

    best = micro_f1(full, new)
    figure, axes = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
    for title, (selector, color, line) in CHOICES.items():
        curve = []
        for n_terms in SIZES:
            scores = []
            for seed in range(1 if selector.mode == "top" else DRAWS):
                selector.set_params(n_terms=n_terms, exact_budget=True, random_state=seed).fit(X, y)
                model = RLSC(lambdas=full.lambda_).fit(selector.transform(X), y)
                scores.append(micro_f1(model, selector.transform(new)) / best)
            curve.append(np.mean(scores))
        print(title, np.round(curve, 3))
        axes.plot(SIZES, curve, line, color=color, marker="o", markersize=3, label=title)
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set(xscale="log", xlabel=f"terms, of {X.shape[1]}", ylabel="micro F1, relative to all terms")
    axes.set_xticks(SIZES, SIZES)
    axes.minorticks_off()
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)
    figure.savefig(IMAGES / "term-selection.svg", metadata={"Date": None})


def draw_bound():
    corpus = load("demo")
    vectors = VectorSpace(scheme="ltc").fit(corpus.train.texts)
    X, new = vectors.transform(corpus.train.texts), vectors.transform(corpus.test.texts)
    y = np.array([corpus.tree[label] for label in corpus.train.labels])
    lambda_ = RLSC().fit(X, y).lambda_
    sizes = np.array([100, 200, 400, 800, 1200, 1400, 1500, 1600, 1800, 1900, 1950])
    curves = {"Theorem 1": [], "worst labels": [], "observed": []}
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    for n_terms in sizes:
        selector = TermSelector(n_terms=n_terms, rank="rank", exact_budget=True, random_state=0).fit(X)
        bound = error_bound(selector, X, new, lambda_=lambda_)
        change = decision_change(selector, X, y, new, lambda_=lambda_)
        for name, values in zip(curves, (bound.bound, bound.worst_case, change.size), strict=True):
            curves[name].append(np.median(values))
        flips = np.mean((change.full > 0) != (change.selected > 0))
        print(n_terms, f"epsilon {bound.epsilon:.2f}, kappa {bound.condition_number:.1f}, flips {flips:.3f}")
        if n_terms == 1800:
            largest = change.size.max(axis=1)
            right.scatter(largest, bound.bound, s=8, color="#c2571a", linewidths=0)
            right.scatter(largest, bound.worst_case, s=8, color="#1f5fa8", linewidths=0)
    colors = ("#c2571a", "#1f5fa8", "#2e7d4f")
    for (name, curve), color in zip(curves.items(), colors, strict=True):
        print(name, np.round(curve, 3))
        known = np.isfinite(curve)
        left.plot(sizes[known], np.array(curve)[known], color=color, marker="o", markersize=3, label=name)
    size = np.median(np.abs(change.full))
    left.axhline(size, color="black", linewidth=0.8, linestyle=":", label="size of decision values")
    left.set(yscale="log", xlabel=f"terms, of {X.shape[1]}", ylabel="change of a decision value, median")
    first = sizes[np.isfinite(curves["Theorem 1"])][0]
    left.set(title=f"Theorem 1 says nothing below {first} terms")
    left.legend(frameon=False, fontsize=8)
    reach = np.array([largest.min(), largest.max()])
    right.plot(reach, reach, color="black", linewidth=0.8, label="bound = change")
    right.legend(frameon=False, fontsize=8, loc="lower right")
    right.set(xscale="log", yscale="log", title="1800 terms, one dot a new document")
    right.set(xlabel="observed change, largest of the classes", ylabel="bound")
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(IMAGES / "error-bound.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
