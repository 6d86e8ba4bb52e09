"""Find the documents that a user means."""

from pathlib import Path

import typer

from textspace.cli._options import check_name
from textspace.cli._output import say


def open_corpus(name, *, text=None, label=None, encoding="utf-8"):
    """Load a corpus by its name, else read the user's file or folder, and say what was noticed."""
    from textspace.datasets import load, read

    known = known_corpora()
    if name in known:
        if text or label:
            raise typer.BadParameter(
                f"--text and --label are for your own files, but {name} is a known corpus."
            )
        say_if_fetched(known[name])
        corpus = load(name)
    else:
        # What has no dot and no slash, and is no file, was meant as a name.
        if not (Path(name).exists() or set(name) & set("./\\")):
            check_name(name, known, "file, folder or corpus")
        corpus = read(name, text=text, label=label, encoding=encoding)
    for note in corpus.notes:
        say(f"note: {note}")
    return corpus


def known_corpora():
    """Give what is known of each corpus by its name."""
    from textspace.datasets import available

    return {info.name: info for info in available()}


def say_if_fetched(info):
    """Tell the user why the next step takes a while."""
    if info.status == "download":
        say(f"fetching {info.name} ...")
