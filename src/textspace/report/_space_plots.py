"""Maps of learned spaces side by side: with matplotlib, and as a page."""

from math import ceil

import numpy as np

from textspace._files import atomic_open
from textspace.evaluation import map_spaces
from textspace.report._templates import template

_ACROSS = 3  # maps beside each other
_SIZE = 4.6  # inches of a map
_MOST_NAMED = 24  # classes of a legend
_COLORS = (  # which the colour-blind tell apart, the first eight of them
    *("#0b66a8", "#d55e00", "#0a7d5a", "#b0508c", "#c99700", "#4aa3df", "#7a5230", "#5c6877"),
    *("#6a4fb3", "#1a9e9e", "#d14f4f", "#6b8e23", "#ad7fd1", "#8c6d1f", "#3f6f8f", "#c27ba0"),
)
_MARKERS = "o^sDvP*X"


def plot_space(methods, X, y, *, train_share=0.5, random_state=0):
    """Draw documents as they lie in the spaces of one or several methods, with matplotlib.

    Parameters
    ----------
    methods, X, y, train_share, random_state
        As in :func:`textspace.evaluation.map_spaces`.

    Returns
    -------
    matplotlib.figure.Figure
        A map for each method, side by side, with the same documents and colours.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> from textspace.report import plot_space
    >>> demo = load("demo")
    >>> figure = plot_space("lsi,lda", demo.texts, demo.labels)
    >>> [axes.get_title() for axes in figure.axes]
    ['LSI: 100 dimensions', 'SR-LDA: 11 dimensions']
    """
    figures = _matplotlib()
    maps = map_spaces(methods, X, y, train_share=train_share, random_state=random_state)
    across = min(len(maps), _ACROSS)
    down = ceil(len(maps) / across)
    figure = figures.Figure(figsize=(_SIZE * across, _SIZE * down + 0.6), layout="constrained")
    classes = _by_size(maps[0].labels)
    for place, each in enumerate(maps):
        axes = figure.add_subplot(down, across, place + 1)
        for number, label in enumerate(classes):
            x, y = each.positions[each.labels == label].T
            style = {"marker": _MARKERS[number // len(_COLORS) % len(_MARKERS)], "linewidths": 0}
            axes.scatter(x, y, s=16, color=_COLORS[number % len(_COLORS)], alpha=0.8, label=label, **style)
        axes.set_title(f"{each.title}: {each.n_dimensions} dimensions")
        axes.set_xticks([]), axes.set_yticks([])
    lines, names = figure.axes[0].get_legend_handles_labels()
    figure.legend(
        lines[:_MOST_NAMED], names[:_MOST_NAMED], loc="outside lower center", ncols=2 * across, frameon=False
    )
    return figure


def write_space_maps(methods, X, y, path, *, title="Learned spaces", train_share=0.5, random_state=0):
    """Write a page with maps of documents side by side: pointing at a document shows it in all of them.

    Parameters
    ----------
    methods, X, y
        As in :func:`textspace.evaluation.map_spaces`.
    path : str or os.PathLike
        The HTML file, written whole or not at all; it needs nothing but a browser.
    title : str, default="Learned spaces"
        Heading of the page.
    train_share, random_state
        As in :func:`textspace.evaluation.map_spaces`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from textspace.datasets import load
    >>> from textspace.report import write_space_maps
    >>> demo = load("demo")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_space_maps("lsi,lda", demo.texts, demo.labels, Path(folder, "maps.html"))
    ...     Path(folder, "maps.html").read_text(encoding="utf-8")[:15]
    '<!DOCTYPE html>'
    """
    maps = map_spaces(methods, X, y, train_share=train_share, random_state=random_state)
    classes = _by_size(maps[0].labels)
    numbers = {label: number for number, label in enumerate(classes)}
    documents = [
        {"label": numbers[label], "text": maps[0].texts[row] if maps[0].texts else f"document {row + 1}"}
        for row, label in enumerate(maps[0].labels.tolist())
    ]
    page = template("spaces.html").render(
        title=title,
        maps=[each._asdict() | {"places": _scaled(each.positions)} for each in maps],
        classes=[(label, int(np.sum(maps[0].labels == label))) for label in classes],
        documents=documents,
        colors=_COLORS,
    )
    with atomic_open(path, "wb") as file:
        file.write(page.encode("utf-8", "replace"))


def _by_size(labels):
    """List classes, the largest first."""
    names, sizes = np.unique(labels, return_counts=True)
    return names[np.argsort(-sizes, kind="stable")].tolist()


def _scaled(positions):
    """Give places in a square of 400 units with room around them, in which distances keep their ratios."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    middle, size = (low + high) / 2, max(float(np.max(high - low)), np.finfo(np.float32).tiny)
    places = 200 + 372 * (positions - middle) / size
    return np.round(places.astype(float), 1).tolist()


def _matplotlib():
    try:
        from matplotlib import figure
    except ImportError:
        raise ImportError("matplotlib is not installed: pip install 'textspace[figures]'.") from None
    return figure
