"""Pairs of adjacent words as columns behind those of the words."""

from typing import NamedTuple

import numpy as np

from textspace._compiled import compiled
from textspace._saving import saved_as

# Column of a token that was dropped: its neighbours stand next to each other.
DROPPED = -2
# Column of a term that is not in the vocabulary: it belongs to no pair.
UNKNOWN = -1


@saved_as("text.pairs", shapes={"starts": "_", "seconds": "_"})
class Pairs(NamedTuple):
    """Pairs of words, sorted by the first and then by the second word.

    The pairs that begin with word i are those from ``starts[i]`` to ``starts[i + 1]``; `seconds` (int32) has
    the column of the second word of each pair.
    """

    starts: np.ndarray
    seconds: np.ndarray

    @classmethod
    def from_codes(cls, codes, n_words):
        """Make pairs of their codes, ``first * n_words + second``, in ascending order."""
        starts = np.searchsorted(codes, np.arange(n_words + 1, dtype=np.int64) * n_words)
        return cls(starts, (codes % max(n_words, 1)).astype(np.int32))

    @property
    def firsts(self):
        """Column of the first word of each pair."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), np.diff(self.starts))

    @property
    def codes(self):
        """The number ``first * n_words + second`` of each pair, ascending."""
        return self.firsts.astype(np.int64) * (len(self.starts) - 1) + self.seconds

    def among(self, is_kept_word, is_kept_pair):
        """Keep the pairs of `is_kept_pair`; the words of `is_kept_word` have new columns then."""
        columns = np.cumsum(is_kept_word) - 1
        n_words = int(is_kept_word.sum())
        firsts, seconds = columns[self.firsts[is_kept_pair]], columns[self.seconds[is_kept_pair]]
        return Pairs.from_codes(firsts * n_words + seconds, n_words)


def no_pairs(n_words):
    """Give the pairs of a space that has words only."""
    return Pairs(np.zeros(n_words + 1, np.int64), np.empty(0, np.int32))


def repeated_pairs(blocks, n_words):
    """Find the pairs of adjacent words that stand twice or more in the blocks of `number_words`."""
    # One array that is sorted in place: the corpus may be large.
    codes = np.empty(sum(len(columns) for columns, _ in blocks), np.int64)
    n_codes = 0
    for columns, ends in blocks:
        block = _adjacent(columns, ends, n_words)
        codes[n_codes : n_codes + len(block)] = block
        n_codes += len(block)
    codes = codes[:n_codes]
    codes.sort()
    again = codes[1:][codes[1:] == codes[:-1]]
    return Pairs.from_codes(again[np.diff(again, prepend=-1) > 0], n_words)


def _adjacent(columns, ends, n_words):
    """Codes of the pairs of adjacent known words, in the order of the text."""
    is_token = columns != DROPPED
    documents = np.repeat(np.arange(len(ends), dtype=np.int32), np.diff(ends, prepend=0))[is_token]
    words = columns[is_token]
    are_pair = (documents[1:] == documents[:-1]) & (words[1:] >= 0) & (words[:-1] >= 0)
    return words[:-1][are_pair] * np.int64(n_words) + words[1:][are_pair]


@compiled(nogil=True, steps=lambda *_: 1)
def find_pair(first, second, starts, seconds):
    """Position of a pair of words among `Pairs`, or -1; by halving the pairs that begin with the first."""
    low, high = starts[first], starts[first + 1]
    while low < high:
        middle = (low + high) // 2
        if seconds[middle] < second:
            low = middle + 1
        else:
            high = middle
    return low if low < starts[first + 1] and seconds[low] == second else -1
