"""The corpora that textspace knows by name."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

from textspace.datasets import _sources
from textspace.datasets._archive import damaged
from textspace.datasets._collections import read_demo, read_ohsumed, read_tdt2
from textspace.datasets._newsgroups import read_bydate, read_eight
from textspace.datasets._reuters import TREE_A, TREE_B, read_modapte_41, read_tree
from textspace.datasets._wheel import read_wheel


@dataclass(frozen=True)
class _Entry:
    title: str
    source: _sources.Source | None  # None: bundled with the package
    read: Callable
    n_documents: int | None = None  # the exact counts by which a damaged or foreign archive is found out
    n_train: int | None = None
    n_test: int | None = None
    n_classes: int | None = None


def _split_entry(title, source, read, n_train, n_test, n_classes):
    return _Entry(title, source, read, n_train + n_test, n_train, n_test, n_classes)


WHEEL, REUTERS, NEWSGROUPS = _sources.WHEEL, _sources.REUTERS, _sources.NEWSGROUPS
CORPORA = {
    "demo": _Entry("Short texts written for textspace", None, read_demo),
    "reuters-r8": _split_entry(
        "Reuters-21578, 8 topics, one a document", WHEEL, partial(read_wheel, "reuters-r8"), 5485, 2189, 8
    ),
    "reuters-r52": _split_entry(
        "Reuters-21578, 52 topics, one a document", WHEEL, partial(read_wheel, "reuters-r52"), 6532, 2568, 52
    ),
    "reuters-modapte-41": _split_entry(
        "Reuters-21578, 41 topics of ten or more stories", REUTERS, read_modapte_41, 5899, 2314, 41
    ),
    "reuters-tree-a": _split_entry(
        "Reuters-21578, tree of 4 topics",
        REUTERS,
        partial(read_tree, "reuters-tree-a", TREE_A),
        531,
        196,
        4,
    ),
    "reuters-tree-b": _split_entry(
        "Reuters-21578, tree of 6 topics", REUTERS, partial(read_tree, "reuters-tree-b", TREE_B), 226, 94, 6
    ),
    "20newsgroups": _split_entry(
        "20 Newsgroups, lower-cased", WHEEL, partial(read_wheel, "20newsgroups"), 11293, 7528, 20
    ),
    "20newsgroups-bydate": _split_entry(
        "20 Newsgroups by date, subject and body", NEWSGROUPS, read_bydate, 11314, 7532, 20
    ),
    "20newsgroups-8": _split_entry("20 Newsgroups, tree of 8 groups", NEWSGROUPS, read_eight, 800, 800, 8),
    "ohsumed-23": _split_entry(
        "Ohsumed abstracts, 23 classes, one a document", _sources.OHSUMED, read_ohsumed, 3357, 4043, 23
    ),
    "tdt2-30": _Entry(
        "TDT2 news, 30 largest topics, as term counts",
        _sources.TDT2,
        read_tdt2,
        n_documents=9394,
        n_classes=30,
    ),
}


@dataclass(frozen=True)
class CorpusInfo:
    """What `available` says of a corpus.

    Parameters
    ----------
    name : str
        The name that `load` takes.
    title : str
        What the corpus is.
    n_documents, n_classes : int
        Sizes of the corpus.
    n_train, n_test : int or None
        Sizes of the split; None where the corpus has none.
    source : str
        Where it comes from and on which terms.
    status : str
        "bundled", "at hand", "download", or "bring the file: NAME".
    """

    name: str
    title: str
    n_documents: int
    n_classes: int
    n_train: int | None
    n_test: int | None
    source: str
    status: str


def load(name, *, data_home=None, download=True):
    """Load a corpus by its name.

    The file it is read from is looked for in the data folder and, if it is not there, downloaded into it and
    checked by its published SHA-256. What was read is checked by the exact number of documents and classes.

    Parameters
    ----------
    name : str
        One of the names that `available` lists.
    data_home : path, default=None
        The data folder. If None, the folder that the environment variable TEXTSPACE_DATA names, else a cache
        folder in the user's home. It is written to only when a file is downloaded.
    download : bool, default=True
        Whether a missing file may be downloaded.

    Returns
    -------
    Corpus

    Raises
    ------
    ValueError
        If there is no such corpus, a download has the wrong hash, or the file is damaged or not the
        expected one.
    FileNotFoundError
        If the file is missing and may not or cannot be downloaded.
    ConnectionError
        If the download fails.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> corpus = load("demo")
    >>> len(corpus.classes), sorted(set(corpus.split))
    (12, [np.str_('test'), np.str_('train'), np.str_('unlabelled')])
    """
    entry = _find(name)
    path = fetch(name, data_home=data_home, download=download)
    corpus = entry.read(path)
    if entry.source is not None:
        _check_counts(corpus, entry, path)
    return corpus


def fetch(name, *, data_home=None, download=True, progress=None):
    """Make sure that the file of a corpus is at hand.

    Parameters
    ----------
    name : str
        One of the names that `available` lists.
    data_home : path, default=None
        The data folder, as for `load`.
    download : bool, default=True
        Whether a missing file may be downloaded.
    progress : callable, default=None
        Called as ``progress(bytes_so_far, bytes_in_all)`` during a download from an address; the second is
        None where it is not known.

    Returns
    -------
    Path
        The file that `load` reads.

    Examples
    --------
    >>> from textspace.datasets import fetch
    >>> fetch("demo").name
    'demo.jsonl'
    """
    source = _find(name).source
    if source is None:
        return Path(str(files("textspace.datasets") / "demo.jsonl"))
    return _sources.locate(source, data_home=data_home, download=download, progress=progress)


def available(data_home=None):
    """List the corpora that `load` knows, and whether their files are at hand.

    Parameters
    ----------
    data_home : path, default=None
        The data folder, as for `load`.

    Returns
    -------
    list of CorpusInfo

    Examples
    --------
    >>> from textspace.datasets import available
    >>> demo = available()[0]
    >>> demo.name, demo.n_classes, demo.status
    ('demo', 12, 'bundled')
    """
    folder = _sources.data_folder(data_home)
    return [_describe(name, entry, folder) for name, entry in CORPORA.items()]


def _describe(name, entry, folder):
    source = entry.source
    if source is None:
        corpus = load(name)
        sizes = (len(corpus), len(corpus.classes), len(corpus.train), len(corpus.test))
        return CorpusInfo(name, entry.title, *sizes, "part of textspace; BSD-3-Clause", "bundled")
    if (folder / source.file).is_file():
        status = "at hand"
    else:
        status = "download" if source.can_be_downloaded else f"bring the file: {source.file}"
    sizes = (entry.n_documents, entry.n_classes, entry.n_train, entry.n_test)
    return CorpusInfo(name, entry.title, *sizes, f"{source.home}; {source.licence}", status)


def _find(name):
    if name in CORPORA:
        return CORPORA[name]
    close = difflib.get_close_matches(str(name), CORPORA, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    raise ValueError(f"there is no corpus {name!r}: {hint}The names are {', '.join(CORPORA)}")


def _check_counts(corpus, entry, path):
    expected = {"documents": entry.n_documents, "classes": entry.n_classes}
    found = {"documents": len(corpus), "classes": len(corpus.classes)}
    if entry.n_train is not None:
        expected["training documents"] = entry.n_train
        found["training documents"] = int((corpus.split == "train").sum())
    for what, count in expected.items():
        if found[what] != count:
            raise damaged(path, f"it gives {found[what]} {what} where {count} are expected")
