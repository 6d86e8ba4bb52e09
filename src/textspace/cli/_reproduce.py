"""``textspace reproduce``: the experiments of the papers, which come with the source."""

import os
import sys
from importlib import import_module
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
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FOLDER",
            exists=True,
            file_okay=False,
            help="Folder with the corpora, in place of TEXTSPACE_DATA.",
        ),
    ] = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
):
    """Run an experiment of a paper again.

    Our figures are printed beside the paper's. The experiments come with the source of textspace, not with
    the installed package. Those on corpora that must be brought, TechTC-100 and RCV1, are left out by --all.
    """
    if sum([name is not None, every, listed]) != 1:
        raise typer.BadParameter("give the name of one experiment, or --all, or --list.")
    experiments = _load_experiments()
    if listed:
        _print_list(experiments.values(), as_json)
        return
    if name is not None:
        check_name(name, experiments, "experiment")
    output.mkdir(parents=True, exist_ok=True)
    if data is not None:
        os.environ["TEXTSPACE_DATA"] = str(data)  # other processes inherit it
    chosen = [each for each in experiments.values() if not each.brought] if every else [experiments[name]]
    for experiment in chosen:
        say(f"{experiment.name}: {experiment.title}")
        print(experiment.run(output, n_jobs=jobs, progress=None))


def _load_experiments():
    """Give the experiments of the source that this package, or the current folder, belongs to."""
    for root in (Path(__file__).parents[3], Path.cwd()):
        if all((root / part).exists() for part in ("pyproject.toml", "src/textspace", "experiments")):
            sys.path.insert(0, str(root))
            return import_module("experiments").EXPERIMENTS
    raise FileNotFoundError(
        "the experiments come with the source of textspace, which is not here: get it with git clone, and "
        "run make reproduce in its folder."
    )


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
