"""Text -> terms: letters, stop words, stems."""

import re
import unicodedata
from collections import defaultdict
from functools import cache
from itertools import count
from typing import NamedTuple

import numpy as np
import Stemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from textspace.text._scan import DOCUMENT_END, TOKEN_END, scan

# The compiled scan takes texts in blocks of about this many bytes, so that it never copies the whole corpus.
_BLOCK_BYTES = 1 << 22

_SEPARATOR = chr(TOKEN_END)
_CLOSE = bytes([DOCUMENT_END])
_ASCII = bytes(range(128))
# Table for `bytes.translate`: ASCII letters in lower case, the rest of ASCII as separators, other bytes kept.
_SEPARATE_ASCII = bytes(
    i if i >= 128 else ord(chr(i).lower()) if chr(i).isalpha() else TOKEN_END for i in range(256)
)


class TokenizedTexts(NamedTuple):
    """Texts as numbered terms.

    Attributes
    ----------
    terms : list of str
        The distinct terms, in the order in which they first appear.
    blocks : list of (ids, ends)
        Consecutive documents: `ids` (int32) holds for each token the position of its term, or -1 for a token
        that was dropped; document i of the block holds ``ids[ends[i - 1] : ends[i]]`` (from 0 for the first).
    """

    terms: list[str]
    blocks: list[tuple[np.ndarray, np.ndarray]]


class Analyzer:
    """Turn texts into terms.

    Parameters
    ----------
    stem : str or None
        Name of a Snowball stemmer, or None.
    stop_words : "english", collection of str, or None
        Words to drop before stemming.
    token_pattern : str or None
        Regular expression of a token in the lower-cased text; None for runs of two or more letters.
    """

    def __init__(self, *, stem, stop_words, token_pattern):
        if stem is not None and stem not in Stemmer.algorithms():
            raise ValueError(
                f"stem={stem!r} is not known: use None or one of {', '.join(Stemmer.algorithms())}."
            )
        self.stem = stem
        self.stop_words = _stop_words(stop_words)
        self.pattern = None if token_pattern is None else _compiled(token_pattern)

    def __call__(self, texts):
        """Analyse texts, stemming each distinct token once.

        Parameters
        ----------
        texts : iterable of str
            The documents; consumed once.

        Returns
        -------
        TokenizedTexts
            Their terms.
        """
        stem = list if self.stem is None else Stemmer.Stemmer(self.stem, 0).stemWords
        shortest = 2 if self.pattern is None else 1
        token_ids = dict.fromkeys(self.stop_words, -1)
        term_ids = defaultdict(count().__next__)
        numbered = []
        for block in byte_blocks(map(self._split, texts)):
            ids, ends, pool = scan(np.frombuffer(b"".join(block), np.uint8), len(block))
            tokens = pool.tobytes().decode().split(_SEPARATOR)[:-1]
            token_ids.update((token, -1) for token in tokens if len(token) < shortest)
            new = [token for token in tokens if token not in token_ids]
            token_ids.update(zip(new, map(term_ids.__getitem__, stem(new)), strict=True))
            token_terms = np.fromiter(map(token_ids.__getitem__, tokens), np.int32, len(tokens))
            numbered.append((token_terms[ids], ends))
        return TokenizedTexts(list(term_ids), numbered)

    def _split(self, text):
        """Lower-cased text as bytes in which `TOKEN_END` stands between tokens, closed by `DOCUMENT_END`."""
        if self.pattern is None and text.isascii():
            return text.encode("ascii").translate(_SEPARATE_ASCII) + _CLOSE
        text = _folded(text)
        if self.pattern is not None:
            text = _SEPARATOR.join(self.pattern.findall(text))
        # Half a surrogate pair, as broken input may hold, has no bytes: it becomes a question mark.
        encoded = text.encode("utf-8", "replace")
        if self.pattern is None:
            for character in set(encoded.translate(None, _ASCII).decode()):
                if not _belongs_to_word(character):
                    encoded = encoded.replace(character.encode(), _SEPARATOR.encode())
            encoded = encoded.translate(_SEPARATE_ASCII)
        return encoded + _CLOSE


@cache
def _belongs_to_word(character):
    """Whether a character is a letter, or a mark that goes with one.

    Marks (vowel signs of Indic scripts, Arabic points, accents that have no composed form) are not letters in
    Unicode, but without them a word is torn. Variation selectors are marks too, but they belong to emoji.
    """
    category = unicodedata.category(character)
    return category[0] == "L" or (category in ("Mn", "Mc") and not "\ufe00" <= character <= "\ufe0f")


def _folded(text):
    """Lower-case, with one spelling for each accented letter (é may also be written as e and an accent)."""
    return unicodedata.normalize("NFC", text.lower())


def byte_blocks(pieces):
    """Group pieces of bytes into lists of about `_BLOCK_BYTES` bytes."""
    block, size = [], 0
    for piece in pieces:
        block.append(piece)
        size += len(piece)
        if size >= _BLOCK_BYTES:
            yield block
            block, size = [], 0
    if block:
        yield block


def _stop_words(stop_words):
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str):
        if stop_words == "english":
            return ENGLISH_STOP_WORDS
        raise ValueError(f"stop_words={stop_words!r} is not known: use 'english', None or a list of words.")
    if hasattr(stop_words, "__next__"):
        raise TypeError("stop_words can be read only once, but transform needs it too: give a list or a set.")
    return frozenset(map(_folded, stop_words))


def _compiled(token_pattern):
    try:
        pattern = re.compile(token_pattern)
    except re.error as error:
        raise ValueError(f"token_pattern={token_pattern!r} is not a regular expression: {error}.") from error
    if pattern.groups > 1:
        raise ValueError(
            f"token_pattern={token_pattern!r} has {pattern.groups} groups: at most one may capture."
        )
    return pattern
