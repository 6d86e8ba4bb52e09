"""Training documents that a classifier remembers, to show them as neighbours."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from textspace._rows import normalize
from textspace._saving import saved_as

_KEPT = 20_000  # documents that are remembered
_EXCERPT = 240  # characters of each


@saved_as("models.training_documents", shapes={"positions": "n m", "labels": "n", "excerpts": "n"})
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


def remember_documents(model, X, texts, labels, *, rows=None, random_state=0):
    """Note where training documents are in a model's space, and what they are: of all, or a sample of 20,000.

    Parameters
    ----------
    model : transformer
        Fitted; it places rows in its space.
    X : {ndarray, sparse matrix} of shape (n_texts, n_terms)
        Rows of the texts.
    texts : list of str, or sparse matrix of raw term counts
        Texts.
    labels : {ndarray, csr_array} of shape (n_documents, ...)
        What is known of each document.
    rows : ndarray of shape (n_documents,), default=None
        Which of the texts these documents are, ascending; all by default.
    random_state : int, default=0
        Seed of the sample.

    Returns
    -------
    TrainingDocuments
        What a :class:`TextClassifier` has as ``training_``.

    Examples
    --------
    >>> from textspace.linear import LSI
    >>> from textspace.models import remember_documents
    >>> from textspace.text import VectorSpace
    >>> texts = ["wheat and corn", "corn harvest", "ships at sea", "a sea port"]
    >>> X = VectorSpace().fit_transform(texts)
    >>> kept = remember_documents(LSI(2).fit(X), X, texts, np.array(["grain", "grain", "ship", "ship"]))
    >>> kept.positions.shape, kept.excerpts[1]
    ((4, 2), 'corn harvest')
    """
    rows = np.arange(X.shape[0]) if rows is None else rows
    if len(rows) > _KEPT:
        drawn = np.sort(np.random.default_rng(random_state).choice(len(rows), _KEPT, replace=False))
        rows, labels = rows[drawn], labels[drawn]
    if sparse.issparse(texts):
        excerpts = [f"document {row}" for row in rows]
    else:
        excerpts = [" ".join(texts[row][: 2 * _EXCERPT].split())[:_EXCERPT] for row in rows]
    return TrainingDocuments(normalize(model.transform(X[rows])).astype(np.float32), labels, excerpts)
