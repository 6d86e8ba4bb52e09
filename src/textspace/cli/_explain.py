"""``textspace explain``: why a model gives a text its label."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from textspace.cli._model import (
    Embeddings,
    ModelFile,
    Verify,
    category_path,
    check_model_file,
    open_model,
    trained_columns,
)
from textspace.cli._options import (
    AsJson,
    Encoding,
    Header,
    Query,
    Sheet,
    TextColumns,
    check_name,
    examples,
    reading,
)
from textspace.cli._output import plain_table, print_json, print_table, printable
from textspace.cli._several import gives_several, label_text

EXAMPLES = examples('textspace explain demo.textspace "The ship left the port with a cargo of grain"')
PROBABILITIES = 5  # that are shown
MOST_SHOWN = 4000  # characters of the text, with its terms in colour


def explain(
    model: ModelFile,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="The text, in quotation marks.")] = None,
    file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File that holds the text, - for the standard input; or a table."),
    ] = None,
    row: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Row of the table, below its header.")
    ] = None,
    columns: TextColumns = None,
    label: Annotated[
        str | None, typer.Option(metavar="CLASS", help="Class to explain; by default the predicted one.")
    ] = None,
    terms: Annotated[int, typer.Option(min=0, help="How many terms to list.")] = 10,
    neighbors: Annotated[int, typer.Option(min=0, help="How many training documents to list.")] = 5,
    encoding: Encoding = None,
    header: Header = None,
    sheet: Sheet = None,
    query: Query = None,
    embeddings: Embeddings = None,
    verify: Verify = None,
    as_json: AsJson = False,
):
    """Show why a text gets its label, or each of its labels.

    The terms that speak for the class and against it add up, with the constant, to its score; then the
    training documents that are nearest to the text. With --row, FILE is a table, whose columns are found as
    `textspace predict` finds them.
    """
    if row is not None and file is None:
        raise typer.BadParameter("--row is for a table: name it with --file.")
    if row is None and (columns or sheet or query or header is not None):
        raise typer.BadParameter("--text, --sheet, --query and --header are for a table: say which --row.")
    if (text is None) == (file is None):
        raise typer.BadParameter("give the text in quotation marks, or a file that holds it with --file.")
    check_model_file(model)
    if row is not None:
        text = _read_row(str(file), row, columns, model, reading(encoding, header, sheet, query))
    elif file is not None:
        text = _read(file, encoding)
    if not text.strip():
        raise ValueError("the text is empty: give one with words.")
    classifier = open_model(model, embeddings, verify)
    if label is not None:
        check_name(label, classifier.classes_.astype(str).tolist(), "class")
    labels, given = [label], None
    if gives_several(classifier):
        [given] = classifier.predict([text])
        labels = [label] if label is not None else given or [None]
    reasons = [classifier.explain(text, label=one, n_terms=terms, n_neighbors=neighbors) for one in labels]
    paths = [category_path(classifier.tree_, why.label) for why in reasons]
    if as_json:
        found = [why.to_dict() | {"path": path} for why, path in zip(reasons, paths, strict=True)]
        print_json(found[0] if given is None else {"labels": given, "explanations": found})
        return
    if given is not None:
        print(printable(f"labels: {label_text(given)}"))
    _print_probabilities(reasons[0], paths[0])
    if not (reasons[0].terms or reasons[0].rest or reasons[0].note):
        print("The model knows no word of this text: it can say only how frequent the classes are.")
        return
    for why in reasons:
        _print_terms(why)
        if sys.stdout.isatty():
            _print_text(why)
    _print_neighbors(reasons[0])


def _read(path, encoding):
    from textspace.tables import STANDARD, read_text

    if str(path) != STANDARD and not path.is_file():
        raise FileNotFoundError(f"there is no file {path}: check the name.")
    return read_text(str(path), encoding)


def _read_row(path, row, columns, model, how):
    """Read one text of a table."""
    from textspace.datasets import find_columns, texts_of
    from textspace.tables import read_blocks

    n_before, found = 0, None
    for block in read_blocks(path, **how):
        if found is None:
            like = trained_columns(model)
            found, _, _, _ = find_columns(block, path, text=columns, label=False, split=False, like=like)
        if row <= n_before + block.n_rows:
            return texts_of(block, found, path)[row - n_before - 1]
        n_before += block.n_rows
    raise ValueError(f"{path} has {n_before} rows, and none of the number {row}: give a --row that it has.")


def _print_probabilities(why, path):
    from rich.text import Text

    table = plain_table("class", "#probability")
    for label, share in list(why.probabilities.items())[:PROBABILITIES]:
        table.add_row(Text(printable(label)), f"{share:.3f}")
    print_table(table)
    if path and path != why.label:
        print(printable(f"category: {path}"))


def _print_terms(why):
    """Print the contributions to the score under one another, so that they can be added up."""
    from rich.text import Text

    if why.note:
        print(printable(why.note))
        return
    print(f"What speaks for {printable(why.label)!r}, and against it:")
    table = plain_table("term", "#adds")
    for term in sorted(why.terms, key=lambda term: -term.contribution):
        table.add_row(Text(printable(term.term)), f"{term.contribution:+.3f}")
    table.add_section()
    if why.rest:
        table.add_row("all other terms", f"{why.rest:+.3f}")
    table.add_row("constant", f"{why.constant:+.3f}")
    table.add_row("score", f"{why.score:+.3f}")
    print_table(table)


def _print_text(why):
    """Show the text with what speaks for the class in green and what speaks against it in red."""
    from rich.console import Console
    from rich.text import Text

    shown = Text(printable(why.text[:MOST_SHOWN]))
    for term in reversed(why.terms):  # where several stand, the largest contribution tells
        for start, end in term.spans:
            shown.stylize("bold green" if term.contribution > 0 else "red", start, end)
    Console().print(shown)


def _print_neighbors(why):
    from rich.text import Text

    if not why.neighbors:
        return
    table = plain_table("#cosine", "label", "nearest training documents")
    for each in why.neighbors:
        table.add_row(
            f"{each.similarity:.3f}",
            Text(printable(label_text(each.label))),
            Text(printable(each.excerpt[:100])),
        )
    print_table(table)
