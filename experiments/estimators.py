"""Estimators with every setting spelled out: a default of a class that changes must not change a protocol."""

from dataclasses import replace
from importlib import import_module
from inspect import signature

import numpy as np

from textspace.methods import METHODS


def estimator(path, **params):
    """Build the estimator at a dotted path; a class of textspace must be given every parameter it has."""
    module, name = path.rsplit(".", 1)
    kind = getattr(import_module(module), name)
    left_out = [each for each in signature(kind).parameters if each not in params]
    if left_out and module.startswith("textspace."):
        raise TypeError(f"an experiment spells out every setting: give {', '.join(left_out)} of {name}.")
    return kind(**params)


def in_space(space, classify):
    """Give a classifier of the documents as a projection places them."""
    from sklearn.pipeline import Pipeline

    return Pipeline([("space", space), ("classify", classify)])


def nearest(metric, *, n_neighbors=1):
    """Give the vote of the nearest documents."""
    return estimator(
        "textspace.classify.NearestDocuments",
        n_neighbors=n_neighbors,
        metric=metric,
        algorithm="auto",
        random_state=0,
    )


def projection(path, *, metric, **params):
    """Build a projection followed by the nearest neighbour in its space."""
    return in_space(estimator(path, **params), nearest(metric))


def labelled_only(classifier):
    """Give a classifier that leaves out the documents without a label."""
    return estimator("textspace.classify.LabelledOnly", estimator=classifier)


def linear_svm(*, C=1.0, loss="squared_hinge", max_iter=1000):
    """Give scikit-learn's linear SVM."""
    return estimator(
        "sklearn.svm.LinearSVC",
        C=C,
        loss=loss,
        max_iter=max_iter,
        penalty="l2",
        dual="auto",
        tol=1e-4,
        multi_class="ovr",
        fit_intercept=True,
        intercept_scaling=1,
        class_weight=None,
        random_state=0,
    )


def vector_space(scheme, *, stem="porter"):
    """Give the space of English words without stop words."""
    return estimator(
        "textspace.text.VectorSpace",
        scheme=scheme,
        stem=stem,
        stop_words="english",
        min_df=1,
        max_df=1.0,
        max_terms=None,
        token_pattern=None,
        n_jobs=None,
        dtype=np.float32,
        bigrams=False,
        n_hashed=None,
        tokens="words",
        letters=None,
        opening=None,
    )


def method(entry, build, *, grid, scheme, unlabelled=False, **words):
    """Give a method of the catalogue, of which only the words for readers are taken over."""
    return replace(
        METHODS[entry],
        build=build,
        grid=grid,
        scheme=scheme,
        bigrams=False,
        unlabelled=unlabelled,
        open_ended=(),
        **words,
    )
