"""Methods for several labels a document side by side, on the same rows of one corpus."""

import time
from dataclasses import replace

import numpy as np
from scipy import sparse

from textspace._label_sets import indicators, known_labels
from textspace.classify import CalibratedMethod, SeveralLabelsBlend
from textspace.evaluation._comparison import draw_splits, environment
from textspace.evaluation._hierarchical import hierarchical_scores, with_ancestors
from textspace.evaluation._intervals import bootstrap_intervals, repeat_interval
from textspace.evaluation._label_baselines import TITLES, baseline_answers
from textspace.evaluation._multilabel_results import MultilabelComparison
from textspace.evaluation._several_labels import label_propensities, multilabel_scores, per_label
from textspace.evaluation._significance import significance
from textspace.methods import METHODS, find_methods, for_several_labels
from textspace.text import VectorSpace
from textspace.tuning import describe, pipeline_parts, plain, tune, vectorise

LABEL_METHODS = ("blend", *TITLES)  # that a comparison takes where none is named
CALIBRATED_SVM = "svm-calibrated"  # as the plain name stands for the machines as they are
FOLDS = 3  # by which methods of the catalogue are calibrated
_MEASURED = (
    "scores", "intervals", "f1", "cardinality", "splits", "settings", "seconds", "cpu_seconds",
    "significance",
)  # fmt: skip


def compare_multilabel(
    corpus,
    methods=LABEL_METHODS,
    *,
    train_share=None,
    folds=None,
    repeats=1,
    cv=3,
    ancestors=False,
    random_state=0,
):
    """Compare methods on a corpus of several labels a document.

    Each is trained and tested on the same rows, on terms and weights that are learned from the training
    documents: words and pairs of adjacent words with ltc weights, for methods of the catalogue those of their
    scheme. A threshold that is tuned is the one of the highest F1 of its label on documents held out in three
    folds; a label whose F1 is below .1 there gets the highest value that was seen (SCutFBR.1 [1]_). Methods
    of the catalogue have settings chosen by cross-validation, and probabilities and thresholds of
    :class:`CalibratedMethod`, as :class:`textspace.models.TextClassifier` learns them.

    Parameters
    ----------
    corpus : Corpus
        Texts with several labels each.
    methods : sequence of str, default=("blend", "svm", "svm-thresholds", "logistic", "logistic-thresholds")
        Names: these, any method of the catalogue that can (``several``), or an estimator of one's own as
        ``"module:Class"``. ``"svm"`` decides by the sign, and ``"svm-calibrated"`` is the linear SVM of the
        catalogue. The others are tested against the first.
    train_share : float, default=None
        Share that is drawn for training, so that rare labels are on both sides; by default the split that
        comes with the corpus, or .7 where there is none.
    folds : int, default=None
        Number of folds, each of which is tested on once, in place of one split.
    repeats : int, default=1
        How often a share or folds are drawn.
    cv : int, default=3
        Folds of the training documents on which settings are chosen.
    ancestors : bool, default=False
        Whether a label implies the categories above it in the tree of the corpus.
    random_state : int, default=0
        Seed.

    Returns
    -------
    MultilabelComparison
        Its ``methods`` have the scores. One that fails has an ``error`` and does not stop the others.

    References
    ----------
    .. [1] D. D. Lewis, Y. Yang, T. G. Rose and F. Li, "RCV1: a new benchmark collection for text
       categorization research", JMLR 5, 2004.

    Examples
    --------
    >>> from textspace.datasets import Corpus
    >>> from textspace.evaluation import compare_multilabel
    >>> texts = ["corn and wheat", "wheat by ship", "a ship at sea", "corn crop", "ship with corn"] * 4
    >>> labels = [["grain"], ["grain", "ship"], ["ship"], ["grain"], ["grain", "ship"]] * 4
    >>> svm, rlsc = compare_multilabel(Corpus("goods", texts, labels), ["svm", "rlsc"]).methods
    >>> svm["scores"]["micro_f1"], rlsc["scores"]["micro_f1"]
    (1.0, 1.0)
    """
    found = [_find(name) for name in dict.fromkeys(methods)]
    _check(corpus)
    splits, drawn = draw_splits(corpus, corpus.labels, "auto", train_share, repeats, folds, random_state)
    used = np.unique(np.concatenate([rows for split in splits for rows in split]))
    lists = corpus.labels
    if ancestors:
        if corpus.tree is None:
            raise ValueError(f"the corpus {corpus.name!r} has no tree in which labels could imply others.")
        lists[used] = with_ancestors(lists[used], corpus.tree)
    classes = known_labels(lists[used])
    Y = indicators(lists, classes)
    answers = [_run(method, corpus, Y, classes, splits, cv, random_state) for method in found]
    for own in answers if ancestors else ():
        if own["error"] is None:  # what is said implies the same as what is true
            said = with_ancestors([_names(row, classes) for row in own["given"]], corpus.tree)
            own["given"] = indicators(said, classes)
    tests = np.concatenate([test for _, test in splits])
    learned = np.unique(np.concatenate([train for train, _ in splits]))
    truth, tested_once = Y[tests], len(np.unique(tests)) == len(tests)
    about = {
        "truth": truth,
        "classes": classes,
        "propensities": label_propensities(Y[learned].sum(0), len(learned)),
        "tree": corpus.tree,
        "ends": np.cumsum([len(test) for _, test in splits])[:-1],
        "tested_once": tested_once,
    }
    rows = [_row(method, own, answers[0], about) for method, own in zip(found, answers, strict=True)]
    first = splits[0][0]
    return MultilabelComparison(
        corpus={
            "name": corpus.name,
            "n_train": len(first),
            "n_test": len(tests),
            "classes": classes.tolist(),
            "train_sizes": Y[first].sum(0).tolist(),
            "test_sizes": truth.sum(0).tolist(),
            "cardinality": _counts(truth),
            "notes": list(corpus.notes),
        },
        protocol=drawn
        | {"n_splits": len(splits), "tested_once": tested_once, "cv": cv, "ancestors": ancestors}
        | {"random_state": random_state, "baseline": rows[0]["method"]},
        environment=environment(),
        methods=rows,
    )


def _find(name):
    """Give a method by its name: a baseline by its name alone."""
    if name in TITLES:
        return name
    if name == CALIBRATED_SVM:
        return for_several_labels(replace(METHODS["svm"], name=name, title="Linear SVM, calibrated"))
    [method] = find_methods([name])
    method = for_several_labels(method)
    return replace(method, title="Blend for several labels") if method.name == "blend" else method


def _check(corpus):
    if not corpus.several:
        raise ValueError(f"the corpus {corpus.name!r} has one label a document: compare takes it.")
    if not isinstance(corpus.texts, list):
        raise ValueError(f"{corpus.name} holds term counts: give texts.")


def _run(method, corpus, Y, classes, splits, cv, random_state):
    """Give what a method said of the test documents of all splits; the reason if it failed."""
    wall, cpu, parts, settings = 0.0, 0.0, [], []
    try:
        for train, test in splits:
            documents = _rows(method, corpus, train, test)
            start, cpu_start = time.perf_counter(), time.process_time()
            context = documents.context | {"labels": classes.tolist()}
            documents = documents._replace(y_train=Y[train], y_test=None, context=context)
            given, values, params = _answers(method, documents, cv, random_state)
            wall, cpu = wall + time.perf_counter() - start, cpu + time.process_time() - cpu_start
            parts.append((sparse.csr_array(given), values))
            settings.append(plain(params))
    except Exception as error:  # one method must not stop the others
        return {"error": describe(error)}
    given, values = zip(*parts, strict=True)
    answers = {"given": sparse.vstack(given, format="csr"), "values": np.vstack(values)}
    return answers | {"settings": settings, "seconds": wall, "cpu_seconds": cpu, "error": None}


def _rows(method, corpus, train, test):
    plain_rows = isinstance(method, str)
    scheme, bigrams = ("ltc", True) if plain_rows else (method.scheme, method.bigrams)
    documents = vectorise(corpus, train, test, space=VectorSpace(), scheme=scheme, bigrams=bigrams)
    if scheme != "texts":
        return documents
    space = pipeline_parts(method.build())[0]  # of which settings are not tried
    rows = space.fit_transform(documents.X_train), space.transform(documents.X_test)
    return documents._replace(X_train=rows[0], X_test=rows[1])


def _answers(method, documents, cv, random_state):
    """Give decisions and values of the test documents, of shape (n_documents, n_labels), and settings."""
    X, Y, X_test = documents.X_train, documents.y_train, documents.X_test
    sizes, params = Y.sum(0), {}
    learned = np.flatnonzero((sizes > 0) & (sizes < Y.shape[0]))  # others no machine can learn
    if not len(learned):
        raise ValueError("every label is in all training documents or in none of them.")
    own = Y[:, learned].astype(np.float32)
    if isinstance(method, str):
        given, values = baseline_answers(method, X, own, X_test, random_state)
    else:
        context = documents.context | {"labels": [documents.context["labels"][place] for place in learned]}
        documents = documents._replace(y_train=own, context=context)
        model, params = _fitted(method, documents, cv, random_state)
        given, values = model.predict(X_test), model.predict_proba(X_test)
    given = given.toarray() if sparse.issparse(given) else given
    full = np.zeros((2, X_test.shape[0], Y.shape[1]), dtype=np.float32)
    full[0][:, learned], full[1][:, learned] = given, values
    if isinstance(method, str):  # what is not learned is less likely than what is
        full[1][:, sizes == 0] = full[1].min() - 1
    everywhere = sizes == Y.shape[0]
    full[0][:, everywhere], full[1][:, everywhere] = 1, max(full[1].max(), 1)
    return full[0].astype(bool), full[1], params


def _fitted(method, documents, cv, random_state):
    if method.name == "blend":
        return SeveralLabelsBlend(random_state=random_state).fit(documents.X_train, documents.y_train), {}
    estimator, prefix = method.build(), ""
    if method.scheme == "texts":  # which are rows already
        _, estimator, prefix = pipeline_parts(estimator)
    estimator, params, _ = tune(
        estimator,
        {name.removeprefix(prefix): values for name, values in method.grid.items()},
        documents,
        cv=cv,
        random_state=random_state,
        open_ended=[name.removeprefix(prefix) for name in method.open_ended],
    )
    model = CalibratedMethod(estimator, n_folds=FOLDS)
    return model.fit(documents.X_train, documents.y_train), params


def _row(method, answers, first, about):
    """Score what a method said, and test it against the first."""
    is_baseline = isinstance(method, str)
    name, title = (method, TITLES[method]) if is_baseline else (method.name, method.title)
    row = {"method": name, "title": title, "error": answers["error"], **dict.fromkeys(_MEASURED)}
    if answers["error"] is not None:
        return row
    truth, given = about["truth"], answers["given"]
    scores = multilabel_scores(truth, given, answers["values"], propensities=about["propensities"])
    if is_baseline and name.startswith("svm"):
        scores.pop("calibration_error", None)  # of values that are no probabilities
    if about["tree"] is not None:
        lists = [[_names(rows, about["classes"]) for rows in each] for each in (truth, given)]
        scores |= hierarchical_scores(*lists, about["tree"])
    parts = np.split(np.arange(truth.shape[0]), about["ends"])
    splits = [_f1s(truth[rows], given[rows]) for rows in parts]
    kept = {key: answers[key] for key in ("settings", "seconds", "cpu_seconds")}
    tested = answers is not first and first["error"] is None and about["tested_once"]
    return (
        row
        | kept
        | {
            "scores": scores,
            "intervals": {"micro_f1": _interval(truth, given, splits, about["tested_once"])},
            "f1": per_label(truth, given)["f1"].tolist(),
            "cardinality": _counts(given),
            "splits": splits,
            "significance": _tests(truth, given, first) if tested else None,
        }
    )


def _counts(Y):
    """Count documents by how many labels they have: none, one and so on."""
    return np.bincount(Y.sum(1)).tolist()


def _interval(truth, given, splits, tested_once):
    """Give the 95 % interval of micro F1, over the documents or, if some come again, over the splits."""
    if tested_once:
        return list(bootstrap_intervals(truth, given)["micro_f1"])
    return np.clip(repeat_interval([split["micro_f1"] for split in splits]), 0, 1).tolist()


def _names(row, classes):
    return classes[row.indices].tolist()


def _f1s(truth, given):
    scores = multilabel_scores(truth, given)
    return {key: scores[key] for key in ("micro_f1", "macro_f1", "macro_f1_tested")}


def _tests(truth, given, first):
    tests = significance(truth, given, first["given"])
    return {
        key: {"p_value": getattr(tests, key).p_value, "mark": getattr(tests, key).mark}
        for key in ("s", "S", "T")
    }
