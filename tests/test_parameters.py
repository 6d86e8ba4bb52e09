"""Every estimator declares its parameters, and ``fit`` refuses by name what they may not be."""

import importlib
import inspect
import pkgutil
from numbers import Number

import dask.array as da
import dask.bag as db
import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.utils import get_tags
from sklearn.utils._param_validation import Interval, make_constraint

import textspace
from textspace.linear import GraphProjection, LinearProjection
from textspace.text import VectorSpace

BASES = (GraphProjection, LinearProjection)
# What parameters without a default get.
REQUIRED = {
    "estimator": LogisticRegression(),
    "folder": "encoder",
    "spaces": [("words", VectorSpace()), ("letters", VectorSpace(letters=(2, 5)))],
}
X = np.array([[1.0, 0.0, 0.2], [0.9, 0.1, 0.0], [0.0, 1.0, 0.3], [0.1, 0.8, 0.0]])
Y = ["corn", "corn", "ship", "ship"]
TEXTS = ["corn and wheat", "more corn", "a ship at sea", "ships of the sea"]


def exported_estimators():
    """Give the estimators that the packages export, without those that only serve as bases."""
    packages = [each.name for each in pkgutil.iter_modules(textspace.__path__) if each.ispkg]
    for name in packages:
        package = importlib.import_module(f"textspace.{name}")
        for each in (getattr(package, name) for name in getattr(package, "__all__", ())):
            if isinstance(each, type) and issubclass(each, BaseEstimator) and each not in BASES:
                yield each


def room_of(estimator):
    return estimator.__module__.split(".")[1]


ESTIMATORS = list(exported_estimators())


def constraints_of(estimator):
    return getattr(estimator, "_parameter_constraints", {})


def satisfies(value, constraints):
    return constraints == "no_validation" or any(
        make_constraint(each).is_satisfied_by(value) for each in constraints
    )


def is_numeric(constraints):
    return constraints != "no_validation" and any(
        isinstance(each, Interval) or (isinstance(each, type) and issubclass(each, Number))
        for each in constraints
    )


def bad_values(constraints):
    """Give values of the wrong type, and where there is one a number out of the range."""
    numbers = [value for value in (-1, 0, 2, 1.5) if not satisfies(value, constraints)]
    return [object(), "a word", *numbers[:1]]


def build(estimator, **settings):
    needed = inspect.signature(estimator).parameters
    return estimator(**{name: REQUIRED[name] for name in REQUIRED if name in needed} | settings)


def tiny_input(estimator):
    """Give valid training documents of the kind that an estimator takes."""
    reads_texts = get_tags(estimator).input_tags.string or "VectorSpace" in type(estimator).__name__
    documents = TEXTS if reads_texts else X
    if room_of(type(estimator)) == "dask":
        documents = db.from_sequence(TEXTS) if reads_texts else da.from_array(X, chunks=(2, 3))
    return documents, Y


every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: each.__name__)


def test_there_are_estimators_in_many_rooms():
    assert {"text", "kernel", "tensor", "selection"} <= {room_of(each) for each in ESTIMATORS}


@every_estimator
def test_all_parameters_are_declared_and_no_others(estimator):
    assert set(constraints_of(estimator)) == set(estimator._get_param_names())


@every_estimator
def test_defaults_are_allowed(estimator):
    defaults = {
        name: each.default
        for name, each in inspect.signature(estimator).parameters.items()
        if each.default is not each.empty
    }
    refused = [name for name in defaults if not satisfies(defaults[name], constraints_of(estimator)[name])]
    assert not refused


@pytest.mark.parametrize(
    ("estimator", "name"),
    [
        pytest.param(each, name, id=f"{each.__name__}-{name}")
        for each in ESTIMATORS
        for name, constraints in constraints_of(each).items()
        if is_numeric(constraints)
    ],
)
def test_bad_numbers_are_refused_by_name(estimator, name):
    for value in bad_values(constraints_of(estimator)[name]):
        given = build(estimator, **{name: value})
        with pytest.raises((ValueError, TypeError), match=rf"'{name}' parameter of \w+ must"):
            given.fit(*tiny_input(given))


@every_estimator
def test_numbers_are_declared_as_numbers(estimator):
    """A number that is declared as something else would be missed above."""
    defaults = inspect.signature(estimator).parameters
    bare = [
        name
        for name, constraints in constraints_of(estimator).items()
        if isinstance(defaults[name].default, Number)
        and not isinstance(defaults[name].default, bool)
        and not is_numeric(constraints)
        and not {"random_state", "cv_object"} & {each for each in constraints if isinstance(each, str)}
    ]
    assert not bare
