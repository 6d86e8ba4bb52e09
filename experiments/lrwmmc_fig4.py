"""The semi-supervised experiment of Gu and Zhou, SDM 2009."""

from functools import partial

import numpy as np

from experiments.estimators import linear_svm, method, projection
from experiments.experiment import Experiment, save_figure
from experiments.few_labels import (
    all_documents,
    choose,
    classify,
    describe,
    discriminants_of_all,
    folds,
    margins_of_all,
    naive_bayes_of_all,
    try_on_test,
    with_the_others,
    without_the_others,
)
from experiments.lrwmmc import LOCAL, METRICS
from experiments.markdown import mean_of, number, select, table
from experiments.records import Records

REPEATS = 10
N_LABELS = {
    "reuters-r52": [200, 500, 1000, 2000, 3000, 4000, 5000],
    "ohsumed-23": [200, 300, 400, 500, 600],
    "20newsgroups": [2000, 4000, 6000, 8000, 10000],
}
NAMES = {"reuters-r52": "R52", "ohsumed-23": "Ohsumed", "20newsgroups": "20 Newsgroups"}
COLOURS = {
    "lrwmmc": "#3fa7a0",
    "ss-lrwmmc": "#1f5fa8",
    "sda": "#8a4fa3",
    "em-nb": "#c2571a",
    "svm": "#777777",
}


def methods():
    """Give the paper's four methods, and a linear SVM on the labelled documents."""
    metrics = {"classify__estimator__metric": ["euclidean", "cosine"]}
    ties = {"space__smoothness": [4.0**i for i in range(-3, 4)]}
    lrwmmc = partial(projection, "textspace.linear.LRWMMC", metric="euclidean", **LOCAL)
    shared, of_all = {"scheme": "tfidf"}, {"scheme": "tfidf", "unlabelled": True}
    smoothing = {"alpha": [0.001, 0.01, 0.1], "weight": [0.1, 1.0]}
    found = [
        method("lrwmmc", lrwmmc, grid=METRICS, **shared),
        method("ss-lrwmmc", margins_of_all, grid=ties | metrics, **of_all),
        method(
            "sda", discriminants_of_all, grid={"space__smoothness": [0.001, 0.01, 0.1], **metrics}, **of_all
        ),
        method("em-nb", naive_bayes_of_all, grid=smoothing, **of_all),
        method("svm", linear_svm, grid={"C": [0.3, 1.0, 3.0, 10.0]}, **shared),
    ]
    return {each.name: each for each in found}


def tasks():
    """Give one task for each corpus, number of labels and method."""
    return [
        {"corpus": corpus, "n_labels": n_labels, "method": method}
        for corpus, counts in N_LABELS.items()
        for n_labels in counts
        for method in COLOURS
    ]


def measure(corpus, n_labels, method):
    """Give scores for each repeat, with settings chosen on labelled and on test documents of the first.

    A third kind of record holds the score of each setting on the test documents of the first repeat.
    """
    contender = methods()[method]
    everything = all_documents(corpus, contender.scheme)
    of_draw = with_the_others if contender.unlabelled else without_the_others
    records, chosen = [], {}
    for seed in range(REPEATS):
        rng = np.random.default_rng(seed)
        documents = of_draw(everything, np.sort(rng.permutation(len(everything.y_train))[:n_labels]))
        if seed == 0:
            trials = try_on_test(contender, documents)
            chosen["labelled"] = choose(contender, [next(folds(documents))])
            chosen["test"] = max(trials, key=lambda trial: trial["micro"])["params"]
            records += [{"by": "grid", "seed": 0, "fit": None} | _described(trial) for trial in trials]
        found = {}
        for by, params in chosen.items():
            settings = describe(params)
            if settings not in found:
                found[settings] = classify(contender, params, documents)[1]
            records.append({"by": by, "seed": seed, "settings": settings, **found[settings]})
    return records


def _described(trial):
    return {"settings": describe(trial["params"]), "micro": trial["micro"], "macro": trial["macro"]}


def report(records):
    """Give micro and macro F1 for each number of labels, and what was chosen, a table for each corpus."""
    parts = []
    for corpus, counts in N_LABELS.items():
        parts.append(f"## {NAMES[corpus]}: `{corpus}`\n")
        headings = ["method", "settings chosen by", *map(str, counts)]
        for score in ("micro", "macro"):
            rows = []
            for name, contender in methods().items():
                for by, title in {"labelled": "labelled documents", "test": "test documents"}.items():
                    wanted = {"corpus": corpus, "method": name, "by": by}
                    means = [mean_of(records, score, n_labels=n, **wanted) for n in counts]
                    rows.append([contender.title, title, *map(number, means)])
            parts.append(f"Mean {score} F1 by number of labels:\n\n{table(headings, rows)}\n")
        rows = []
        for name, contender in methods().items():
            chosen = [
                select(records, corpus=corpus, method=name, by="labelled", seed=0, n_labels=n)[0]["settings"]
                for n in counts
            ]
            rows.append([contender.title, *chosen])
        parts.append(f"Chosen on labelled documents:\n\n{table(['method', *map(str, counts)], rows)}\n")
    return "\n".join(parts)


def smoothness_curve(records, corpus, n_labels):
    """Give micro F1 on test over the grid for lambda, the first repeat, by the better distance."""
    trials = select(records, corpus=corpus, n_labels=n_labels, method="ss-lrwmmc", by="grid")
    best = {}
    for trial in trials:
        value = float(trial["settings"].split(",")[0].removeprefix("smoothness="))
        best[value] = max(best.get(value, 0), trial["micro"])
    return best


def draw(records, folder):
    """Draw Figure 4, and below it what lambda does."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(10.5, 6.2), layout="constrained")
    for (corpus, counts), (upper, lower) in zip(N_LABELS.items(), axes.T, strict=True):
        for name, contender in methods().items():
            for by, line in (("labelled", "-"), ("test", ":")):
                means = [
                    mean_of(records, "micro", corpus=corpus, method=name, by=by, n_labels=n) for n in counts
                ]
                label = contender.title if by == "labelled" else None
                upper.plot(counts, means, line, color=COLOURS[name], marker="o", markersize=3, label=label)
        upper.set(title=NAMES[corpus], xlabel="labelled documents")
        shades = plt.get_cmap("viridis")(np.linspace(0, 0.85, len(counts)))
        for n_labels, shade in zip(counts, shades, strict=True):
            curve = smoothness_curve(records, corpus, n_labels)
            lower.plot(curve.keys(), curve.values(), color=shade, marker=".", label=f"{n_labels} labels")
        lower.set(xscale="log", xlabel="lambda of SS-LRWMMC, first repeat")
        lower.legend(frameon=False, fontsize=7)
        for axis in (upper, lower):
            axis.grid(alpha=0.3)
    for axis in axes[:, 0]:
        axis.set_ylabel("micro F1")
    axes[0, 0].plot([], [], "k:", label="settings best on test")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=6, frameon=False)
    return [save_figure(figure, folder / "figure.svg")]


FIGURE_4 = Experiment(
    name="lrwmmc-fig4",
    title="LRWMMC paper, Figure 4",
    summary=(
        "Labelled documents are drawn at random from the training documents, in numbers as in the paper; the "
        "others are unlabelled. Scores are on the corpus's own test documents, means of ten draws. Terms and "
        "tf-idf weights come from all training documents. LRWMMC, k = 5, learns from the labelled documents, "
        "SS-LRWMMC and SDA also tie every document to its five nearest; then the nearest labelled document "
        "by Euclidean distance or cosine. EM is naive Bayes (the paper calls it Co-EM). The linear SVM, "
        "which is not in the paper, learns from the labelled documents. Settings (lambda of SS-LRWMMC from "
        "4^-3 to 4^3 as in the paper, the smoothness of SDA, smoothing and weight of EM, C of the SVM, the "
        "distance) are chosen on a third of the labelled documents of the first draw, held out, and kept for "
        "the others; the rows *test documents* take those that are best on the test documents of that draw. "
        "Ohsumed stands in for TREC-9. The paper gives its figure as a picture only."
    ),
    results=Records(tasks, measure),
    report=report,
    draw=draw,
)
