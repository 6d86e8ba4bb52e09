"""What the verbs print: tables for people, JSON for machines."""

import json
import re
import sys
from contextlib import contextmanager

# All but tab and line feed: a terminal obeys some of them.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def print_table(table, *, spare=()):
    """Print a :class:`rich.table.Table`: plain text in a pipe, fitted to the width of a terminal.

    The columns with the `spare` headers may be left out on a narrow one, the most dispensable first.
    """
    from rich.console import Console

    if sys.stdout.isatty():
        console = Console()
        left_out = drop_columns(table, console.width, spare)
        console.print(table)
        if left_out:
            say(f"For want of room the table leaves out: {', '.join(left_out)}.")
        return
    # In a pipe a table is as wide as it needs to be.
    console = Console(width=1000, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(table)
    print("\n".join(line.rstrip() for line in capture.get().splitlines()))


def drop_columns(table, width, spare):
    """Leave out columns until a table fits into a width; give the headers of those left out.

    Examples
    --------
    >>> table = plain_table("method", "#F1", "chosen")
    >>> table.add_row("svm", ".95", "C=1.0 loss=hinge")
    >>> drop_columns(table, 20, ["chosen"]), [column.header for column in table.columns]
    (['chosen'], ['method', 'F1'])
    """
    from rich.console import Console
    from rich.measure import Measurement

    console, left_out = Console(width=1000), []
    for header in spare:
        if Measurement.get(console, console.options, table).maximum <= width:
            break
        table.columns = [column for column in table.columns if column.header != header]
        left_out.append(header)
    return left_out


def plain_table(*columns):
    """Start a table without lines; a column whose name begins with ``#`` holds numbers."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        justify = "right" if column.startswith("#") else "left"
        table.add_column(column.lstrip("#"), justify=justify, no_wrap=column == columns[0])
    return table


def in_utf8():
    """Let what is not for a terminal be written in UTF-8, so that no letter of it is lost."""
    if not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # half a surrogate pair has no bytes


def print_json(value):
    """Print a value as JSON."""
    in_utf8()
    json.dump(value, sys.stdout, indent=1, ensure_ascii=False)
    print()


def say(sentence):
    """Tell the user something that is not the result: on the standard error stream."""
    print(printable(sentence), file=sys.stderr)


def write_files(comparison, results, report):
    """Write a comparison to a file of results and to a page, if they are named."""
    if results is not None:
        comparison.save(results)
    if report is not None:
        from textspace.report import write_report

        write_report(comparison, report)


def name_files(results, report):
    """Tell the user where the files of a comparison are."""
    for what, path in (("results", results), ("report", report)):
        if path is not None:
            say(f"{what}: {path}")


def printable(text):
    r"""Put a sign in place of each character that a terminal would obey instead of showing it.

    Examples
    --------
    >>> printable("red\x1b[31m")
    'red\ufffd[31m'
    """
    return CONTROL.sub("\ufffd", text)


@contextmanager
def working(sentence, *, quiet=False):
    """Show on a terminal that work goes on, unless told to be quiet; give what changes the sentence."""
    if quiet or not sys.stderr.isatty():
        yield lambda sentence: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(escape(sentence)) as status:
        yield lambda sentence: status.update(escape(sentence))
