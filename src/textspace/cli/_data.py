"""``textspace data``: which corpora there are, and how to get one."""

from dataclasses import asdict
from typing import Annotated

import typer

from textspace.cli._options import AsJson, check_name, examples
from textspace.cli._output import plain_table, print_json, print_table, say

app = typer.Typer(
    help="List and fetch the corpora that textspace knows by name.",
    epilog=examples("textspace data list", "textspace data get demo"),
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list", epilog=examples("textspace data list"))
def list_corpora(as_json: AsJson = False):
    """List the corpora, their sizes and whether they are at hand."""
    from textspace.datasets import available

    corpora = available()
    if as_json:
        print_json([asdict(info) for info in corpora])
        return
    table = plain_table("name", "what", "#documents", "#train", "#test", "#classes", "status")
    for info in corpora:
        sizes = [info.n_documents, info.n_train, info.n_test, info.n_classes]
        table.add_row(info.name, info.title, *("" if n is None else f"{n}" for n in sizes), info.status)
    print_table(table, spare=("documents",))


@app.command("get", epilog=examples("textspace data get demo"))
def get_corpus(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the corpus, as in `textspace data list`.")
    ],
    as_json: AsJson = False,
):
    """Fetch a corpus, check it, and print where it is and what is in it.

    It is kept in the folder that the environment variable TEXTSPACE_DATA names, else in a cache folder.
    """
    from textspace.datasets import available, fetch, load

    known = {info.name: info for info in available()}
    check_name(name, known, "corpus")
    if known[name].status == "download":
        say(f"fetching {name} ...")
    found = {"name": name, "path": str(fetch(name))}
    if known[name].loader == "load":
        found |= _describe(load(name))
    else:
        found["read by"] = f"textspace.datasets.{known[name].loader}"
    if as_json:
        print_json(found)
        return
    for key, value in found.items():
        print(f"{key:<12}{value}")


def _describe(corpus):
    found = {
        "documents": len(corpus),
        "classes": len(corpus.classes),
        "unlabelled": len(corpus.unlabelled),
    }
    if corpus.split is not None:
        found |= {"train": len(corpus.train), "test": len(corpus.test)}
    return found
