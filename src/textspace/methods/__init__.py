"""The catalogue of methods: what each is, how to build it, which settings to try.

The comparison, the report and the command line read it; nothing else lists methods. A new method is one more
entry of ``methods/_catalogue.py``.
"""

from textspace.methods._baselines import BASELINES
from textspace.methods._catalogue import DEFAULT_METHODS, METHODS
from textspace.methods._lookup import find_methods
from textspace.methods._method import Method, labelled_twin
from textspace.methods._several import for_several_labels

__all__ = [
    "BASELINES",
    "DEFAULT_METHODS",
    "METHODS",
    "Method",
    "find_methods",
    "for_several_labels",
    "labelled_twin",
]
