"""Names, numbers, addresses and emoji as whole tokens: what becomes of characters, and of runs of them.

Characters that never belong to a token are separators (:func:`in_runs`). A run between them may hold signs
that are part of a name in one place and stand between words in another: :func:`cut` knows which.
"""

import re
import unicodedata
from functools import lru_cache

import numpy as np

from textspace._compiled import compiled
from textspace.text._characters import JOINERS, SEPARATOR, in_words, selects_a_variant
from textspace.text._cutter import MOST_DIGITS, SIGNS, cut_ascii
from textspace.text._scan import DOCUMENT_END, TOKEN_END

_MONEY = "$¢£¤¥฿₠-⃀"
_HYPHENS = "\u2010\u2011\u2012\u2013"
_SKIN_TONES = "\U0001f3fb", "\U0001f3ff"
_FLAG_LETTERS = "\U0001f1e6", "\U0001f1ff"  # two of them are a flag
# Points for vowels and for chanting, and the stroke that makes a word wider: mostly left out in writing.
_POINTS = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670]")
# Scripts without spaces: Han, Kana, and those of Thai, Lao, Burmese and Khmer.
_IDEOGRAPHS = re.compile(
    "[\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
)
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_ONE_UNSPACED = re.compile(f"[{_UNSPACED}]")
_MARKS = "".join(c for c in map(chr, range(0xE00, 0x1800)) if unicodedata.category(c)[0] == "M")
_FLAGS = "-".join(_FLAG_LETTERS)
_PART = re.compile(f"[{_FLAGS}]{{1,2}}|[{_UNSPACED}][{_MARKS}]*|[^{_FLAGS}{_UNSPACED}]+")
_IS_TAKEN_APART = re.compile(f"[{_FLAGS}{_UNSPACED}]")

_W = f"[^{re.escape(SIGNS)}{_MONEY}]"  # a letter, mark or digit: nothing else is left in a run
_LETTER = rf"[^{re.escape(SIGNS)}{_MONEY}\d]"
# A sentence may begin right behind a full stop; a name goes on in small letters, or is all capitals.
_SENTENCE = "[A-ZÀ-ÞΑ-ΩЀ-Я][a-zß-ÿα-ωа-џ]"
_TOKEN = re.compile(
    rf"""
    (?P<scheme>[A-Za-z]+://)(?:www\.)?(?P<host>{_W}+(?:\.{_W}+)*)?
    | (?:www\.)(?P<site>{_W}+(?:\.{_W}+)*)
    | (?P<money>[{_MONEY}])\d+(?:[.,]\d+)*
    | \d+(?:[.,]\d+)*(?P<behind>[{_MONEY}])
    | (?P<number>\d+(?:[.,:/-]\d+)*)(?!{_W})
    | (?P<name>
        @{_W}+(?:[._]{_W}+)*                                     # @handle, or the host of an e-mail address
        | (?<!{_W})\#(?=\d*{_LETTER}){_W}+(?:_{_W}+)*              # #hashtag
        | {_W}{{1,4}}\+\+(?!{_W}) | {_LETTER}\#(?!{_W})            # C++, C#
        | [A-Z]{{1,3}}&[A-Z]{{1,3}}(?!{_W})                        # AT&T
        | {_LETTER}-{_W}+ | {_LETTER}{_W}*(?:-\d+)+(?!{_W})         # e-mail, UTF-8
        | (?<![{re.escape(SIGNS)}])(?<!{_W})\.{_LETTER}{_W}*      # .NET
        | {_W}+(?:\.(?!{_SENTENCE}){_W}+){{0,5}}?\.(?!{_SENTENCE}){_W}{{1,4}}(?!{_W}|\.{_W})  # Node.js, U.S.
    )
    | (?P<word>{_W}+)
    | (?P<sign>[+{_MONEY}])
    """,
    re.VERBOSE,
)
_AT, _HASH, _COMMA, _COLON, _SLASH, _HYPHEN, _POINT, _UNDERSCORE, _AND, _PLUS = map(ord, "@#,:/-._&+")
_ZERO, _NINE, _A, _Z = map(ord, "09AZ")
_DIGIT = re.compile(r"\d")
_IS_SIGN = np.zeros(256, bool)
_IS_SIGN[[ord(sign) for sign in SIGNS]] = True


@lru_cache(maxsize=1 << 16)
def in_runs(character):
    """Give what stands for a character of a text before runs are cut into tokens.

    Letters, marks, digits and the signs that a name or number may hold stay. An exclamation mark, a question
    mark, each other symbol and each letter of Han and Kana stands between separators. Skin tones, joiners,
    variation selectors and the points of Hebrew and Arabic vanish, and what is left separates runs.
    """
    if character in SIGNS or re.match(f"[{_MONEY}]", character):
        return character
    if character in _HYPHENS:
        return "-"
    if character in JOINERS or selects_a_variant(character) or _POINTS.match(character):
        return ""
    if _SKIN_TONES[0] <= character <= _SKIN_TONES[1]:
        return ""
    if _FLAG_LETTERS[0] <= character <= _FLAG_LETTERS[1]:
        return character
    category = unicodedata.category(character)
    if category[0] == "S" or character in "!?" or _IDEOGRAPHS.match(character):
        return SEPARATOR + character + SEPARATOR
    return character if category[0] == "N" else in_words(character)


@compiled(nogil=True, steps=lambda buffer: buffer.size)
def loosen(buffer):
    """Make a separator of each sign at which :func:`cut` would cut, as far as its neighbours tell.

    So names with signs in them are left, which are few, and words, of which most are seen before. `buffer`
    has runs as UTF-8, with bytes for the ends of runs and documents; a copy of it is given.
    """
    loose = buffer.copy()
    end = tag = -1  # the last places where a run ended, and where a handle or a hashtag began
    last = buffer.size - 1
    for i in range(buffer.size):
        byte = buffer[i]
        end = i if byte in (TOKEN_END, DOCUMENT_END) else end
        if not _IS_SIGN[byte]:
            continue
        if byte in (_AT, _HASH):
            tag = i
        elif byte != _PLUS:
            # The last byte ends a document.
            before, behind = buffer[max(i - 1, 0)] if i else np.uint8(TOKEN_END), buffer[min(i + 1, last)]
            if byte == _UNDERSCORE:
                stays = tag > end
            elif byte == _AND:
                stays = _is_capital(before) and _is_capital(behind)
            elif byte == _POINT:
                stays = _is_part(behind) and (_is_part(before) or before in (TOKEN_END, DOCUMENT_END))
            else:
                stays = _is_digit(before) and _is_digit(behind)
            if byte == _HYPHEN:
                stays = _is_part(before) and (
                    _is_digit(behind) or (_is_part(behind) and _is_single(buffer, i))
                )
            if byte == _COLON:
                stays = stays or (behind == _SLASH and buffer[min(i + 2, last)] == _SLASH)
            if byte == _SLASH:
                stays = (
                    stays
                    or (before == _COLON and behind == _SLASH)
                    or (before == _SLASH and i > 1 and buffer[i - 2] == _COLON)
                )
            if not stays:
                loose[i] = TOKEN_END
                end = i
    return loose


@compiled()
def _is_digit(byte):
    return _ZERO <= byte <= _NINE


@compiled()
def _is_capital(byte):
    return _A <= byte <= _Z


@compiled()
def _is_part(byte):
    """Whether a byte is of a letter, mark, digit or currency."""
    return (byte >= 128 and byte != DOCUMENT_END) or _is_digit(byte) or _A <= (byte & 0xDF) <= _Z


@compiled()
def _is_single(buffer, i):
    """Whether a single letter stands before a place, and no part of a word before that."""
    i -= 1
    while i > 0 and 128 <= buffer[i] < 192:  # of a letter of several bytes
        i -= 1
    return i == 0 or not _is_part(buffer[i - 1])


def cut(run):
    """Cut a run into tokens: give start, end and token of each, in order.

    A token is what stands there, except for what comes in endless variety and is a class: "://" for the
    beginning of an address, "$0" for a price, and for numbers of many digits or with other signs than points
    (dates, times, telephone numbers) their shape, in which each digit is a 0.

    >>> [token for _, _, token in cut("Node.js/C++,v3.11.2")]
    ['Node.js', 'C++', 'v3.11.2']
    >>> [token for _, _, token in cut("https://www.example.org/2024-05-31:$1.50")]
    ['://', 'example.org', '0000-00-00', '$0']
    """
    found = []
    for match in _TOKEN.finditer(run):
        kind = match.lastgroup
        start, end = match.span()
        if kind in ("scheme", "host"):
            found.append((*match.span("scheme"), "://"))
            if kind == "host":
                found.append((*match.span("host"), match["host"]))
        elif kind == "site":
            found.append((*match.span("site"), match["site"]))
        elif kind in ("money", "behind"):
            found.append((start, end, f"{match[kind]}0"))
        elif kind == "number":
            found.append((start, end, _class_of(match[0])))
        elif kind == "word" and not match[0].isascii():
            found.extend(_parts(match[0], start))
        else:
            found.append((start, end, match[0]))
    return found


def cut_all(pool):
    """Cut runs, each closed by `TOKEN_END`; give the tokens of all, and where those of each run end."""
    buffer, ends, others = cut_ascii(pool, np.count_nonzero(pool == TOKEN_END))
    tokens = buffer.tobytes().decode().split(SEPARATOR)[:-1]
    places = ends[others] - 1  # each is one token so far
    cuts = {}
    for run, place in zip(others.tolist(), places.tolist(), strict=True):
        if not _is_word(tokens[place]):
            cuts[run] = place, [token for _, _, token in cut(tokens[place])]
    if not cuts:
        return tokens, ends
    numbers = np.diff(ends, prepend=0)
    numbers[list(cuts)] = [len(parts) for _, parts in cuts.values()]
    found, start = [], 0
    for place, parts in cuts.values():
        found += tokens[start:place]
        found += parts
        start = place + 1
    return found + tokens[start:], np.cumsum(numbers)


def _is_word(run):
    """Whether a run is a token as it stands, as most are; others may be too."""
    return run.isalpha() and max(run) < _UNSPACED[0]


def is_unspaced(token):
    """Whether a token is a letter of a script that has no spaces between words."""
    return bool(_IDEOGRAPHS.match(token) or _ONE_UNSPACED.match(token))


def _class_of(number):
    """Give a number itself, or its shape where it is long or has other signs than points in it."""
    digits = number.replace(".", "")
    return number if digits.isdigit() and len(digits) <= MOST_DIGITS else _DIGIT.sub("0", number)


def _parts(word, start):
    """Take apart flags, and writing without spaces, in which a mark belongs to the letter before it."""
    if not _IS_TAKEN_APART.search(word):
        return [(start, start + len(word), word)]
    return [(start + match.start(), start + match.end(), match[0]) for match in _PART.finditer(word)]
