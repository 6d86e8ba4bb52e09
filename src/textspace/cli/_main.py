"""The verbs put together, and what a user sees when something goes wrong."""

import os
import sys
import warnings
from typing import Annotated

import typer

from textspace._files import NO_ROOM
from textspace.cli import (
    _check,
    _compare,
    _data,
    _demo,
    _evaluate,
    _explain,
    _export,
    _methods,
    _predict,
    _report,
    _reproduce,
    _select,
    _serve,
    _train,
)
from textspace.cli._options import examples
from textspace.cli._output import say
from textspace.cli._quick_start import start_quickly

# What textspace raises, with a sentence for the user, and what the libraries below raise with one.
EXPECTED = (ValueError, OSError, ImportError, RuntimeError)

# Help in plain text and no shell completion: half of the time of a start would go into them.
app = typer.Typer(
    epilog=examples("textspace demo", "textspace train --help"),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command(epilog=_demo.EXAMPLES)(_demo.demo)
app.command(epilog=_check.EXAMPLES)(_check.check)
app.command(epilog=_train.EXAMPLES)(_train.train)
app.command(epilog=_predict.EXAMPLES)(_predict.predict)
app.command(epilog=_evaluate.EXAMPLES)(_evaluate.evaluate)
app.command(epilog=_explain.EXAMPLES)(_explain.explain)
app.command(epilog=_report.EXAMPLES)(_report.report)
app.command(epilog=_serve.EXAMPLES)(_serve.serve)
app.command(epilog=_export.EXAMPLES)(_export.export)
app.command(epilog=_compare.EXAMPLES)(_compare.compare)
app.command(epilog=_select.EXAMPLES)(_select.select)
app.command(epilog=_methods.EXAMPLES)(_methods.methods)
app.command(epilog=_reproduce.EXAMPLES)(_reproduce.reproduce)
app.add_typer(_data.app, name="data")


def _print_version(wanted: bool):
    if wanted:
        from textspace._version import __version__

        print(f"textspace {__version__}")
        raise typer.Exit


@app.callback()
def textspace(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
):
    """Classify text in learned spaces.

    With your own documents: check, train, evaluate, predict, explain, report, serve, export. With those of
    the papers: demo, compare, select, methods, reproduce.
    """


def main(arguments=None):
    """Run the command line and exit: with 0, with 1 if the work failed, with 2 if the usage was wrong.

    What goes wrong is told in a sentence on the standard error stream; with the environment variable
    TEXTSPACE_DEBUG set, it is raised instead.

    Parameters
    ----------
    arguments : list of str, default=None
        Words after the program's name; by default those of the process.
    """
    start_quickly()
    os.environ["PYTHONSAFEPATH"] = "1"  # no process of ours takes a module of the current folder for another
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows "?"
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _say_warning
            app(arguments, prog_name="textspace")
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # a panic of compiled code is no Exception
        if os.environ.get("TEXTSPACE_DEBUG"):
            raise
        say(f"error: {_sentence(error)}")
        sys.exit(1)


def _open_streams():
    """Open on nothing the standard streams that were closed before the start: no file gets their numbers."""
    for name, mode in {"stdin": "r", "stdout": "w", "stderr": "w"}.items():
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _say_warning(message, *_):
    say(f"warning: {message}")


def _sentence(error):
    """Put an error into words, without its number."""
    if isinstance(error, OSError) and error.strerror:
        what = error.strerror if error.filename is None else f"{error.strerror}: {error.filename}"
        # what raised it may have said more of it, and what to do
        is_bare = error.errno in NO_ROOM and error.strerror == os.strerror(error.errno)
        return f"{what}: make room there, or write to another disk." if is_bare else what
    if isinstance(error, MemoryError):
        return (
            "there is not enough memory for this: give fewer or shorter documents, or use a larger machine."
        )
    if isinstance(error, EXPECTED) and not isinstance(error, RecursionError):
        return str(error) or type(error).__name__
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    return (
        f"textspace did not expect this ({what}): see whether the input is as it should be; set "
        "TEXTSPACE_DEBUG=1 to see where it comes from, and please report it."
    )
