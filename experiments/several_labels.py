"""Several labels a document: ours beside scikit-learn, LibMultiLabel and omikuji, in one run."""

import time
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy import sparse

from experiments.corpora import load_once
from experiments.experiment import Experiment
from experiments.markdown import number, select, table
from experiments.records import Records

CORPORA = (
    "reuters-modapte-90",
    "debian-tags",
    "debian-tags-de",
    "debian-tags-fr",
    "debian-tags-ja",
    "debian-tags-ru",
)
METHODS = {
    "textspace": "textspace, from texts",
    "blend": "textspace, the same rows",
    "svm": "LinearSVC, one against the rest",
    "svm-thresholds": "LinearSVC, thresholds tuned",
    "libmultilabel-1vsrest": "LibMultiLabel, one against the rest",
    "libmultilabel-thresholding": "LibMultiLabel, thresholding",
    "libmultilabel-tree": "LibMultiLabel, tree",
    "omikuji": "omikuji",
}
NEEDS = {"libmultilabel": "libmultilabel", "omikuji": "omikuji"}
SCORES = {
    "micro F1": "micro_f1",
    "macro F1": "macro_f1",
    "all right": "subset_accuracy",
    "P@1": "precision_at_1",
    "P@3": "precision_at_3",
    "P@5": "precision_at_5",
    "nDCG@5": "ndcg_at_5",
    "cal. error": "calibration_error",
}


SLOW = "libmultilabel-thresholding"  # minutes on hundreds of tags


def tasks():
    """Give one task for each corpus and method; the slow one is for the first two corpora."""
    return [
        {"corpus": corpus, "method": method}
        for corpus in CORPORA
        for method in METHODS
        if method != SLOW or corpus in CORPORA[:2]
    ]


def measure(corpus, method):
    """Give scores and times of one method on one corpus; nothing where its library is not installed."""
    if any(method.startswith(name) and find_spec(module) is None for name, module in NEEDS.items()):
        return []
    documents = load_once(corpus)
    if method in ("blend", "svm", "svm-thresholds"):
        from textspace.evaluation import compare_multilabel

        [row] = compare_multilabel(documents, [method]).methods
        return [_record(row["scores"], row["cpu_seconds"])]
    from textspace.evaluation import multilabel_scores

    start = time.process_time()
    given, values, truth = (_from_texts if method == "textspace" else _on_rows)(documents, method)
    seconds = time.process_time() - start
    scores = multilabel_scores(truth, given, values)
    if method != "textspace":
        scores.pop("calibration_error", None)  # of values that are no probabilities
    return [_record(scores, seconds)]


def _record(scores, seconds):
    return {name: scores.get(name) for name in SCORES.values()} | {"cpu_seconds": seconds}


def _indicators(documents):
    """Give training and test rows of 0 and 1, and the labels, which are those of both sides."""
    from sklearn.preprocessing import MultiLabelBinarizer

    train, test = documents.train, documents.test
    binarizer = MultiLabelBinarizer(sparse_output=True).fit([*train.labels, *test.labels])
    learned, truth = (binarizer.transform(part.labels).tocsr() for part in (train, test))
    return learned.astype(np.float64), truth.astype(bool), binarizer.classes_


def _from_texts(documents, method):
    from textspace.models import TextClassifier

    _, truth, classes = _indicators(documents)
    model = TextClassifier(random_state=0).fit(
        documents.train.texts, [list(own) for own in documents.train.labels]
    )
    own = model.predict_proba(documents.test.texts)
    given = model.decide(own)
    places = np.searchsorted(classes, model.classes_.astype(str))
    values = np.zeros(truth.shape)
    values[:, places] = own
    decided = np.zeros(truth.shape, dtype=bool)
    for row, labels in enumerate(given):
        decided[row, np.searchsorted(classes, [str(label) for label in labels])] = True
    return decided, values, truth


def rows(documents):
    """Give training and test rows: words and pairs of words with ltc weights, as `blend` and `svm` have."""
    from experiments.estimators import estimator

    space = estimator(
        "textspace.text.VectorSpace",
        scheme="ltc",
        stem="porter",
        stop_words="english",
        min_df=1,
        max_df=1.0,
        max_terms=None,
        token_pattern=None,
        n_jobs=None,
        dtype=np.float64,
        bigrams=True,
        n_hashed=None,
        tokens="words",
        letters=None,
        opening=None,
    )
    return space.fit_transform(documents.train.texts), space.transform(documents.test.texts)


def _on_rows(documents, method):
    """Run a peer."""
    learned, truth, _ = _indicators(documents)
    X, X_test = rows(documents)
    if method == "omikuji":
        model, _ = learned_by_omikuji(X, learned)
        values = asked_of_omikuji(model, X_test, learned.shape[1])
        return values > 0.5, values, truth
    values = _libmultilabel(method, X, learned, X_test)
    return values > (0.5 if method.endswith("tree") else 0), values, truth


class _Columns(sparse.csc_matrix):
    def sum(self, axis=None, dtype=None, out=None):
        return super().sum(0 if axis == 2 else axis, dtype=dtype, out=out)


class _Indicators(sparse.csr_matrix):
    """Labels for LibMultiLabel, which sums columns as axis 2: scipy has come to refuse that."""

    def tocsc(self, copy=False):
        return _Columns(super().tocsc(copy=copy))


def _libmultilabel(method, X, Y, X_test):
    from libmultilabel import linear

    train = {
        "libmultilabel-1vsrest": linear.train_1vsrest,
        "libmultilabel-thresholding": linear.train_thresholding,
        "libmultilabel-tree": linear.train_tree,
    }[method]
    model = train(_Indicators(Y), sparse.csr_matrix(X), options="-s 1 -B 1 -e 0.0001 -q", verbose=False)
    values = linear.predict_values(model, sparse.csr_matrix(X_test))
    return np.asarray(values.toarray() if sparse.issparse(values) else values)


def learned_by_omikuji(X, Y):
    """Train omikuji, which reads a file; give the model and the CPU seconds without the file's."""
    import omikuji

    with TemporaryDirectory() as folder:
        path = Path(folder) / "train.txt"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{X.shape[0]} {X.shape[1]} {Y.shape[1]}\n")
            for row in range(X.shape[0]):
                labels = ",".join(map(str, Y.indices[Y.indptr[row] : Y.indptr[row + 1]]))
                terms = " ".join(f"{column}:{value:.6g}" for column, value in _entries(X, row))
                file.write(f"{labels} {terms}\n")
        start = time.process_time()
        model = omikuji.Model.train_on_data(str(path), n_threads=1)
        return model, time.process_time() - start


def asked_of_omikuji(model, X, n_labels):
    """Give scores of the ten likeliest labels of each document, and zeros: (n_samples, n_labels)."""
    values = np.zeros((X.shape[0], n_labels))
    for row, own in enumerate(values):
        for label, score in model.predict(list(_entries(X, row)), top_k=10):
            own[label] = score
    return values


def _entries(X, row):
    own = slice(X.indptr[row], X.indptr[row + 1])
    return zip(X.indices[own].tolist(), X.data[own].tolist(), strict=True)


def report(records):
    """Give a table for each corpus."""
    parts = []
    for corpus in CORPORA:
        rows = [
            [
                METHODS[record["method"]],
                *(number(record[name], 3) for name in SCORES.values()),
                f"{record['cpu_seconds']:.1f}",
            ]
            for record in select(records, corpus=corpus)
        ]
        parts.append(f"## `{corpus}`\n\n{table(['method', *SCORES, 'CPU s'], rows)}\n")
    return "\n".join(parts)


SEVERAL_LABELS = Experiment(
    name="several-labels",
    title="Several labels a document",
    summary=(
        "Own splits. All but the first row work on the same rows, stemmed words and pairs of words with ltc "
        "weights; the first reads the texts and chooses among its alphabets. CPU seconds are those of "
        "learning and answering; making rows counts for the first row and for those of LibMultiLabel and "
        "omikuji. LibMultiLabel has its own defaults (squared hinge, C = 1), and omikuji too. Calibration "
        "is measured where there are probabilities, over pairs that are likelier than .01."
    ),
    results=Records(tasks, measure),
    report=report,
)
