"""Methods by their names, and estimators of one's own."""

import os
import sys
from functools import partial
from importlib import import_module

from textspace.methods._baselines import BASELINES
from textspace.methods._catalogue import METHODS
from textspace.methods._method import Method


def find_methods(names):
    """Look up methods in the catalogue.

    Parameters
    ----------
    names : str, or iterable of str or Method
        Names, separated by commas in a string; of methods, of baselines, or ``"module:Class"`` for an
        estimator of one's own, made without arguments. It is given rows, or texts if its tags say that it
        takes strings. A :class:`Method` stands for itself.

    Returns
    -------
    list of Method
        In the given order.

    Examples
    --------
    >>> from textspace.methods import find_methods
    >>> [method.title for method in find_methods("lsi,svm")]
    ['LSI', 'Linear SVM']
    >>> find_methods("sklearn.linear_model:RidgeClassifier")[0].title
    'RidgeClassifier'
    """
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",")]
    methods = [name if isinstance(name, Method) else _look_up(name) for name in names]
    taken = [method.name for method in methods]
    if not taken:
        raise ValueError(f"name at least one method of {', '.join(METHODS)}.")
    if len(set(taken)) < len(taken):
        twice = next(name for name in taken if taken.count(name) > 1)
        raise ValueError(f"the method {twice!r} is named twice: give each its own name.")
    return methods


def _look_up(name):
    if ":" in name:
        return _own(name)
    known = METHODS | BASELINES
    if name not in known:
        raise ValueError(
            f"there is no method {name!r}: choose from {', '.join(known)}, or name an estimator as "
            "module:Class."
        )
    return known[name]


def _own(name):
    """Make a method of an estimator that is named by its module and class."""
    from sklearn.pipeline import Pipeline
    from sklearn.utils import get_tags

    estimator = _build_own(name)
    first = estimator.steps[0][1] if isinstance(estimator, Pipeline) else estimator
    takes_texts = get_tags(first).input_tags.string
    path, _, title = name.partition(":")
    return Method(
        name=name,
        title=title,
        summary=f"{title} of {path}.",
        paper="An estimator of one's own",
        build=partial(_build_own, name),
        grid={},
        scheme="texts" if takes_texts else "tfidf",
        several=not takes_texts,
    )


def _build_own(name):
    path, _, title = name.partition(":")
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.append(folder)  # a module that lies where the command is given
    try:
        estimator = getattr(import_module(path), title)()
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"{name} cannot be made: {error}: name a classifier as module:Class.") from error
    if not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        raise ValueError(f"{name} is no classifier: it needs fit and predict.")
    return estimator
