"""Dasgupta et al., "Feature selection methods for text classification", KDD 2007: large corpora."""

from functools import cache

import numpy as np

from experiments.corpora import load_once
from experiments.estimators import estimator, vector_space
from experiments.experiment import Experiment, save_figure
from experiments.markdown import mean_of, number, table
from experiments.records import Records

# Name in tables -> score of the terms, its rank, and how terms are chosen by it.
CHOICES = {
    "SS(10)": ("subspace", 10, "sample"),
    "SS(20)": ("subspace", 20, "sample"),
    "SS(40)": ("subspace", 40, "sample"),
    "SS(50)": ("subspace", 50, "sample"),
    "SS(100)": ("subspace", 100, "sample"),
    "SS(1000)": ("subspace", 1000, "sample"),
    "SS(1500)": ("subspace", 1500, "sample"),
    "SS(50 %)": ("subspace", 0.5, "sample"),
    "SS(90 %)": ("subspace", 0.9, "sample"),
    "SS(rank)": ("subspace", "rank", "sample"),
    "WS": ("weighted", None, "sample"),
    "US": ("uniform", None, "sample"),
    "DF": ("document_frequency", None, "top"),
    "IG": ("information_gain", None, "top"),
    "IG per class": ("information_gain", None, "per class"),
    "SS(100), top": ("subspace", 100, "top"),
    "SS(rank), top": ("subspace", "rank", "top"),
}
SAMPLES = 5  # draws of terms in a split
MEASURES = ("micro", "macro", "precision", "recall")
TITLES = {"micro": "micro F1", "macro": "macro F1", "precision": "precision", "recall": "recall"}
LAMBDAS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
SIZES = {
    "20newsgroups": [200, 500, 1000, 2000, 5000, 10000],
    "reuters-modapte-41": [100, 200, 500, 1000, 2000, 5000],
}
LARGE = ["SS(100)", "SS(1000)", "WS", "US", "DF", "IG", "IG per class", "SS(100), top"]


def term_scores(choice, X, y, *, seed):
    """Give the scores of the terms; one row a class where each has its own."""
    from textspace.selection import SCORES, information_gain, subspace

    score, rank, mode = CHOICES[choice]
    if score == "subspace":
        return subspace(X, rank=rank, exact=False, random_state=seed)
    if score == "information_gain":
        return information_gain(X, y, aggregate=None if mode == "per class" else "max")
    return SCORES[score](X, y)


def decide_on_terms(choice, scores, documents, *, n_terms, sample, penalty):
    """Choose terms, fit least squares on them, and give the decision values of the test documents."""
    mode = CHOICES[choice][2]
    if mode == "per class":
        values = [
            _decide(row, documents, documents.y_train == c, n_terms, "top", sample, penalty)
            for c, row in enumerate(scores)
        ]
        return np.column_stack(values)
    return _decide(scores, documents, documents.y_train, n_terms, mode, sample, penalty)


def _decide(scores, documents, y, n_terms, mode, sample, penalty):
    selector = term_selector(scores, n_terms, mode, sample).fit(documents.X_train)
    model = least_squares(penalty).fit(selector.transform(documents.X_train), y)
    return model.decision_function(selector.transform(documents.X_test))


def term_selector(scores, n_terms, mode, sample):
    """Give what keeps terms by scores that are known."""
    return estimator(
        "textspace.selection.TermSelector",
        score=lambda X, y: scores,
        n_terms=min(n_terms, np.count_nonzero(scores)),
        rank=100,  # not used: the scores are known
        mode=mode,
        exact_budget=True,
        random_state=sample,
    )


def least_squares(lambdas):
    """Give regularised least squares with a penalty, or with the one of several that does best."""
    return estimator(
        "textspace.classify.RLSC",
        lambdas=lambdas,
        fit_intercept=False,
        criterion="micro_f1",
        cv=None,
        tol=1e-3,
        class_weight=None,
    )


def performance(values, y, *, zero_is_positive=False):
    """Score decisions by the sign: micro and macro F1, precision and recall.

    With two classes, micro F1 is the accuracy, and precision and recall are those of the second class. `y`
    has positions of classes, or a column of 0 and 1 for each class.
    """
    from textspace.evaluation import per_class, scores

    yes = values >= 0 if zero_is_positive else values > 0
    if values.ndim == 1:
        found = per_class(y == 1, yes, [True])
        both = scores(y, yes.astype(int))
        precision, recall = found["precision"][0], found["recall"][0]
    else:
        truth = y.astype(bool) if y.ndim == 2 else y[:, None] == np.arange(values.shape[1])
        both = scores(truth, yes)
        precision, recall = both["macro_precision"], both["macro_recall"]
    return dict(zip(MEASURES, (both["micro_f1"], both["macro_f1"], precision, recall), strict=True))


def relative(found, full):
    """Divide by the performance on all terms; nothing is said where that is zero."""
    return {name: found[name] / full[name] if full[name] else None for name in MEASURES}


def split(corpus, seed):
    """Give the documents of a random split with four fifths for training, SMART ltc weights."""
    from textspace.tuning import given_split, share_splits, vectorise

    if corpus.split is None or corpus.name == "20newsgroups":
        [(train, test)] = share_splits(corpus.labels, 0.8, random_state=seed)
    else:
        [(train, test)] = given_split(corpus.labels, corpus.split)
    documents = vectorise(corpus, train, test, space=vector_space("ltc"), scheme="ltc")
    y_train, y_test = (np.searchsorted(corpus.classes, y) for y in (documents.y_train, documents.y_test))
    return documents._replace(y_train=y_train, y_test=y_test)


def on_all_terms(documents):
    """Fit least squares on all terms; give its penalty, chosen on training documents, and its performance."""
    model = least_squares(np.geomspace(0.01, 100, 20)).fit(documents.X_train, documents.y_train)
    return model.lambda_, performance(model.decision_function(documents.X_test), documents.y_test)


@cache
def _large_split(corpus, seed):
    documents = split(load_once(corpus), seed)
    return documents, *on_all_terms(documents)


# Figure 2


def lambda_tasks():
    """Give one task: the first split of 20 Newsgroups."""
    return [{"corpus": "20newsgroups", "seed": 0}]


def measure_lambdas(corpus, seed):
    """Give the performance on all terms at each penalty, and which one training documents choose."""
    documents, chosen, _ = _large_split(corpus, seed)
    records = []
    for penalty in LAMBDAS:
        model = least_squares(penalty).fit(documents.X_train, documents.y_train)
        found = performance(model.decision_function(documents.X_test), documents.y_test)
        records.append({"penalty": penalty, "chosen": chosen, **found})
    return records


def report_lambdas(records):
    """Give the curve as a table."""
    rows = [[f"{r['penalty']:g}", *(number(r[name], 3) for name in MEASURES)] for r in records]
    best = max(records, key=lambda r: r["micro"])
    return (
        f"{table(['lambda', 'micro F1', 'macro F1', 'precision', 'recall'], rows)}\n\n"
        f"Best on test: lambda = {best['penalty']:g} (the paper: 0.4). Chosen on training documents: "
        f"{best['chosen']:.2f}."
    )


def draw_lambdas(records, folder):
    """Draw Figure 2."""
    from matplotlib import pyplot as plt

    figure, axis = plt.subplots(figsize=(6.2, 3.2), layout="constrained")
    for name in MEASURES:
        axis.plot([r["penalty"] for r in records], [r[name] for r in records], marker=".", label=TITLES[name])
    axis.axvline(records[0]["chosen"], color="#888888", linestyle=":", label="chosen on training data")
    axis.set(xlabel="lambda", title="20 Newsgroups, one split, all terms")
    figure.legend(loc="outside right center", frameon=False)
    axis.grid(alpha=0.3)
    return [save_figure(figure, folder / "figure.svg")]


# Figure 5


def large_tasks():
    """Give one task for each corpus, split and choice: five random splits, or the corpus's own."""
    seeds = {"20newsgroups": range(5), "reuters-modapte-41": range(1)}
    return [
        {"corpus": corpus, "seed": seed, "choice": choice}
        for corpus in SIZES
        for seed in seeds[corpus]
        for choice in LARGE
    ]


def measure_large(corpus, seed, choice):
    """Give relative performance of a choice at each number of terms, one record a draw."""
    documents, penalty, full = _large_split(corpus, seed)
    scores = term_scores(choice, documents.X_train, documents.y_train, seed=0)
    draws = range(SAMPLES if CHOICES[choice][2] == "sample" else 1)
    records = []
    for n_terms in SIZES[corpus]:
        for sample in draws:
            values = decide_on_terms(
                choice, scores, documents, n_terms=n_terms, sample=sample, penalty=penalty
            )
            found = relative(performance(values, documents.y_test), full)
            records.append({"n_terms": n_terms, "sample": sample, "full": full["micro"], **found})
    return records


def report_large(records):
    """Give relative micro and macro F1 by choice and number of terms, a table for each corpus."""
    parts = []
    for corpus, sizes in SIZES.items():
        full = mean_of(records, "full", corpus=corpus)
        parts.append(f"## {corpus}, micro F1 {full:.4f} on all terms\n")
        for name in ("micro", "macro"):
            rows = [
                [
                    choice,
                    *(
                        number(mean_of(records, name, corpus=corpus, choice=choice, n_terms=n), 3)
                        for n in sizes
                    ),
                ]
                for choice in LARGE
            ]
            parts.append(table([f"relative {TITLES[name]}", *(f"r = {n}" for n in sizes)], rows) + "\n")
    return "\n".join(parts)


def draw_large(records, folder):
    """Draw Figure 5 and its macro F1, for both corpora."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, 2, figsize=(9, 6.6), layout="constrained", sharey="row")
    for column, (corpus, sizes) in enumerate(SIZES.items()):
        for row, name in enumerate(("micro", "macro")):
            for choice in LARGE:
                curve = [mean_of(records, name, corpus=corpus, choice=choice, n_terms=n) for n in sizes]
                line = "--" if CHOICES[choice][2] != "sample" else "-"
                axes[row, column].plot(sizes, curve, line, marker=".", label=choice)
            axes[row, column].set(
                xscale="log", xlabel="number of terms r", title=f"{corpus}: relative {TITLES[name]}"
            )
            axes[row, column].grid(alpha=0.3)
    figure.legend(
        *axes[0, 0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=8,
        frameon=False,
        fontsize=8,
    )
    return [save_figure(figure, folder / "figure.svg")]


SHARED = (
    "Regularised least squares, each class against the rest, a document belonging to the classes with a "
    "positive value; SMART ltc weights, Porter stems. Figures are relative to the same model on all terms, "
    "whose penalty was chosen on training documents (the paper takes the best on test) and kept. Terms drawn "
    "at random (SS, WS, US) are drawn five times; the multiplier is such that r is the expected number of "
    "terms, so that all methods are compared at the same count: by the paper's rule min(1, r p) fewer are "
    "kept."
)

FIGURE_2 = Experiment(
    name="srls-fig2",
    title="SRLS paper, Figure 2",
    summary="Regularised least squares on all terms of 20 Newsgroups over its penalty, one random split of "
    "four fifths for training. F1 by yes/no decisions; precision and recall are means over the classes.",
    results=Records(lambda_tasks, measure_lambdas),
    report=report_lambdas,
    draw=draw_lambdas,
)

FIGURE_5 = Experiment(
    name="srls-fig5",
    title="SRLS paper, Figure 5",
    summary=SHARED + " 20 Newsgroups in five random splits, four fifths for training; Reuters ModApte-41 "
    "in its own split in place of RCV2. *IG* ranks a term by its best class; *IG per class* gives each class "
    "the r terms that are best for it, as one-against-all classifiers allow; *top* keeps the best terms "
    "instead of drawing.",
    results=Records(large_tasks, measure_large),
    report=report_large,
    draw=draw_large,
)
