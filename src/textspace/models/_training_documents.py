"""Training documents that a classifier remembers, to show them as neighbours."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from textspace._rows import normalize
from textspace._saving import saved_as

_KEPT = 20_000  # documents that are remembered
_EXCERPT = 240  # characters of each


@saved_as(
    "models.training_documents",
    shapes={"positions": "n m", "labels": "n", "excerpts": "n"},
    check=lambda documents: all(isinstance(excerpt, str) for excerpt in documents.excerpts),
)
class TrainingDocuments(NamedTuple):
    """Training documents that a classifier remembers, to show them as neighbours.

    Attributes
    ----------
    positions : {ndarray, sparse matrix} of shape (n_documents, n_dimensions), float32
        Coordinates in its space, divided by their length: neighbours are told by the cosine.
    labels : ndarray of shape (n_documents,), or list of tuple
        Labels; a tuple of them for each document that may have several.
    excerpts : list of str
        Beginnings of the texts.
    """

    positions: Any
    labels: Any
    excerpts: list


def draw_documents(n_documents, random_state=0):
    """Draw the documents that are to be remembered.

    Parameters
    ----------
    n_documents : int
        How many there are.
    random_state : int, default=0
        Seed.

    Returns
    -------
    ndarray of int
        Which to remember, ascending: all, or 20,000.

    Examples
    --------
    >>> from textspace.models import draw_documents
    >>> draw_documents(3), len(draw_documents(50_000))
    (array([0, 1, 2]), 20000)
    """
    if n_documents <= _KEPT:
        return np.arange(n_documents)
    return np.sort(np.random.default_rng(random_state).choice(n_documents, _KEPT, replace=False))


def remember_documents(positions, labels, texts, rows):
    """Put down where some documents are, and what they are.

    Parameters
    ----------
    positions : {ndarray, sparse matrix} of shape (n_documents, n_dimensions)
        Their coordinates in the space of a model.
    labels : ndarray of shape (n_documents,), or list of tuple
        Their labels.
    texts : list of str, or sparse matrix of raw term counts
        These and other texts.
    rows : ndarray of shape (n_documents,), int
        Which of the texts they are.

    Returns
    -------
    TrainingDocuments
        What a :class:`TextClassifier` has as ``training_``.

    Examples
    --------
    >>> from textspace.models import remember_documents
    >>> found = remember_documents(np.array([[3.0, 4.0]]), ["grain"], ["", "wheat  and corn"], [1])
    >>> found.positions, found.excerpts
    (array([[0.6, 0.8]], dtype=float32), ['wheat and corn'])
    """
    if sparse.issparse(texts):
        excerpts = [f"document {row}" for row in rows]
    else:
        excerpts = [" ".join(texts[row][: 2 * _EXCERPT].split())[:_EXCERPT] for row in rows]
    return TrainingDocuments(normalize(positions).astype(np.float32), labels, excerpts)
