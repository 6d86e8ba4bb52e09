"""The reference of the API lists what the packages export, all of it and nothing else."""

import importlib
import re

import pytest
from docs import api_reference as reference
from tests.test_house import FLOORS

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")


def listed(page):
    """Names that a page documents or lists as constants."""
    return re.findall(r"^   (\w+)$", page, re.MULTILINE) + re.findall(r"^- ``(\w+)``", page, re.MULTILINE)


def test_packages_stand_in_the_order_of_the_house():
    rooms = [room for floor in FLOORS for room in floor.split() if not room.startswith("_")]
    assert list(reference.PACKAGES) == ["textspace", *(f"textspace.{room}" for room in rooms)]


def test_pages_list_what_packages_export_and_nothing_else():
    pages = reference.pages()
    for package in reference.PACKAGES:
        exported = getattr(importlib.import_module(package), "__all__", [])
        page = pages.get(f"{package}.md", "")
        assert sorted(listed(page)) == sorted(exported), package
        assert bool(page) == bool(exported)
        assert (f"\n{package}\n" in pages["index.md"]) == bool(exported)


def test_rooms_say_what_they_are():
    for package in reference.PACKAGES:
        introduction = importlib.import_module(package).__doc__.splitlines()[0]
        assert introduction.endswith(".")
        if f"{package}.md" in reference.pages():
            assert introduction in reference.pages()[f"{package}.md"]


def test_writing_again_touches_nothing_and_removes_what_is_no_more(tmp_path):
    reference.write(tmp_path)
    (tmp_path / "generated").mkdir()
    stubs = [tmp_path / "generated" / f"textspace.linear.{name}.rst" for name in ("LSI", "Gone")]
    for path in (tmp_path / "textspace.gone.md", *stubs):
        path.write_text("gone")
    times = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.md")}
    reference.write(tmp_path)
    assert sorted(path.name for path in tmp_path.glob("*.md")) == sorted(reference.pages())
    assert all(path.stat().st_mtime_ns == times[path] for path in tmp_path.glob("*.md"))
    assert [path.exists() for path in stubs] == [True, False]
