"""No experiment depends on the defaults of a class or on the settings of the catalogue."""

import ast
from inspect import getmembers, isclass
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator

import experiments
import textspace.classify
import textspace.kernel
import textspace.linear
import textspace.selection
import textspace.tensor
import textspace.text
from experiments import EXPERIMENTS, Comparisons, baselines, lrwmmc, srls, stm, unlabelled
from experiments.estimators import estimator, linear_svm

ROOMS = ("classify", "kernel", "linear", "selection", "tensor", "text")
CLASSES = {
    name: each
    for room in ROOMS
    for name, each in getmembers(getattr(textspace, room), isclass)
    if issubclass(each, BaseEstimator)
}


class Default:
    """What stands in the place of a default that was not overruled."""


@pytest.fixture
def no_defaults(monkeypatch):
    """Take away what the classes of textspace mean where an argument is not given."""
    for each in CLASSES.values():
        start = each.__init__
        if getattr(start, "__defaults__", None):
            monkeypatch.setattr(start, "__defaults__", (Default(),) * len(start.__defaults__))
        if getattr(start, "__kwdefaults__", None):
            monkeypatch.setattr(start, "__kwdefaults__", dict.fromkeys(start.__kwdefaults__, Default()))


def builders():
    """Give all that experiments build: methods, spaces of texts, and what measurements make by themselves."""
    for experiment in EXPERIMENTS.values():
        if isinstance(experiment.results, Comparisons):
            yield f"{experiment.name}, texts", experiment.results.space
            for method in experiment.results.methods():
                yield f"{experiment.name}, {method.name}", method.build
    for name, method in lrwmmc.figure4_methods().items():
        yield f"lrwmmc-fig4, {name}", method.build
    for name, method in unlabelled.methods().items():
        yield f"unlabelled, {name}", method.build
    for method in stm.methods():
        yield f"stm, {method.name}", method.build
    yield "unlabelled, LSI", lambda: unlabelled.space_of("lsi")
    yield "unlabelled, terms and LSI", lambda: unlabelled.space_of("lda-lsi")
    yield "srls, least squares", lambda: srls.least_squares(0.1)
    yield "srls, terms", lambda: srls.term_selector([1.0, 2.0], 1, "top", 0)
    yield "blend, self-training", lambda: baselines.self_training(linear_svm())


@pytest.mark.parametrize("build", [pytest.param(build, id=name) for name, build in builders()])
def test_no_default_of_a_class_is_relied_on(no_defaults, build):
    settings = build().get_params(deep=True)
    assert settings
    assert not [name for name, value in settings.items() if isinstance(value, Default)]


def test_a_setting_that_is_left_out_is_an_error():
    with pytest.raises(TypeError, match="give random_state of LSI"):
        estimator("textspace.linear.LSI", n_components=3)


@pytest.mark.parametrize(
    "path", sorted(Path(experiments.__file__).parent.glob("*.py")), ids=lambda path: path.stem
)
def test_experiments_build_estimators_through_the_helper_that_asks_for_every_setting(path):
    imported = {
        alias.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("textspace")
        for alias in node.names
    }
    assert not imported & set(CLASSES)


@pytest.mark.parametrize("path", sorted(Path(experiments.__file__).parent.glob("*.py")), ids=lambda p: p.stem)
def test_of_the_catalogue_only_the_words_are_used(path):
    uses = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Subscript)
        and isinstance(node.value.value, ast.Name)
        and node.value.value.id == "METHODS"
    ]
    assert {node.attr for node in uses} <= {"title"}
