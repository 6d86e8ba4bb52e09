"""Scores, significance, splits, and methods side by side."""

from textspace.evaluation._by_size import f1_by_size
from textspace.evaluation._comparison import compare
from textspace.evaluation._hierarchical import hierarchical_scores, per_node
from textspace.evaluation._intervals import bootstrap_intervals, repeat_interval
from textspace.evaluation._leaderboard import leaderboard
from textspace.evaluation._results import Comparison
from textspace.evaluation._scores import confusion, per_class, scores
from textspace.evaluation._search import sweep
from textspace.evaluation._significance import (
    Significance,
    SignificanceTest,
    resampled_t_test,
    significance,
)
from textspace.evaluation._splits import fold_splits, given_split, share_splits
from textspace.evaluation._unlabelled import UnlabelledGain, unlabelled_gain

__all__ = [
    "Comparison",
    "Significance",
    "SignificanceTest",
    "UnlabelledGain",
    "bootstrap_intervals",
    "compare",
    "confusion",
    "f1_by_size",
    "fold_splits",
    "given_split",
    "hierarchical_scores",
    "leaderboard",
    "per_class",
    "per_node",
    "repeat_interval",
    "resampled_t_test",
    "scores",
    "share_splits",
    "significance",
    "sweep",
    "unlabelled_gain",
]
