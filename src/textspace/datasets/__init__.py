"""Corpora: the public ones by name, the user's own from a file or a folder."""

from textspace.datasets._catalogue import CorpusInfo, available, binary_tasks, fetch, load
from textspace.datasets._corpus import Corpus
from textspace.datasets._rcv1 import load_rcv1
from textspace.datasets._read import read

__all__ = ["Corpus", "CorpusInfo", "available", "binary_tasks", "fetch", "load", "load_rcv1", "read"]
