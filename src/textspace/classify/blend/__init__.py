"""Classifiers by calibrated sums of scores: the blend, and the centroids of very many classes."""

from textspace.classify.blend._calibration import Calibration, calibrate, fit_calibration
from textspace.classify.blend._centroid_classifier import CentroidClassifier
from textspace.classify.blend._subspace_blend import SubspaceBlend

__all__ = ["Calibration", "CentroidClassifier", "SubspaceBlend", "calibrate", "fit_calibration"]
