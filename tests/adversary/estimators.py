"""Estimators and functions against containers, shapes and labels drawn at random.

Whatever container holds the documents, the result is that of the canonical one, and the arrays of the caller
stay as they are. What cannot be done is told in a sentence, by an error that was raised on purpose.
"""

import inspect
from functools import cache

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression
from tests.adversary import containers
from tests.adversary.findings import FindingError, arrays_of, floats_of, judge, outcome, repeat

import textspace.classify
import textspace.kernel
import textspace.linear
import textspace.tensor
from textspace import graphs, neighbors, selection, solvers
from textspace.text import FoldedTensorSpace, VectorSpace

# Small values of settings, for those that have them.
SETTINGS = {
    "n_components": 3,
    "n_neighbors": 2,
    "n_nearest": 2,
    "n_landmarks": 4,
    "n_latent": 4,
    "n_folds": 2,
    "cv": 2,
    "ranks": 2,
    "n_terms": 3,
    "rank": 2,
    "tensor_shape": (None, 2),
    "estimator": LogisticRegression(),
    "random_state": 0,
}
BASES = ("GraphProjection", "LinearProjection", "RatioProjection", "FastText")  # which takes texts
# What a row may be multiplied by; those beyond the bounds must be refused.
SCALES = (1e-300, 1e-200, 1e-60, 1e-20, 1e7, 1e10, 1e20, 1e60, 1e200, 1e300, np.inf, np.nan)
REFUSED = (1e-300, 1e-200, 1e-60, 1e60, 1e200, 1e300, np.inf, np.nan)
METHODS = ("transform", "predict", "predict_proba", "decision_function")


@cache
def estimators():
    """Give an estimator of every class that takes documents, and of some in more than one form."""
    rooms = textspace.linear, textspace.kernel, textspace.tensor, textspace.classify, selection
    classes = [getattr(room, name) for room in rooms for name in room.__all__ if name not in BASES]
    classes = [each for each in classes if inspect.isclass(each) and issubclass(each, BaseEstimator)]
    made = [_small(each) for each in classes]
    made += [selection.TermSelector(score, n_terms=3, mode="top") for score in selection.SCORES]
    made += [textspace.kernel.KernelLSI(3, kernel="polynomial", random_state=0)]
    made += [textspace.classify.NearestDocuments(2, algorithm="clusters", random_state=0)]
    made += [FoldedTensorSpace(shape=(2, None), order="class_profile"), VectorSpace(stem=None)]
    return made


def _small(kind):
    names = [name for name in inspect.signature(kind).parameters if name in SETTINGS]
    if kind.__name__ == "RLSC":
        names.remove("cv")
    return kind(**{name: SETTINGS[name] for name in names})


@cache
def functions():
    """Give functions of (X, y) that call what the packages export, by name."""
    kept = {"n_neighbors": 2}

    def neighbor_recall(X, y):
        return neighbors.neighbor_recall(X, y, neighbors.class_neighbors(X, y, **kept), random_state=0)

    def exact_relevance(X, y):
        return neighbors.exact_relevance(X, y, X, y, own=np.arange(len(y)), **kept)

    def with_graph(solve):
        return lambda X, y: solve(X, _responses(y), graphs.margin_graph(y), alpha=1.0)

    def ratio(X, y):
        return solvers.ratio_directions(X, graphs.margin_graph(y), sparse.eye_array(len(y)), n_components=2)

    def singular(X, y):
        values, vectors = solvers.top_singular_vectors(X, n_components=2, random_state=0)
        return values, vectors @ vectors.T  # which vectors belong to equal values, nothing tells

    def decisions(X, y):
        selector = selection.TermSelector("weighted", n_terms=2, mode="top").fit(X)
        return selection.decision_change(selector, X, y, X, lambda_=1.0)

    def bound(X, y):
        selector = selection.TermSelector("weighted", n_terms=2, mode="top").fit(X)
        return selection.error_bound(selector, X, X, lambda_=1.0).worst_case

    def krylov(X, y):
        path = solvers.KrylovRidge(X, _responses(y), train=np.arange(len(y)) % 3 < 2)
        path.reach(1.0)
        return path.held_out(1.0)

    def predictions(X, y):
        kept = np.ones((len(y), 2))
        return solvers.ridge_predictions(X, _responses(y), [1.0], sample_weight=kept)

    return {
        "class_neighbors": lambda X, y: neighbors.class_neighbors(X, y, **kept),
        "nearest_neighbors": lambda X, y: neighbors.nearest_neighbors(X, **kept),
        "posting_neighbors": lambda X, y: neighbors.posting_neighbors(X, y, **kept, max_postings=2),
        "query_neighbors": lambda X, y: neighbors.query_neighbors(
            [X], y, np.arange(len(y)), **kept, max_postings=2
        ),
        "neighbor_recall": neighbor_recall,
        "exact_relevance": exact_relevance,
        "self_tuning_graph": lambda X, y: graphs.self_tuning_graph(X, **kept),
        "reconstruction_weights": lambda X, y: graphs.reconstruction_weights(X, y, regularization=1.0),
        "geometry_graph": lambda X, y: graphs.geometry_graph(X, y) @ np.eye(len(y)),
        "DocumentProducts": lambda X, y: solvers.DocumentProducts(X).gram(_responses(y)),
        "GramProducts": lambda X, y: solvers.GramProducts(X)(_responses(y)),
        "ridge": lambda X, y: solvers.ridge(X, _responses(y), alpha=1.0),
        "graph_ridge": with_graph(solvers.graph_ridge),
        "column_squares": lambda X, y: solvers.column_squares(X, np.ones((len(y), 1))),
        "ridge_path": lambda X, y: solvers.ridge_path(X, _responses(y), [1.0, 2.0]),
        "ridge_predictions": predictions,
        "KrylovRidge": krylov,
        "left_out": lambda X, y: solvers.left_out(X, _responses(y), [1.0, 2.0]),
        "SpectralRidge": lambda X, y: solvers.SpectralRidge(X, _responses(y)).coef(1.0),
        "top_directions": lambda X, y: solvers.top_directions(X, graphs.margin_graph(y), n_components=2),
        "ratio_directions": ratio,
        "top_singular_vectors": singular,
        "class_sums": lambda X, y: textspace.linear.class_sums(X, y),
        "class_responses": lambda X, y: textspace.linear.class_responses(X, y),
        "term_sums": lambda X, y: selection.term_sums(X, score="weighted"),
        "classes_of_terms": lambda X, y: selection.classes_of_terms("chi2", X, y),
        "decision_change": decisions,
        "error_bound": bound,
        **{score: (lambda X, y, f=f: f(X, y)) for score, f in selection.SCORES.items()},
    }


def _responses(y):
    return np.column_stack([y == 0, y != 0]).astype(float)


def run(seed, seconds):
    """Make trials until the time is over and print what they find; give the numbers of both."""
    return repeat(trial, "estimators", seed, seconds)


def trial(seed, number):
    """Make one trial: an estimator or a function on documents that are drawn."""
    rng = np.random.default_rng([seed, number])
    values, y, shape = _documents(rng)
    scale = SCALES[rng.integers(len(SCALES))] if rng.random() < 0.15 else 1.0
    in_words, X, canonical = containers.draw(rng, values)
    if scale != 1.0:
        X = np.where(values == 0, 0, values * np.where(values == 0, 1, scale))
        in_words, canonical = f"all times {scale}", X
    if rng.random() < 0.3:
        known = functions()
        name = sorted(known)[rng.integers(len(known))]
        codes = np.unique(np.asarray(y).astype(str), return_inverse=True)[1].astype(np.int32)
        _compare_function(known[name], X, canonical, codes, f"{name}, {in_words}, {shape}", (seed, number))
        return
    known = estimators()
    estimator = known[rng.integers(len(known))]
    later_words, later, later_canonical = containers.draw(rng, values[rng.permutation(len(values))])
    if sparse.issparse(X) != sparse.issparse(later) and isinstance(estimator, VectorSpace):
        later_words, later, later_canonical = in_words, X, canonical
    where = f"{estimator}, {shape}, fitted on {in_words}, asked about {later_words}"
    given = (X, y, later), (canonical, y, later_canonical)
    must_refuse = scale in REFUSED or scale != scale
    _compare_estimator(estimator, *given, where, (seed, number), must_refuse and values.any())


def _documents(rng):
    """Draw documents and labels, and say what they are."""
    n, d = rng.choice([1, 2, 3, 5, 8, 13, 30]), rng.choice([1, 2, 3, 6, 12, 40])
    n_classes = rng.integers(1, 5)
    kind = rng.choice(["counts", "ones", "eighths", "signed"])
    values = rng.integers(1, 9, (n, d)).astype(float)
    if kind == "ones":
        values[:] = 1
    elif kind in ("eighths", "signed"):
        values /= 8
    if kind == "signed":
        values *= rng.choice([-1, 1], (n, d))
    values *= rng.random((n, d)) < rng.choice([0.2, 0.5, 1.0])
    words = [f"{n} documents of {d} terms: {kind}"]
    for name, change in _CHANGES.items():
        if rng.random() < 0.1:
            change(values, rng)
            words.append(name)
    codes = rng.integers(0, n_classes, n)
    labels = rng.choice(["str", "int", "bool", "object", "negative"])
    words.append(f"{n_classes} classes of {labels}")
    y, how = _LABELS[labels](codes), rng.choice(["array", "list", "series", "read-only"])
    words.append(f"in a {how}")
    return values, _GIVEN[how](y), ", ".join(words)


def _read_only(y):
    y.flags.writeable = False
    return y


def _fill_column(values, rng):
    values[:, rng.integers(values.shape[1])] = 1


def _empty_rows(values, rng):
    values[rng.random(len(values)) < 0.4] = 0


def _copy_rows(values, rng):
    values[:] = values[rng.integers(0, len(values), len(values))]


def _empty(values, rng):
    values[:] = 0


_CHANGES = {
    "a constant column": _fill_column,
    "empty rows": _empty_rows,
    "equal rows": _copy_rows,
    "nothing": _empty,
}
_LABELS = {
    "str": lambda codes: np.array(["earn", "corn", "ship", "übrig"])[codes],
    "int": lambda codes: codes + 3,
    "bool": lambda codes: codes > 0,
    "object": lambda codes: np.array(["earn", "corn", "ship", "übrig"], dtype=object)[codes],
    "negative": lambda codes: codes - 2,
}
_GIVEN = {"array": np.asarray, "list": np.ndarray.tolist, "series": pd.Series, "read-only": _read_only}


def _compare_estimator(estimator, given, canonical, where, numbers, must_refuse):
    before = [containers.state(X) for X in given[::2]]
    found = outcome(_fit_and_ask, estimator, *given)
    judge(found, where, numbers)
    if not isinstance(found, Exception) and any(np.isinf(array).any() for array in floats_of(found)):
        raise FindingError(f"{numbers}: {where}: the result is infinite")
    if [containers.state(X) for X in given[::2]] != before:
        raise FindingError(f"{numbers}: {where}: the caller's array was changed")
    if must_refuse and not isinstance(found, Exception):
        raise FindingError(f"{numbers}: {where}: not refused, but {found}")
    expected = outcome(_fit_and_ask, estimator, *canonical)
    _same(found, expected, where, numbers)


def _compare_function(function, X, canonical, y, where, numbers):
    before = containers.state(X)
    found = outcome(function, X, y)
    judge(found, where, numbers)
    if containers.state(X) != before:
        raise FindingError(f"{numbers}: {where}: the caller's array was changed")
    _same(found, outcome(function, canonical, y), where, numbers)


def _fit_and_ask(estimator, X, y, later):
    fitted = clone(estimator).fit(X, y)
    answers = {name: getattr(fitted, name)(later) for name in METHODS if hasattr(fitted, name)}
    if "predict" in answers and "predict_proba" in answers:
        answers["predict"] = answers["predict"][~_are_ties(answers["predict_proba"])]
    return list(answers.values())


def _are_ties(probabilities):
    """Tell of which documents rounding alone chooses the label: two classes are as probable."""
    return (np.diff(np.sort(probabilities, axis=1)[:, -2:]) <= 1e-6).any(axis=1)


def _same(found, expected, where, numbers):
    if isinstance(found, Exception) or isinstance(expected, Exception):
        if type(found) is not type(expected):
            raise FindingError(f"{numbers}: {where}: {found!r}, but {expected!r} for the canonical container")
        return
    for one, other in zip(arrays_of(found), arrays_of(expected), strict=True):
        equal = one.shape == other.shape and (
            np.array_equal(one, other)
            if one.dtype.kind not in "fc"
            else np.allclose(one, other, rtol=1e-4, atol=1e-6)
        )
        if not equal:
            raise FindingError(f"{numbers}: {where}: {one}, but {other} for the canonical container")
