"""Sentences of a model card that follow from its figures."""

import numpy as np

from textspace.evaluation import OUT_OF_FOLD, MultilabelEvaluation
from textspace.text import LANGUAGES

_FEW = 10  # documents of a class
_POOR = 0.5  # F1 of a class
_OFF = 0.05  # calibration error
_LISTED = 5  # names in a sentence


def intended_use(card):
    """Say what a model is for, in a sentence."""
    data = card["data"]
    like = f'like those of "{data["name"]}"' if data["name"] else "like those it was trained on"
    if card["several"]:
        return f"To give texts {like} any of {len(data['classes'])} labels."
    return f"To sort texts {like} into {len(data['classes'])} classes."


def limits(card, model, evaluation):
    """Say what a model cannot be trusted with, and what of its training documents stands in its file."""
    gives = "one of its classes to every text, also to one that belongs to none of them"
    if card["several"]:
        gives = "the labels it knows only, each by itself, and may give one to a text that has none"
    sentences = [f"It gives {gives}: look at the probability."]
    if card["text"].get("languages"):
        names = [LANGUAGES[code].name for code in card["text"]["languages"]]
        sentences.append(f"Texts are taken to be in {' or '.join(names)}.")
    sentences.extend(_of_sizes(card["data"]["classes"]))
    if card["shares"]["source"] != "labels":
        sentences.append(_of_shares(card["shares"], evaluation))
    sentences.extend(_of_scores(evaluation))
    sentences.append(_of_content(model, evaluation))
    return sentences


def _of_sizes(sizes):
    few = [label for label, size in sizes.items() if size is not None and size < _FEW]
    if few:
        yield f"Fewer than {_FEW} training documents: {_listed(few)}. What it says of these is less sure."


def _of_shares(shares, evaluation):
    how = "that were given" if shares["source"] == "given" else "estimated on its unlabelled documents"
    sentence = f"It assumes shares of the classes {how}, not those of its labels."
    if evaluation is not None and evaluation.source == OUT_OF_FOLD:
        sentence += " Its scores are of documents with the shares of the labels, and assume these."
    return sentence


def _of_scores(evaluation):
    if evaluation is None:
        yield "It has not been evaluated: how often it is right is not known."
        return
    if evaluation.scores["calibration_error"] > _OFF:
        yield (
            f"Its probabilities are off by {evaluation.scores['calibration_error']:.2f} on average: look at "
            "documents of your own before you set a limit on them."
        )
    several = isinstance(evaluation, MultilabelEvaluation)
    found = evaluation.per_label() if several else _of_classes(evaluation)
    worst_first = np.argsort(found["f1"], kind="stable").tolist()
    poor = [code for code in worst_first if found["f1"][code] < _POOR and found["support"][code]]
    if poor:
        yield f"F1 below {_POOR}: {_listed([evaluation.classes[code] for code in poor])}."
    if evaluation.unknown_labels:
        yield (
            f"{sum(evaluation.unknown_labels.values())} documents of the evaluation have labels that it does "
            f"not know: {_listed(list(evaluation.unknown_labels))}."
        )


def _of_classes(evaluation):
    """Give the F1 of each class and the number of its documents."""
    truth, predicted = np.array(evaluation.truth, dtype=int), np.array(evaluation.predicted, dtype=int)
    n_classes = len(evaluation.classes)
    size = np.bincount(truth[truth >= 0], minlength=n_classes)
    given = np.bincount(predicted, minlength=n_classes)
    right = np.bincount(truth[truth == predicted], minlength=n_classes)
    return {"f1": 2 * right / np.maximum(size + given, 1), "support": size}


def _of_content(model, evaluation):
    """Who passes the file on should know what can be read in it."""
    held = ["terms of the training documents"]
    n_excerpts = sum(map(bool, model.training_.excerpts))
    if n_excerpts:
        held.append(f"the beginnings of {n_excerpts} of them")
    if evaluation is not None and evaluation.texts:
        held.append(f"{len(evaluation.texts)} documents of the evaluation")
    return f"Its file holds {', '.join(held)}."


def _listed(names):
    rest = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(f'"{name}"' for name in names[:_LISTED]) + rest
