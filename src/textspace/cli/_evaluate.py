"""``textspace evaluate``: how good a model is on documents whose label is known."""

from pathlib import Path
from typing import Annotated

import typer

from textspace._cards import check_card
from textspace._wording import without_password
from textspace.cli._corpus import open_corpus
from textspace.cli._model import (
    Embeddings,
    ModelFile,
    Verify,
    check_model_file,
    open_model,
    print_scores,
    refuse_model,
    trained_columns,
)
from textspace.cli._options import (
    AsJson,
    Encoding,
    Header,
    LabelColumn,
    Missing,
    Query,
    Several,
    Sheet,
    TextColumns,
    check_output,
    examples,
    reading,
)
from textspace.cli._output import plain_table, print_json, print_table, printable, say, working
from textspace.cli._several import gives_several, outcome_of, print_outcome

EXAMPLES = examples("textspace evaluate demo.textspace demo")
CLASSES, CONFUSIONS, UNKNOWN = 20, 10, 10  # that are shown
ACCURACIES = 0.9, 0.95
FIGURES = "precision", "recall", "f1", "average_precision", "threshold"  # of each class


def evaluate(
    model: ModelFile,
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="File or folder with labels, or the name of a corpus.")
    ],
    text: TextColumns = None,
    label: LabelColumn = None,
    several: Several = None,
    missing: Missing = None,
    encoding: Encoding = None,
    header: Header = None,
    sheet: Sheet = None,
    query: Query = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write what was found here, as JSON."),
    ] = None,
    embeddings: Embeddings = None,
    verify: Verify = None,
    as_json: AsJson = False,
):
    """Score a model on documents whose label is known.

    Columns of DATA that have the names of those that the model was trained on are taken, unless --text and
    --label name others. Of DATA with a column `split`, the test documents are taken. A label that the model
    has not learned counts as an error.
    """
    check_model_file(model)
    refuse_model(data)
    if output is not None:
        check_output(output, ".json", read=[data])
    columns = {"text": text, "label": label, "several": several, "missing": missing}
    columns |= {"like": trained_columns(model), **reading(encoding, header, sheet, query)}
    corpus, data = open_corpus(data, **columns), without_password(data)
    documents = tested_documents(corpus, data)
    with working(f"classifying {len(documents)} documents ..."):
        evaluation = evaluate_on(open_model(model, embeddings, verify), documents, data)
    if output is not None:
        evaluation.save(output)
    several = "subset_accuracy" in evaluation.scores
    outcome = outcome_of(evaluation) if several else _outcome(evaluation)
    if as_json:
        print_json(outcome)
    elif several:
        print_outcome(evaluation, outcome)
    else:
        _print(evaluation, outcome)
    if output is not None:
        say(f"evaluation: {output}")


def tested_documents(corpus, name):
    """Take the documents of a corpus that a model can be tested on."""
    if not isinstance(corpus.texts, list):
        raise ValueError(f"{name} holds term counts, and a model file is for texts: give texts.")
    if corpus.split is not None:
        say(f"note: these are the test documents of {name}; those of its training part are left out.")
        corpus = corpus.test
    corpus = corpus.labelled
    if not len(corpus):
        raise ValueError(f"{name} has no labelled documents to test on: name the column with --label.")
    return corpus


def evaluate_on(model, documents, name):
    """Evaluate a model on documents of a file, by which the evaluation is named."""
    from textspace.evaluation import evaluate
    from textspace.models import data_digest

    check_card(model.card_)
    if documents.several != gives_several(model):
        has, gives = ("several labels", "one") if documents.several else ("one label", "several")
        raise ValueError(
            f"{name} has {has} a document, but the model gives {gives}: say with --several how the labels of "
            "the file are to be read, as ';' or none."
        )
    if data_digest(documents.texts, documents.labels) == model.card_["data"].get("sha256"):
        say("warning: the model was trained on these very documents: it looks better than it is.")
    return evaluate(
        model,
        documents.texts,
        documents.labels,
        source=f"documents of {Path(name).name}",
        places=documents.places,
    )


def _outcome(evaluation):
    """Give all figures of an evaluation, without its documents."""
    per_class = {name: values.tolist() for name, values in evaluation.per_class().items()}
    rows = [dict(zip(per_class, values, strict=True)) for values in zip(*per_class.values(), strict=True)]
    worst = sorted((row for row in rows if row["support"]), key=lambda row: (row["f1"], -row["support"]))
    return {
        "source": evaluation.source,
        "scores": evaluation.scores,
        "rarer_class": evaluation.rarer_class,
        "classes": [{"class": row.pop("classes"), **row} for row in worst],
        "confusions": _confusions(evaluation),
        "rejection": [_coverage(evaluation, accuracy) for accuracy in ACCURACIES],
        "unknown_labels": evaluation.unknown_labels,
    }


def _confusions(evaluation):
    """List pairs of a true and another predicted class, the most frequent first."""
    import numpy as np

    counts = evaluation.confusion()
    np.fill_diagonal(counts, 0)
    true, given = np.nonzero(counts)
    order = np.argsort(-counts[true, given], kind="stable")
    return [
        {
            "true": evaluation.classes[true[i]],
            "predicted": evaluation.classes[given[i]],
            "documents": int(counts[true[i], given[i]]),
        }
        for i in order
    ]


def _coverage(evaluation, accuracy):
    """Find the largest share of documents that is classified with an accuracy, and from which confidence."""
    curve = evaluation.reject_curve()
    enough = curve["accuracy"] >= accuracy
    if not enough.any():
        return {"accuracy": accuracy, "coverage": 0.0, "min_confidence": None}
    last = enough.nonzero()[0][-1]
    return {
        "accuracy": accuracy,
        "coverage": float(curve["coverage"][last]),
        "min_confidence": float(curve["min_confidence"][last]),
    }


def _print(evaluation, outcome):
    print_scores(evaluation)
    for each in outcome["rejection"]:
        wanted = f"{each['accuracy']:.0%} accuracy"
        if each["min_confidence"] is None:
            print(f"{wanted}: not reached, however sure the model is")
        else:
            print(f"{wanted}: {each['coverage']:.0%} of the documents, {_threshold(each)}")
    unknown = outcome["unknown_labels"]
    if unknown:
        named = ", ".join(f"{label!r} ({count})" for label, count in list(unknown.items())[:UNKNOWN])
        more = f" and {len(unknown) - UNKNOWN} more" if len(unknown) > UNKNOWN else ""
        print(printable(f"labels that the model has not learned, all counted as errors: {named}{more}"))
    _print_classes(outcome["classes"])
    if outcome["confusions"]:
        _print_confusions(outcome["confusions"])


def _threshold(found):
    if found["coverage"] == 1:
        return "that is all"
    return f"those with a confidence of {found['min_confidence']:.2f} or more"


def _print_classes(classes):
    from rich.text import Text

    table = plain_table("class", "#documents", "#precision", "#recall", "#F1", "#avg. prec.", "#best from")
    for row in classes[:CLASSES]:
        figures = (f"{row[name]:.3f}" for name in FIGURES)
        table.add_row(Text(printable(row["class"])), str(row["support"]), *figures)
    print_table(table)
    if len(classes) > CLASSES:
        print(f"and {len(classes) - CLASSES} classes with a higher F1: --json gives all.")


def _print_confusions(confusions):
    from rich.text import Text

    table = plain_table("true class", "predicted as", "#documents")
    for row in confusions[:CONFUSIONS]:
        table.add_row(Text(printable(row["true"])), Text(printable(row["predicted"])), str(row["documents"]))
    print_table(table)
