"""``textspace export``: a model as a page or a module that needs no Python."""

from pathlib import Path
from typing import Annotated

import typer

from textspace.cli._model import ModelFile, Verify, check_model_file, open_model
from textspace.cli._options import AsJson, check_output, examples
from textspace.cli._output import print_json, working

EXAMPLES = examples(
    "textspace export demo.textspace -o demo.html", "textspace export demo.textspace -o demo.js"
)


def export(
    model: ModelFile,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Page (.html) or module (.js, .mjs); by default a page beside the model.",
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Title of the page; by default the name of the model.")
    ] = None,
    verify: Verify = None,
    as_json: AsJson = False,
):
    """Write a model as one file that classifies in a browser, without Python and without a server.

    A page has a field for a text, and shows the probabilities and what speaks for each. A module exports
    `classify(text)`, for browsers and for Node. The probabilities are those of `textspace predict`. It goes
    for models of the default method whose stems are English, French, German or Russian, or none.
    """
    check_model_file(model)
    output = model.with_suffix(".html") if output is None else output
    if output.suffix.lower() not in (".html", ".js", ".mjs"):
        raise typer.BadParameter(f"{output} is neither a page nor a module: let it end in .html or .js.")
    check_output(output)
    classifier = open_model(model, verify=verify)
    from textspace.export import export_model

    with working("writing the model ..."):
        export_model(classifier, output, name=name or model.stem)
    found = {"output": str(output), "bytes": output.stat().st_size, "n_labels": len(classifier.classes_)}
    if as_json:
        print_json(found)
        return
    kind = "page" if output.suffix.lower() == ".html" else "module"
    print(f"{kind}: {output} ({found['bytes'] / 1e6:.1f} MB)")
