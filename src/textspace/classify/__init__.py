"""Classifiers of documents."""

from textspace.classify._calibrated import CalibratedMethod
from textspace.classify._em_naive_bayes import EMNaiveBayes
from textspace.classify._fast_text import FastText
from textspace.classify._labelled_only import LabelledOnly
from textspace.classify._nb_svm import NBSVM
from textspace.classify._nearest_documents import NearestDocuments
from textspace.classify._one_against_rest import OneAgainstRest
from textspace.classify._rlsc import RLSC
from textspace.classify._self_training import SelfTraining
from textspace.classify._shares import (
    adjusted,
    complete_shares,
    estimate_shares,
    label_shares,
    new_shares,
    shares_noise,
)
from textspace.classify._top_down import TopDownClassifier
from textspace.classify.blend import (
    Calibration,
    ManyClassBlend,
    SeveralLabelsBlend,
    SubspaceBlend,
    are_many_labels,
    best_penalty,
    calibrate,
    decide_labels,
    fit_calibration,
)

__all__ = [
    "NBSVM",
    "RLSC",
    "CalibratedMethod",
    "Calibration",
    "EMNaiveBayes",
    "FastText",
    "LabelledOnly",
    "ManyClassBlend",
    "NearestDocuments",
    "OneAgainstRest",
    "SelfTraining",
    "SeveralLabelsBlend",
    "SubspaceBlend",
    "TopDownClassifier",
    "adjusted",
    "are_many_labels",
    "best_penalty",
    "calibrate",
    "complete_shares",
    "decide_labels",
    "estimate_shares",
    "fit_calibration",
    "label_shares",
    "new_shares",
    "shares_noise",
]
