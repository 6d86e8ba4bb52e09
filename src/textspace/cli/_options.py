"""Options that mean the same in every verb, and the checks that go with them."""

import os
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from textspace._wording import name_hint

TextColumns = Annotated[
    list[str] | None,
    typer.Option("--text", metavar="COL", help="Column that holds the texts; give it again to join several."),
]
LabelColumn = Annotated[
    list[str] | None,
    typer.Option(
        "--label",
        metavar="COL",
        help="Column that holds the labels; or a column of yes and no for each of several, once for each.",
    ),
]
Several = Annotated[
    str | None,
    typer.Option(
        "--several",
        metavar="SEPARATOR",
        help="What stands between several labels of a cell, as ';'; columns, or none.",
    ),
]
Missing = Annotated[
    str | None,
    typer.Option("--missing", metavar="HOW", help="Labels such as n/a, ?, none: drop or keep them."),
]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", metavar="NAME", help="Encoding of your file; by default told by its bytes."),
]
Header = Annotated[
    bool | None,
    typer.Option("--header/--no-header", help="Whether the first row names the columns; else 1, 2 ... do."),
]
Sheet = Annotated[
    str | None,
    typer.Option("--sheet", metavar="NAME", help="Sheet of a workbook, or table of a database."),
]
Query = Annotated[
    str | None, typer.Option("--query", metavar="SQL", help="What to read of a database, as a SELECT.")
]
Unlabelled = Annotated[
    Path | None,
    typer.Option("--unlabelled", metavar="FILE", help="File or folder of more texts, used without labels."),
]
Tree = Annotated[
    Path | None,
    typer.Option("--tree", metavar="FILE", help="Table with the columns child and parent, for the labels."),
]
Ancestors = Annotated[
    bool,
    typer.Option(
        "--ancestors", help="Of several labels with a tree, each implies the categories above it too."
    ),
]
LabelSeparator = Annotated[
    str | None,
    typer.Option("--label-separator", metavar="TEXT", help="What parts labels such as sport/hockey."),
]
Language = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="CODE",
        help="Language of the texts, for stems and stop words: auto, none, or a code such as en, de, ja.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", metavar="N", min=1, help="Processes to use; by default one a core.")
]


def reading(encoding, header, sheet, query):
    """Put together how a user's file is to be read."""
    return {"encoding": encoding, "header": header, "sheet": sheet, "query": query}


def examples(*commands):
    """Write the examples at the end of a help page.

    Examples
    --------
    >>> print(examples("textspace demo").replace(chr(8), ""))
    <BLANKLINE>
    Example:
      textspace demo
    """
    title = "Example:" if len(commands) == 1 else "Examples:"
    # The backspace tells the help formatter to leave the lines as they are.
    return "\b\n" + "\n".join([title, *(f"  {command}" for command in commands)])


def check_name(name, names, what):
    """Refuse a name that is not among the names, as bad usage, and suggest the nearest."""
    if name not in names:
        raise typer.BadParameter(f"there is no {what} {name!r}. {name_hint(name, names)}")


def check_language(language):
    """Refuse what is no code of a language, as bad usage."""
    from textspace.text import LANGUAGES

    check_name(language, ["auto", "none", *LANGUAGES], "language")


def check_output(path, suffix="", *, read=()):
    """Refuse a file that cannot be written, or is misnamed, before hours of work go into its contents.

    It must be none of the files that are `read`, of which None is left out: they would be lost.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: give the name of a file.")
    if path.exists() and not path.is_file():
        raise ValueError(
            f"{path} is a pipe or a device, in whose place a file would come: give another name."
        )
    for other in read:
        if other is not None and path.exists() and os.path.exists(other) and path.samefile(other):
            raise ValueError(f"{path} is read, and what is written would take its place: give another name.")
    if not path.name.lower().endswith(suffix):
        raise ValueError(f"{path} cannot be written: give a file that ends in {suffix}.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent} to write {path.name} into: make it first.")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise OSError(
            error.errno, f"{path} cannot be written ({error.strerror}): choose another folder."
        ) from error
