"""What a model may consist of follows from the catalogue: all of it can be saved, and nothing else."""

import re
from pkgutil import resolve_name

import pytest
from sklearn.base import BaseEstimator
from sklearn.svm import LinearSVC

from textspace._saving import saved_types
from textspace.methods import METHODS
from textspace.models._types import is_of_sklearn, types_of


def estimators(value):
    """Give the classes of an estimator and of all estimators among its parameters."""
    within = [each for each in value.get_params(deep=True).values() if isinstance(each, BaseEstimator)]
    return {type(each) for each in (value, *within)}


@pytest.mark.parametrize("method", METHODS)
def test_a_method_of_the_catalogue_consists_of_what_can_be_saved(method):
    known = {saved.kind for saved in types_of(method).values()}
    assert estimators(METHODS[method].build()) <= known


def test_scikit_learn_takes_part_only_where_the_catalogue_says_so():
    theirs = {
        method: {name for name in types_of(method) if name.startswith("sklearn.")}
        for method in ["auto", *METHODS]
    }
    assert theirs["auto"] == theirs["blend"] == theirs["rlsc"] == set()
    assert theirs["svm"] == {"sklearn.LinearSVC"}
    assert theirs["hsvm"] == {"sklearn.LinearSVC"}  # which its parameters do not show
    assert theirs["lsi"] == {"sklearn.Pipeline", "sklearn.KNeighborsClassifier"}
    assert theirs["self-training"] == {
        "sklearn.FeatureUnion", "sklearn.FunctionTransformer", "sklearn.Normalizer", "sklearn.Pipeline"
    }  # fmt: skip
    assert types_of("svm")["sklearn.LinearSVC"].kind is LinearSVC


@pytest.mark.parametrize("method", [None, "os.system", "textspace.classify", ["svm"], {}])
def test_another_method_has_no_types_of_its_own(method):
    if isinstance(method, str | None):
        assert types_of(method) == saved_types()
    else:
        with pytest.raises(TypeError):
            types_of(method)


def test_names_do_not_tell_where_a_class_is_defined():
    for method in METHODS:
        types_of(method)
    saved = {name: one for name, one in saved_types().items() if one.kind.__module__.startswith("textspace.")}
    assert len(saved) > 40
    for name, one in saved.items():
        assert re.fullmatch(r"[a-z]+\.[a-z_]+", name)
        assert one.name == name
        assert isinstance(one.kind, type)
        assert not is_of_sklearn(one.kind)
        assert all(is_of_sklearn(resolve_name(name)) for name in one.holds)
