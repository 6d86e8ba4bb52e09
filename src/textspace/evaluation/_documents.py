"""One split of a corpus as matrices: what a method learns from and what it is tested on."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import clone


class Documents(NamedTuple):
    """Training and test documents, `X` of shape (n, d), `y` of shape (n,)."""

    X_train: Any
    y_train: np.ndarray
    X_test: Any
    y_test: np.ndarray

    def folds(self, splits):
        """Give the documents of each of the splits of the *training* rows.

        Parameters
        ----------
        splits : iterable of pairs of arrays of int
            Positions among the training rows: to learn from, to test on.

        Yields
        ------
        Documents
        """
        for train, test in splits:
            yield Documents(self.X_train[train], self.y_train[train], self.X_train[test], self.y_train[test])


class NoTextsError(ValueError):
    """A method asks for trigrams, and the corpus holds no texts."""


def vectorise(corpus, y, train, test, *, space, scheme):
    """Turn the texts of one split into matrices; vocabulary and weights come from the training texts alone.

    Parameters
    ----------
    corpus : Corpus
        The texts.
    y : array of int, shape (n,)
        Class number of each document.
    train, test : arrays of int
        Rows of the split.
    space : transformer
        From texts to rows, such as :class:`textspace.text.VectorSpace`. Not changed.
    scheme : str
        Set as the parameter ``scheme`` of `space`, if it has one. "trigrams" stands for
        :class:`textspace.text.TrigramTensorSpace` in place of `space`; without texts it raises NoTextsError.

    Returns
    -------
    Documents
    """
    if scheme == "trigrams":
        space = _trigram_space(corpus)
    else:
        space = clone(space)
        if "scheme" in space.get_params():
            space.set_params(scheme=scheme)
    X_train = space.fit_transform(corpus.subset(train).texts)
    return Documents(X_train, y[train], space.transform(corpus.subset(test).texts), y[test])


def _trigram_space(corpus):
    if sparse.issparse(corpus.texts):
        raise NoTextsError(f"needs texts; the corpus {corpus.name!r} holds term counts.")
    from textspace.text import TrigramTensorSpace

    return TrigramTensorSpace()
