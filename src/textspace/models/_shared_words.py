"""Which remembered texts share words with a text."""

import re
from collections import defaultdict
from itertools import count

import numpy as np
from scipy import sparse

_END = "\0"  # of a text
_WORD = re.compile(r"\w+")
_WORD_OR_END = re.compile(rf"\w+|{_END}")


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
        self._columns = defaultdict(count().__next__)
        self._columns[_END]
        rows, columns = self._distinct_words(excerpts)
        shape = len(excerpts), len(self._columns)
        rarity = np.log1p(len(excerpts) / np.maximum(np.bincount(columns, minlength=shape[1]), 1))
        lengths = np.sqrt(np.bincount(rows, rarity[columns] ** 2, minlength=shape[0]))
        weights = rarity[columns] / np.maximum(lengths, 1e-12)[rows]
        self._rows = sparse.csr_array((weights, (rows, columns)), shape=shape)
        self._rarity = rarity

    def _distinct_words(self, excerpts):
        """Find the words of all texts at once, and give each pair of a text and a word of it."""
        text = _END.join(excerpt.replace(_END, " ") for excerpt in excerpts).lower()
        found = _WORD_OR_END.findall(text)
        columns = np.fromiter(map(self._columns.__getitem__, found), np.int64, len(found))
        pairs = (np.cumsum(columns == 0) * len(self._columns) + columns)[columns > 0]
        pairs.sort()
        return np.divmod(pairs[np.diff(pairs, prepend=-1) > 0], len(self._columns))

    def cosines(self, text):
        """Give the cosine of a text and each excerpt, ndarray of shape (n_excerpts,)."""
        known = [self._columns[word] for word in set(_WORD.findall(text.lower())) & self._columns.keys()]
        weights = np.zeros(self._rows.shape[1])
        weights[known] = self._rarity[known]
        return self._rows @ (weights / (np.linalg.norm(weights) or 1.0))
