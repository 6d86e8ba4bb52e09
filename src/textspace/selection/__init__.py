"""Choosing terms: scores, a selector that samples by them, and what the choice can cost."""

from textspace.selection._bound import DecisionChange, ErrorBound, decision_change, error_bound
from textspace.selection._scores import (
    SCORES,
    chi2,
    document_frequency,
    information_gain,
    mutual_information,
    subspace,
    uniform,
    weighted,
)
from textspace.selection._selector import TermSelector

__all__ = [
    "SCORES",
    "DecisionChange",
    "ErrorBound",
    "TermSelector",
    "chi2",
    "decision_change",
    "document_frequency",
    "error_bound",
    "information_gain",
    "mutual_information",
    "subspace",
    "uniform",
    "weighted",
]
