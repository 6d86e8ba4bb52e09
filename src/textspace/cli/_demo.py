"""``textspace demo``: a first look in a few minutes."""

from pathlib import Path
from typing import Annotated

import typer

from textspace.cli._compare import hand_over
from textspace.cli._corpus import open_corpus
from textspace.cli._options import AsJson, Jobs, check_output, examples
from textspace.cli._output import say
from textspace.methods import DEFAULT_METHODS

CORPUS = "reuters-r52"
EXAMPLES = examples("textspace demo --corpus demo")


def demo(
    corpus: Annotated[
        str | None, typer.Option(metavar="NAME", help=f"Corpus to use; by default {CORPUS}.")
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Folder for the results and the report.")
    ] = Path("textspace-demo"),
    jobs: Jobs = None,
    as_json: AsJson = False,
):
    """Compare a dozen methods on Reuters news and write a report.

    The news come through the Python package index. Without a network the demo runs on short texts that are
    part of textspace. It takes a few minutes; stopped and started again, it goes on where it was.
    """
    output.mkdir(parents=True, exist_ok=True)
    check_output(output / "report.html")
    documents = _first_corpus() if corpus is None else open_corpus(corpus)

    from textspace.evaluation import compare

    say(f"comparing {len(DEFAULT_METHODS)} methods on {documents.name} ...")
    comparison = compare(documents, DEFAULT_METHODS, n_jobs=jobs, resume=output / "runs" / documents.name)
    hand_over(comparison, results=output / "results.json", report=output / "report.html", as_json=as_json)


def _first_corpus():
    """Load Reuters news, or, where they cannot be had, the bundled texts."""
    try:
        return open_corpus(CORPUS)
    except OSError as error:  # no network, or no room or right to keep what came through it
        say(f"{CORPUS} cannot be had: {error.strerror or error}.")
        say("The demo runs on the short texts that are part of textspace instead.")
        return open_corpus("demo")
