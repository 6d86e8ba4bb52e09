"""Which remembered texts share words with a text."""

import re

import numpy as np
from scipy import sparse

_WORD = re.compile(r"\w+")


class SharedWords:
    """Beginnings of texts as sets of words, to be compared with other texts by these.

    Words weigh the logarithm of how rare they are, so that common ones hardly count.

    Parameters
    ----------
    excerpts : list of str
        Beginnings of texts.

    Examples
    --------
    >>> SharedWords(["a chess game", "a ball game"]).cosines("chess").round(2)
    array([0.75, 0.  ])
    """

    def __init__(self, excerpts):
        self._columns = {}
        found = [
            [self._columns.setdefault(word, len(self._columns)) for word in _words(excerpt)]
            for excerpt in excerpts
        ]
        ends = np.cumsum([0, *map(len, found)])
        columns = np.array([column for own in found for column in own], dtype=np.int64)
        shape = len(found), len(self._columns)
        rarity = np.log1p(len(found) / np.maximum(np.bincount(columns, minlength=shape[1]), 1))
        rows = sparse.csr_array((rarity[columns], columns, ends), shape=shape)
        lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
        self._rows, self._rarity = sparse.diags_array(1 / np.maximum(lengths, 1e-12)) @ rows, rarity

    def cosines(self, text):
        """Give the cosine of a text and each excerpt, ndarray of shape (n_excerpts,)."""
        known = [self._columns[word] for word in _words(text) if word in self._columns]
        weights = np.zeros(self._rows.shape[1])
        weights[known] = self._rarity[known]
        return self._rows @ (weights / (np.linalg.norm(weights) or 1.0))


def _words(text):
    return sorted(set(_WORD.findall(text.lower())))
