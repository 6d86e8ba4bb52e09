"""``textspace serve``: a model as a web service."""

from pathlib import Path
from typing import Annotated

import typer

from textspace.cli._model import Embeddings, ModelFile, Verify, check_model_file
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
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Let everyone in who can reach the address.")
    ] = False,
    corrections: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save corrections of users here; `textspace train` takes them."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that answer.")] = 1,
    rate: Annotated[
        float, typer.Option(min=0, help="Requests of one client in a second; 0 for any number.")
    ] = 300.0,
    embeddings: Embeddings = None,
    verify: Verify = None,
):
    """Serve a model on a web page and as an HTTP interface, until Ctrl-C."""
    check_model_file(model)
    from textspace.service import Limits
    from textspace.service import serve as run_service

    run_service(
        model,
        host=host,
        port=port,
        token=token,
        no_token=no_token,
        corrections=corrections,
        embeddings=embeddings,
        verify=verify,
        workers=workers,
        limits=Limits(client_rate=rate),
    )
