"""Where the terms of a text stand in it."""

import re
import unicodedata
from functools import partial

from textspace.text._characters import SEPARATOR
from textspace.text._reading import is_mark, with_few_marks
from textspace.text._whole import cut

_RUN = re.compile(f"[^{SEPARATOR}]+")


def locate_terms(analyzer, text):
    """Give start, end and term of each token of a text that is not dropped, in the order of the text.

    ``text[start:end]`` is what the token was before lower-casing, composing and stemming.
    """
    places = list(_tokens(analyzer.reader, text))
    terms = analyzer.terms([token for _, _, token in places], analyzer.language_of(text))
    origins = origins_of_normalized(text, keeps_case=analyzer.reader.is_whole)
    return [
        (origins[start][0], origins[stop - 1][1], term)
        for (start, stop, _), term in zip(places, terms, strict=True)
        if term is not None
    ]


def locate_ngrams(analyzer, text, letters):
    """Give start, end and column of each known n-gram of a text, in ascending order."""
    origins = origins_of_normalized(text)
    spans = []
    for first, end, run in _tokens(analyzer.reader, text):
        for start, stop, column in letters.places(f" {run} "):
            # The spaces around the run shift all by one, and are no part of the text.
            inside = origins[max(first, first + start - 1) : min(end, first + stop - 1)]
            spans.append((inside[0][0], inside[-1][1], column))
    return sorted(spans)


def _tokens(reader, text):
    """Give the start, end and characters of each token in the normalised text."""
    text = reader.normalized(text)
    if reader.pattern is None:
        rules = [reader.rule(character) for character in text]
        origins = [position for position, rule in enumerate(rules) for _ in rule]
        stretches = [(reader.loosened("".join(rules)), origins)]
    else:
        matches = list(reader.pattern.finditer(text))
        group = reader.pattern.groups
        stretches = [(match[group] or "", range(*match.span(group))) for match in matches]
    for stretch, origins in stretches:
        # The scan of tokens also splits what a pattern found at NUL.
        for run in _RUN.finditer(stretch):
            token = run[0].encode("utf-8", "replace").decode()
            for start, end, part in cut(token) if reader.is_whole else [(0, len(token), token)]:
                yield origins[run.start() + start], origins[run.start() + end - 1] + 1, part


def origins_of_normalized(text, *, keeps_case=False):
    """Give start and end of what each character of ``folded(text)`` comes from in the text.

    With `keeps_case`, of ``composed(text)``. Lower-casing makes two characters of some, and composition one
    of several. A group of characters that was changed as a whole is the origin of each character that it
    became.
    """
    changed, form = (str, "NFKC") if keeps_case else (str.lower, "NFC")
    plain = with_few_marks(changed(text))
    if len(plain) == len(text) and unicodedata.is_normalized(form, plain):
        return [(position, position + 1) for position in range(len(text))]
    origins = []
    start = plain_start = plain_end = 0
    for position, character in enumerate(text):
        # Only the shape of a lower-case letter can depend on its neighbours (final sigma), not its length.
        plain_next = plain_end + len(changed(character))
        if _starts_anew(plain[plain_start:plain_end], plain[plain_end:plain_next], form):
            origins += [(start, position)] * len(unicodedata.normalize(form, plain[plain_start:plain_end]))
            start, plain_start = position, plain_end
        plain_end = plain_next
    return origins + [(start, len(text))] * len(unicodedata.normalize(form, plain[plain_start:]))


def _starts_anew(group, characters, form):
    """Whether some characters are composed on their own when they follow a group."""
    if characters.isascii():
        return True
    # Marks are sorted before they are composed, so one may reach back over others.
    if is_mark(characters[0]):
        return False
    composed = partial(unicodedata.normalize, form)
    return composed(group + characters) == composed(group) + composed(characters)
