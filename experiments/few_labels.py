"""What studies of unlabelled text share: documents of which few have labels, settings chosen on these."""

import time
import warnings
from functools import cache

import numpy as np

from experiments.corpora import load_once


@cache
def all_documents(corpus, scheme):
    """Give a corpus in its own split, terms and their weights learned from all training documents."""
    from textspace.text import VectorSpace
    from textspace.tuning import given_split, vectorise

    loaded = load_once(corpus)
    [split] = given_split(loaded.labels, loaded.split)
    return vectorise(loaded, *split, space=VectorSpace(), scheme=scheme)


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
    """Give the settings of a method that do best on the splits, and all trials."""
    from textspace.tuning import best_trial, sweep

    if not method.grid:
        return {}, []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trials = sweep(_estimator(method), method.grid, splits)
    return best_trial(trials)["params"], trials


def classify(method, params, documents):
    """Fit a method; give its answers on the test documents, their scores and the CPU seconds of the fit."""
    from textspace.evaluation import scores

    start = time.process_time()
    with warnings.catch_warnings():  # of spaces with fewer dimensions than asked for
        warnings.simplefilter("ignore")
        fitted = _estimator(method).set_params(**params).fit(documents.X_train, documents.y_train)
    seconds = time.process_time() - start
    predicted = fitted.predict(documents.X_test)
    found = scores(documents.y_test, predicted, classes=np.unique(documents.y_test))
    return predicted, {"micro": found["micro_f1"], "macro": found["macro_f1"], "fit": seconds}


def _estimator(method):
    from textspace.tuning import seeded

    return seeded(method.build(), 0)


def describe(params):
    """Put settings into one line."""
    return ", ".join(
        f"{name.split('__')[-1]}={f'{value:g}' if isinstance(value, float) else value}"
        for name, value in params.items()
    )
