"""Dasgupta et al., "Feature selection methods for text classification", KDD 2007: pairs of classes."""

from functools import cache
from itertools import islice

import numpy as np

from experiments.experiment import Experiment, save_figure
from experiments.markdown import number, select, table
from experiments.records import Records
from experiments.srls import (
    CHOICES,
    MEASURES,
    SAMPLES,
    SHARED,
    TITLES,
    decide_on_terms,
    on_all_terms,
    performance,
    relative,
    split,
    term_scores,
)

TASK_SIZES = [10, 20, 50, 100, 200, 500, 1000]
SMALL = ["SS(10)", "SS(20)", "SS(50)", "SS(90 %)", "SS(rank)", "WS", "US", "DF", "IG", "SS(rank), top"]
RANKS = [1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]


@cache
def _pairs():
    from textspace.datasets import binary_tasks

    return binary_tasks(), []


def _pair(number):
    tasks, taken = _pairs()
    taken.extend(islice(tasks, max(0, number + 1 - len(taken))))
    return taken[number]


def pair_tasks():
    """Give one task for each of the hundred pairs."""
    return [{"pair": pair} for pair in range(100)]


def measure_pair(pair):
    """Give relative performance for each choice over the numbers of terms, and distances of scores to WS.

    Means over four splits, and over the draws of a split.
    """
    splits = [split(_pair(pair), seed) for seed in range(4)]
    full = [on_all_terms(documents) for documents in splits]
    records = [{"choice": choice, **_curves(choice, splits, full)} for choice in SMALL]
    distances = np.mean([_distances(documents) for documents in splits], axis=0)
    return [*records, {"choice": "distance to WS", "distance": distances}]


def _curves(choice, splits, full):
    draws = range(SAMPLES if CHOICES[choice][2] == "sample" else 1)
    found = {name: np.full((len(TASK_SIZES), len(splits), len(draws)), np.nan) for name in MEASURES}
    for s, (documents, (penalty, reference)) in enumerate(zip(splits, full, strict=True)):
        scores = term_scores(choice, documents.X_train, documents.y_train, seed=0)
        for n, n_terms in enumerate(TASK_SIZES):
            for sample in draws:
                values = decide_on_terms(
                    choice, scores, documents, n_terms=n_terms, sample=sample, penalty=penalty
                )
                ratios = relative(performance(values, documents.y_test), reference)
                for name, ratio in ratios.items():
                    found[name][n, s, sample] = np.nan if ratio is None else ratio
    return {name: np.nanmean(values, axis=(1, 2)) for name, values in found.items()}


def _distances(documents):
    """Hellinger distances between the sampling probabilities of WS and of SS(k), for each k."""
    from textspace.selection import subspace, weighted

    X = documents.X_train
    theirs = np.sqrt(weighted(X) / weighted(X).sum())
    found = []
    for rank in RANKS:
        own = subspace(X, rank=rank, exact=True, random_state=None)
        found.append(np.linalg.norm(np.sqrt(own / own.sum()) - theirs))
    return found


def report_pairs(records):
    """Give relative micro F1 by choice and number of terms, and what the figures show."""
    means = _pair_means(records)
    headings = ["relative micro F1", *(f"r = {n}" for n in TASK_SIZES)]
    rows = [[choice, *(number(value, 3) for value in means[choice]["micro"])] for choice in SMALL]
    last = TASK_SIZES.index(1000)
    ig, ss = (np.array([r["micro"][last] for r in select(records, choice=c)]) for c in ("IG", "SS(rank)"))
    distances = np.mean([r["distance"] for r in select(records, choice="distance to WS")], axis=0)
    return (
        f"{table(headings, rows)}\n\n"
        f"At r = 1000, SS(rank) is above IG on {np.sum(ss > ig)} tasks, below it on {np.sum(ss < ig)}. Over "
        f"the tasks SS(rank) ranges from {ss.min():.2f} to {ss.max():.2f}, IG from {ig.min():.2f} to "
        f"{ig.max():.2f} (the paper: .8 to 1 and .6 to 1.1).\n\n"
        + table(
            ["Hellinger distance of SS(k) to WS", *(f"k = {k}" for k in RANKS)],
            [["", *(number(d, 2) for d in distances)]],
        )
    )


def _pair_means(records):
    return {
        choice: {
            name: np.mean([r[name] for r in select(records, choice=choice)], axis=0) for name in MEASURES
        }
        for choice in SMALL
    }


def draw_pairs(records, folder):
    """Draw Figures 3 and 4."""
    from matplotlib import pyplot as plt

    means = _pair_means(records)
    figure, axes = plt.subplots(2, 3, figsize=(10.5, 6.4), layout="constrained")
    shown = ("SS(10)", "SS(rank)", "IG", "WS", "DF", "US")
    for axis, name in zip(axes[0], ("micro", "precision", "recall"), strict=True):
        for choice in shown:
            axis.plot(TASK_SIZES, means[choice][name], marker=".", label=choice)
        axis.set(xscale="log", xlabel="number of terms r", title=f"relative {TITLES[name]}")
    axes[0, 0].legend(frameon=False, fontsize=8)
    _draw_by_task(axes[1, 0], records)
    for choice in ("SS(10)", "SS(20)", "SS(50)", "SS(90 %)", "SS(rank)"):
        axes[1, 1].plot(TASK_SIZES, means[choice]["micro"], marker=".", label=choice)
    axes[1, 1].set(xscale="log", xlabel="number of terms r", title="relative micro F1 by k")
    axes[1, 1].legend(frameon=False, fontsize=8)
    distances = [r["distance"] for r in select(records, choice="distance to WS")]
    axes[1, 2].plot(RANKS, np.mean(distances, axis=0), marker=".")
    axes[1, 2].set(xlabel="k", title="Hellinger distance of SS(k) to WS", ylim=(0, None))
    for axis in axes.flat:
        axis.grid(alpha=0.3)
    return [save_figure(figure, folder / "figure.svg")]


def _draw_by_task(axis, records):
    last = TASK_SIZES.index(1000)
    ig, ss = (np.array([r["micro"][last] for r in select(records, choice=c)]) for c in ("IG", "SS(rank)"))
    order = np.argsort(ig, kind="stable")
    for values, name in ((ig, "IG"), (ss, "SS(rank)")):
        [line] = axis.plot(values[order], linewidth=1, label=name)
        axis.axhline(values.mean(), color=line.get_color(), linestyle=":")
    axis.set(xlabel="tasks, by IG", title="relative micro F1 at r = 1000")
    axis.legend(frameon=False, fontsize=8)


FIGURE_3 = Experiment(
    name="srls-fig3",
    title="SRLS paper, Figures 3 and 4",
    summary=SHARED + " A hundred pairs of newsgroups or Reuters topics, 150 documents each, stand in for "
    "TechTC-100, which is not to be had; they are easier and have a fifth of its terms. Four splits a pair, "
    "four fifths for training. Micro F1 of two classes is the accuracy.",
    results=Records(pair_tasks, measure_pair),
    report=report_pairs,
    draw=draw_pairs,
)
