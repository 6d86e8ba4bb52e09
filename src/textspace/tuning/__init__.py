"""Choosing and calibrating on training documents alone: splits, held-out values, search."""

from textspace.tuning._decision_values import (
    LOGARITHMS,
    RANKS,
    SUMS,
    decision_values,
    knows_nearest,
    nearest_of_classes,
    ranking_values,
)
from textspace.tuning._estimators import in_context, plain, seeded
from textspace.tuning._search import (
    best_trial,
    describe,
    half_decade,
    mean_score,
    pipeline_parts,
    sweep,
    tune,
)
from textspace.tuning._splits import fold_splits, given_split, share_splits
from textspace.tuning._temperature import fit_temperature, held_out_values, probabilities
from textspace.tuning._train_test import NoTextsError, TrainTest, vectorise

__all__ = [
    "LOGARITHMS",
    "RANKS",
    "SUMS",
    "NoTextsError",
    "TrainTest",
    "best_trial",
    "decision_values",
    "describe",
    "fit_temperature",
    "fold_splits",
    "given_split",
    "half_decade",
    "held_out_values",
    "in_context",
    "knows_nearest",
    "mean_score",
    "nearest_of_classes",
    "pipeline_parts",
    "plain",
    "probabilities",
    "ranking_values",
    "seeded",
    "share_splits",
    "sweep",
    "tune",
    "vectorise",
]
