"""What unlabelled text buys each method that can use it, at few labels."""

import warnings
from dataclasses import replace
from functools import cache

import numpy as np

from experiments.corpora import load_once
from experiments.few_labels import (
    all_documents,
    choose,
    classify,
    describe,
    folds,
    with_the_others,
)
from experiments.markdown import mean_of, number, select, table
from experiments.study import Study, save_figure
from textspace.methods import METHODS

DRAWS = 5
SHARE = 0.05
SIZES = (5, 10, 20, 50)  # labelled documents a class
CORPORA = {"reuters-r52": "R52", "20newsgroups": "20 Newsgroups", "ohsumed-23": "Ohsumed"}
COLOURS = {
    "svm": "#777777",
    "lsi": "#d4a017",
    "sda": "#8a4fa3",
    "ss-lrwmmc": "#7aa6d8",
    "em-nb": "#c2571a",
    "lda-lsi": "#4f9d4f",
    "rlsc-lsi": "#3fa7a0",
    "self-training": "#1f5fa8",
}


# Method -> the method of the catalogue whose space it has; that space is learned without labels.
SPACES = {
    "lsi": "lsi",
    "lda-lsi": "self-training",
    "rlsc-lsi": "self-training",
    "self-training": "self-training",
}


def methods():
    """Give the methods that use unlabelled text, and a linear SVM, which does not.

    Of those in `SPACES` it is the classifier alone.
    """
    whole = METHODS["self-training"]
    in_lsi = replace(METHODS["lsi"], build=_nearest, grid={"estimator__metric": ["euclidean", "cosine"]})
    found = {name: METHODS[name] for name in ("sda", "ss-lrwmmc", "em-nb")}
    found |= {
        "svm": replace(METHODS["svm"], scheme="ltc"),
        "lsi": replace(in_lsi, unlabelled=True),
        "lda-lsi": replace(whole, title="Terms and LSI, SR-LDA", build=_discriminants),
        "rlsc-lsi": replace(whole, title="Terms and LSI, RLSC", build=_least_squares),
        "self-training": replace(whole, build=_self_training),
    }
    return {name: found[name] for name in COLOURS}


def _nearest():
    from textspace.classify import LabelledOnly

    return LabelledOnly(METHODS["lsi"].build()["classify"])


def _discriminants():
    from textspace.classify import LabelledOnly

    return LabelledOnly(METHODS["lda"].build().set_params(classify__metric="cosine"))


def _least_squares():
    from textspace.classify import LabelledOnly

    return LabelledOnly(_self_training().estimator)


def _self_training():
    return METHODS["self-training"].build()["classify"]


def tasks():
    """Give one task for each corpus, number of labels (a share is a share of all) and method."""
    return [
        {"corpus": corpus, "labels": labels, "method": method}
        for labels in (SHARE, *SIZES)
        for corpus in CORPORA
        for method in COLOURS
    ]


def draw_labelled(y, labels, seed):
    """Draw the documents that keep their label: so many a class, or a share of each, at least two."""
    from textspace.tuning import share_splits

    if labels < 1:
        [(labelled, _)] = share_splits(y, labels, random_state=seed)
        return labelled
    rng = np.random.default_rng(seed)
    return np.sort(np.concatenate([rng.permutation(np.flatnonzero(y == c))[:labels] for c in np.unique(y)]))


def measure(corpus, labels, method):
    """Give scores of each draw without and with the unlabelled documents.

    Settings are chosen on the labelled documents of the first draw, without and with the others.
    """
    space, method = SPACES.get(method), methods()[method]
    everything = _all_in_space(corpus, method.scheme, space)
    records, chosen = [], {}
    for seed in range(DRAWS):
        labelled = draw_labelled(everything.y_train, labels, seed)
        right = {}
        for unlabelled in (False, True) if method.unlabelled else (False,):
            if unlabelled:
                documents = with_the_others(everything, labelled)
            else:
                documents = _in_space(_labelled_alone(corpus, method.scheme, labelled), space)
            if seed == 0:
                chosen[unlabelled], _ = choose(method, folds(documents))
            predicted, found = classify(method, chosen[unlabelled], documents)
            right[unlabelled] = predicted == documents.y_test
            records.append(
                {
                    "seed": seed,
                    "unlabelled": unlabelled,
                    "n_labels": len(labelled),
                    "settings": describe(chosen[unlabelled]),
                    "micro": found["micro"],
                    "macro": found["macro"],
                    "helped": int(np.sum(right[unlabelled] & ~right[False])),
                    "harmed": int(np.sum(right[False] & ~right[unlabelled])),
                }
            )
    return records


@cache
def _all_in_space(corpus, scheme, space):
    """Give all training documents in a space that is learned from them: one for all draws."""
    return _in_space(all_documents(corpus, scheme), space)


def _in_space(documents, space):
    from textspace.tuning import seeded

    if space is None:
        return documents
    fitted = seeded(METHODS[space].build()["space"], 0)
    with warnings.catch_warnings():  # of fewer dimensions than asked for
        warnings.simplefilter("ignore")
        X_train = fitted.fit_transform(documents.X_train)
    return documents._replace(X_train=X_train, X_test=fitted.transform(documents.X_test))


def _labelled_alone(corpus, scheme, labelled):
    """Give the labelled documents, of which terms and their weights are learned too."""
    from textspace.text import VectorSpace
    from textspace.tuning import given_split, vectorise

    corpus = load_once(corpus)
    [(train, test)] = given_split(corpus.labels, corpus.split)
    return vectorise(corpus, train[labelled], test, space=VectorSpace(), scheme=scheme)


def paired(records, score, ours, theirs):
    """Compare two sets of records draw by draw: mean difference, and the paired t-test over the draws."""
    from textspace.evaluation import resampled_t_test

    a, b = ([r[score] for r in sorted(select(records, **who), key=_seed)] for who in (ours, theirs))
    differences = np.subtract(a, b)
    # the labelled documents of the draws hardly overlap, so that nothing is to be corrected
    return float(differences.mean()), resampled_t_test(differences, 0.0)


def _seed(record):
    return record["seed"]


def gain(records, score, **cell):
    """Compare a method with unlabelled text with itself without."""
    return paired(records, score, cell | {"unlabelled": True}, cell | {"unlabelled": False})


def lead(records, score, **cell):
    """Compare a method with unlabelled text with the linear SVM on the same labels."""
    return paired(records, score, cell | {"unlabelled": True}, cell | {"method": "svm", "unlabelled": False})


def report(records):
    """Give F1 with gains, and leads over the SVM, tables for each corpus."""
    parts = []
    for corpus, title in CORPORA.items():
        sizes = [select(records, corpus=corpus, labels=n)[0]["n_labels"] for n in (*SIZES, SHARE)]
        headings = [*(f"{n} a class" for n in SIZES), f"{100 * SHARE:g} %"]
        headings = ["method", *(f"{h} ({size})" for h, size in zip(headings, sizes, strict=True))]
        own = select(records, corpus=corpus)
        parts.append(f"## {title}: `{corpus}`\n")
        for score in ("micro", "macro"):
            parts.append(f"{score.capitalize()} F1 with unlabelled text, and gain over the same without:\n")
            parts.append(table(headings, _rows(own, score, COLOURS, _with_gain)) + "\n")
        others = [name for name in COLOURS if name != "svm"]
        parts.append("Lead of each with unlabelled text over the linear SVM, micro F1:\n")
        parts.append(table(headings, _rows(own, "micro", others, _lead_alone)) + "\n")
    return "\n".join(parts)


def _rows(records, score, names, entry):
    titles = {name: method.title for name, method in methods().items()}
    return [
        [titles[name], *(entry(records, score, labels=n, method=name) for n in (*SIZES, SHARE))]
        for name in names
    ]


def _with_gain(records, score, **cell):
    if cell["method"] == "svm":
        return number(mean_of(records, score, **cell))
    difference, test = gain(records, score, **cell)
    return f"{number(mean_of(records, score, unlabelled=True, **cell))}, {difference:+.4f} {test.mark}"


def _lead_alone(records, score, **cell):
    difference, test = lead(records, score, **cell)
    return f"{difference:+.4f} {test.mark}"


def draw(records, folder):
    """Draw micro F1 with unlabelled text over the number of labels, and below it the gain."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(10.5, 6.2), layout="constrained", sharex=True)
    for (corpus, title), (upper, lower) in zip(CORPORA.items(), axes.T, strict=True):
        for name, method in methods().items():
            cell = {"corpus": corpus, "method": name}
            style = {"color": COLOURS[name], "marker": "o", "markersize": 3}
            means = [mean_of(records, "micro", labels=n, unlabelled=method.unlabelled, **cell) for n in SIZES]
            upper.plot(SIZES, means, label=method.title, **style)
            if method.unlabelled:
                lower.plot(SIZES, [gain(records, "micro", labels=n, **cell)[0] for n in SIZES], **style)
        upper.set_title(title)
        lower.axhline(0, color="#333333", linewidth=0.8)
        lower.set(xscale="log", xlabel="labelled documents a class")
        lower.set_xticks(SIZES, map(str, SIZES))
        lower.minorticks_off()
        for axis in (upper, lower):
            axis.grid(alpha=0.3)
    axes[0, 0].set_ylabel("micro F1 with unlabelled text")
    axes[1, 0].set_ylabel("gain over the same without")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    return [save_figure(figure, folder / "figure.svg")]


GAIN = Study(
    name="unlabelled-gain",
    title="What unlabelled text is worth",
    summary=(
        "A few training documents keep their labels: so many of each class, all of a smaller one, or 5 % of "
        "each class, at least two; the number of labels is in brackets. The others are unlabelled. Scores "
        "are on the corpus's own test documents, means of five draws. Each method learns from the labelled "
        "documents alone, which then give the terms, their weights and LSI too, and from all. Settings are "
        "those of the catalogue, chosen by three folds of the labelled documents of the first draw, without "
        "and with the others, and kept for all draws. The linear SVM, ltc weights and C by the same folds, "
        "uses no unlabelled text. *LSI*, *Terms and LSI, SR-LDA* and *Terms and LSI, RLSC* learn the space "
        "from all text and classify by the labelled documents: the nearest in 100 dimensions; discriminants "
        "and the nearest; least squares. *Self-training* is the last with three rounds of self-training. "
        "Marks are those of the paired t-test over the five draws: `>>` and `<<` for p <= .01, `>` and `<` "
        "for p <= .05, `~` for neither."
    ),
    tasks=tasks,
    measure=measure,
    report=report,
    draw=draw,
)
