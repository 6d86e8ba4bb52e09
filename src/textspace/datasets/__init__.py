"""Corpora: the public ones by name, the user's own from a file or a folder."""

from textspace.datasets._catalogue import CorpusInfo, available, fetch, load
from textspace.datasets._corpus import Corpus
from textspace.datasets._read import read

__all__ = ["Corpus", "CorpusInfo", "available", "fetch", "load", "read"]
