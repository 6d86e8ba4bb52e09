"""Estimators made ready: their seeds, what they ask for, and their settings in plain words."""

import numpy as np
from sklearn.base import clone


def seeded(estimator, random_state):
    """Give a copy of an estimator in which every ``random_state`` is set."""
    seeds = {name: random_state for name in estimator.get_params() if name.endswith("random_state")}
    return clone(estimator).set_params(**seeds)


def informed(estimator, facts):
    """Give a copy of an estimator that knows what it asks for and was not told: terms, a tree of classes."""
    told = {
        name: facts[name.split("__")[-1]]
        for name, value in estimator.get_params().items()
        if value is None and name.split("__")[-1] in facts
    }
    return clone(estimator).set_params(**told)


def plain(params):
    """Turn parameter values into what JSON knows; what it does not know becomes its text."""
    return {name: _plain(value) for name, value in params.items()}


def _plain(value):
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)
