"""Classifiers by calibrated sums of scores: the blend, that of very many classes, that of several labels."""

from textspace.classify.blend._calibration import Calibration, calibrate, fit_calibration
from textspace.classify.blend._label_decisions import decide_labels
from textspace.classify.blend._label_ridge import best_penalty
from textspace.classify.blend._many_classes import ManyClassBlend
from textspace.classify.blend._several_labels import SeveralLabelsBlend, are_many_labels
from textspace.classify.blend._subspace_blend import SubspaceBlend

__all__ = [
    "Calibration",
    "ManyClassBlend",
    "SeveralLabelsBlend",
    "SubspaceBlend",
    "are_many_labels",
    "best_penalty",
    "calibrate",
    "decide_labels",
    "fit_calibration",
]
