"""A fitted space in plain arrays and words: all that a scorer in another language needs to read texts."""

import unicodedata
from functools import cache

import numpy as np

from textspace.text._characters import SEPARATOR, between_spaces
from textspace.text._languages import language_weights
from textspace.text._letters import Letters
from textspace.text._reading import is_mark
from textspace.text._vocabulary import HashedWords
from textspace.text._whole import in_runs

# What becomes of a character of whole tokens, in the order of its number.
_SEPARATES, _STAYS, _STANDS_ALONE, _VANISHES, _IS_HYPHEN = range(5)
_FIRST_FLAG = 3  # bit
_EMPTY_PLANES = range(0x40000, 0xE0000)  # no character is there
_PRIVATE_PLANES = range(0xF0000, 0x110000)  # nor any that has a meaning


def outline_space(space):
    """Describe a fitted space of words or letters by plain values.

    Parameters
    ----------
    space : VectorSpace
        Fitted on texts, with whole tokens or letters.

    Returns
    -------
    dict
        ``kind`` ("words" or "letters"), ``scheme``, ``idf``, ``opening`` and, of words, ``words``, ``forms``
        (None where there are none), ``starts``, ``firsts`` and ``seconds`` of the pairs, ``languages``,
        ``endings`` (of each language the stemmer, or None, and the stop words) and ``weights`` that tell the
        languages apart; of letters, ``characters``, ``lengths`` and ``is_term``.

    Raises
    ------
    ValueError
        The space reads texts in some other way.

    Examples
    --------
    >>> from textspace.text import VectorSpace, outline_space
    >>> outline = outline_space(VectorSpace(tokens="whole").fit(["Ponies and DNS"]))
    >>> outline["kind"], outline["words"], outline["endings"][0][0]
    ('words', ['dns', 'poni'], 'porter')
    """
    common = {"scheme": space.scheme, "idf": space.idf_, "opening": space.opening}
    if isinstance(space.vocabulary_, Letters):
        letters = space.vocabulary_
        arrays = {name: getattr(letters, name) for name in ("characters", "lengths", "is_term")}
        return {"kind": "letters", **common, **arrays}
    is_whole = space.token_pattern is None and space.tokens == "whole" and space._kept_columns is None
    if not is_whole or isinstance(space.vocabulary_, HashedWords):
        raise ValueError("only spaces of whole tokens and of letters can be described.")
    analyzer = space._analyzer()
    forms = getattr(space, "forms_", None)
    return {
        "kind": "words",
        **common,
        "words": list(space.vocabulary_),
        "forms": None if forms is None else forms.tolist(),
        "starts": space._pairs.starts.astype(np.int32),
        "firsts": space._pairs.firsts,
        "seconds": space._pairs.seconds,
        "languages": list(analyzer.languages),
        "endings": [[stem, sorted(stop_words)] for stem, stop_words in analyzer.endings],
        "weights": language_weights(analyzer.languages) if len(analyzer.languages) > 1 else None,
    }


@cache
def character_table():
    """Say what this version of Unicode makes of each character.

    Returns
    -------
    list of (int, int)
        The first character of each range, ascending, and a number: the lowest three bits say what becomes of
        it within whole tokens (0: it separates, 1: it stays, 2: it stands alone, 3: it vanishes, 4: it is a
        hyphen); then, bit by bit, whether it is white space, a letter, a decimal digit, a digit, in upper
        case, in lower or title case, a mark that is put in order, known at all, and a mark of any kind.

    Examples
    --------
    >>> from textspace.text import character_table
    >>> table = dict(character_table())
    >>> table[ord("A")] & 7, bin(table[ord("A")] >> 3)
    (1, '0b10010010')
    """
    ranges, last = [], None
    for place in range(0x110000):
        if (place in _EMPTY_PLANES and place != _EMPTY_PLANES.start) or (
            place in _PRIVATE_PLANES and place != _PRIVATE_PLANES.start
        ):
            continue
        number = _number(chr(place))
        if number != last:
            ranges.append((place, number))
            last = number
    return ranges


def _number(character):
    rule = in_runs(character)
    if rule == character:
        number = _STAYS
    elif rule == "":
        number = _VANISHES
    elif rule == SEPARATOR:
        number = _SEPARATES
    else:
        number = _IS_HYPHEN if rule == "-" else _STANDS_ALONE
    category = unicodedata.category(character)
    if category == "Cn":
        return number
    flags = (
        between_spaces(character) == SEPARATOR,
        character.isalpha(),
        character.isdecimal(),
        character.isdigit(),
        character.isupper(),
        character.islower() or (character.istitle() and not character.isupper()),
        is_mark(character),
        True,
        category[0] == "M",
    )
    return number | sum(bool(flag) << (_FIRST_FLAG + place) for place, flag in enumerate(flags))
