"""What the catalogue says of a method."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Method:
    """One way to classify documents.

    Parameters
    ----------
    name : str
        Name on the command line, ``"lrwmmc"``.
    title : str
        Name in tables, ``"LRWMMC"``.
    summary : str
        One line that a newcomer understands.
    paper : str
        Where the method comes from.
    build : callable
        ``build()`` gives a new, unfitted scikit-learn classifier for a document matrix. A method that
        projects is a ``Pipeline``, most with the steps ``"space"`` and ``"classify"``: all steps before the
        last lead into the space, and settings of the last are tried without fitting them again.
    grid : mapping of str to sequence
        Hyper-parameters to be searched on training documents, named as in ``set_params``; ``{}`` for none.
    scheme : str, default="tfidf"
        Term weights of the document matrix, as in :class:`textspace.text.VectorSpace`; or ``"trigrams"`` for
        the trigrams of characters of :class:`textspace.text.TrigramTensorSpace`, which needs texts, or
        ``"texts"`` for the texts themselves, of which ``build()`` makes what it needs.
    bigrams : bool, default=False
        Whether pairs of adjacent words have columns too, behind those of the words.
    unlabelled : bool, default=False
        Whether the method learns from documents without a label too. They come with the empty string for a
        label, behind the labelled ones; terms and their weights are then learned from all.
    tree : bool, default=False
        Whether the method uses the tree of the classes, where there is one. It is told to every parameter
        ``tree`` of the estimator.
    several : bool, default=False
        Whether the method learns from documents of several labels, as :func:`for_several_labels` makes it.
    open_ended : sequence of str, default=()
        Settings of the grid, in half decades (.3, 1, 3), that are tried beyond its ends too where that gains.

    Examples
    --------
    Other settings for a method of the catalogue:

    >>> from dataclasses import replace
    >>> from textspace.methods import METHODS
    >>> replace(METHODS["knn"], grid={"n_neighbors": [1, 3]}).grid
    {'n_neighbors': [1, 3]}
    """

    name: str
    title: str
    summary: str
    paper: str
    build: Callable
    grid: Mapping[str, Sequence]
    scheme: str = "tfidf"
    bigrams: bool = False
    unlabelled: bool = False
    tree: bool = False
    several: bool = False
    open_ended: Sequence[str] = ()


def labelled_twin(method):
    """Give the same method, told to learn from labelled documents only, under a name of its own.

    Parameters
    ----------
    method : Method
        One that learns from unlabelled documents.

    Returns
    -------
    Method
        Its twin.

    Examples
    --------
    >>> from textspace.methods import METHODS, labelled_twin
    >>> labelled_twin(METHODS["sda"]).title
    'SDA (labelled only)'
    """
    return replace(
        method,
        name=f"{method.name}-labelled",
        title=f"{method.title} (labelled only)",
        unlabelled=False,
    )
