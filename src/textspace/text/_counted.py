"""Texts that are counted in partitions, and the space that all of them make together."""

from collections import Counter
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from textspace.text._bigrams import no_pairs
from textspace.text._counts import count_columns, number_words
from textspace.text._vocabulary import GrowingWords, HashedWords


class CountedTexts(NamedTuple):
    """Texts of a partition, counted.

    Attributes
    ----------
    words : list of str, or None
        The word of each column; None where columns are hashes.
    counts : CSR array of shape (n_texts, n_columns)
        How often each stands in each text.
    """

    words: list | None
    counts: object

    @property
    def frequencies(self):
        """In how many texts each word stands, as a Counter; or each hashed column, as an ndarray."""
        found = np.bincount(self.counts.indices, minlength=self.counts.shape[1])
        return found if self.words is None else Counter(dict(zip(self.words, found.tolist(), strict=True)))


def count_texts(texts, space):
    """Count the words of each text, as a space without pairs of words would.

    Parameters
    ----------
    texts : iterable of str
        A partition of a corpus.
    space : VectorSpace
        Says what a word is; need not be fitted.

    Returns
    -------
    CountedTexts
        Counts whose :attr:`~CountedTexts.frequencies` can be added up over the partitions.

    Examples
    --------
    >>> from textspace.text import VectorSpace, count_texts, learn_frequencies, weigh_counted
    >>> space = VectorSpace()
    >>> first, second = (count_texts(texts, space) for texts in (["Cats sat.", "A cat"], ["Dogs bark!"]))
    >>> learn_frequencies(space, first.frequencies + second.frequencies, n_texts=3).vocabulary_
    {'bark': 0, 'cat': 1, 'dog': 2, 'sat': 3}
    >>> weigh_counted(second, space).toarray().round(2)
    array([[0.71, 0.  , 0.71, 0.  ]], dtype=float32)
    """
    if space.letters is not None:
        raise ValueError("count_texts counts words: leave out letters.")
    if space._asks_language():
        raise ValueError(
            "a partition does not tell the language of all texts: give stem and stop_words other than 'auto'."
        )
    vocabulary = GrowingWords() if space.n_hashed is None else HashedWords(space.n_hashed)
    blocks = number_words(space._tokenize(texts), vocabulary)
    counts = count_columns(blocks, vocabulary, no_pairs(0), dtype=space.dtype)
    return CountedTexts(list(vocabulary) if space.n_hashed is None else None, counts)


def learn_frequencies(space, frequencies, *, n_texts):
    """Fit a space to the document frequencies of a corpus, instead of its texts.

    Parameters
    ----------
    space : VectorSpace
        Without pairs of words; it is fitted in place.
    frequencies : Counter, or ndarray of shape (n_hashed,)
        Sum of :attr:`CountedTexts.frequencies` over the partitions.
    n_texts : int
        Number of texts.

    Returns
    -------
    VectorSpace
        The space.

    Examples
    --------
    >>> from textspace.text import VectorSpace, count_texts, learn_frequencies
    >>> counted = count_texts(["Cats sat.", "A cat"], VectorSpace())
    >>> learn_frequencies(VectorSpace(), counted.frequencies, n_texts=2).transform(["One cat sat"]).toarray()
    array([[0., 1.]], dtype=float32)
    """
    if space.n_hashed is None:
        words = sorted(frequencies)
        vocabulary = {word: column for column, word in enumerate(words)}
        frequencies = np.fromiter((frequencies[word] for word in words), np.int64, len(words))
    else:
        vocabulary = HashedWords(space.n_hashed)
    space._set_terms(vocabulary, no_pairs(len(vocabulary)), frequencies, n_texts)
    return space


def weigh_counted(counted, space):
    """Make the rows of counted texts in a fitted space.

    Parameters
    ----------
    counted : CountedTexts
        Texts.
    space : VectorSpace
        Fitted.

    Returns
    -------
    csr_matrix of shape (n_texts, n_terms)
        The rows that ``space.transform`` gives for these texts.

    Examples
    --------
    >>> from textspace.text import VectorSpace, count_texts, weigh_counted
    >>> space = VectorSpace().fit(["Cats sat.", "A dog"])
    >>> weigh_counted(count_texts(["Dogs"], space), space).toarray()
    array([[0., 1., 0.]], dtype=float32)
    """
    words, counts = counted
    if words is None:
        return space._weigh(counts.copy())
    columns = np.array([space.vocabulary_.get(word, -1) for word in words], dtype=np.int32)
    known = columns >= 0
    kept = counts[:, known]
    shape = counts.shape[0], space.n_words_
    ordered = csr_array((kept.data, columns[known][kept.indices], kept.indptr), shape)
    ordered.sort_indices()
    return space._weigh(ordered)
