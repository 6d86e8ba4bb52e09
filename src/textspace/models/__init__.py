"""Models in files that cannot run code, their cards, and how good they are."""

from textspace.models._card import card_text, data_digest, make_card
from textspace.models._confidence import calibration_error
from textspace.models._error import ModelFileError
from textspace.models._evaluation import OUT_OF_FOLD, Evaluation, evaluate
from textspace.models._file import load, read_card, save
from textspace.models._learning_curve import learning_curve

__all__ = [
    "OUT_OF_FOLD",
    "Evaluation",
    "ModelFileError",
    "calibration_error",
    "card_text",
    "data_digest",
    "evaluate",
    "learning_curve",
    "load",
    "make_card",
    "read_card",
    "save",
]
