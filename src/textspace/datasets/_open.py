"""Find the documents that a user means, the unlabelled ones beside them, and the tree of their labels."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from textspace._wording import name_hint
from textspace.datasets._catalogue import CORPORA, available, load
from textspace.datasets._folder import RawDocuments
from textspace.datasets._label_cells import NONE
from textspace.datasets._missing import without_missing
from textspace.datasets._read import read, read_documents
from textspace.tree import LabelTree


class CorpusUsageError(ValueError):
    """Options that do not go together or with the corpus, or a name that there is not.

    Examples
    --------
    >>> from textspace.datasets import CorpusUsageError, open_corpus
    >>> try:
    ...     open_corpus("dem")
    ... except CorpusUsageError as error:
    ...     print(error)
    there is no file, folder or corpus 'dem'. Did you mean 'demo'?
    """


def open_corpus(
    name,
    *,
    text=None,
    label=None,
    missing=None,
    unlabelled=None,
    tree=None,
    label_separator=None,
    several=None,
    say=None,
    **reading,
):
    """Load a corpus by its name, else read the user's file or folder.

    Parameters
    ----------
    name : str
        Name of a known corpus, or the path of a file or folder.
    text : str or list of str, default=None
        Column of the texts in the user's files, or several that are joined; guessed if not given.
    label : str or list of str, default=None
        Column of the labels; guessed if not given. Several as for :func:`read`.
    missing : {"drop", "keep"}, default=None
        What to do with labels such as "n/a" and "?", as for :func:`read`.
    unlabelled : Path, default=None
        File or folder of more texts, taken without labels.
    tree : Path, default=None
        Table of the labels and their parents.
    label_separator : str, default=None
        What stands between the parts of labels that are paths; they are then the tree.
    several : str, default=None
        How the user's files hold several labels a document, as for :func:`read`.
    say : callable, default=None
        Called with a sentence before a corpus is fetched, and for each of the notes.
    **reading : dict
        How the user's files are read: `encoding`, `header`, `sheet` and `query`, as for
        :func:`textspace.tables.read_blocks`. The table of --tree and the unlabelled texts share the encoding.

    Returns
    -------
    Corpus

    Raises
    ------
    CorpusUsageError
        If there is nothing of this name, or the options do not go together.
    ValueError, FileNotFoundError
        If a file is missing or cannot be read as it stands.

    Examples
    --------
    >>> from textspace.datasets import open_corpus
    >>> open_corpus("demo")
    Corpus('demo': 408 documents, 12 classes, 240 train, 120 test, 48 unlabelled)
    """
    corpus = find_corpus(
        name,
        text=text,
        label=label,
        missing=missing,
        unlabelled=unlabelled,
        tree=tree,
        label_separator=label_separator,
        several=several,
        say=say,
        **reading,
    )
    tell(say, corpus.notes)
    return corpus


def find_corpus(name, *, text, label, missing, unlabelled, tree, label_separator, several, say, **reading):
    """Open a corpus as `open_corpus` does, but leave its notes to be told."""
    if tree is not None and label_separator is not None:
        raise CorpusUsageError("--tree and --label-separator exclude each other: give one of them.")
    if name in CORPORA:
        if label or several or (text and unlabelled is None):
            raise CorpusUsageError(
                f"--text, --label and --several are for your own files, but {name} is a known corpus."
            )
        corpus = _load(name, say)
    else:
        _check_exists(name)
        if several is None and label_separator is not None:
            several = NONE  # what looks like a list is a path
        corpus = read(name, text=text, label=label, several=several, missing=missing, **reading)
    beside = {"encoding": reading.get("encoding")}
    if unlabelled is not None:
        corpus = with_unlabelled(corpus, unlabelled, text=text, **beside)
    if tree is not None or label_separator is not None:
        corpus = with_tree(corpus, tree, label_separator, **beside)
    return corpus


def tell(say, notes):
    """Say each of the notes, if there is somebody to say it to."""
    if say is not None:
        for note in notes:
            say(f"note: {note}")


def open_documents(name, *, text=None, label=None, several=None, missing=None, say=None, **reading):
    """Open documents as `open_corpus` does, those without a text among them, with what to call each.

    Parameters
    ----------
    name : str
        Name of a known corpus of texts, or the path of a file or folder.
    text, label, several
        As for `open_corpus`; labels that look like lists are left as they are.
    missing : {"drop", "keep"}, default=None
        "drop" takes away labels such as "n/a" and "?"; else they stay.
    say : callable, default=None
        Called with a sentence before a corpus is fetched.
    **reading : dict
        As for `open_corpus`.

    Returns
    -------
    RawDocuments

    Examples
    --------
    >>> from textspace.datasets import open_documents
    >>> open_documents("demo").where(0)
    'document 1'
    """
    if name not in CORPORA:
        _check_exists(name)
        found = read_documents(name, text=text, label=label, several=several, **reading)
        labels, notes = without_missing(found.labels, found.where, name, missing=missing or "keep")
        return found._replace(labels=labels, notes=(*found.notes, *notes))
    corpus = _load(name, say)
    if not isinstance(corpus.texts, list):
        raise ValueError(f"{name} holds term counts: only texts can be checked.")
    split = None if corpus.split is None else corpus.split.tolist()
    return RawDocuments(
        corpus.texts, corpus.labels.tolist(), split, lambda i: f"document {i + 1}", corpus.notes
    )


def _load(name, say):
    status = next(info.status for info in available() if info.name == name)
    if status == "download" and say is not None:
        say(f"fetching {name} ...")
    return load(name)


def _check_exists(name):
    # What has no dot and no slash, and is no file, was meant as a name.
    if not (Path(name).exists() or set(name) & set("./\\")):
        raise CorpusUsageError(f"there is no file, folder or corpus {name!r}. {name_hint(name, CORPORA)}")


def with_unlabelled(corpus, path, *, text=None, encoding=None):
    """Put the texts of a file or folder behind a corpus, as documents without a label."""
    if not isinstance(corpus.texts, list):
        raise ValueError(
            f"{corpus.name} holds term counts, to which no texts can be added: leave out {path}."
        )
    columns = {"text": None if path.is_dir() else text, "label": False, "split": False}
    more = read(path, **columns, like=corpus.columns, encoding=encoding)
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
        labels=np.append(corpus.labels, [None if corpus.several else ""] * len(texts)),
        split=None if split is None else np.append(split, ["unlabelled"] * len(texts)),
        notes=(*corpus.notes, *notes),
        places=None if corpus.places is None else corpus.places + [(path.name, "")] * len(texts),
    )


def with_tree(corpus, path, separator, *, encoding=None):
    """Give a corpus the tree of a table, or the one that its labels spell out."""
    if path is not None:
        return replace(corpus, tree=LabelTree.from_parents(path, encoding).to_dict())
    labels = corpus.classes.tolist()
    if labels and not any(separator in label for label in labels):
        raise ValueError(
            f"no label of {corpus.name} holds {separator!r}, neither {labels[0]!r} nor another: give the "
            "--label-separator that stands between the parts of a label, or a --tree."
        )
    return replace(corpus, tree=LabelTree.from_paths(labels, separator).to_dict())
