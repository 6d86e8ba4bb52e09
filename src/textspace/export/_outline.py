"""What a scorer in another language needs of a classifier, in plain values; what cannot go is refused."""

from dataclasses import fields, is_dataclass
from importlib.resources import files

import numpy as np
from scipy import sparse

from textspace._saving import saved_types
from textspace.classify import ManyClassBlend, SeveralLabelsBlend, SubspaceBlend
from textspace.models import TextClassifier
from textspace.text import Alphabets, character_table, outline_space

SCRIPTS = files("textspace.export") / "scripts"
_BLENDS = SubspaceBlend, ManyClassBlend, SeveralLabelsBlend


def outline_model(model):
    """Describe a classifier by strings, numbers, arrays, lists and dicts.

    A stemmer that is not written in JavaScript, an embedding, and other methods than the default are refused.
    """
    if not isinstance(model, TextClassifier) or not isinstance(model.model_, _BLENDS):
        raise ValueError(
            f"only models of the default method can be exported, and this one is of {_method(model)}: train "
            "with the method 'auto', without embeddings."
        )
    if not (model.reads_texts_ and isinstance(model.space_, Alphabets)):
        raise ValueError("this model was trained on counts of terms: train it on texts to export it.")
    if model.ancestors:
        raise ValueError("a model whose labels imply others cannot be exported: train it without ancestors.")
    spaces = [outline_space(space) for space in model.space_.spaces_.values()]
    stemmers = sorted({stem for space in spaces for stem, _ in space.get("endings", ()) if stem})
    _check_stemmers(stemmers)
    one_is_right = model.one_is_right
    places, numbers = zip(*character_table(), strict=True)
    return {
        "labels": [str(name) for name in model.classes_],
        "several": not one_is_right,
        "shift": model.shift if one_is_right else np.zeros(len(model.classes_)),
        "thresholds": None if one_is_right else model.model_.thresholds_,
        "atLeastOne": bool(one_is_right or model.model_.at_least_one_),
        "characters": {"starts": np.array(places, np.int32), "numbers": np.array(numbers, np.uint16)},
        "stemmers": stemmers,
        "spaces": spaces,
        "blends": [_outline_blend(blend) for blend in model.model_._blends],
    }


def _method(model):
    return repr(getattr(model, "method", type(model).__name__))


def _check_stemmers(stemmers):
    written = sorted(
        path.name.removeprefix("stem-").removesuffix(".js")
        for path in SCRIPTS.iterdir()
        if path.name.startswith("stem-")
    )
    missing = [stem for stem in stemmers if stem not in written]
    if missing:
        raise ValueError(
            f"the stems of this model are {missing[0]}, and only those of {', '.join(written)} are written "
            "in JavaScript: train with --language none (stem=None, stop_words=None), which keeps whole words "
            "and letters."
        )


def _outline_blend(blend):
    return {
        "scorers": [_outline_scorer(scorer) for scorer in blend.scorers],
        "factors": list(blend.calibration.factors),
        "bias": np.asarray(blend.calibration.bias, np.float64),
    }


def _outline_scorer(scorer):
    kinds = {saved.kind: name for name, saved in saved_types().items()}
    columns = scorer.columns
    n_columns = columns.stop - columns.start if isinstance(columns, slice) else len(columns)
    return {"kind": kinds[type(scorer)], "n_columns": n_columns, **_outline_fields(scorer)}


def _outline_fields(value):
    """Give the fields of a dataclass by name, and those of dataclasses and CSR arrays within it."""
    if is_dataclass(value):
        return {field.name: _outline_fields(getattr(value, field.name)) for field in fields(value)}
    if sparse.issparse(value):
        return {name: getattr(value, name) for name in ("indptr", "indices", "data")}
    return value
