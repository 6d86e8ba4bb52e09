"""Texts -> tokens as they are written, numbered; several spaces may share them."""

import re
import unicodedata
from collections import defaultdict
from functools import lru_cache
from itertools import count, islice
from threading import Lock
from typing import NamedTuple

import numpy as np

from textspace._compiled import compiled
from textspace.text._characters import SEPARATOR, as_written, between_spaces, in_words
from textspace.text._languages import main_languages
from textspace.text._scan import DOCUMENT_END, HASH_KEY, TOKEN_END, scan
from textspace.text._whole import cut_all, in_runs, loosen

# The compiled scan takes texts in blocks of about this many bytes, so that it never copies the whole corpus.
_BLOCK_BYTES = 1 << 23

# So many characters are sooner replaced one after the other than looked up in a table.
_FEW = 50

_CLOSE = bytes([DOCUMENT_END])
_ASCII = bytes(range(128))

_RULES = {"words": in_words, "written": as_written, "whole": in_runs, "letters": between_spaces}


class ReadBlock(NamedTuple):
    """Consecutive documents as numbered tokens.

    `forms` are the tokens that no earlier block has, as they are written, in the order of their first place.
    `ids` (int32) has for each token of the text its number among those of all blocks so far. Document i of
    the block holds ``ids[ends[i - 1] : ends[i]]`` (from 0 for the first).
    """

    forms: list[str]
    ids: np.ndarray
    ends: np.ndarray


class Reader:
    """Find the tokens of texts. The parameters are those of :class:`textspace.text.VectorSpace`."""

    def __init__(self, *, token_pattern, tokens):
        self.pattern = None if token_pattern is None else _compiled(token_pattern)
        self.rule = _RULES[tokens]
        self.is_whole = tokens == "whole"
        # Whole tokens keep their case: capitals tell names from words.
        kept_case = str if self.is_whole else str.lower
        ascii_rules = [self.rule(kept_case(chr(i))) for i in range(128)]
        # What becomes of each byte: letters, separators, the rest as it is.
        self._table = np.arange(256, dtype=np.uint8)
        self._table[:128] = [ord(rule.strip(SEPARATOR) or SEPARATOR) for rule in ascii_rules]
        self._is_alone = np.zeros(256, bool)
        self._is_alone[:128] = [len(rule) > 1 for rule in ascii_rules]

    def blocks(self, texts):
        """Read texts as they come, some millions of characters a block."""
        numbers = defaultdict(count().__next__)
        for ids, ends, pool in scanned(texts, self):
            n_before = len(numbers)
            if self.is_whole:
                tokens, token_ends = cut_all(pool)
            else:
                tokens = pool.tobytes().decode().split(SEPARATOR)[:-1]
            forms = np.fromiter(map(numbers.__getitem__, tokens), np.int32, len(tokens))
            ids, ends = _each_cut(ids, ends, forms, token_ends) if self.is_whole else (forms[ids], ends)
            yield ReadBlock(list(islice(numbers, n_before, None)), ids, ends)

    def encoded(self, text):
        """Give a text as bytes, in which all but ASCII is what its rule says."""
        if self.pattern is not None:
            # Half a surrogate pair, as broken input may hold, has no bytes: it becomes a question mark.
            return SEPARATOR.join(self.pattern.findall(folded(text))).encode("utf-8", "replace")
        return text.encode("ascii") if text.isascii() else self._ruled(self.normalized(text))

    def split(self, texts):
        """Give encoded texts, any number of them together, as an array with `TOKEN_END` between runs.

        They are in lower case, but for whole tokens.
        """
        buffer = np.frombuffer(texts, np.uint8)
        if self.pattern is None:
            buffer = _set_apart(buffer, self._table, self._is_alone)
            buffer.flags.writeable = False  # as bytes are, so that what reads it is compiled once
        return buffer

    def normalized(self, text):
        """Give a text with one spelling for each letter, in lower case but for whole tokens."""
        return composed(text) if self.is_whole else folded(text)

    def loosened(self, text):
        """Give characters that a rule stands for with the separators that the scan sees; as many of them."""
        if not self.is_whole:
            return text
        buffer = np.frombuffer(text.encode() + _CLOSE, np.uint8)
        return loosen(buffer)[:-1].tobytes().decode()

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


class SharedTexts(list):
    """Texts that several spaces ask for: each reader reads them once, and what it found is kept."""

    def __init__(self, texts):
        super().__init__(texts)
        self._blocks = {}
        self._languages = None
        self._lock = Lock()

    def languages(self):
        """Give their main languages, which are told once."""
        with self._lock:
            if self._languages is None:
                self._languages = main_languages(self)
            return list(self._languages)

    def blocks(self, reader):
        """Give the list of what the reader's `blocks` gives."""
        with self._lock:  # another thread may be reading them
            if reader not in self._blocks:
                self._blocks[reader] = list(reader.blocks(self))
            return self._blocks[reader]


cached_reader = lru_cache(maxsize=16)(Reader)


@compiled(nogil=True, steps=lambda texts, *_: texts.size)
def _set_apart(texts, table, is_alone):
    """Translate bytes by a table, with `TOKEN_END` on both sides of those that are tokens by themselves."""
    n_alone = 0
    for byte in texts:
        n_alone += is_alone[byte]
    split = np.empty(texts.size + 2 * n_alone, np.uint8)
    place = 0
    for byte in texts:
        if is_alone[byte]:
            split[place] = split[place + 2] = TOKEN_END
            place += 1
        split[place] = table[byte]
        place += 1 + is_alone[byte]
    return split


@compiled(nogil=True, steps=lambda ids, *_: ids.size)
def _each_cut(ids, ends, forms, form_ends):
    """Put the tokens of each run in its place; the tokens of run r end at ``form_ends[r]`` of `forms`."""
    n_tokens = 0
    for run in ids:
        n_tokens += form_ends[run] - (form_ends[run - 1] if run else 0)
    tokens = np.empty(n_tokens, np.int32)
    token_ends = np.empty_like(ends)
    n_tokens = place = 0
    for document in range(ends.size):
        while place < ends[document]:
            run = ids[place]
            place += 1
            for i in range(form_ends[run - 1] if run else 0, form_ends[run]):
                tokens[n_tokens] = forms[i]
                n_tokens += 1
        token_ends[document] = n_tokens
    return tokens, token_ends


def folded(text):
    """Lower-case, with one spelling for each accented letter (é may also be written as e and an accent)."""
    return unicodedata.normalize("NFC", with_few_marks(text.lower()))


def composed(text):
    """One spelling for each letter, be it full-width, a ligature or drawn otherwise; the case stays."""
    return unicodedata.normalize("NFKC", with_few_marks(text))


def with_few_marks(text):
    """Of more than 30 marks in a row, those beyond become a character without effect.

    No language has so many, and Unicode's stream-safe format allows 30: composing them takes time that grows
    with the square of their number.
    """
    marks = "".join(sorted(filter(is_mark, set(text))))
    return re.sub(f"(?<=[{marks}]{{30}})[{marks}]", "\u034f", text) if marks else text


@lru_cache(maxsize=1 << 16)
def is_mark(character):
    """Whether a character is put in order with the marks before it when accented letters are composed."""
    return unicodedata.combining(unicodedata.normalize("NFD", character)[0]) > 0


def scanned(texts, reader):
    """Cut texts into runs as a reader does; give what `scan` makes of each block of them."""
    for block in byte_blocks(reader.encoded(text) for text in texts):
        buffer = reader.split(_CLOSE.join([*block, b""]))
        if reader.is_whole:
            buffer = loosen(buffer)
            buffer.flags.writeable = False  # as without it, so that `scan` is compiled once
        yield scan(buffer, len(block), HASH_KEY)


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
