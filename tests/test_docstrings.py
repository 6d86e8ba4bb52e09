"""Docstrings of public names say what the signatures say, in the form that numpydoc reads, with examples."""

import dataclasses
import importlib
import inspect
import pkgutil
import re
import sys
from typing import NamedTuple

import numpy
import pytest
import sklearn.metrics

import textspace

# Public names without an example, and why.
WITHOUT_EXAMPLE = {
    "cli.main": "it ends the process; the docs of the command line have examples",
    "datasets.CorpusInfo": "see available",
    "evaluation.Significance": "see significance",
    "evaluation.UnlabelledGain": "see unlabelled_gain",
    "linear.LinearProjection": "a base; see LSI",
    "linear.ScaledTerm": "see LabelDrivenLSI",
    "linear.ScalingEffect": "see scaling_effect",
    "models.Explanation": "see TextClassifier",
    "models.ModelFileError": "an error",
    "models.Neighbor": "see TextClassifier",
    "datasets.Finding": "see check_documents",
    "tables.Dialect": "see write_blocks",
    "tables.Reading": "see read_blocks",
    "datasets.RawDocuments": "see read_documents",
    "tables.Block": "see read_blocks",
    "tables.Format": "see format_of",
    "tables.Table": "see read_table",
    "models.TermContribution": "see TextClassifier",
    "neighbors.ClassNeighbors": "see class_neighbors",
    "neighbors.ClusterIndex": "see build_index",
    "selection.DecisionChange": "see decision_change",
    "selection.ErrorBound": "see error_bound",
    "selection.RelativeErrorBound": "see relative_error_bound",
    "selection.ScoredTerms": "see score_terms",
    "service.serve": "it serves until it is interrupted",
    "solvers.ConvergenceError": "an error",
    "text.CountedTexts": "see count_texts",
    "tuning.TrainTest": "see vectorise",
    "tuning.NoTextsError": "an error",
}


class Entry(NamedTuple):
    """A name under a heading of a docstring: ``name : kind`` and the lines below it."""

    name: str
    kind: str
    text: str


def public_names():
    """Give the public functions and classes by the name under which they are imported."""
    rooms = [each.name for each in pkgutil.iter_modules(textspace.__path__) if not each.name.startswith("_")]
    found = {}
    for path in ["textspace", *(f"textspace.{room}" for room in rooms)]:
        package = importlib.import_module(path)
        for name in getattr(package, "__all__", ()):
            if callable(getattr(package, name)):
                found[getattr(package, name)] = f"{path.removeprefix('textspace.')}.{name}"
    return {path: thing for thing, path in found.items()}


def public_methods(kind):
    """Give the public methods that a class has from this package, its own and inherited ones."""
    for base in reversed(kind.__mro__):  # so that the own one of a name comes last, and counts
        if base.__module__.startswith("textspace"):
            for name, each in vars(base).items():
                each = getattr(each, "__func__", each)  # of class and static methods
                if not name.startswith("_") and inspect.isfunction(each):
                    yield name, each


PUBLIC = public_names()
DOCUMENTED = PUBLIC | {
    f"{path}.{name}": method
    for path, kind in PUBLIC.items()
    if inspect.isclass(kind)
    for name, method in public_methods(kind)
}


def sections(thing):
    """Give the lines below each heading of a docstring."""
    lines = (inspect.getdoc(thing) or "").splitlines()
    found, heading = {}, "Summary"
    for line, underline in zip(lines, [*lines[1:], ""], strict=True):
        if line and underline and set(underline) == {"-"}:
            heading = line
        elif not (line and set(line) == {"-"}):
            found.setdefault(heading, []).append(line)
    return found


def entries(thing, heading):
    """Give what stands under a heading, one entry a name: ``x, y : float`` are two."""
    found = []
    for line in sections(thing).get(heading, ()):
        if line and not line.startswith(" "):
            names, _, kind = line.partition(" : ")
            found.append(([name.strip() for name in names.split(",")], kind, []))
        elif line:
            found[-1][2].append(line.strip())
    return [Entry(name, kind, " ".join(text)) for names, kind, text in found for name in names]


def parameters_of(thing):
    """Give the parameters of a call, stars and all, with their defaults; none of what is not ours."""
    if inspect.isclass(thing) and not is_record(thing) and not is_ours(thing.__init__):
        return {}
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    factories = {
        field.name: field.default_factory()
        for field in getattr(thing, "__dataclass_fields__", {}).values()
        if field.default_factory is not dataclasses.MISSING
    }
    return {
        stars.get(each.kind, "") + name: factories.get(name, each.default)
        for name, each in inspect.signature(thing).parameters.items()
        if name not in ("self", "cls")
    }


def is_ours(function):
    return getattr(function, "__module__", "").startswith("textspace")


def is_record(thing):
    """Whether a class holds what its fields say: it may call them attributes."""
    return inspect.isclass(thing) and (hasattr(thing, "_fields") or dataclasses.is_dataclass(thing))


def described(thing):
    """Give the entries that describe the parameters."""
    found = entries(thing, "Parameters")
    if not found and is_record(thing):
        names = parameters_of(thing)
        found = [entry for entry in entries(thing, "Attributes") if entry.name in names]
    return found


def referred_default(entry, thing):
    """Give the default of the parameter of that name of the function or class that an entry refers to."""
    place = re.match(r"As (?:in|of|for) (?::\w+:)?`~?([\w.]+)`", entry.text)
    assert place, f"{entry.name} has no type, and does not say 'As in :class:`...`'"
    *path, name = place[1].split(".")
    home = importlib.import_module(".".join(path)) if path else sys.modules[thing.__module__]
    return inspect.signature(getattr(home, name)).parameters[entry.name].default


def said_default(entry, thing):
    """Give the default that an entry says, or ``Parameter.empty``."""
    if not entry.kind:
        return referred_default(entry, thing)
    if entry.kind.endswith("optional"):
        return None
    said = entry.kind.partition("default=")[2]
    known = {"numpy": numpy, "sklearn": sklearn, **vars(sys.modules[thing.__module__])}
    return eval(said, known) if said else inspect.Parameter.empty


def same(one, other):
    return type(one) is type(other) and (one == other or one is other)


# One test a room and rule: thousands of tests would take longer than what they look at.
ROOMS = sorted({path.partition(".")[0] for path in PUBLIC})
every_room = pytest.mark.parametrize("room", ROOMS)


def documented_in(room):
    return {path: thing for path, thing in DOCUMENTED.items() if path.startswith(f"{room}.")}


@every_room
def test_parameters_are_those_of_the_signature(room):
    names = {
        path: ([entry.name for entry in described(thing)], list(parameters_of(thing)))
        for path, thing in documented_in(room).items()
    }
    assert not {path: pair for path, pair in names.items() if pair[0] != pair[1]}


@every_room
def test_defaults_are_those_of_the_signature(room):
    wrong = [
        (path, entry.name, entry.kind, parameters_of(thing)[entry.name])
        for path, thing in documented_in(room).items()
        for entry in described(thing)
        if entry.name in parameters_of(thing)
        and not entry.name.startswith("*")
        and not same(said_default(entry, thing), parameters_of(thing)[entry.name])
    ]
    assert not wrong


@every_room
def test_docstrings_begin_with_a_sentence(room):
    for path, thing in documented_in(room).items():
        summary, *rest = inspect.getdoc(thing).splitlines()
        assert re.match(r"[^a-z].*[.:]$", summary), path
        assert not rest or not rest[0], path


@every_room
def test_headings_stand_once(room):
    for path, thing in documented_in(room).items():
        headings = re.findall(r"^(.+)\n-+$", inspect.getdoc(thing), flags=re.MULTILINE)
        assert len(headings) == len(set(headings)), path


@every_room
def test_public_names_have_examples(room):
    public = [path for path in PUBLIC if path.startswith(f"{room}.")]
    wrong = [path for path in public if ("Examples" in sections(PUBLIC[path])) == (path in WITHOUT_EXAMPLE)]
    assert not wrong


@pytest.mark.parametrize(("path", "reason"), WITHOUT_EXAMPLE.items())
def test_what_is_to_be_seen_elsewhere_is_there(path, reason):
    assert path in PUBLIC
    elsewhere = re.search(r"see (\w+)$", reason)
    if elsewhere:
        assert "Examples" in sections(PUBLIC[f"{path.partition('.')[0]}.{elsewhere[1]}"])
