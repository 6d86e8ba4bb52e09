"""Text -> terms: letters, stop words, stems."""

from collections.abc import Collection
from functools import lru_cache
from itertools import islice, tee
from typing import NamedTuple

import numpy as np
import Stemmer

from textspace.text._characters import SEPARATOR
from textspace.text._languages import LANGUAGES, detect_languages
from textspace.text._reading import SharedTexts, cached_reader, folded
from textspace.text._stop_words import stop_words as listed_stop_words

_MOST_CAPITALS = 5  # of a name such as AIDS


class TokenizedBlock(NamedTuple):
    """Consecutive documents as numbered tokens, with the term of each.

    `forms` are the tokens that no earlier block has, as they are written, in the order of their first place.
    `terms` has a list for each language, with the term of each of these forms, or None where it is dropped.
    `ids` has for each token of the text the number of its form among those of all blocks so far, times the
    number of languages, and to that the position of the text's language. Document i of the block holds
    ``ids[ends[i - 1] : ends[i]]`` (from 0 for the first).
    """

    forms: list[str]
    terms: list[list[str | None]]
    ids: np.ndarray
    ends: np.ndarray


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
        self.shortest = 2 if token_pattern is None and tokens == "words" else 1
        self.reader = cached_reader(token_pattern=token_pattern, tokens=tokens)

    def __call__(self, texts):
        """Analyse texts, as `blocks`, and give all blocks at once."""
        return list(self.blocks(texts))

    def blocks(self, texts):
        """Analyse texts as they come, block by block; stem each distinct token once."""
        read, spoken = self._read(texts)
        n_languages = len(self.endings)
        for forms, ids, ends in read:
            terms = [self.terms(forms, language) for language in range(n_languages)]
            if n_languages > 1:
                languages = list(islice(spoken, len(ends)))
                ids = ids * n_languages + np.repeat(languages, np.diff(ends, prepend=0))
            yield TokenizedBlock(forms, terms, ids, ends)

    def _read(self, texts):
        """Give the tokens of texts, block by block, and the language of each text."""
        if isinstance(texts, SharedTexts):
            return texts.blocks(self.reader), map(self.language_of, texts)
        if len(self.endings) == 1:
            return self.reader.blocks(texts), ()
        texts, heard = tee(texts)  # which keeps the texts of a block
        return self.reader.blocks(texts), map(self.language_of, heard)

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
        lower = _in_lower_case(tokens, stem) if self.reader.is_whole else tokens
        terms = np.empty(len(tokens), dtype=object)
        terms[:] = lower
        if stem is not None:
            has_ending = ~are_names(tokens) if self.reader.is_whole else slice(None)
            terms[has_ending] = Stemmer.Stemmer(stem, 0).stemWords(terms[has_ending].tolist())
        if stop_words:
            terms[of_each(stop_words.__contains__, lower, bool)] = None
        if self.shortest > 1:
            terms[of_each(len, lower, np.int64) < self.shortest] = None
        return terms.tolist()


def _in_lower_case(tokens, stem):
    """Lower-case tokens; the Turkish i has a dot in capitals, or has none in small letters."""
    text = SEPARATOR.join(tokens)  # all at once, which is quicker
    if stem == "turkish":
        text = text.replace("I", "ı")
    return text.lower().replace("i\u0307", "i").split(SEPARATOR) if tokens else []


def are_names(tokens):
    """Tell which tokens have no ending to be cut off: short, in a few capitals, or not of letters only.

    >>> are_names(["DNS", "cats", "MP3s", "bus", "Houses"])
    array([ True, False,  True,  True, False])
    """
    lengths = of_each(len, tokens, np.int64)
    are_capitals = (lengths <= _MOST_CAPITALS) & of_each(str.isupper, tokens, bool)
    return (lengths < 4) | are_capitals | ~of_each(str.isalpha, tokens, bool)


def of_each(function, tokens, dtype):
    """Give what a function says of each of many tokens, as an array."""
    return np.fromiter(map(function, tokens), dtype, len(tokens))


def cached_analyzer(*, stop_words, **settings):
    """Give an analyser, the same one for the same settings; it holds nothing of the texts."""
    if isinstance(stop_words, Collection) and not isinstance(stop_words, str):
        stop_words = frozenset(stop_words)  # the caller's list may change
    return _make(stop_words=stop_words, **settings)


_make = lru_cache(maxsize=16)(Analyzer)


def _stop_words(stop_words, language):
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str):
        return listed_stop_words({"auto": language, "english": "en"}.get(stop_words, stop_words))
    return frozenset(map(folded, stop_words))
