"""What becomes of each character of a text: part of a token, a token of its own, a separator, or nothing."""

import unicodedata
from functools import lru_cache

from textspace.text._scan import TOKEN_END

SEPARATOR = chr(TOKEN_END)
JOINERS = "\u200c\u200d"  # within a word of Persian or an Indic language, or between the parts of an emoji


@lru_cache(maxsize=1 << 16)
def in_words(character):
    """Give what stands for a character where words are runs of letters: itself, or a separator.

    Marks (vowel signs of Indic scripts, Arabic points, accents that have no composed form) are not letters in
    Unicode, but without them a word is torn. Variation selectors are marks too, but they belong to emoji.
    """
    category = unicodedata.category(character)
    is_letter = category[0] == "L" or (category in ("Mn", "Mc") and not selects_a_variant(character))
    return character if is_letter else SEPARATOR


@lru_cache(maxsize=1 << 16)
def as_written(character):
    """Give what stands for a character where digits and symbols count too.

    Letters, marks and digits are parts of words. An exclamation mark, a question mark and each symbol (an
    emoji, a currency) stands between separators, as a token of its own. Joiners and variation selectors
    vanish, and what is left separates words.
    """
    category = unicodedata.category(character)
    if character in JOINERS or selects_a_variant(character):
        return ""
    if category[0] == "S" or character in "!?":
        return SEPARATOR + character + SEPARATOR
    return character if category[0] == "N" else in_words(character)


@lru_cache(maxsize=1 << 16)
def between_spaces(character):
    """Give what stands for a character where only white space separates: itself, or a separator.

    Half a surrogate pair, as broken input may hold, becomes Unicode's replacement character.
    """
    if character.isspace() or character == SEPARATOR:
        return SEPARATOR
    return "\ufffd" if unicodedata.category(character) == "Cs" else character


def selects_a_variant(character):
    """Whether a character says how an emoji is drawn, or a letter of Han."""
    return "\ufe00" <= character <= "\ufe0f"
