"""A method of the catalogue, made ready for texts."""

import numpy as np

from textspace.classify import CalibratedMethod
from textspace.methods import find_methods
from textspace.text import TrigramTensorSpace, VectorSpace
from textspace.tuning import TrainTest, plain, tune

_SEARCH_FOLDS = 3


def fit_method(name, texts, y, *, words, tree, random_state):
    """Turn texts into rows, choose a method's settings by cross-validation, and fit it.

    Labels are text, "" for none; terms are learned from all texts. `words` are parameters of the VectorSpace.
    The fitted space, the rows of the texts, the fitted model and the settings that were chosen are given.
    """
    [method] = find_methods([name])
    trigrams = method.scheme == "trigrams"
    space = TrigramTensorSpace() if trigrams else VectorSpace(scheme=method.scheme, **words)
    X = space.fit_transform(texts)
    context = {"tree": tree} if trigrams else {"tree": tree, "terms": space.get_feature_names_out()}
    kept = np.ones(len(y), bool) if method.unlabelled else y != ""
    documents = TrainTest(X[kept], y[kept], None, None, context)
    estimator, params, _ = tune(
        method.build(), method.grid, documents, cv=_SEARCH_FOLDS, random_state=random_state
    )
    model = CalibratedMethod(estimator, unlabelled=method.unlabelled).fit(X, y)
    return space, X, model, plain(params)
