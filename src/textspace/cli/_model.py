"""The model file that several verbs take, and what they say of it."""

from pathlib import Path
from typing import Annotated

import typer

from textspace.cli._output import printable
from textspace.cli._several import scores_text

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

Verify = Annotated[
    Path | None,
    typer.Option(metavar="KEY", help="Public key (PEM): refuse a model that it has not signed."),
]


def check_model_file(path):
    """Refuse a path at which there is no file."""
    if not path.is_file():
        raise FileNotFoundError(
            f"there is no model file {path}: make one with `textspace train DATA -o {path}`."
        )


def trained_columns(path):
    """Give the names of the columns that a model was trained on; None if its card tells none."""
    from textspace.models import read_card

    data = read_card(path).get("data")
    columns = data.get("columns") if isinstance(data, dict) else None
    if not isinstance(columns, dict) or not isinstance(columns.get("text"), list):
        return None
    return {"text": [str(name) for name in columns["text"]], "label": columns.get("label")}


def open_model(path, embeddings=None, verify=None, with_evaluation=False):
    """Load a model, or say that there is none; how good it was found to be is seldom asked for."""
    check_model_file(path)
    from textspace.models import load

    return load(path, embeddings, verify=verify, with_evaluation=with_evaluation)


def refuse_model(path):
    """Refuse a model file that was given in place of documents."""
    if str(path).endswith(SUFFIX):
        raise ValueError(
            f"{path} is a model file: give documents, in a file that ends in .csv, .xlsx, .jsonl or .parquet."
        )


def print_scores(evaluation):
    """Say how good a model is, by which documents, and how well it finds the rarer of two classes.

    Examples
    --------
    >>> from textspace.evaluation import Evaluation
    >>> scores = {"accuracy": 0.91, "macro_f1": 0.9, "calibration_error": 0.02, "n_documents": 96}
    >>> print_scores(Evaluation("test documents", [], [], [], [], [], [], [], scores))
    accuracy 0.910, macro F1 0.900, calibration error 0.020 (96 test documents)
    """
    if "subset_accuracy" in evaluation.scores:
        print(scores_text(evaluation))
        return
    scores, rarer = evaluation.scores, evaluation.rarer_class
    figures = {"accuracy": "accuracy", "macro F1": "macro_f1", "calibration error": "calibration_error"}
    said = ", ".join(f"{name} {scores[key]:.3f}" for name, key in figures.items())
    print(printable(f"{said} ({scores['n_documents']} {evaluation.source})"))
    if rarer:
        said = f"{rarer['class']}, the rarer class: average precision {rarer['average_precision']:.3f}, "
        best = f"best F1 {rarer['threshold_f1']:.3f} from a probability of {rarer['threshold']:.3f} on"
        print(printable(said + best))


def category_path(tree, label):
    """Write where a label stands in its tree, from the root; "" without a tree or a label."""
    if tree is None or not label:
        return ""
    return " > ".join(tree.name(node) for node in tree.path(label))
