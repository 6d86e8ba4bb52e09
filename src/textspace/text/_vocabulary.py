"""Which terms have a column, and how words are stored."""

from itertools import pairwise
from numbers import Integral
from zlib import crc32

import numpy as np

from textspace._saving import saved_as


@saved_as("text.hashed_words", check=lambda words: len(words) > 0)
class HashedWords:
    """A vocabulary of all words there are: the column of a word is its hash, one of `n_columns`.

    >>> words = HashedWords(1000)
    >>> words.get("corn", -1) == words.get("corn", -1) < len(words)
    True
    """

    def __init__(self, n_columns):
        self._n_columns = n_columns

    def __len__(self):
        return self._n_columns

    def __iter__(self):
        return (f"#{column}" for column in range(self._n_columns))

    def get(self, word, default):
        """Give the column of a word; the default is for vocabularies that do not have all words."""
        return crc32(word.encode("utf-8", "replace")) % self._n_columns

    def values(self):
        """Give all columns."""
        return range(self._n_columns)


class GrowingWords(dict):
    """A vocabulary of the words that were asked for: each new one has the next column.

    >>> words = GrowingWords()
    >>> [words.get(word, -1) for word in ("corn", "wheat", "corn")]
    [0, 1, 0]
    """

    def get(self, word, default):
        """Give the column of a word; the default is for vocabularies that do not have all words."""
        return self.setdefault(word, len(self))


def as_count(bound, n_documents):
    """Give a number of documents, which may be said as a share of them (float)."""
    return bound if isinstance(bound, Integral) else bound * n_documents


def select_terms(frequencies, n_documents, pairs, *, min_df, max_df, max_terms):
    """Give a mask of the terms to keep, by their document frequencies.

    `frequencies` has the words in alphabetical order, then the pairs. `min_df` and `max_df` are numbers (int)
    or fractions (float) of the documents. Where a pair is kept, both of its words are.
    """
    low, high = (as_count(bound, n_documents) for bound in (min_df, max_df))
    of_words, of_pairs = np.split(frequencies, [len(pairs.starts) - 1])
    # A column of a count matrix may be empty; it has no idf.
    is_word = (of_words >= max(low, 1)) & (of_words <= high)
    is_pair = is_word[pairs.firsts] & is_word[pairs.seconds] & (of_pairs >= max(low, 2))
    kept = np.concatenate([is_word, is_pair])
    if max_terms is not None:
        candidates = np.flatnonzero(kept)
        # A stable sort leaves equally frequent terms in the order of their columns. A pair is at most as
        # frequent as each of its words and stands behind them, so they are kept where it is.
        most_frequent = candidates[np.argsort(-frequencies[candidates], kind="stable")[:max_terms]]
        kept = np.isin(np.arange(len(frequencies)), most_frequent)
    return kept


def pack_words(words):
    """Give words as two arrays, quick to store: all words in UTF-8, and the number of characters of each."""
    encoded = np.frombuffer("".join(words).encode(), np.uint8)
    return encoded, np.fromiter(map(len, words), np.int32, len(words))


def unpack_words(encoded, lengths):
    """Give back the list of words of which `pack_words` made two arrays."""
    text = encoded.tobytes().decode()
    ends = np.append(0, np.cumsum(lengths, dtype=np.int64))
    if ends[-1] != len(text) or np.any(ends[1:] < ends[:-1]):
        raise ValueError("the lengths of words are not those of their text")
    return [text[start:end] for start, end in pairwise(ends.tolist())]
