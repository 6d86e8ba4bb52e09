"""``textspace report``: saved results as an HTML page."""

from pathlib import Path
from typing import Annotated

import typer

from textspace.cli._options import check_output, examples

EXAMPLES = examples("textspace report results.json -o report.html")


def report(
    results: Annotated[
        Path, typer.Argument(metavar="RESULTS", help="File that `textspace compare -o` wrote.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The page; by default beside the results."),
    ] = None,
):
    """Write the report of saved results.

    It is one HTML page that needs no network.
    """
    output = results.with_suffix(".html") if output is None else output
    if not results.is_file():
        raise FileNotFoundError(
            f"there is no file {results}: make one with `textspace compare -o {results}`."
        )
    check_output(output)

    from textspace.evaluation import Comparison
    from textspace.report import write_report

    write_report(Comparison.load(results), output)
    print(output)
