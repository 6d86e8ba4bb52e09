"""Which language a text is in: n-grams of letters, weighed by a table that stands beside this file.

The table has a row for each of some thousand numbers, to which n-grams of one to four characters are hashed,
and a column for each language. ``python -m experiments.languages`` learns it from texts in these languages.
"""

from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import NamedTuple

import numpy as np

from textspace._compiled import compiled
from textspace.text._stop_words import STOP_WORD_LANGUAGES

_TABLE = "languages.npz"
_LONGEST = 4  # characters of an n-gram
_CHARACTERS = 600  # of a text that are looked at
_CHARACTERS_ROOM = 2 * _CHARACTERS  # a few have two in lower case
_TEXTS = 4096  # that are looked at together
_SAMPLE = 4000  # texts that tell the languages of all
_CLEAR = 800  # by which another score is higher: 50 in the logarithm of the likelihood
_SHORT = 50  # characters of a text that is not looked at alone
_LEAST_SHARE, _LEAST_PASSAGES = 0.05, 3  # of a language that is no accident
_SPACE = ord(" ")
_HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_ASCII_LETTERS = np.array([chr(i).isalpha() for i in range(128)])


class Language(NamedTuple):
    """A language that texts may be in.

    Attributes
    ----------
    name : str
        Its name in English.
    stem : str or None, default=None
        Its stemmer, as :class:`VectorSpace` takes it; None where there is none.

    Examples
    --------
    >>> from textspace.text import LANGUAGES
    >>> LANGUAGES["de"]
    Language(name='German', stem='german')
    """

    name: str
    stem: str | None = None


LANGUAGES = {
    "ar": Language("Arabic", "arabic"),
    "az": Language("Azerbaijani"),
    "bg": Language("Bulgarian"),
    "bn": Language("Bengali"),
    "ca": Language("Catalan", "catalan"),
    "cs": Language("Czech"),
    "da": Language("Danish", "danish"),
    "de": Language("German", "german"),
    "el": Language("Greek", "greek"),
    "en": Language("English", "porter"),
    "es": Language("Spanish", "spanish"),
    "et": Language("Estonian", "estonian"),
    "eu": Language("Basque", "basque"),
    "fa": Language("Persian"),
    "fi": Language("Finnish", "finnish"),
    "fr": Language("French", "french"),
    "he": Language("Hebrew"),
    "hi": Language("Hindi", "hindi"),
    "hr": Language("Croatian"),
    "hu": Language("Hungarian", "hungarian"),
    "id": Language("Indonesian", "indonesian"),
    "is": Language("Icelandic"),
    "it": Language("Italian", "italian"),
    "ja": Language("Japanese"),
    "ka": Language("Georgian"),
    "km": Language("Khmer"),
    "ko": Language("Korean"),
    "lt": Language("Lithuanian", "lithuanian"),
    "lv": Language("Latvian"),
    "mk": Language("Macedonian"),
    "nb": Language("Norwegian", "norwegian"),
    "nl": Language("Dutch", "dutch"),
    "pl": Language("Polish"),
    "pt": Language("Portuguese", "portuguese"),
    "ro": Language("Romanian", "romanian"),
    "ru": Language("Russian", "russian"),
    "sk": Language("Slovak"),
    "sl": Language("Slovenian"),
    "sq": Language("Albanian"),
    "sr": Language("Serbian"),
    "sv": Language("Swedish", "swedish"),
    "ta": Language("Tamil", "tamil"),
    "th": Language("Thai"),
    "tr": Language("Turkish", "turkish"),
    "uk": Language("Ukrainian"),
    "vi": Language("Vietnamese"),
    "zh": Language("Chinese"),
}


def detect_languages(texts, among=None):
    """Tell the language of each text by its first characters.

    Parameters
    ----------
    texts : iterable of str
        Texts; a hundred characters are enough.
    among : sequence of str, default=None
        Codes of the languages that come into question; all that are known by default.

    Returns
    -------
    list of str
        Code of each text's language, as in :data:`LANGUAGES`; "" for a text without letters.

    Examples
    --------
    >>> from textspace.text import detect_languages
    >>> detect_languages(["This is a text in English.", "Dies ist ein deutscher Text.", "42"])
    ['en', 'de', '']
    """
    codes, weights = _table()
    if among is not None:
        codes, weights = list(among), language_weights(among)
    found, texts = [], iter(texts)
    while batch := list(islice(texts, _TEXTS)):
        scores = _scores(*as_characters(batch), weights)
        best = np.where(scores.any(axis=1), scores.argmax(axis=1), len(codes)).tolist()
        found += [[*codes, ""][language] for language in best]
    return found


def endings_of(language):
    """Give the stemmer and the stop words of a language, as parameters of :class:`VectorSpace`.

    Parameters
    ----------
    language : str
        Code of a language (:data:`LANGUAGES`); "auto" for that of the texts, "none" for words as they are.

    Returns
    -------
    dict
        ``stem`` and ``stop_words``.

    Examples
    --------
    >>> from textspace.text import endings_of
    >>> endings_of("de"), endings_of("none")
    ({'stem': 'german', 'stop_words': 'de'}, {'stem': None, 'stop_words': None})
    """
    if language == "auto":
        return {"stem": "auto", "stop_words": "auto"}
    if language == "none":
        return {"stem": None, "stop_words": None}
    if language not in LANGUAGES:
        raise ValueError(
            f"there is no language {language!r}: choose among auto, none, {', '.join(LANGUAGES)}."
        )
    return {
        "stem": LANGUAGES[language].stem,
        "stop_words": language if language in STOP_WORD_LANGUAGES else None,
    }


def main_languages(texts):
    """Tell the languages of texts together, as codes, the commonest first.

    Parameters
    ----------
    texts : list of str
        Texts; at most some thousand of them are looked at.

    Returns
    -------
    list of str
        The commonest language, and others of at least a twentieth of the characters and of three passages, as
        single ones may be told wrong; none where there are no letters.

    Examples
    --------
    >>> from textspace.text import main_languages
    >>> english = "This is a text in English, which is not very long, but long enough."
    >>> german = "Dies ist ein deutscher Text, der nicht sehr lang ist, aber doch lang genug."
    >>> main_languages([english] * 5 + [german] * 3), main_languages([english] * 5 + [german])
    (['en', 'de'], ['en'])
    """
    shares, numbers = language_shares(texts), Counter(_told(_passages(texts)))
    return [
        code
        for place, (code, share) in enumerate(shares.items())
        if place == 0 or (share >= _LEAST_SHARE and numbers[code] >= _LEAST_PASSAGES)
    ]


def language_shares(texts):
    """Give the share of each language among texts, by their characters, the largest first.

    Parameters
    ----------
    texts : list of str
        Texts; at most some thousand of them are looked at.

    Returns
    -------
    dict of str to float
        Shares by the codes of languages; they sum to one.

    Examples
    --------
    >>> from textspace.text import language_shares
    >>> language_shares(["This is a text in English.", "42"])
    {'en': 1.0}
    """
    sizes = Counter()
    passages = _passages(texts)
    for passage, code in zip(passages, _told(passages), strict=True):
        if code:
            sizes[code] += min(len(passage), _CHARACTERS)
    return {code: size / sizes.total() for code, size in sizes.most_common()}


def _told(passages):
    """Tell the language of each passage: the commonest of all where no other is clearly nearer."""
    codes, weights = _table()
    told = detect_languages(passages)
    common = Counter(filter(None, told)).most_common(1)
    if common:
        main = codes.index(common[0][0])
        scores = _scores(*as_characters(passages), weights)
        unclear = scores.any(axis=1) & (scores.max(axis=1) - scores[:, main] < _CLEAR)
        told = [codes[main] if same else code for code, same in zip(told, unclear, strict=True)]
    return told


def _passages(texts):
    """Give a sample of texts; short ones that follow each other are joined, as alone they tell little."""
    passages = [""]
    for text in texts[:: 1 + len(texts) // _SAMPLE]:
        if len(passages[-1]) < _SHORT:
            passages[-1] += f" {text[:_CHARACTERS]}"
        else:
            passages.append(text[:_CHARACTERS])
    return passages


def as_characters(texts):
    """Give the first characters of texts one after the other, in lower case, and where those of each end."""
    begun = [text[:_CHARACTERS].lower() for text in texts]
    ends = np.cumsum(np.fromiter(map(len, begun), np.int64, len(begun)))
    return np.frombuffer("".join(begun).encode("utf-32-le", "surrogatepass"), np.uint32), ends


def language_weights(codes):
    """Give the columns of the table that belong to some languages: an array of int8, a row a hash."""
    known, weights = _table()
    return np.ascontiguousarray(weights[:, [known.index(code) for code in codes]])


@cache
def _table():
    with (files("textspace.text") / _TABLE).open("rb") as file, np.load(file) as table:
        return table["codes"].tolist(), table["weights"]


@compiled(nogil=True)
def hash_ngrams(characters, first, end, n_bits, found):
    """Hash the n-grams of a text, which stands at some places, into so many bits; give how many there are.

    What is no letter of ASCII's first half is a space, and several spaces are one. `found` takes the hashes
    and has room for four a character, and for eight more.
    """
    history = np.zeros(_LONGEST, np.uint64)  # hashes of the n-grams that end at the character before
    n_found, last = 0, _SPACE
    history[0] = np.uint64(_SPACE + 1) * _HASH_FACTOR
    n_known, has_letter = 1, False
    for place in range(first, end + 1):
        character = np.int64(characters[place]) if place < end else _SPACE
        if character < 128 and not _ASCII_LETTERS[character]:
            character = _SPACE
        if character == _SPACE and last == _SPACE:
            continue
        has_letter = has_letter or character != _SPACE
        last = character
        for n in range(min(n_known, _LONGEST - 1), 0, -1):
            history[n] = (history[n - 1] ^ np.uint64(character + 1)) * _HASH_FACTOR
        history[0] = np.uint64(character + 1) * _HASH_FACTOR
        n_known = min(n_known + 1, _LONGEST)
        for n in range(n_known):
            found[n_found] = np.int32(history[n] >> np.uint64(64 - n_bits))
            n_found += 1
    return n_found if has_letter else 0


@compiled(nogil=True)
def _scores(characters, ends, weights):
    """Give the sums of the weights of each text's n-grams, a column a language; zeros if there are none."""
    n_bits = 0
    while (1 << n_bits) < weights.shape[0]:
        n_bits += 1
    scores = np.zeros((ends.size, weights.shape[1]), np.int32)
    found = np.empty(_LONGEST * (_CHARACTERS_ROOM + 2), np.int32)
    flat, n_languages = weights.ravel(), np.uint64(weights.shape[1])
    first = 0
    for text in range(ends.size):
        n_found = hash_ngrams(characters, first, ends[text], n_bits, found)
        first = ends[text]
        sums = scores[text]
        for i in range(n_found):
            # Positions without a sign, of which none can count from the end: ten times as fast.
            start = np.uint64(found[i]) * n_languages
            for language in range(n_languages):
                sums[language] += flat[start + language]
    return scores
