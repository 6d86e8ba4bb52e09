"""``textspace report``: a model or saved results as an HTML page."""

from pathlib import Path
from typing import Annotated

import typer

from textspace._wording import without_password
from textspace.cli._corpus import open_corpus
from textspace.cli._evaluate import evaluate_on, tested_documents
from textspace.cli._model import SUFFIX, Embeddings, Verify, open_model, refuse_model, trained_columns
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
from textspace.cli._output import print_json, working

EXAMPLES = examples(
    "textspace report results.json -o report.html", "textspace report demo.textspace -o model.html"
)


def report(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL|RESULTS", help="File that `textspace train -o` or `textspace compare -o` wrote."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The page; by default beside the source."),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(metavar="DATA", help="Documents to judge the model by, instead of those of `train`."),
    ] = None,
    text: TextColumns = None,
    label: LabelColumn = None,
    several: Several = None,
    missing: Missing = None,
    encoding: Encoding = None,
    header: Header = None,
    sheet: Sheet = None,
    query: Query = None,
    embeddings: Embeddings = None,
    verify: Verify = None,
    as_json: AsJson = False,
):
    """Write the report of a model, or of a comparison.

    It is one HTML page that needs no network.
    """
    if not source.is_file():
        raise FileNotFoundError(
            f"there is no file {source}: make one with `textspace train -o` or `textspace compare -o`."
        )
    output = source.with_suffix(".html") if output is None else output
    check_output(output, ".html", read=[source])
    if source.suffix == SUFFIX:
        columns = {"text": text, "label": label, "several": several, "missing": missing}
        columns |= {"like": trained_columns(source), **reading(encoding, header, sheet, query)}
        _write_model_report(source, output, data, columns, embeddings, verify)
    elif data is not None or verify is not None:
        option = "--data" if verify is None else "--verify"
        raise typer.BadParameter(
            f"{option} is for the report of a model, but {source} does not end in {SUFFIX}."
        )
    else:
        from textspace.evaluation import load_comparison
        from textspace.report import write_report

        write_report(load_comparison(source), output)
    if as_json:
        print_json({"report": str(output)})
    else:
        print(output)


def _write_model_report(path, output, data, columns, embeddings, verify):
    documents = None
    if data is not None:
        refuse_model(data)
        corpus, data = open_corpus(data, **columns), without_password(data)
        documents = tested_documents(corpus, data)
    with working("writing the report ..."):
        model = open_model(path, embeddings, verify, with_evaluation=True)
        evaluation = model.evaluation_ if documents is None else evaluate_on(model, documents, data)
        if evaluation is None:
            raise ValueError(f"{path} was saved without an evaluation: give labelled documents with --data.")
        from textspace.report import write_model_report

        write_model_report(model, output, evaluation)
