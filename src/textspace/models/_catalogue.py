"""A method of the catalogue, made ready for texts."""

import numpy as np

from textspace.classify import CalibratedMethod
from textspace.methods import find_methods, for_several_labels
from textspace.text import TrigramTensorSpace, VectorSpace
from textspace.tuning import TrainTest, plain, tune

_SEARCH_FOLDS = 3
_LABEL_FOLDS = 3  # that tell probabilities of several labels, where a machine for each takes long


def fit_method(name, texts, y, *, words, tree, random_state):
    """Turn texts into rows, choose a method's settings by cross-validation, and fit it.

    Labels are text, "" for none; terms are learned from all texts. `words` are parameters of the VectorSpace.
    The fitted space, the rows of the texts, the fitted model and the settings that were chosen are given.
    """
    [method] = find_methods([name])
    space, X, context = _rows(method, texts, words, tree)
    kept = np.ones(len(y), bool) if method.unlabelled else y != ""
    estimator, params = _tuned(method, X[kept], y[kept], context, random_state)
    model = CalibratedMethod(estimator, unlabelled=method.unlabelled).fit(X, y)
    return space, X, model, plain(params)


def fit_label_method(name, texts, truth, labelled, *, labels, words, tree, random_state):
    """Do the same for texts of several labels: `truth` are the CSR indicators of those that are `labelled`.

    The columns are those of `labels`, two or more.
    """
    [method] = find_methods([name])
    method = for_several_labels(method)
    if len(labels) < 2:
        raise ValueError(
            f"there is only the label {str(labels[0])!r}, which {name} cannot tell from none: choose the "
            "method auto, or give texts without it a label of their own."
        )
    space, X, context = _rows(method, texts, words, tree)
    rows = X[np.flatnonzero(labelled)]
    estimator, params = _tuned(method, rows, truth, context | {"labels": labels.tolist()}, random_state)
    model = CalibratedMethod(estimator, n_folds=_LABEL_FOLDS).fit(rows, truth)
    return space, X, model, plain(params)


def _rows(method, texts, words, tree):
    """Turn texts into rows as a method wants them; give the space, the rows and what is known of them."""
    if method.scheme == "texts":
        raise ValueError(
            f"{method.name} takes part in comparisons only and makes no model: choose another method."
        )
    trigrams = method.scheme == "trigrams"
    space = TrigramTensorSpace() if trigrams else VectorSpace(scheme=method.scheme, **words)
    X = space.fit_transform(texts)
    return space, X, {"tree": tree} if trigrams else {"tree": tree, "terms": space.get_feature_names_out()}


def _tuned(method, X, y, context, random_state):
    documents = TrainTest(X, y, None, None, context)
    settings = {"cv": _SEARCH_FOLDS, "random_state": random_state, "open_ended": method.open_ended}
    return tune(method.build(), method.grid, documents, **settings)[:2]
