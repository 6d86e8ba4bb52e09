"""The model file that several verbs take, and what they say of it."""

from pathlib import Path
from typing import Annotated

import typer

SUFFIX = ".textspace"
ModelFile = Annotated[
    Path, typer.Argument(metavar="MODEL", help="Model file, as `textspace train -o` writes it.")
]
Embeddings = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Embedding of the model, if it has one: its folder, or wordllama.",
    ),
]


def check_model_file(path):
    """Refuse a path at which there is no file."""
    if not path.is_file():
        raise FileNotFoundError(
            f"there is no model file {path}: make one with `textspace train DATA -o {path}`."
        )


def open_model(path, embeddings=None):
    """Load a model, or say that there is none."""
    check_model_file(path)
    from textspace.models import load

    return load(path, embeddings)


def refuse_model(path):
    """Refuse a model file that was given in place of documents."""
    if str(path).endswith(SUFFIX):
        raise ValueError(
            f"{path} is a model file: give documents, in a file that ends in .csv, .tsv, .jsonl or .parquet."
        )


def scores_sentence(evaluation):
    """Say how good a model is, and by which documents.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> scores = {"accuracy": 0.91, "macro_f1": 0.9, "calibration_error": 0.02, "n_documents": 96}
    >>> scores_sentence(SimpleNamespace(source="test documents", scores=scores))
    'accuracy 0.910, macro F1 0.900, calibration error 0.020 (96 test documents)'
    """
    scores = evaluation.scores
    figures = {"accuracy": "accuracy", "macro F1": "macro_f1", "calibration error": "calibration_error"}
    said = ", ".join(f"{name} {scores[key]:.3f}" for name, key in figures.items())
    return f"{said} ({scores['n_documents']} {evaluation.source})"


def category_path(tree, label):
    """Write where a label stands in its tree, from the root; "" without a tree or a label."""
    if tree is None or not label:
        return ""
    return " > ".join(tree.name(node) for node in tree.path(label))
