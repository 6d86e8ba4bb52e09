"""Corpora: the public ones by name, the user's own from a file or a folder."""

from textspace.datasets._catalogue import CorpusInfo, available, binary_tasks, fetch, load
from textspace.datasets._checks import Finding, check_documents
from textspace.datasets._columns import find_columns
from textspace.datasets._corpus import Corpus
from textspace.datasets._folder import RawDocuments
from textspace.datasets._rcv1 import load_rcv1
from textspace.datasets._read import read, read_documents, texts_of

__all__ = [
    "Corpus",
    "CorpusInfo",
    "Finding",
    "RawDocuments",
    "available",
    "binary_tasks",
    "check_documents",
    "fetch",
    "find_columns",
    "load",
    "load_rcv1",
    "read",
    "read_documents",
    "texts_of",
]
