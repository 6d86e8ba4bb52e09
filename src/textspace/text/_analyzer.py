"""Text -> terms: letters, stop words, stems."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection
from functools import lru_cache
from itertools import compress, count, islice
from typing import NamedTuple

import numpy as np
import Stemmer

from textspace.text._characters import RULES, SEPARATOR
from textspace.text._scan import DOCUMENT_END, HASH_KEY, scan

# The compiled scan takes texts in blocks of about this many bytes, so that it never copies the whole corpus.
_BLOCK_BYTES = 1 << 23

# So many characters are sooner replaced one after the other than looked up in a table.
_FEW = 50

_CLOSE = bytes([DOCUMENT_END])
_ASCII = bytes(range(128))


class TokenizedBlock(NamedTuple):
    """Consecutive documents as numbered terms.

    `terms` are those that no earlier block has, in the order of their first place. `ids` (int32) has for each
    token the number of its term among those of all blocks so far, or -1 for a token that was dropped.
    Document i of the block holds ``ids[ends[i - 1] : ends[i]]`` (from 0 for the first).
    """

    terms: list[str]
    ids: np.ndarray
    ends: np.ndarray


class Analyzer:
    """Turn texts into terms. The parameters are those of :class:`textspace.text.VectorSpace`."""

    def __init__(self, *, stem, stop_words, token_pattern, tokens):
        self.stem = stem
        self.stop_words = _stop_words(stop_words)
        self.pattern = None if token_pattern is None else _compiled(token_pattern)
        self.shortest = 2 if token_pattern is None and tokens == "words" else 1
        self.rule = RULES[tokens]
        ascii_rules = [self.rule(chr(i).lower()) for i in range(128)]
        # For `bytes.translate`: letters in lower case, separators, the rest as it is.
        self._table = bytes(ord(rule.strip(SEPARATOR) or SEPARATOR) for rule in ascii_rules) + bytes(
            range(128, 256)
        )
        self._alone = [rule.encode() for rule in ascii_rules if len(rule) > 1]

    def __call__(self, texts):
        """Analyse texts, as `blocks`, and give all blocks at once."""
        return list(self.blocks(texts))

    def blocks(self, texts):
        """Analyse texts as they come, some millions of characters a block; stem each distinct token once."""
        token_ids = {}
        term_ids = defaultdict(count().__next__, {None: -1})
        n_terms = 0
        for ids, ends, pool in scanned(texts, self):
            tokens = pool.tobytes().decode().split(SEPARATOR)[:-1]
            new = [token for token in tokens if token not in token_ids]
            token_ids.update(zip(new, map(term_ids.__getitem__, self.terms(new)), strict=True))
            token_terms = np.fromiter(map(token_ids.__getitem__, tokens), np.int32, len(tokens))
            terms = list(islice(term_ids, 1 + n_terms, None))
            n_terms += len(terms)
            yield TokenizedBlock(terms, token_terms[ids], ends)

    def terms(self, tokens):
        """Give the stem of each lower-cased token, or None for a stop word and for one that is too short."""
        is_kept = [len(token) >= self.shortest and token not in self.stop_words for token in tokens]
        kept = list(compress(tokens, is_kept))
        stems = iter(kept if self.stem is None else Stemmer.Stemmer(self.stem, 0).stemWords(kept))
        return [next(stems) if keep else None for keep in is_kept]

    def split(self, text):
        """Give the lower-cased text as bytes in which `TOKEN_END` stands between tokens."""
        if self.pattern is not None:
            # Half a surrogate pair, as broken input may hold, has no bytes: it becomes a question mark.
            return SEPARATOR.join(self.pattern.findall(folded(text))).encode("utf-8", "replace")
        encoded = text.encode("ascii") if text.isascii() else self._ruled(folded(text))
        for rule in self._alone:
            encoded = encoded.replace(rule[1:-1], rule)
        return encoded.translate(self._table)

    def _ruled(self, text):
        """Encode a text in which all but ASCII has become what its rule says."""
        encoded = text.encode("utf-8", "surrogatepass")
        others = set(encoded.translate(None, _ASCII).decode("utf-8", "surrogatepass"))
        rules = {character: rule for character in others if (rule := self.rule(character)) != character}
        if len(rules) > _FEW:
            return text.translate(str.maketrans(rules)).encode()
        for character, rule in rules.items():
            encoded = encoded.replace(character.encode("utf-8", "surrogatepass"), rule.encode())
        return encoded


def cached_analyzer(*, stop_words, **settings):
    """Give an analyser, the same one for the same settings; it holds nothing of the texts."""
    if isinstance(stop_words, Collection) and not isinstance(stop_words, str):
        stop_words = frozenset(stop_words)  # the caller's list may change
    return _make(stop_words=stop_words, **settings)


_make = lru_cache(maxsize=16)(Analyzer)


def folded(text):
    """Lower-case, with one spelling for each accented letter (é may also be written as e and an accent)."""
    return unicodedata.normalize("NFC", lowered(text))


def lowered(text):
    """Lower-case; of more than 30 marks in a row, those beyond become a character without effect.

    No language has so many, and Unicode's stream-safe format allows 30: composing them takes time that grows
    with the square of their number.
    """
    text = text.lower()
    marks = "".join(sorted(filter(is_mark, set(text))))
    return re.sub(f"(?<=[{marks}]{{30}})[{marks}]", "\u034f", text) if marks else text


@lru_cache(maxsize=1 << 16)
def is_mark(character):
    """Whether a character is put in order with the marks before it when accented letters are composed."""
    return unicodedata.combining(unicodedata.normalize("NFD", character)[0]) > 0


def scanned(texts, analyzer):
    """Cut texts into tokens as an analyser does; give what `scan` makes of each block of them."""
    for block in byte_blocks(analyzer.split(text) + _CLOSE for text in texts):
        yield scan(np.frombuffer(b"".join(block), np.uint8), len(block), HASH_KEY)


def byte_blocks(strings):
    """Group byte strings into lists of about `_BLOCK_BYTES` bytes."""
    block, size = [], 0
    for string in strings:
        block.append(string)
        size += len(string)
        if size >= _BLOCK_BYTES:
            yield block
            block, size = [], 0
    if block:
        yield block


def _stop_words(stop_words):
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str):
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        return ENGLISH_STOP_WORDS
    return frozenset(map(folded, stop_words))


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
