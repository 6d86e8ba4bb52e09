"""Ways to run the command line, and files to run it on."""

import csv
import os
import subprocess
import sys
from collections import namedtuple

import pytest

from textspace.cli import main

Outcome = namedtuple("Outcome", "code out err")
WORDS = {
    "grain": ["corn", "wheat", "harvest", "barley", "crop", "farm"],
    "ship": ["port", "cargo", "vessel", "tanker", "harbour", "freight"],
    "money": ["bank", "rate", "dollar", "bond", "interest", "loan"],
}


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Give a function that runs the command line within this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TEXTSPACE_DEBUG", raising=False)

    def run(*words):
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main([str(word) for word in words])
        return Outcome(stop.value.code or 0, *capsys.readouterr())

    return run


@pytest.fixture
def start(tmp_path):
    """Give a function that starts the command line as a process of its own, in an empty folder."""

    def start(*words, **variables):
        command = [sys.executable, "-m", "textspace", *map(str, words)]
        environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"} | variables
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, cwd=tmp_path, env=environment, text=True, encoding="utf-8", **pipes)

    return start


def write_mails(path):
    """Write a file with 60 documents of three classes."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "body", "topic"])
        for number in range(60):
            topic = list(WORDS)[number % 3]
            words = [WORDS[topic][(number + step) % 6] for step in (0, 1, 3)]
            rows.writerow([number, " ".join(["today the", *words, f"number{number}"]), topic])
    return path


@pytest.fixture
def mails(tmp_path):
    """A file with 60 documents of three classes."""
    return write_mails(tmp_path / "mails.csv")


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """A model file that was trained on the mails, their topics in a tree."""
    folder = tmp_path_factory.mktemp("model")
    (folder / "tree.csv").write_text("child,parent\ngrain,goods\nship,transport\nmoney,finance\n")
    words = ["train", write_mails(folder / "mails.csv"), "--tree", folder / "tree.csv"]
    with pytest.raises(SystemExit) as stop:
        main([*map(str, words), "-o", str(folder / "mails.textspace")])
    assert not stop.value.code
    return folder / "mails.textspace"
