"""Corpora that many measurements of one process share."""

from functools import cache

from textspace.datasets import load

load_once = cache(load)
