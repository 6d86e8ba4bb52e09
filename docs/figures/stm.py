"""Draw docs/images/stm.svg: the weights of a category, objectives, and F1 over the rank, on Reuters."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.svm import LinearSVC

from textspace.datasets import load
from textspace.tensor import SupportTensorMachine
from textspace.text import FoldedTensorSpace

IMAGE = Path(__file__).parents[1] / "images" / "stm.svg"
CATEGORY = "coffee"
TRACED = {"coffee": "#1f5fa8", "gold": "#5aa469", "interest": "#b04a7c", "lumber": "#e28a2b"}
RANKS = (1, 2, 3, 5, 10, 20, 50)
N_ROWS = 40  # of the weights that are shown: those with the largest u
RULES = {"sign": "#1f5fa8", "argmax": "#c2571a"}


def main():
    corpus = load("reuters-modapte-41")
    space = FoldedTensorSpace()
    X, y = space.fit_transform(corpus.texts), corpus.labels
    scores = path(X, y, corpus.classes, space.tensor_shape_)

    train = corpus.split == "train"
    machine = SupportTensorMachine(space.tensor_shape_).fit(X[train], y[train])

    plt.rcParams.update({"svg.hashsalt": "textspace", "font.size": 9})
    figure = plt.figure(figsize=(11, 7.2), layout="constrained")
    upper, lower = figure.subfigures(2, 1, height_ratios=[1.1, 1])
    draw_weights(upper, machine, space.get_feature_names_out())
    objectives, micro, macro = lower.subplots(1, 3)
    draw_objectives(objectives, machine)
    draw_path(micro, scores, 0, "micro F1")
    draw_path(macro, scores, 1, "macro F1")
    macro.legend(frameon=False)
    figure.savefig(IMAGE, metadata={"Date": None})


def path(X, y, classes, shape):
    """Print and give F1 of the SVM and of each rank, by both rules, in ten splits with 5 % to learn from."""
    machines = {"SVM": LinearSVC(loss="hinge", C=10.0, max_iter=10**5)}
    machines |= {rank: SupportTensorMachine(shape, rank=rank) for rank in RANKS}
    scores = {name: {rule: [] for rule in RULES} for name in machines}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        members = [rng.permutation(np.flatnonzero(y == label)) for label in classes]
        rows = np.concatenate([each[: max(2, round(len(each) / 20))] for each in members])
        rest = np.setdiff1d(np.arange(len(y)), rows)
        truth = y[rest, None] == np.array(classes)
        for name, machine in machines.items():
            values = machine.fit(X[rows], y[rows]).decision_function(X[rest])
            scores[name]["sign"].append(f1(values > 0, truth))
            scores[name]["argmax"].append(f1(values == values.max(axis=1, keepdims=True), truth))
    for name, by_rule in scores.items():
        print(name, {rule: np.round(np.mean(found, axis=0), 3).tolist() for rule, found in by_rule.items()})
    return scores


def f1(decided, truth):
    hits, sizes = np.sum(decided & truth, axis=0), np.sum(decided, axis=0) + np.sum(truth, axis=0)
    return 2 * hits.sum() / sizes.sum(), np.mean(2 * hits / sizes)


def draw_weights(figure, machine, terms):
    number = list(machine.classes_).index(CATEGORY)
    u, v = (factor[number, :, 0] for factor in machine.factors_)
    shown = np.argsort(-np.abs(u))[:N_ROWS]
    shown = shown[np.argsort(-u[shown])]
    weights = np.outer(u[shown], v)
    (above, corner), (matrix, beside) = figure.subplots(
        2, 2, width_ratios=[7, 1], height_ratios=[1, 3], sharex="col", sharey="row"
    )
    corner.axis("off")
    # lying on its side: rows of the tensor run to the right, its columns downwards
    above.bar(np.arange(N_ROWS), u[shown], color="#666666")
    above.set(
        title=f'weights of "{CATEGORY}" in the {N_ROWS} of {len(u)} rows with the largest u', ylabel="u"
    )
    beside.barh(np.arange(len(v)), v, color="#666666")
    beside.set_xlabel("v")
    bound = np.abs(weights).max()
    matrix.imshow(weights.T, cmap="RdBu_r", vmin=-bound, vmax=bound, aspect="auto")
    matrix.set(xlabel="rows of the tensor, by u", ylabel="columns, rarer terms below", xticks=[])
    names = terms.reshape(machine.tensor_shape_, order="F")[shown]
    strongest = np.argsort(-np.abs(weights), axis=None)[:16]
    for row, column in zip(*np.unravel_index(strongest, weights.shape), strict=True):
        matrix.annotate(
            names[row, column], (row, column), (3, 0), textcoords="offset points", fontsize=7, va="center"
        )


def draw_objectives(axes, machine):
    for category, color in TRACED.items():
        trace = np.array(machine.objective_trace_[list(machine.classes_).index(category)])
        steps = np.arange(1, len(trace) + 1) / 2
        axes.plot(steps, trace / trace[-1], color=color, marker=".", label=category)
    axes.set(yscale="log", xlabel="sweeps", title="objective, in units of its last value")
    axes.legend(frameon=False)


def draw_path(axes, scores, which, title):
    for rule, color in RULES.items():
        means = [np.mean(scores[rank][rule], axis=0)[which] for rank in RANKS]
        axes.plot(RANKS, means, color=color, marker="o", label=f"{rule} rule")
        axes.axhline(
            np.mean(scores["SVM"][rule], axis=0)[which], color=color, linestyle=":", label="linear SVM"
        )
    axes.set(xscale="log", xlabel="rank", title=f"{title}, 5 % of the documents")
    axes.set_xticks(RANKS, RANKS, minor=False)
    axes.minorticks_off()


if __name__ == "__main__":
    main()
