"""Choosing terms: scores, a selector that samples by them, and what the choice can cost."""

from textspace.selection._bound import DecisionChange, ErrorBound, decision_change, error_bound
from textspace.selection._relative_bound import RelativeErrorBound, relative_error_bound
from textspace.selection._sampled_least_squares import SampledLeastSquares
from textspace.selection._scores import (
    SCORES,
    SUPERVISED,
    chi2,
    document_frequency,
    information_gain,
    mutual_information,
    subspace,
    uniform,
    weighted,
)
from textspace.selection._selector import TermSelector
from textspace.selection._sums import score_from_sums, term_sums
from textspace.selection._terms import ScoredTerms, classes_of_terms, score_terms

__all__ = [
    "SCORES",
    "SUPERVISED",
    "DecisionChange",
    "ErrorBound",
    "RelativeErrorBound",
    "SampledLeastSquares",
    "ScoredTerms",
    "TermSelector",
    "chi2",
    "classes_of_terms",
    "decision_change",
    "document_frequency",
    "error_bound",
    "information_gain",
    "mutual_information",
    "relative_error_bound",
    "score_from_sums",
    "score_terms",
    "subspace",
    "term_sums",
    "uniform",
    "weighted",
]
