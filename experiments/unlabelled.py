"""What unlabelled text buys each method that can use it, at few labels."""

import warnings
from functools import cache

import numpy as np

from experiments.corpora import load_once
from experiments.estimators import (
    estimator,
    in_space,
    labelled_only,
    linear_svm,
    method,
    nearest,
    vector_space,
)
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
    with_the_others,
)
from experiments.markdown import mean_of, number, select, table
from experiments.records import Records

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


def _latent_space(n_components):
    return estimator("textspace.linear.LSI", n_components=n_components, random_state=0)


def _terms_and_latent_space():
    from sklearn.pipeline import FeatureUnion, Pipeline
    from sklearn.preprocessing import Normalizer

    latent = Pipeline([("project", _latent_space(200)), ("norm", Normalizer(norm="l2"))])
    return FeatureUnion([("terms", "passthrough"), ("lsi", latent)])


def space_of(name):
    """Build the space of a method that learns one without labels; None for the others."""
    if name == "lsi":
        return _latent_space(100)
    return _terms_and_latent_space() if name in ("lda-lsi", "rlsc-lsi", "self-training") else None


def methods():
    """Give the methods that use unlabelled text, and a linear SVM, which does not.

    Of those that have a space, see :func:`space_of`, it is the classifier alone.
    """
    metrics = {"estimator__metric": ["euclidean", "cosine"]}
    of_all = {"scheme": "tfidf", "unlabelled": True}
    whole = {"grid": {}, "scheme": "ltc", "unlabelled": True}
    smoothing = {"alpha": [0.001, 0.01, 0.1], "weight": [0.0, 0.1, 1.0]}
    found = {
        "svm": method("svm", linear_svm, grid={"C": [0.3, 1.0, 3.0, 10.0]}, scheme="ltc"),
        "lsi": method("lsi", _nearest, grid=metrics, **of_all),
        "sda": method("sda", discriminants_of_all, grid=_ties([0.0, 0.001, 0.01]), **of_all),
        "ss-lrwmmc": method("ss-lrwmmc", margins_of_all, grid=_ties([0.0, 4**-3, 4**-2]), **of_all),
        "em-nb": method("em-nb", naive_bayes_of_all, grid=smoothing, **of_all),
        "lda-lsi": method("self-training", _discriminants, title="Terms and LSI, SR-LDA", **whole),
        "rlsc-lsi": method("self-training", _only_once, title="Terms and LSI, RLSC", **whole),
        "self-training": method("self-training", _self_training, **whole),
    }
    return {name: found[name] for name in COLOURS}


def _ties(smoothness):
    return {"space__smoothness": smoothness, "classify__estimator__metric": ["euclidean", "cosine"]}


def _nearest():
    return labelled_only(nearest("euclidean"))


def _discriminants():
    space = estimator(
        "textspace.linear.SpectralRegressionLDA", alpha=1.0, tol=0.01, max_iter=1000, n_components=None
    )
    return labelled_only(in_space(space, nearest("cosine")))


def _least_squares():
    return estimator(
        "textspace.classify.RLSC",
        lambdas=0.3,
        fit_intercept=False,
        criterion="micro_f1",
        cv=None,
        tol=1e-3,
        class_weight=None,
    )


def _only_once():
    return labelled_only(_least_squares())


def _self_training():
    return estimator(
        "textspace.classify.SelfTraining",
        estimator=_least_squares(),
        threshold=0.7,
        quota=0.5,
        weight=0.5,
        n_rounds=3,
        cv=5,
    )


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
    name, contender = method, methods()[method]
    everything = _all_in_space(corpus, contender.scheme, name)
    records, chosen = [], {}
    for seed in range(DRAWS):
        labelled = draw_labelled(everything.y_train, labels, seed)
        right = {}
        for unlabelled in (False, True) if contender.unlabelled else (False,):
            if unlabelled:
                documents = with_the_others(everything, labelled)
            else:
                documents = _in_space(_labelled_alone(corpus, contender.scheme, labelled), name)
            if seed == 0:
                chosen[unlabelled] = choose(contender, folds(documents))
            predicted, found = classify(contender, chosen[unlabelled], documents)
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
def _all_in_space(corpus, scheme, name):
    """Give all training documents in a method's space, learned from all of them: one for all draws."""
    return _in_space(all_documents(corpus, scheme), name)


def _in_space(documents, name):
    space = space_of(name)
    if space is None:
        return documents
    with warnings.catch_warnings():  # of fewer dimensions than asked for
        warnings.simplefilter("ignore")
        X_train = space.fit_transform(documents.X_train)
    return documents._replace(X_train=X_train, X_test=space.transform(documents.X_test))


def _labelled_alone(corpus, scheme, labelled):
    """Give the labelled documents, of which terms and their weights are learned too."""
    from textspace.tuning import given_split, vectorise

    corpus = load_once(corpus)
    [(train, test)] = given_split(corpus.labels, corpus.split)
    return vectorise(corpus, train[labelled], test, space=vector_space(scheme), scheme=scheme)


def paired(records, score, ours, theirs):
    """Compare two sets of records draw by draw: mean difference, and the paired t-test over the draws."""
    from textspace.evaluation import resampled_t_test

    a, b = ([r[score] for r in sorted(select(records, **who), key=_seed)] for who in (ours, theirs))
    differences = np.subtract(a, b)
    # the labelled documents of the draws hardly overlap, so that nothing is to be corrected
    return float(differences.mean()), resampled_t_test(differences, 0.0)


def _seed(record):
    return record["seed"]


def gain(records, score, **place):
    """Compare a method with unlabelled text with itself without."""
    return paired(records, score, place | {"unlabelled": True}, place | {"unlabelled": False})


def lead(records, score, **place):
    """Compare a method with unlabelled text with the linear SVM on the same labels."""
    return paired(
        records, score, place | {"unlabelled": True}, place | {"method": "svm", "unlabelled": False}
    )


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
    titles = {name: contender.title for name, contender in methods().items()}
    return [
        [titles[name], *(entry(records, score, labels=n, method=name) for n in (*SIZES, SHARE))]
        for name in names
    ]


def _with_gain(records, score, **place):
    if place["method"] == "svm":
        return number(mean_of(records, score, **place))
    difference, test = gain(records, score, **place)
    return f"{number(mean_of(records, score, unlabelled=True, **place))}, {difference:+.4f} {test.mark}"


def _lead_alone(records, score, **place):
    difference, test = lead(records, score, **place)
    return f"{difference:+.4f} {test.mark}"


def draw(records, folder):
    """Draw micro F1 with unlabelled text over the number of labels, and below it the gain."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(10.5, 6.2), layout="constrained", sharex=True)
    for (corpus, title), (upper, lower) in zip(CORPORA.items(), axes.T, strict=True):
        for name, contender in methods().items():
            place = {"corpus": corpus, "method": name}
            style = {"color": COLOURS[name], "marker": "o", "markersize": 3}
            means = [
                mean_of(records, "micro", labels=n, unlabelled=contender.unlabelled, **place) for n in SIZES
            ]
            upper.plot(SIZES, means, label=contender.title, **style)
            if contender.unlabelled:
                lower.plot(SIZES, [gain(records, "micro", labels=n, **place)[0] for n in SIZES], **style)
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


GAIN = Experiment(
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
    results=Records(tasks, measure),
    report=report,
    draw=draw,
)
