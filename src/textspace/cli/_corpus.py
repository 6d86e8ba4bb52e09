"""Open the documents that a user means, and say what is noticed."""

from contextlib import contextmanager

import typer

from textspace.cli._output import say


def open_corpus(name, **options):
    """Open a corpus with the options of :func:`textspace.datasets.open_corpus`."""
    from textspace import datasets

    with bad_usage():
        return datasets.open_corpus(name, say=say, **options)


def each_label(labels):
    """List the labels of all documents one by one, whether each has one or several, or none that is known.

    Examples
    --------
    >>> each_label(["grain", ""]), each_label([("grain", "corn"), (), None])
    (['grain'], ['grain', 'corn'])
    """
    known = [each for each in labels if each]
    return [one for each in known for one in ([each] if isinstance(each, str) else each)]


@contextmanager
def bad_usage():
    """Make bad usage, with the exit code 2, of what :mod:`textspace.datasets` says of names and options."""
    from textspace.datasets import CorpusUsageError

    try:
        yield
    except CorpusUsageError as error:
        raise typer.BadParameter(str(error)) from error
