"""Classifiers of texts: what they are, why they answer as they do, and files that cannot run code."""

from textspace.models._archive import ModelFileError
from textspace.models._card import card_text, data_digest, make_card
from textspace.models._column_weights import gain_of_texts
from textspace.models._default import MANY_CLASSES
from textspace.models._explanation import Explanation, Neighbor, TermContribution
from textspace.models._file import load, read_card, save
from textspace.models._signature import read_signing_key
from textspace.models._text_classifier import TextClassifier
from textspace.models._training import train

__all__ = [
    "MANY_CLASSES",
    "Explanation",
    "ModelFileError",
    "Neighbor",
    "TermContribution",
    "TextClassifier",
    "card_text",
    "data_digest",
    "gain_of_texts",
    "load",
    "make_card",
    "read_card",
    "read_signing_key",
    "save",
    "train",
]
