"""Dasgupta et al., "Feature selection methods for text classification", KDD 2007: Figure 1 to the letter."""

from functools import cache, partial
from itertools import islice

import numpy as np

from experiments.corpora import load_once
from experiments.estimators import estimator, vector_space
from experiments.experiment import Experiment
from experiments.markdown import mean_of, number, select, table
from experiments.records import Records
from experiments.srls import (
    CHOICES,
    LAMBDAS,
    TITLES,
    decide_on_terms,
    least_squares,
    on_all_terms,
    performance,
    relative,
    split,
    term_scores,
)
from experiments.srls_pairs import TASK_SIZES

SMALL = ["SS(10)", "SS(20)", "SS(40)", "SS(50 %)", "SS(90 %)", "SS(rank)", "WS", "US", "DF", "IG"]
LARGE = ["SS(100)", "SS(1500)", "WS", "US", "DF", "IG"]
SIZES = [200, 500, 1000, 2000, 5000, 10000]
SPLITS, DRAWS = 2, 2
# Name -> whether the algorithm is Figure 1 of the paper, and whether a value of zero means yes
WAYS = {"printed": (True, True), "printed, f > 0": (True, False), "ours": (False, False)}


# Documents


@cache
def _collection(name):
    from textspace.datasets import binary_tasks

    return binary_tasks(name), []


def _pair(collection, number):
    tasks, taken = _collection(collection)
    taken.extend(islice(tasks, max(0, number + 1 - len(taken))))
    return taken[number]


@cache
def topics_split(corpus):
    """Give the documents of a corpus with several topics each, in its own split, SMART ltc weights.

    Labels are a column of 0 and 1 for each topic that has a training document.
    """
    from textspace.tuning import TrainTest

    if corpus == "rcv1":
        from textspace.datasets import load_rcv1

        train, test = load_rcv1("train"), load_rcv1("test")
        return TrainTest(train.X, train.Y.toarray(), test.X, test.Y.toarray(), {})
    from sklearn.preprocessing import MultiLabelBinarizer

    train, test = load_once(corpus).train, load_once(corpus).test
    space, binarizer = vector_space("ltc"), MultiLabelBinarizer()
    X, Y = space.fit_transform(train.texts), binarizer.fit_transform(train.labels)
    return TrainTest(X, Y, space.transform(test.texts), binarizer.transform(test.labels), {})


def large_documents(corpus):
    """Give the documents of a large corpus: 20 Newsgroups in a random split, the others in their own."""
    return split(load_once(corpus), 0) if corpus == "20newsgroups" else topics_split(corpus)


# Measurements


def best_penalty(documents):
    """Give the penalty with the highest micro F1 on the test documents, as the paper takes it."""
    found = {}
    for penalty in LAMBDAS:
        model = least_squares(penalty).fit(documents.X_train, documents.y_train)
        found[penalty] = performance(model.decision_function(documents.X_test), documents.y_test)["micro"]
    return max(found, key=found.get)


def references(documents):
    """Give the penalty and the performance on all terms for each way: best on test, or from training."""
    honest, ours = on_all_terms(documents)
    printed = best_penalty(documents)
    values = least_squares(printed).fit(documents.X_train, documents.y_train)
    values = values.decision_function(documents.X_test)
    found = {"ours": (honest, ours)}
    for way, (is_printed, zero_is_positive) in WAYS.items():
        if is_printed:
            full = performance(values, documents.y_test, zero_is_positive=zero_is_positive)
            found[way] = printed, full
    return found


def decide_as_printed(choice, scores, documents, *, n_terms, sample, penalty):
    """Give the decision values of Figure 1 of the paper, and the number of terms that were picked.

    Terms are drawn with the probability min(1, r p); DF and IG keep the r best.
    """
    if CHOICES[choice][2] != "sample":
        values = decide_on_terms(choice, scores, documents, n_terms=n_terms, sample=sample, penalty=penalty)
        return values, min(n_terms, np.count_nonzero(scores))
    model = estimator(
        "textspace.selection.SampledLeastSquares",
        n_terms=n_terms,
        probabilities=scores,
        rank="rank",  # not used: the scores are known
        penalty=penalty,
        zero_is_positive=True,
        random_state=sample,
    ).fit(documents.X_train, documents.y_train)
    return model.decision_function(documents.X_test), np.count_nonzero(model.scale_)


def measure_choice(choice, documents, full, sizes):
    """Give relative performance of a choice by each way at each number of terms, one record a draw."""
    scores = term_scores(choice, documents.X_train, documents.y_train, seed=0)
    records = []
    for n_terms in sizes:
        for sample in range(DRAWS if CHOICES[choice][2] == "sample" else 1):
            own = {"n_terms": n_terms, "sample": sample}
            printed, n_kept = decide_as_printed(choice, scores, documents, penalty=full["printed"][0], **own)
            ours = decide_on_terms(choice, scores, documents, penalty=full["ours"][0], **own)
            for way, (is_printed, zero_is_positive) in WAYS.items():
                values = printed if is_printed else ours
                found = performance(values, documents.y_test, zero_is_positive=zero_is_positive)
                kept = {"n_kept": n_kept} if is_printed else {"n_kept": None}
                records.append({"way": way, **own, **kept, **relative(found, full[way][1])})
    return records


def measure_pair(collection, pair):
    """Give the records of every choice on one pair of classes."""
    records = []
    for seed in range(SPLITS):
        documents = split(_pair(collection, pair), seed)
        full = references(documents)
        for choice in SMALL:
            own = {"choice": choice, "seed": seed}
            records += [own | record for record in measure_choice(choice, documents, full, TASK_SIZES)]
    return _averaged(records)


def _averaged(records):
    """Give one record for each choice, way and number of terms: means over splits and draws."""
    averaged = []
    for choice in SMALL:
        for way in WAYS:
            for n_terms in TASK_SIZES:
                own = {"choice": choice, "way": way, "n_terms": n_terms}
                means = {name: mean_of(records, name, **own) for name in (*TITLES, "n_kept")}
                averaged.append(own | means)
    return averaged


@cache
def _large(corpus):
    documents = large_documents(corpus)
    return documents, references(documents)


def measure_large(corpus, choice):
    """Give the records of a choice on a large corpus."""
    documents, full = _large(corpus)
    return [
        {"full": full[record["way"]][1]["micro"], **record}
        for record in measure_choice(choice, documents, full, SIZES)
    ]


def pair_tasks(collection, n_pairs):
    """Give one task for each pair of classes."""
    return [{"collection": collection, "pair": pair} for pair in range(n_pairs)]


def large_tasks(corpus):
    """Give one task for each choice."""
    return [{"corpus": corpus, "choice": choice} for choice in LARGE]


# Tables


def report(records, *, choices, sizes):
    """Give each measure by choice and number of terms, a table for each way, and how many terms were kept."""
    drawn = [choice for choice in choices if CHOICES[choice][2] == "sample"]
    return "\n\n".join(
        [
            *(
                _curves(select(records, way=way), f"{way}: relative {title}", name, choices, sizes)
                for way in WAYS
                for name, title in TITLES.items()
            ),
            _curves(
                select(records, way="printed"), "terms kept by min(1, r p)", "n_kept", drawn, sizes, digits=0
            ),
        ]
    )


def _curves(records, heading, name, choices, sizes, *, digits=3):
    rows = [
        [choice, *(number(mean_of(records, name, choice=choice, n_terms=n), digits) for n in sizes)]
        for choice in choices
    ]
    return table([heading, *(f"r = {n}" for n in sizes)], rows)


LETTER = (
    "The algorithm of Figure 1 to the letter (*printed*): terms are drawn with the probability min(1, r p) "
    "and rescaled, the penalty is the best on test, as the paper takes it, and a document belongs to a class "
    "if f >= 0 (equation 8); *f > 0* is the rule of equation 6. *Ours* draws so that r terms are expected, "
    "takes the penalty that training documents choose, and f > 0. DF and IG keep the r best terms in each. "
    "Figures are relative to the same way on all terms. "
)
SMALL_SIZE = f"{SPLITS} splits with four fifths for training, {DRAWS} draws of terms in each. "


def _pairs(name, title, words, collection, n_pairs, **fields):
    return Experiment(
        name=name,
        title=title,
        summary=LETTER + SMALL_SIZE + words,
        results=Records(partial(pair_tasks, collection, n_pairs), measure_pair),
        report=partial(report, choices=SMALL, sizes=TASK_SIZES),
        **fields,
    )


def _large_corpus(name, title, words, corpus, **fields):
    return Experiment(
        name=name,
        title=title,
        summary=f"{LETTER}{DRAWS} draws of terms. {words}",
        results=Records(partial(large_tasks, corpus), measure_large),
        report=partial(report, choices=LARGE, sizes=SIZES),
        **fields,
    )


FIGURE_3 = _pairs(
    "srls-fig3-printed",
    "SRLS paper, Figures 3 and 4, as printed",
    "The first 6 of the hundred pairs of newsgroups or Reuters topics that stand in for TechTC-100.",
    "techtc-standin",
    6,
)
TECHTC = _pairs(
    "srls-techtc",
    "SRLS paper, Figures 3 and 4, as printed, on TechTC-100",
    "The hundred pairs of TechTC-100.",
    "techtc",
    100,
    brought="TechTC-100",
)
FIGURE_5 = _large_corpus(
    "srls-fig5-printed",
    "SRLS paper, Figure 5 (b) and (c), as printed",
    "Reuters ModApte with several of 90 topics a document, in its own split, in place of RCV2.",
    "reuters-modapte-90",
)
FIGURE_5_NEWS = _large_corpus(
    "srls-fig5-printed-news",
    "SRLS paper, Figure 5 (a), as printed",
    "20 Newsgroups, one random split with four fifths for training.",
    "20newsgroups",
)
RCV1 = _large_corpus(
    "srls-rcv1",
    "SRLS paper, Figure 5 (b) and (c), as printed, on RCV1",
    "RCV1-v2 with its 103 topics, in the split of LYRL2004; the paper takes a subset of RCV2.",
    "rcv1",
    brought="RCV1-v2",
)
