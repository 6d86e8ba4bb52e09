"""Open the documents that a user means, and say what is noticed."""

from contextlib import contextmanager

import typer

from textspace.cli._output import say


def open_corpus(name, **options):
    """Open a corpus with the options of :func:`textspace.datasets.open_corpus`."""
    from textspace import datasets

    with bad_usage():
        return datasets.open_corpus(name, say=say, **options)


@contextmanager
def bad_usage():
    """Make bad usage, with the exit code 2, of what :mod:`textspace.datasets` says of names and options."""
    from textspace.datasets import CorpusUsageError

    try:
        yield
    except CorpusUsageError as error:
        raise typer.BadParameter(str(error)) from error
