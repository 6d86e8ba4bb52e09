"""Choosing and calibrating on training documents alone: splits, folds, held-out values, search."""

from textspace.tuning._documents import Documents, NoTextsError, vectorise
from textspace.tuning._estimators import informed, plain, seeded
from textspace.tuning._folds import deal_folds
from textspace.tuning._search import best_trial, describe, mean_score, pipeline_parts, sweep
from textspace.tuning._splits import fold_splits, given_split, share_splits
from textspace.tuning._temperature import class_values, fit_temperature, held_out_values, probabilities

__all__ = [
    "Documents",
    "NoTextsError",
    "best_trial",
    "class_values",
    "deal_folds",
    "describe",
    "fit_temperature",
    "fold_splits",
    "given_split",
    "held_out_values",
    "informed",
    "mean_score",
    "pipeline_parts",
    "plain",
    "probabilities",
    "seeded",
    "share_splits",
    "sweep",
    "vectorise",
]
