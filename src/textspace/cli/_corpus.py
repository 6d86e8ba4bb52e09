"""Find the documents that a user means, the unlabelled ones beside them, and the tree of their labels."""

from dataclasses import replace
from pathlib import Path

import typer

from textspace.cli._options import check_name
from textspace.cli._output import say


def open_corpus(
    name, *, text=None, label=None, encoding="utf-8", unlabelled=None, tree=None, label_separator=None
):
    """Load a corpus by its name, else read the user's file or folder, and say what was noticed.

    Parameters
    ----------
    name : str
        Name of a known corpus, or the path of a file or folder.
    text, label : str, default=None
        Columns of the user's files; guessed if not given.
    encoding : str, default="utf-8"
        Encoding of the user's files.
    unlabelled : Path, default=None
        File or folder of more texts, taken without labels.
    tree : Path, default=None
        Table of the labels and their parents.
    label_separator : str, default=None
        What stands between the parts of labels that are paths; they are then the tree.

    Returns
    -------
    Corpus
    """
    if tree is not None and label_separator is not None:
        raise typer.BadParameter("--tree and --label-separator exclude each other: give one of them.")
    from textspace.datasets import load, read

    known = known_corpora()
    if name in known:
        if label or (text and unlabelled is None):
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
    if unlabelled is not None:
        corpus = with_unlabelled(corpus, unlabelled, text=text, encoding=encoding)
    if tree is not None or label_separator is not None:
        corpus = with_tree(corpus, tree, label_separator, encoding=encoding)
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


def with_unlabelled(corpus, path, *, text=None, encoding="utf-8"):
    """Put the texts of a file or folder behind a corpus, as documents without a label."""
    import numpy as np

    from textspace.datasets import read

    if not isinstance(corpus.texts, list):
        raise ValueError(
            f"{corpus.name} holds term counts, to which no texts can be added: leave out {path}."
        )
    more = read(path, text=None if path.is_dir() else text, label=False, split=False, encoding=encoding)
    # A test document must not be learned from, not even without its label.
    known = set(corpus.texts)
    texts = [each for each in more.texts if each not in known]
    if not texts:
        raise ValueError(f"{path} has no text that {corpus.name} does not have: give other documents.")
    notes = [f"{path.name}: {note}" for note in more.notes]
    if len(texts) < len(more):
        notes.append(f"{path.name}: {len(more) - len(texts)} texts that are in {corpus.name} were left out.")
    notes.append(f"{path.name}: {len(texts)} documents were added as unlabelled.")
    split = corpus.split
    return replace(
        corpus,
        texts=corpus.texts + texts,
        labels=np.append(corpus.labels, [""] * len(texts)),
        split=None if split is None else np.append(split, ["unlabelled"] * len(texts)),
        notes=(*corpus.notes, *notes),
    )


def with_tree(corpus, path, separator, *, encoding="utf-8"):
    """Give a corpus the tree of a table, or the one that its labels spell out."""
    from textspace.tree import LabelTree

    if path is not None:
        return replace(corpus, tree=LabelTree.from_parents(path, encoding).to_dict())
    labels = corpus.classes.tolist()
    if labels and not any(separator in label for label in labels):
        raise ValueError(
            f"no label of {corpus.name} holds {separator!r}, neither {labels[0]!r} nor another: give the "
            "--label-separator that stands between the parts of a label, or a --tree."
        )
    return replace(corpus, tree=LabelTree.from_paths(labels, separator).to_dict())
