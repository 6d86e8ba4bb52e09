"""``textspace reproduce``: the experiments of the papers."""

from pathlib import Path
from typing import Annotated

import typer

from textspace.cli._options import AsJson, Jobs, check_name, examples
from textspace.cli._output import plain_table, print_json, print_table, say

EXAMPLES = examples("textspace reproduce --list")


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Name of an experiment, as --list shows it.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Run every experiment.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the experiments and stop.")] = False,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Folder for the result files.")
    ] = Path("results"),
    jobs: Jobs = None,
    as_json: AsJson = False,
):
    """Run an experiment of a paper again.

    Our figures are printed beside the paper's.
    """
    from experiments import EXPERIMENTS

    if sum([name is not None, every, listed]) != 1:
        raise typer.BadParameter("give the name of one experiment, or --all, or --list.")
    if listed:
        _print_list(EXPERIMENTS.values(), as_json)
        return
    if name is not None:
        check_name(name, EXPERIMENTS, "experiment")
    output.mkdir(parents=True, exist_ok=True)
    for experiment in EXPERIMENTS.values() if every else [EXPERIMENTS[name]]:
        say(f"{experiment.name}: {experiment.title}")
        print(experiment.run(output, n_jobs=jobs, progress=None))


def _print_list(experiments, as_json):
    if as_json:
        print_json(
            [{"name": each.name, "title": each.title, "summary": each.summary} for each in experiments]
        )
        return
    table = plain_table("name", "title")
    for each in experiments:
        table.add_row(each.name, each.title)
    print_table(table)
