"""A method of the catalogue, made ready for texts."""

import numpy as np

from textspace.classify import CalibratedMethod
from textspace.methods import find_methods
from textspace.text import TrigramTensorSpace, VectorSpace
from textspace.tuning import TrainTest, plain, tune

_SEARCH_FOLDS = 3


def fit_method(name, texts, y, *, words, tree, random_state):
    """Turn texts into rows, choose a method's settings by cross-validation, and fit it.

    Parameters
    ----------
    name : str
        A method of :data:`textspace.methods.METHODS`.
    texts : list of str, or sparse matrix of raw term counts
        Labelled and unlabelled texts; terms are learned from all.
    y : ndarray of str, shape (n_texts,)
        Labels, "" for none.
    words : dict
        Parameters of the VectorSpace.
    tree : LabelTree or None
        For methods that use one.
    random_state : int
        Seed.

    Returns
    -------
    space : VectorSpace or TrigramTensorSpace
        Fitted.
    X : sparse matrix of shape (n_texts, n_terms)
        Rows of the texts.
    model : CalibratedMethod
        Fitted.
    settings : dict
        What was chosen.
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
