import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from textspace.cli._main import app


def pages_of(app, words=()):
    """Give the words that lead to each page of help: of the application, of its verbs and of theirs."""
    pages = [[*words]]
    for command in app.registered_commands:
        pages.append([*words, command.name or command.callback.__name__])
    for group in app.registered_groups:
        pages += pages_of(group.typer_instance, [*words, group.name])
    return pages


PAGES = pages_of(app)
HEAVY = {
    "numpy",
    "scipy",
    "sklearn",
    "numba",
    "joblib",
    "jinja2",
    "rich",
    "plotly",
    "polars",
    "textspace.evaluation",
}


def examples_of(text):
    lines = text.split("Example", 1)[1].splitlines()[1:]
    return [line.strip() for line in lines if line.strip()]


@pytest.mark.parametrize("page", PAGES, ids=" ".join)
def test_every_help_page_ends_in_examples(run, page):
    outcome = run(*page, "--help")
    assert outcome.code == 0
    assert all(line.startswith("textspace ") for line in examples_of(outcome.out))


@pytest.mark.slow
def test_help_imports_nothing_heavy():
    code = f"""
import json, sys
from textspace.cli import main
for page in {PAGES!r}:
    try:
        main([*page, "--help"])
    except SystemExit:
        pass
print(json.dumps(sorted(set(sys.modules) & {HEAVY!r})))
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert json.loads(out.splitlines()[-1]) == []


@pytest.mark.slow
def test_the_examples_work(run, mails):
    pages = [run(*page, "--help").out for page in PAGES]
    words = {tuple(shlex.split(line)[1:]) for page in pages for line in examples_of(page)}
    # The demos compare a dozen methods: test_demo.py runs one. A service runs until it is stopped.
    words = {each for each in words if each[0] not in ("demo", "serve")}
    # Models come before what uses them, and compare before report, which reads what it wrote.
    for each in sorted(words, key=lambda each: (each[0] != "train", each)):
        outcome = run(*each, *(["--jobs", "1"] if each[0] == "compare" and "--help" not in each else []))
        assert outcome.code == 0, (each, outcome)


def test_version(run, start):
    from textspace import __version__

    assert run("--version") == (0, f"textspace {__version__}\n", "")
    process = start("--version")
    assert process.communicate()[0] == f"textspace {__version__}\n"


@pytest.mark.parametrize("words", [[], ["nonsense"], ["compare"], ["compare", "demo", "--folds", "one"]])
def test_bad_usage_is_two(run, words):
    outcome = run(*words)
    assert outcome.code == 2
    assert "Usage: textspace" in outcome.out + outcome.err


@pytest.mark.parametrize(
    ("closed", "said"), [("<&-", "standard input is empty"), (">&-", ""), ("2>&-", ""), (">&- 2>&- <&-", "")]
)
@pytest.mark.skipif(os.name == "nt", reason="needs a shell of POSIX")
def test_streams_that_are_closed(tmp_path, trained, closed, said):
    (tmp_path / "rows.txt").write_text("corn and wheat\n")
    data = "-" if said else "rows.txt"
    command = f'"$0" -m textspace predict "$1" {data} -o rows.csv {closed}'
    ended = subprocess.run(
        ["sh", "-c", command, sys.executable, str(trained)], cwd=tmp_path, capture_output=True, text=True
    )
    assert ended.returncode == bool(said)
    assert said in ended.stderr
    assert "did not expect" not in ended.stderr
    assert "row" not in ended.stdout
    assert said or (tmp_path / "rows.csv").read_text().count("\n") == 2


def test_no_process_takes_a_module_of_the_current_folder(mails, tmp_path):
    for name in ("json", "pickle", "random", "selectors", "signal"):
        (tmp_path / f"{name}.py").write_text("open('was run', 'w')\n")
    # as the console script begins: the current folder is not on the path
    command = [sys.executable, "-P", "-c", "from textspace.cli import main; main()", "compare", mails]
    options = ["--methods", "nb,knn", "--folds", "2", "--jobs", "2"]
    ended = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "was run").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--text", ""], "has no column '' for the text"),
        (["--label", ""], "has no column '' for the label"),
        (["--several", ""], "several= (--several) is empty"),
        (["--encoding", ""], "there is no encoding ''"),
        (["--encoding", "undefined"], "there is no encoding 'undefined'"),
        (
            ["--shares", ",".join(f"class{number}=0.001" for number in range(300))],
            "there is no class 'class0'",
        ),
    ],
)
def test_options_that_say_nothing_or_much(run, mails, words, sentence):
    outcome = run("train", mails, "--method", "nb", *words)
    assert outcome.code == 1
    assert sentence in outcome.err


@pytest.mark.parametrize(
    "words",
    [
        ["check", "mails.csv", "-o", "mails.csv"],
        ["check", "mails.csv", "--test", "more.csv", "-o", "./more.csv"],
        ["select", "mails.csv", "-o", "link.csv"],
        ["compare", "demo", "mails.json", "--methods", "nb", "-o", "mails.json"],
        ["report", "results.html"],
    ],
)
def test_what_is_read_is_not_lost(run, mails, tmp_path, words):
    names = "more.csv", "mails.json", "results.html"
    for name in names:
        (tmp_path / name).write_bytes(mails.read_bytes())
    (tmp_path / "link.csv").symlink_to("mails.csv")
    outcome = run(*words)
    assert outcome.code == 1
    assert "is read, and what is written would take its place: give another name." in outcome.err
    assert {(tmp_path / name).read_bytes() for name in names} == {mails.read_bytes()}


@pytest.mark.skipif(os.name == "nt", reason="needs the pipes of POSIX")
def test_a_pipe_is_not_replaced(run, mails, tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    outcome = run("check", mails, "-o", "pipe.csv")
    assert outcome.code == 1
    assert "pipe.csv is a pipe or a device" in outcome.err
    assert (tmp_path / "pipe.csv").is_fifo()


def test_a_report_and_a_page_of_a_folder(run):
    assert "there is no file ." in run("report", ".").err
    assert "there is no model file ." in run("export", ".").err


def test_a_terminal_obeys_no_sentence(run):
    outcome = run("check", "\x1b[31mmails.csv")
    assert outcome.code == 1
    assert "\x1b" not in outcome.err


def test_debug_shows_where_an_error_comes_from(run, monkeypatch, tmp_path):
    from textspace.cli import main

    assert run("compare", "absent.csv").code == 1
    monkeypatch.setenv("TEXTSPACE_DEBUG", "1")
    with pytest.raises(FileNotFoundError, match=re.escape("absent.csv")):
        main(["compare", "absent.csv"])


def panic():
    """Give an error of the kind that compiled Rust code raises: no Exception."""
    return type("PanicException", (BaseException,), {})("index out of bounds")


def numba_error():
    from numba.core.errors import TypingError

    return TypingError("Failed in nopython mode pipeline\n\nmany\nlines")


UNEXPECTED = [
    IndexError("list index out of range"), KeyError("micro_f1"), TypeError("unhashable"), StopIteration(),
    AttributeError("no such thing"), RecursionError("maximum recursion depth exceeded"), ZeroDivisionError(),
    AssertionError("one"), panic(), numba_error(),
]  # fmt: skip


@pytest.mark.parametrize("error", UNEXPECTED, ids=lambda error: type(error).__name__)
def test_no_error_is_a_trace(run, monkeypatch, error):
    from textspace.cli import _methods, main

    def fail(*_):
        raise error

    monkeypatch.setattr(_methods, "print_table", fail)
    outcome = run("methods")
    assert outcome.code == 1
    assert outcome.err.count("\n") == 1
    assert f"error: textspace did not expect this ({type(error).__name__}: " in outcome.err
    assert "set TEXTSPACE_DEBUG=1" in outcome.err
    monkeypatch.setenv("TEXTSPACE_DEBUG", "1")
    with pytest.raises(type(error)):
        main(["methods"])


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MemoryError(), "not enough memory"),
        (OSError(28, os.strerror(28), "out.csv"), "out.csv: make room there, or write to another disk."),
        (
            OSError(28, "no room: the finished runs are kept", "out.csv"),
            "the finished runs are kept: out.csv",
        ),
    ],
)
def test_memory_and_disk_that_are_full_have_a_remedy(run, monkeypatch, error, sentence):
    from textspace.cli import _methods

    def fail(*_):
        raise error

    monkeypatch.setattr(_methods, "print_table", fail)
    outcome = run("methods")
    assert outcome.code == 1
    assert sentence in outcome.err
