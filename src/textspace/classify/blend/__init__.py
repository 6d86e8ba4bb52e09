"""Classifiers by calibrated sums of scores: the blend, and that of very many classes."""

from textspace.classify.blend._calibration import Calibration, calibrate, fit_calibration
from textspace.classify.blend._many_classes import ManyClassBlend
from textspace.classify.blend._subspace_blend import SubspaceBlend

__all__ = ["Calibration", "ManyClassBlend", "SubspaceBlend", "calibrate", "fit_calibration"]
