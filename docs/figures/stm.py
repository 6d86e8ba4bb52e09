"""Draw docs/images/stm.svg: the weights of a category, objectives, and F1 over the rank, on Reuters."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.svm import LinearSVC

from textspace.datasets import load
from textspace.tensor import SupportTensorMachine
from textspace.text import FoldedTensorSpace

IMAGE = Path(__file__).parents[1] / "images" / "stm.svg"
CATEGORY = "crude"
TRACED = {"crude": "#1f5fa8", "gold": "#5aa469", "interest": "#b04a7c", "lumber": "#e28a2b"}
RANKS = (1, 2, 3, 5, 10, 20, 50)
N_ROWS, N_COLUMNS = 18, 8  # of the weights that are shown
RULES = {"sign": "#1f5fa8", "argmax": "#c2571a"}


def main():
    corpus = load("reuters-modapte-41")
    space = FoldedTensorSpace()
    X, y = space.fit_transform(corpus.texts), corpus.labels
    scores = path(X, y, corpus.classes, space.tensor_shape_)

    train = corpus.split == "train"
    machine = SupportTensorMachine(space.tensor_shape_).fit(X[train], y[train])

    plt.rcParams.update({"svg.hashsalt": "textspace", "font.size": 9})
    figure = plt.figure(figsize=(11, 8), layout="constrained")
    upper, lower = figure.subfigures(2, 1, height_ratios=[1.5, 1])
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
    rows = sorted(np.argsort(-np.abs(u))[:N_ROWS], key=lambda row: -u[row])
    columns = np.sort(np.argsort(-np.abs(v))[:N_COLUMNS])
    weights = np.outer(u[rows], v[columns])
    names = terms.reshape(machine.tensor_shape_, order="F")[np.ix_(rows, columns)]
    (corner, above), (beside, matrix) = figure.subplots(
        2, 2, width_ratios=[1, 7], height_ratios=[1, 6], sharex="col", sharey="row"
    )
    corner.axis("off")
    above.bar(np.arange(N_COLUMNS), v[columns], color="#666666")
    above.set(
        title=f"weights of {CATEGORY}: the {N_ROWS} of {len(u)} rows and {N_COLUMNS} of {len(v)} columns "
        "with the largest |u| and |v|",
        ylabel="v",
    )
    beside.barh(np.arange(N_ROWS), u[rows], color="#666666")
    beside.set(xlabel="u", ylabel="row", yticks=np.arange(N_ROWS), yticklabels=rows)
    beside.invert_xaxis()
    bound = np.abs(weights).max()
    matrix.imshow(weights, cmap="RdBu_r", vmin=-bound, vmax=bound, aspect="auto")
    matrix.set(xlabel="column: the further right, the rarer the terms", xticks=np.arange(N_COLUMNS))
    matrix.set_xticklabels(columns)
    for (row, column), weight in np.ndenumerate(weights):
        color = "white" if abs(weight) > 0.6 * bound else "black"
        matrix.text(column, row, names[row, column], color=color, fontsize=7, ha="center", va="center")


def draw_objectives(axes, machine):
    for category, color in TRACED.items():
        trace = np.array(machine.objective_trace_[list(machine.classes_).index(category)])
        steps = np.arange(1, len(trace) + 1) / 2
        axes.plot(steps, trace / trace[-1], color=color, marker=".", label=category)
    axes.set(yscale="log", xlabel="sweeps", title="objective, in units of its last value")
    axes.set_xticks([0, 2, 4, 6, 8, 10])
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
