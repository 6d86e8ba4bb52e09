"""``textspace serve``: a model as a web service."""

from pathlib import Path
from typing import Annotated

import typer

from textspace.cli._model import Embeddings, ModelFile, check_model_file
from textspace.cli._options import examples

EXAMPLES = examples("textspace serve demo.textspace --port 8000 --corrections corrections.jsonl")


def serve(
    model: ModelFile,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen at; by default for this machine only.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any that is free.")] = 8000,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", envvar="TEXTSPACE_TOKEN", help="Clients must show this with each request."
        ),
    ] = None,
    corrections: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save corrections of users here; `textspace train` takes them."),
    ] = None,
    embeddings: Embeddings = None,
):
    """Serve a model on a web page and as an HTTP interface, until Ctrl-C."""
    check_model_file(model)
    from textspace.service import serve as run_service

    run_service(model, host=host, port=port, token=token, corrections=corrections, embeddings=embeddings)
