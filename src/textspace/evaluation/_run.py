"""One run of a comparison: one method on one split."""

import time
import warnings
from contextlib import contextmanager

import numpy as np
from sklearn.base import clone

from textspace.evaluation._scores import scores
from textspace.evaluation._sign import sign_decisions
from textspace.tuning import describe, mean_score, pipeline_parts, plain, ranking_values, sweep, tune


def run_method(estimator, grid, documents, *, classes, cv, oracle, random_state, open_ended=()):
    """Choose settings on the training documents, fit, predict the test documents, score.

    `documents` may be the exception that says why the method cannot have them; `classes` are all names, by
    whose positions predictions are given; `oracle` says whether to score every setting on the test documents
    as well; `open_ended` are settings whose grid is widened. Gives a run of a :class:`Comparison` without
    ``method`` and ``repeat``. An exception becomes ``error``.
    """
    run = dict.fromkeys(RESULTS) | {"error": None}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            if isinstance(documents, Exception):
                raise documents
            run |= _results(estimator, grid, documents, classes, cv, oracle, random_state, open_ended)
        except Exception as error:
            run["error"] = describe(error)
    run["warnings"] = list(dict.fromkeys(describe(warning.message) for warning in caught))
    return run


RESULTS = (
    "predicted", "scores", "sign", "params", "seconds", "cpu_seconds", "search", "oracle", "n_dimensions",
    "n_terms",
)  # fmt: skip


def _results(estimator, grid, documents, classes, cv, oracle, random_state, open_ended):
    X_train, y_train, X_test, y_test = documents[:4]
    clock = _Clock()
    with clock.lap("search"):
        estimator, params, trials = tune(
            estimator, grid, documents, cv=cv, random_state=random_state, open_ended=open_ended
        )
    params = plain(params)
    with clock.lap("fit"):
        fitted = clone(estimator).fit(X_train, y_train)
    with clock.lap("predict"):
        predicted = fitted.predict(X_test)
    # As scikit-learn has it, macro averages are over the classes that are tested or answered.
    met = np.searchsorted(classes, np.union1d(y_test, predicted))
    decision = ranking_values(fitted, X_test, classes)
    n_dimensions = _n_dimensions(fitted, X_test)
    found = scores(y_test, predicted, decision if decision is None else decision[:, met], classes[met])
    return {
        "predicted": np.searchsorted(classes, predicted).tolist(),
        "scores": found,
        "sign": sign_decisions(fitted, X_test, y_test, decision, classes),
        "params": params,
        "seconds": clock.wall,
        "cpu_seconds": clock.cpu,
        "search": [_search_entry(trial) for trial in trials],
        "oracle": _oracle(estimator, grid, documents, params, found) if oracle else [],
        "n_dimensions": n_dimensions,
        "n_terms": X_train.shape[1] if X_train.ndim > 1 else n_dimensions,
    }


def _search_entry(trial):
    entry = {"params": plain(trial["params"]), "mean": None, "std": None, "error": trial["error"]}
    if trial["error"] is None:
        entry |= {"mean": mean_score(trial), "std": float(np.std(trial["scores"]))}
    return entry


def _oracle(estimator, grid, documents, params, found):
    """Score every setting on the test documents; where there is one alone, it has been."""
    if all(len(values) == 1 for values in grid.values()):
        return [{"params": params, "scores": found, "error": None}]
    return [
        {
            "params": plain(trial["params"]),
            "scores": None if trial["scores"] is None else trial["scores"][0],
            "error": trial["error"],
        }
        for trial in sweep(estimator, grid, [documents[:4]], score=scores)
    ]


def _n_dimensions(fitted, X):
    space, _, _ = pipeline_parts(fitted)
    rows = X if space is None else space.transform(X[:1])
    return rows.shape[1] if rows.ndim > 1 else 0  # texts that the classifier itself reads


class _Clock:
    """Wall and processor seconds of each lap."""

    def __init__(self):
        self.wall, self.cpu = {}, {}

    @contextmanager
    def lap(self, name):
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.wall[name], self.cpu[name] = time.perf_counter() - wall, time.process_time() - cpu
