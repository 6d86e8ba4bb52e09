"""Estimators made ready: their seeds, what they ask for, and their settings in plain words."""

import numpy as np
from sklearn.base import clone


def seeded(estimator, random_state):
    """Give a copy of an estimator in which every ``random_state`` is set.

    Parameters
    ----------
    estimator : estimator
        Not changed; a pipeline or one with estimators as parameters is searched through.
    random_state : int, RandomState instance or None
        The seed.

    Returns
    -------
    estimator
        The copy, not fitted.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> from textspace.tuning import seeded
    >>> seeded(LinearSVC(), 7)
    LinearSVC(random_state=7)
    """
    seeds = {name: random_state for name in estimator.get_params() if name.endswith("random_state")}
    return clone(estimator).set_params(**seeds)


def in_context(estimator, context):
    """Give a copy of an estimator that knows what it asks for and was not told: terms, a tree of classes.

    Parameters
    ----------
    estimator : estimator
        Not changed. A parameter that is None asks for what has its name.
    context : dict of str to object
        What is known, such as the ``context`` of :class:`TrainTest`.

    Returns
    -------
    estimator
        The copy, not fitted.

    Examples
    --------
    >>> from textspace.linear import LabelDrivenLSI
    >>> from textspace.tuning import in_context
    >>> in_context(LabelDrivenLSI(), {"terms": ["corn", "ship"], "tree": None}).terms
    ['corn', 'ship']
    """
    told = {
        name: context[name.split("__")[-1]]
        for name, value in estimator.get_params().items()
        if value is None and name.split("__")[-1] in context
    }
    return clone(estimator).set_params(**told)


def plain(params):
    """Turn parameter values into what JSON knows; what it does not know becomes its text.

    Parameters
    ----------
    params : dict of str to object
        Parameters of an estimator.

    Returns
    -------
    dict of str to object
        The same with numbers, texts, lists and None only.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.tuning import plain
    >>> plain({"C": np.float64(0.5), "shape": (None, 50), "dtype": np.float32})
    {'C': 0.5, 'shape': [None, 50], 'dtype': "<class 'numpy.float32'>"}
    """
    return {name: _plain(value) for name, value in params.items()}


def _plain(value):
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (list, tuple)):
        return list(map(_plain, value))
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)
