"""Corpora: the public ones by name, the user's own from a file or a folder."""

from textspace.datasets._catalogue import CorpusInfo, available, binary_tasks, fetch, load
from textspace.datasets._checks import Finding, check_documents
from textspace.datasets._columns import find_columns
from textspace.datasets._corpus import Corpus
from textspace.datasets._folder import RawDocuments
from textspace.datasets._label_lists import list_separator
from textspace.datasets._open import CorpusUsageError, open_corpus, open_documents
from textspace.datasets._rcv1 import load_rcv1
from textspace.datasets._read import read, read_documents, texts_of
from textspace.datasets._training_data import TrainingData, open_training_data

__all__ = [
    "Corpus",
    "CorpusInfo",
    "CorpusUsageError",
    "Finding",
    "RawDocuments",
    "TrainingData",
    "available",
    "binary_tasks",
    "check_documents",
    "fetch",
    "find_columns",
    "list_separator",
    "load",
    "load_rcv1",
    "open_corpus",
    "open_documents",
    "open_training_data",
    "read",
    "read_documents",
    "texts_of",
]
