"""Classifiers of documents."""

from textspace.classify._em_naive_bayes import EMNaiveBayes
from textspace.classify._labelled_only import LabelledOnly
from textspace.classify._rlsc import RLSC
from textspace.classify._self_training import SelfTraining
from textspace.classify._top_down import TopDownClassifier

__all__ = ["RLSC", "EMNaiveBayes", "LabelledOnly", "SelfTraining", "TopDownClassifier"]
