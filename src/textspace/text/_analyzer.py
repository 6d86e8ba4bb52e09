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

from textspace._compiled import compiled
from textspace.text._characters import SEPARATOR, as_written, between_spaces, in_words
from textspace.text._languages import LANGUAGES, detect_languages
from textspace.text._scan import DOCUMENT_END, HASH_KEY, scan
from textspace.text._stop_words import stop_words as listed_stop_words
from textspace.text._whole import cut_all, in_runs, loosen

# The compiled scan takes texts in blocks of about this many bytes, so that it never copies the whole corpus.
_BLOCK_BYTES = 1 << 23

# So many characters are sooner replaced one after the other than looked up in a table.
_FEW = 50

_CLOSE = bytes([DOCUMENT_END])
_ASCII = bytes(range(128))

_RULES = {"words": in_words, "written": as_written, "whole": in_runs, "letters": between_spaces}

_MOST_CAPITALS = 5  # of a name such as AIDS


class TokenizedBlock(NamedTuple):
    """Consecutive documents as numbered terms.

    `terms` are those that no earlier block has, in the order of their first place. `ids` (int32) has for each
    token the number of its term among those of all blocks so far, or -1 for a token that was dropped.
    Document i of the block holds ``ids[ends[i - 1] : ends[i]]`` (from 0 for the first).

    `forms` are the tokens that no earlier block has, as they are written. `form_terms` (int32) has a row for
    each, with the number of its term in each language; `uses` has one for each form of all blocks so far, and
    how often it stands in texts of each language in this block.
    """

    terms: list[str]
    ids: np.ndarray
    ends: np.ndarray
    forms: list[str]
    form_terms: np.ndarray
    uses: np.ndarray


class Analyzer:
    """Turn texts into terms. The parameters are those of :class:`textspace.text.VectorSpace`.

    `languages` are the codes of those that texts may be in, where stems or stop words are "auto".
    """

    def __init__(self, *, stem, stop_words, token_pattern, tokens, languages=()):
        self.languages = languages
        self.endings = [
            (
                stem if stem != "auto" else LANGUAGES[code].stem if code else None,
                _stop_words(stop_words, code),
            )
            for code in languages or [""]
        ]
        self.pattern = None if token_pattern is None else _compiled(token_pattern)
        self.shortest = 2 if token_pattern is None and tokens == "words" else 1
        self.rule = _RULES[tokens]
        self.is_whole = tokens == "whole"
        # Whole tokens keep their case: capitals tell names from words.
        kept_case = str if self.is_whole else str.lower
        ascii_rules = [self.rule(kept_case(chr(i))) for i in range(128)]
        # For `bytes.translate`: letters, separators, the rest as it is.
        self._table = bytes(ord(rule.strip(SEPARATOR) or SEPARATOR) for rule in ascii_rules) + bytes(
            range(128, 256)
        )
        self._alone = [rule.encode() for rule in ascii_rules if len(rule) > 1]

    def __call__(self, texts):
        """Analyse texts, as `blocks`, and give all blocks at once."""
        return list(self.blocks(texts))

    def blocks(self, texts):
        """Analyse texts as they come, some millions of characters a block; stem each distinct token once."""
        form_ids, cuts, spoken = {}, {}, []
        term_ids = defaultdict(count().__next__, {None: -1})
        form_terms = np.empty((0, len(self.endings)), np.int32)
        n_terms = 0
        for ids, ends, pool in scanned(self._noted(texts, spoken), self):
            runs = pool.tobytes().decode().split(SEPARATOR)[:-1]
            tokens, token_ends = (runs, None) if not self.is_whole else cut_all(runs, cuts)
            new = [token for token in dict.fromkeys(tokens) if token not in form_ids]
            form_ids.update(zip(new, count(len(form_ids)), strict=False))
            new_terms = np.empty((len(new), len(self.endings)), np.int32)
            for language in range(len(self.endings)):
                terms = self.terms(new, language)
                new_terms[:, language] = np.fromiter(map(term_ids.__getitem__, terms), np.int32, len(new))
            form_terms = np.concatenate([form_terms, new_terms])
            forms = np.fromiter(map(form_ids.__getitem__, tokens), np.int32, len(tokens))
            if self.is_whole:
                forms, ends = _each_cut(ids, ends, forms, token_ends)
            else:
                forms = forms[ids]
            languages = np.repeat(spoken, np.diff(ends, prepend=0)) if len(self.endings) > 1 else 0
            spoken.clear()
            terms = list(islice(term_ids, 1 + n_terms, None))
            n_terms += len(terms)
            uses = np.bincount(forms * len(self.endings) + languages, minlength=form_terms.size)
            yield TokenizedBlock(
                terms, form_terms[forms, languages], ends, new, new_terms, uses.reshape(form_terms.shape)
            )

    def _noted(self, texts, spoken):
        """Give texts as they come, and note the language of each where there are several."""
        if len(self.endings) == 1:
            return texts
        return (spoken.append(self.language_of(text)) or text for text in texts)

    def language_of(self, text):
        """Give the position of a text's language, the first where it has no letters."""
        if len(self.endings) == 1:
            return 0
        [code] = detect_languages([text], among=self.languages)
        return self.languages.index(code) if code else 0

    def terms(self, tokens, language=0):
        """Give the stem of each token in lower case, or None for a stop word and for one that is too short.

        Whole tokens that are names keep their form.
        """
        stem, stop_words = self.endings[language]
        lower = [_in_lower_case(token, stem) for token in tokens] if self.is_whole else tokens
        is_kept = [len(token) >= self.shortest and token not in stop_words for token in lower]
        kept = list(compress(lower, is_kept))
        if stem is not None:
            stems = Stemmer.Stemmer(stem, 0).stemWords(kept)
            if self.is_whole:
                names = map(is_name, compress(tokens, is_kept))
                stems = [token if name else cut for token, cut, name in zip(kept, stems, names, strict=True)]
            kept = stems
        kept = iter(kept)
        return [next(kept) if keep else None for keep in is_kept]

    def split(self, text):
        """Give the text as bytes in which `TOKEN_END` stands between runs.

        They are in lower case, but for whole tokens.
        """
        if self.pattern is not None:
            # Half a surrogate pair, as broken input may hold, has no bytes: it becomes a question mark.
            return SEPARATOR.join(self.pattern.findall(folded(text))).encode("utf-8", "replace")
        encoded = text.encode("ascii") if text.isascii() else self._ruled(self.normalized(text))
        for rule in self._alone:
            encoded = encoded.replace(rule[1:-1], rule)
        return encoded.translate(self._table)

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


@compiled(nogil=True)
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


def _in_lower_case(token, stem):
    """Lower-case a token; the Turkish i has a dot in capitals, or has none in small letters."""
    if stem == "turkish":
        token = token.replace("I", "ı")
    return token.lower().replace("i\u0307", "i")


def is_name(token):
    """Whether a token has no ending to be cut off: short, in a few capitals, or not of letters only.

    >>> [token for token in ("DNS", "cats", "MP3s", "bus", "Houses") if is_name(token)]
    ['DNS', 'MP3s', 'bus']
    """
    return len(token) < 4 or (len(token) <= _MOST_CAPITALS and token.isupper()) or not token.isalpha()


def cached_analyzer(*, stop_words, **settings):
    """Give an analyser, the same one for the same settings; it holds nothing of the texts."""
    if isinstance(stop_words, Collection) and not isinstance(stop_words, str):
        stop_words = frozenset(stop_words)  # the caller's list may change
    return _make(stop_words=stop_words, **settings)


_make = lru_cache(maxsize=16)(Analyzer)


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


def scanned(texts, analyzer):
    """Cut texts into tokens as an analyser does; give what `scan` makes of each block of them."""
    for block in byte_blocks(analyzer.split(text) + _CLOSE for text in texts):
        buffer = np.frombuffer(b"".join(block), np.uint8)
        yield scan(loosen(buffer) if analyzer.is_whole else buffer, len(block), HASH_KEY)


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


def _stop_words(stop_words, language):
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str):
        return listed_stop_words({"auto": language, "english": "en"}.get(stop_words, stop_words))
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
