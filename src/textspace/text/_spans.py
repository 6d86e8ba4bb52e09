"""Where the terms of a text stand in it."""

import re
import unicodedata

from textspace.text._analyzer import folded, is_mark, lowered
from textspace.text._characters import SEPARATOR

_RUN = re.compile(f"[^{SEPARATOR}]+")


def locate_terms(analyzer, text):
    """Give start, end and term of each token of a text that is not dropped, in the order of the text.

    ``text[start:end]`` is what the token was before lower-casing, composing and stemming.
    """
    places = list(_tokens(analyzer, text))
    terms = analyzer.terms([token for _, _, token in places])
    origins = origins_of_folded(text)
    return [
        (origins[start][0], origins[stop - 1][1], term)
        for (start, stop, _), term in zip(places, terms, strict=True)
        if term is not None
    ]


def locate_ngrams(analyzer, text, letters):
    """Give start, end and column of each known n-gram of a text, in ascending order."""
    origins = origins_of_folded(text)
    spans = []
    for first, end, run in _tokens(analyzer, text):
        for start, stop, column in letters.places(f" {run} "):
            # The spaces around the run shift all by one, and are no part of the text.
            inside = origins[max(first, first + start - 1) : min(end, first + stop - 1)]
            spans.append((inside[0][0], inside[-1][1], column))
    return sorted(spans)


def _tokens(analyzer, text):
    """Give the start, end and characters of each token in the folded text."""
    text = folded(text)
    if analyzer.pattern is None:
        rules = [analyzer.rule(character) for character in text]
        origins = [position for position, rule in enumerate(rules) for _ in rule]
        stretches = [("".join(rules), origins)]
    else:
        matches = list(analyzer.pattern.finditer(text))
        group = analyzer.pattern.groups
        stretches = [(match[group] or "", range(*match.span(group))) for match in matches]
    for stretch, origins in stretches:
        # The scan of tokens also splits what a pattern found at NUL.
        for run in _RUN.finditer(stretch):
            token = run[0].encode("utf-8", "replace").decode()
            yield origins[run.start()], origins[run.end() - 1] + 1, token


def origins_of_folded(text):
    """Give start and end of what each character of ``folded(text)`` comes from in the text.

    Lower-casing makes two characters of some, and composition one of several. A group of characters that was
    changed as a whole is the origin of each character that it became.
    """
    lower = lowered(text)
    if len(lower) == len(text) and unicodedata.is_normalized("NFC", lower):
        return [(position, position + 1) for position in range(len(text))]
    origins = []
    start = lower_start = lower_end = 0
    for position, character in enumerate(text):
        # Only the shape of a lower-case letter can depend on its neighbours (final sigma), not its length.
        lower_next = lower_end + len(character.lower())
        if _starts_anew(lower[lower_start:lower_end], lower[lower_end:lower_next]):
            origins += [(start, position)] * len(_composed(lower[lower_start:lower_end]))
            start, lower_start = position, lower_end
        lower_end = lower_next
    return origins + [(start, len(text))] * len(_composed(lower[lower_start:]))


def _starts_anew(group, characters):
    """Whether some characters are composed on their own when they follow a group."""
    if characters.isascii():
        return True
    # Marks are sorted before they are composed, so one may reach back over others.
    if is_mark(characters[0]):
        return False
    return _composed(group + characters) == _composed(group) + _composed(characters)


def _composed(characters):
    return unicodedata.normalize("NFC", characters)
