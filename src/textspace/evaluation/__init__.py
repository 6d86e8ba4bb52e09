"""How good answers, models and methods are: scores, significance, evaluations, comparisons."""

from textspace.evaluation._by_size import f1_by_size
from textspace.evaluation._comparison import compare
from textspace.evaluation._confidence import calibration_error, reject_curve, reliability_bins
from textspace.evaluation._evaluation import OUT_OF_FOLD, Evaluation, evaluate
from textspace.evaluation._hierarchical import hierarchical_scores, per_node
from textspace.evaluation._intervals import bootstrap_intervals, repeat_interval
from textspace.evaluation._leaderboard import leaderboard
from textspace.evaluation._learning_curve import learning_curve
from textspace.evaluation._model_summary import summarise_evaluation
from textspace.evaluation._multilabel_comparison import LABEL_METHODS, compare_multilabel
from textspace.evaluation._multilabel_evaluation import MultilabelEvaluation
from textspace.evaluation._ranks import mean_ranks, rank_table
from textspace.evaluation._results import Comparison
from textspace.evaluation._running import run_missing
from textspace.evaluation._scores import confusion, per_class, scores
from textspace.evaluation._several_labels import label_propensities, multilabel_scores, per_label
from textspace.evaluation._significance import (
    Significance,
    SignificanceTest,
    f1_significance,
    resampled_t_test,
    significance,
)
from textspace.evaluation._space_maps import SpaceMap, map_spaces
from textspace.evaluation._store import RunStore
from textspace.evaluation._summary import summarise
from textspace.evaluation._term_curve import f1_curve, held_out_rows
from textspace.evaluation._unlabelled import UnlabelledGain, unlabelled_gain

__all__ = [
    "LABEL_METHODS",
    "OUT_OF_FOLD",
    "Comparison",
    "Evaluation",
    "MultilabelEvaluation",
    "RunStore",
    "Significance",
    "SignificanceTest",
    "SpaceMap",
    "UnlabelledGain",
    "bootstrap_intervals",
    "calibration_error",
    "compare",
    "compare_multilabel",
    "confusion",
    "evaluate",
    "f1_by_size",
    "f1_curve",
    "f1_significance",
    "held_out_rows",
    "hierarchical_scores",
    "label_propensities",
    "leaderboard",
    "learning_curve",
    "map_spaces",
    "mean_ranks",
    "multilabel_scores",
    "per_class",
    "per_label",
    "per_node",
    "rank_table",
    "reject_curve",
    "reliability_bins",
    "repeat_interval",
    "resampled_t_test",
    "run_missing",
    "scores",
    "significance",
    "summarise",
    "summarise_evaluation",
    "unlabelled_gain",
]
