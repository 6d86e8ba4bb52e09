"""Draw docs/images/evaluation.svg: the leaderboard of the demo corpus with its intervals and marks."""

from pathlib import Path

import matplotlib.pyplot as plt

from textspace.datasets import load
from textspace.evaluation import compare
from textspace.methods import METHODS

IMAGE = Path(__file__).parents[1] / "images" / "evaluation.svg"
SCORES = {"micro_f1": ("micro F1", "#1f77b4", -0.14), "macro_f1": ("macro F1", "#e28a2b", 0.14)}


def main():
    comparison = compare(load("demo"), list(METHODS), n_jobs=1)
    rows = comparison.leaderboard()
    plt.rcParams.update({"svg.hashsalt": "textspace", "font.size": 9})
    figure, axes = plt.subplots(figsize=(7, 0.36 * len(rows) + 1), layout="constrained")
    for place, row in enumerate(rows):
        for score, (_, color, offset) in SCORES.items():
            axes.plot(row["intervals"][score], [place + offset] * 2, color=color, linewidth=1.5)
            axes.plot(row["scores"][score], place + offset, "o", color=color, markersize=4)
        tests = row["against_baseline"]
        marks = "baseline" if tests is None else "   ".join(f"{test['mark']:^2}" for test in tests.values())
        axes.annotate(
            marks, (1.02, place), xycoords=("axes fraction", "data"), va="center", family="monospace"
        )
    for label, color, _ in SCORES.values():
        axes.plot([], [], "o-", color=color, markersize=4, linewidth=1.5, label=label)
    heading = "s    S    T"
    axes.annotate(heading, (1.02, -0.8), xycoords=("axes fraction", "data"), va="center", family="monospace")
    axes.set_yticks(range(len(rows)), [row["title"] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel("score on the test documents, with its 95 % interval")
    axes.grid(axis="x", color="#dddddd")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="upper left")
    IMAGE.parent.mkdir(exist_ok=True)
    figure.savefig(IMAGE, metadata={"Date": None})
    print(comparison)


if __name__ == "__main__":
    main()
