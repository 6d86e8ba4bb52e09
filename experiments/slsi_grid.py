"""Quan et al., "Adaptive label-driven scaling for LSI", SIGIR 2008: what the paper leaves open, tried."""

import warnings
from itertools import product

import numpy as np

from experiments.corpora import load_once
from experiments.estimators import estimator, nearest, vector_space
from experiments.experiment import Experiment
from experiments.markdown import number, select, table
from experiments.records import Records
from experiments.slsi import PUBLISHED

CORPORA = {
    "Reuters tree (a)": "reuters-tree-a",
    "Reuters tree (b)": "reuters-tree-b",
    "20 Newsgroups": "20newsgroups-8",
}
METHODS = {"nadp": False, "slsi": True}  # whether scaling is adaptive
SCHEMES = ("tf", "tfidf")
SIMILARITIES = ("product", "cosine")
SCALES = (0.5, 1.0, 2.0, 4.0)
NEAR = (1, 5)
FOLDS = 3
SETTINGS = ("method", "scheme", "similarity", "query", "scale", "near")


def tasks():
    """Give one task for each corpus, weighting of terms, and part of it that is held out."""
    return [
        {"corpus": corpus, "scheme": scheme, "held_out": held_out}
        for corpus in CORPORA.values()
        for scheme in SCHEMES
        for held_out in ("test", *range(FOLDS))
    ]


def measure(corpus, scheme, held_out):
    """Give micro and macro F1 of every setting, and of plain LSI, on one part that is held out."""
    documents = load_once(corpus)
    texts, labels, new_texts, truth = split(documents, held_out)
    vectors = vector_space(scheme)
    X, X_new = vectors.fit_transform(texts), vectors.transform(new_texts)
    records = []
    for method, similarity, scale, near in _spaces():
        space = estimator(
            "textspace.linear.LabelDrivenLSI",
            n_components=50,
            tree=documents.tree,
            terms=vectors.get_feature_names_out(),
            scale=scale,
            n_similar=near,
            adaptive=METHODS.get(method, False),
            similarity=similarity,
            stem="porter",
            random_state=0,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # words of names that no document holds
            placed = space.fit_transform(X)
        vote = nearest("cosine", n_neighbors=20).fit(placed, labels)
        queries = {"scaled": space.transform(X_new), "as it is": X_new @ space.components_.T}
        for query, rows in queries.items():
            found = scores(truth, vote.predict(rows))
            setting = (method, scheme, similarity, query, scale, near)
            records.append(dict(zip(SETTINGS, setting, strict=True)) | found)
    return records


def _spaces():
    """List the settings of a space; LSI itself has scale 0."""
    return [("k-lsi", "cosine", 0.0, 0), *product(METHODS, SIMILARITIES, SCALES, NEAR)]


def split(corpus, held_out):
    """Give texts and labels to learn from and to judge by: the corpus's own split, or a fold of training."""
    from sklearn.model_selection import StratifiedKFold

    texts, labels = np.array(corpus.train.texts, dtype=object), np.asarray(corpus.train.labels)
    if held_out == "test":
        return list(texts), labels, list(corpus.test.texts), np.asarray(corpus.test.labels)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(texts, labels)
    rows, out = list(folds)[held_out]
    return list(texts[rows]), labels[rows], list(texts[out]), labels[out]


def scores(truth, predicted):
    """Give micro F1 and the paper's macro F1, that of mean precision and mean recall."""
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    precision, recall, _, _ = precision_recall_fscore_support(
        truth, predicted, average="macro", zero_division=0
    )
    macro = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {"micro": accuracy_score(truth, predicted), "macro": macro}


def cells(records, corpus, method):
    """Give each setting of a method on a corpus: figures on test, and the mean of micro F1 over the folds."""
    found = {}
    for record in select(records, corpus=corpus, method=method):
        own = found.setdefault(tuple(record[name] for name in SETTINGS), {"folds": []})
        if record["held_out"] == "test":
            own |= {"micro": record["micro"], "macro": record["macro"]}
        else:
            own["folds"].append(record["micro"])
    return {setting: own | {"folds": float(np.mean(own["folds"]))} for setting, own in found.items()}


def nearest_cell(records, corpus, method, published):
    """Give the setting whose micro and macro F1 are nearest to the paper's, and its figures."""
    own = cells(records, corpus, method)
    return min(
        own.items(),
        key=lambda cell: abs(cell[1]["micro"] - published[0]) + abs(cell[1]["macro"] - published[1]),
    )


def chosen_cell(records, corpus, method):
    """Give the setting with the best mean of micro F1 over the folds of the training documents."""
    return max(cells(records, corpus, method).items(), key=lambda cell: cell[1]["folds"])


def one_setting(records):
    """Give the setting, the same for NADP and SLSI on all trees, whose figures are nearest to the paper's."""
    distance = {}
    for dataset, corpus in CORPORA.items():
        for method in METHODS:
            theirs = PUBLISHED[dataset][method]
            for setting, own in cells(records, corpus, method).items():
                distance.setdefault(setting[1:], []).append(
                    abs(own["micro"] - theirs[0]) + abs(own["macro"] - theirs[1])
                )
    return min(distance.items(), key=lambda item: sum(item[1]))[0]


def report(records):
    """Give, for each corpus, the cell nearest the paper, the one nearest on all, and the one chosen."""
    shared, parts = one_setting(records), []
    for dataset, corpus in CORPORA.items():
        rows = []
        for method in ("k-lsi", *METHODS):
            theirs, own = PUBLISHED[dataset][method], cells(records, corpus, method)
            found = [("nearest to the paper", *nearest_cell(records, corpus, method, theirs))]
            if method in METHODS:
                found.append(("the same on all trees", (method, *shared), own[method, *shared]))
            found.append(("chosen on training documents", *chosen_cell(records, corpus, method)))
            found.append(("best on test", *max(own.items(), key=lambda cell: cell[1]["micro"])))
            rows += [
                [
                    method.upper(),
                    why,
                    *map(number, theirs),
                    number(cell["micro"]),
                    number(cell["macro"]),
                    _words(setting),
                ]
                for why, setting, cell in found
            ]
        headings = ["method", "setting", "paper micro", "paper macro", "ours micro", "ours macro", "which"]
        parts.append(f"## {dataset}: `{corpus}`\n\n{table(headings, rows)}\n")
    return "\n".join(parts)


def _words(setting):
    _, scheme, similarity, query, scale, near = setting
    if not scale:
        return scheme
    return f"{scheme}, {similarity}, query {query}, q = {scale:g}, l = {near}"


GRID = Experiment(
    name="slsi-grid",
    title="SLSI paper, Tables 1 to 3: what the paper leaves open",
    summary=(
        "The paper gives neither q nor l, nor whether terms have tf or tf-idf weights, whether nearness of "
        "terms is the product as in equation 1 or a cosine, and whether a query is scaled. All of it was "
        "tried, at 50 dimensions and 20 neighbours: the cell whose micro and macro F1 are nearest to the "
        "paper's, for each table and for all together; the one that three folds of the training documents "
        "choose; the best on test."
    ),
    results=Records(tasks, measure),
    report=report,
)
