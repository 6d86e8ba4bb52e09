"""The walk through the house: how often a command goes from one room into another.

Functions of textspace are taken in the order in which they are called for the first time, without those that
run while a module is imported. A room is a package, or ``methods``; modules on the ground floor, such as
``_files``, are none. A change is a function that is in another room than the one before it. Who reads what a
command does, function by function, changes rooms that often.
"""

import csv
import sys
from itertools import groupby
from pathlib import Path

import pytest

import textspace
from textspace.cli import main
from textspace.datasets import load

SOURCE = Path(textspace.__file__).parent
TRAIN, COMPARE = 15, 25  # changes at most


def room_of(code):
    """Name the room in which a function stands; None for the ground floor, and outside of the house."""
    path = Path(code.co_filename)
    if not path.is_relative_to(SOURCE):
        return None
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    return None if room.startswith("_") else room


def is_importing(frame):
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def walk(*arguments):
    """Run a command; give the rooms in the order in which it goes through them."""
    seen, rooms = set(), []

    def note(frame, event, _):
        if event == "call" and frame.f_code not in seen:
            room = room_of(frame.f_code)
            if room is None:
                seen.add(frame.f_code)
            elif not is_importing(frame):
                seen.add(frame.f_code)
                rooms.append(room)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
    finally:
        sys.setprofile(before)
    assert end.value.code == 0
    return [room for room, _ in groupby(rooms)]


@pytest.fixture
def demo(tmp_path):
    """Some of the bundled texts, all with a label, as a file of a user."""
    corpus = load("demo")
    corpus = corpus.subset(corpus.labels != "")
    with open(tmp_path / "demo.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [("text", "label"), *zip(corpus.texts[::2], corpus.labels[::2], strict=True)]
        )
    return tmp_path / "demo.csv"


def test_training(demo, tmp_path):
    rooms = walk("train", demo, "-o", tmp_path / "demo.textspace")
    assert len(rooms) - 1 <= TRAIN, " > ".join(rooms)


def test_comparing(demo, tmp_path):
    words = ["--methods", "svm,nb", "--jobs", "1", "--report", tmp_path / "report.html"]
    rooms = walk("compare", demo, *words)
    assert len(rooms) - 1 <= COMPARE, " > ".join(rooms)
