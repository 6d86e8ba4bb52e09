"""Text -> terms: letters, stop words, stems."""

from collections import defaultdict
from collections.abc import Collection
from functools import lru_cache
from itertools import count, islice, tee
from typing import NamedTuple

import numpy as np
import Stemmer

from textspace.text._characters import SEPARATOR
from textspace.text._languages import LANGUAGES, detect_languages
from textspace.text._reading import SharedTexts, cached_reader, folded
from textspace.text._stop_words import stop_words as listed_stop_words

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
        self.shortest = 2 if token_pattern is None and tokens == "words" else 1
        self.reader = cached_reader(token_pattern=token_pattern, tokens=tokens)

    def __call__(self, texts):
        """Analyse texts, as `blocks`, and give all blocks at once."""
        return list(self.blocks(texts))

    def blocks(self, texts):
        """Analyse texts as they come, block by block; stem each distinct token once."""
        read, spoken = self._read(texts)
        term_ids = defaultdict(count().__next__, {None: -1})
        form_terms = np.empty((0, len(self.endings)), np.int32)
        n_terms = 0
        for forms, ids, ends in read:
            new_terms = np.empty((len(forms), len(self.endings)), np.int32)
            for language in range(len(self.endings)):
                terms = self.terms(forms, language)
                new_terms[:, language] = np.fromiter(map(term_ids.__getitem__, terms), np.int32, len(forms))
            form_terms = np.concatenate([form_terms, new_terms])
            terms = list(islice(term_ids, 1 + n_terms, None))
            n_terms += len(terms)
            places = ids  # in `form_terms`
            if len(self.endings) > 1:
                languages = np.repeat(list(islice(spoken, len(ends))), np.diff(ends, prepend=0))
                places = ids * len(self.endings) + languages
            uses = np.bincount(places, minlength=form_terms.size).reshape(form_terms.shape)
            yield TokenizedBlock(terms, form_terms.ravel()[places], ends, forms, new_terms, uses)

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
        lower = terms = _in_lower_case(tokens, stem) if self.reader.is_whole else tokens
        if stem is not None:
            terms = Stemmer.Stemmer(stem, 0).stemWords(lower)
            if self.reader.is_whole:
                each = zip(map(is_name, tokens), lower, terms, strict=True)
                terms = [token if name else stem for name, token, stem in each]
        if stop_words or self.shortest > 1:
            is_kept = (len(token) >= self.shortest and token not in stop_words for token in lower)
            terms = [term if kept else None for kept, term in zip(is_kept, terms, strict=True)]
        return terms


def _in_lower_case(tokens, stem):
    """Lower-case tokens; the Turkish i has a dot in capitals, or has none in small letters."""
    text = SEPARATOR.join(tokens)  # all at once, which is quicker
    if stem == "turkish":
        text = text.replace("I", "ı")
    return text.lower().replace("i\u0307", "i").split(SEPARATOR) if tokens else []


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


def _stop_words(stop_words, language):
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str):
        return listed_stop_words({"auto": language, "english": "en"}.get(stop_words, stop_words))
    return frozenset(map(folded, stop_words))
