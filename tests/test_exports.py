"""A package exports the estimators of its modules, those that it does not name too."""

import sys

import pytest

import textspace.kernel
import textspace.linear
import textspace.tensor
from textspace._exports import export_estimators, late

MODULE = """
from sklearn.base import BaseEstimator
from textspace.linear import LSI

class Rotation(BaseEstimator):
    pass

class _Helper(BaseEstimator):
    pass

class Record:
    pass
"""


@pytest.fixture
def room(tmp_path):
    """Make a module that nobody names, and one of bases, in a new folder of `textspace.linear`."""
    (tmp_path / "_rotation.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "_base.py").write_text(MODULE.replace("Rotation", "RotationBase"), encoding="utf-8")
    room = vars(textspace.linear)
    yield {**room, "__path__": [*room["__path__"], str(tmp_path)], "__all__": list(room["__all__"])}
    sys.modules.pop("textspace.linear._rotation", None)


def test_a_new_module_is_exported(room, monkeypatch):
    monkeypatch.setattr(textspace.linear, "__path__", room["__path__"])
    export_estimators(room)
    assert set(room["__all__"]) == {*textspace.linear.__all__, "Rotation"}
    assert room["Rotation"].__module__ == "textspace.linear._rotation"
    order = room["__all__"]
    assert order.index("SDA") < order.index("MaximumMarginCriterion") < order.index("Rotation")
    assert order.index("Rotation") < order.index("ScaledTerm") < order.index("class_sums")


@pytest.mark.parametrize("package", [textspace.kernel, textspace.linear, textspace.tensor])
def test_names_that_are_written_out_stay_as_they_are(package):
    written = list(package.__all__)
    export_estimators(vars(package))
    assert package.__all__ == written
    assert len(set(written)) == len(written)


def test_a_module_is_imported_when_a_name_of_it_is_asked_for(tmp_path, monkeypatch):
    package = tmp_path / "latecomers"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "_first.py").write_text("FIRST = 1\ndef second(): return 2", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import latecomers

    load, names = late("latecomers", {"_first": "second FIRST"})
    assert names == ["FIRST", "second"]
    assert "latecomers._first" not in sys.modules
    assert load("second")() == 2
    assert latecomers.second is load("second")
    with pytest.raises(AttributeError, match="'latecomers' has no attribute 'third'"):
        load("third")
