"""What experiments with unlabelled text share: documents of which few have labels, methods, settings."""

import time
import warnings
from functools import cache

import numpy as np

from experiments.corpora import load_once
from experiments.estimators import estimator, in_space, labelled_only, nearest, vector_space


def discriminants_of_all():
    """Build SDA, followed by the nearest labelled document."""
    space = estimator(
        "textspace.linear.SDA",
        smoothness=0.001,
        alpha=1.0,
        n_neighbors=5,
        weights="cosine",
        tol=0.01,
        max_iter=1000,
        max_postings="auto",
        n_components=None,
    )
    return in_space(space, labelled_only(nearest("euclidean")))


def margins_of_all():
    """Build SS-LRWMMC, followed by the nearest labelled document."""
    space = estimator(
        "textspace.linear.SemiSupervisedLRWMMC",
        n_components=100,
        n_neighbors=5,
        smoothness=4**-3,
        n_nearest=5,
        symmetrize="or",
        solver="auto",
        tol=0.01,
        max_postings="auto",
        random_state=0,
    )
    return in_space(space, labelled_only(nearest("euclidean")))


def naive_bayes_of_all():
    """Build naive Bayes with EM."""
    return estimator("textspace.classify.EMNaiveBayes", alpha=0.01, weight=1.0, max_iter=100, tol=1e-5)


@cache
def all_documents(corpus, scheme):
    """Give a corpus in its own split, terms and their weights learned from all training documents."""
    from textspace.tuning import given_split, vectorise

    loaded = load_once(corpus)
    [split] = given_split(loaded.labels, loaded.split)
    return vectorise(loaded, *split, space=vector_space(scheme), scheme=scheme)


def with_the_others(documents, labelled):
    """Take the labels of all training documents but the labelled ones."""
    y = np.full_like(documents.y_train, "")
    y[labelled] = documents.y_train[labelled]
    return documents._replace(y_train=y)


def without_the_others(documents, labelled):
    """Leave out all training documents but the labelled ones; terms and weights stay as they are."""
    return documents._replace(X_train=documents.X_train[labelled], y_train=documents.y_train[labelled])


def folds(documents):
    """Give three folds of the labelled documents, each held out in turn, one after the other."""
    from textspace.tuning import fold_splits

    return documents.folds(fold_splits(documents.y_train, 3, random_state=0))


def choose(method, splits):
    """Give the settings of a method with the highest accuracy on the splits, which is its micro F1."""
    from textspace.tuning import best_trial, sweep

    if not method.grid:
        return {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return best_trial(sweep(_estimator(method), method.grid, splits))["params"]


def try_on_test(method, documents):
    """Give micro and macro F1 on the test documents of each setting that works: list of dict."""
    from textspace.tuning import sweep

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trials = sweep(_estimator(method), method.grid, [documents[:4]], score=f1_scores)
    return [{"params": trial["params"], **trial["scores"][0]} for trial in trials if trial["error"] is None]


def f1_scores(y_test, predicted):
    """Give micro F1, macro F1, the mean over the classes that are tested, and the LRWMMC paper's macro F1.

    That one is the harmonic mean of macro precision and macro recall.
    """
    from textspace.evaluation import scores

    found = scores(y_test, predicted, classes=np.unique(y_test))
    return {
        "micro": found["micro_f1"],
        "macro": found["macro_f1"],
        "macro_of_means": found["macro_f1_of_means"],
    }


def classify(method, params, documents):
    """Fit a method; give its answers on the test documents, their scores and the CPU seconds of the fit."""
    start = time.process_time()
    with warnings.catch_warnings():  # of spaces with fewer dimensions than asked for
        warnings.simplefilter("ignore")
        fitted = _estimator(method).set_params(**params).fit(documents.X_train, documents.y_train)
    seconds = time.process_time() - start
    predicted = fitted.predict(documents.X_test)
    return predicted, {**f1_scores(documents.y_test, predicted), "fit": seconds}


def _estimator(method):
    from textspace.tuning import seeded

    return seeded(method.build(), 0)


def describe(params):
    """Put settings into one line."""
    return ", ".join(
        f"{name.split('__')[-1]}={f'{value:g}' if isinstance(value, float) else value}"
        for name, value in params.items()
    )
