from importlib import import_module

import pytest

from textspace.methods import METHODS
from textspace.models._types import ALLOWED, TRUSTED, foreign_part


@pytest.mark.parametrize("name", TRUSTED)
def test_every_name_on_the_list_is_a_class_that_exists(name):
    """A class that moves must stay under its old name too, or old files cannot be opened."""
    module, kind = name.rsplit(".", 1)
    assert isinstance(getattr(import_module(module), kind), type)


def test_the_list_holds_nothing_that_runs_what_it_is_given():
    owners = {name.split(".")[0] for name in TRUSTED}
    assert owners == {"builtins", "numpy", "scipy", "sklearn", "textspace"}
    own = {name for name in TRUSTED if name.startswith("builtins.")}
    assert own == {
        f"builtins.{name}" for name in ("bytes", "dict", "frozenset", "list", "set", "str", "tuple")
    }
    # loaders by which skops calls, or gives out, what a file names
    assert not {"FunctionNode", "MethodNode", "OperatorFuncNode", "PartialNode", "LossNode"} & set(ALLOWED)
    assert ALLOWED["ConstructorFromReduceNode"] == {"builtins.frozenset"}


def test_the_list_holds_no_more_than_the_catalogue_builds():
    """What scikit-learn adds to it is what methods of the catalogue are made of."""
    built = set()

    def add(estimator):
        built.add(f"{type(estimator).__module__}.{type(estimator).__name__}")
        for value in estimator.get_params(deep=True).values():
            if hasattr(value, "get_params"):
                built.add(f"{type(value).__module__}.{type(value).__name__}")

    for method in METHODS.values():
        add(method.build())
    theirs = {name for name in ALLOWED["ObjectNode"] if name.startswith("sklearn.")}
    within = {
        "sklearn.preprocessing._function_transformer.FunctionTransformer",  # of FeatureUnion
        "sklearn.svm._classes.LinearSVC",
        "sklearn.neighbors._classification.KNeighborsClassifier",
    }
    assert theirs <= built | within


def test_what_is_foreign_is_found_at_any_depth():
    good = {"__loader__": "ListNode", "__module__": "builtins", "__class__": "list", "content": []}
    assert foreign_part(good) is None
    bad = {"__loader__": "FunctionNode", "__module__": "os", "__class__": "system"}
    for place in ([bad], {"a": {"b": [[bad]]}}, good | {"other": bad}, good | {"content": [good, bad]}):
        assert foreign_part({"schema": place}) == "os.system (by FunctionNode)"
    assert foreign_part(good | {"__class__": "deque"}) == "builtins.deque (by ListNode)"
    assert foreign_part(good | {"__loader__": "SetNode"}) == "builtins.list (by SetNode)"
