"""Openings of texts: what stands first, such as a title or a subject, often says what a text is about."""

import re

LONGEST = 100  # characters of an opening that is no line of its own, up to the end of a word

_LEADING = re.compile(r"[ \t\n\r\f\v]*")
_SPACE = re.compile(r"[ \t\n\r\f\v]")
_LINE_END = re.compile(r"[\n\r]")
_WORD = 30  # characters after which the end of a word is not waited for


def opening_of(text, n_characters=LONGEST):
    r"""Give the opening of a text: its first line or, where that is long, its first characters.

    Parameters
    ----------
    text : str
        The text.
    n_characters : int, default=100
        A line is long if it has more than twice as many characters. Then so many are taken, up to the end
        of a word.

    Returns
    -------
    str
        The text from its beginning to there; white space that comes first is not counted.

    Examples
    --------
    >>> from textspace.text import opening_of
    >>> opening_of("Corn prices\nThe price of corn rose")
    'Corn prices'
    >>> opening_of("The price of corn rose on Monday", n_characters=10)
    'The price of'
    """
    first = _LEADING.match(text).end()
    line = _LINE_END.search(text, first, first + 2 * n_characters + 1)
    if line:
        return text[: line.start()]
    least = first + n_characters
    space = _SPACE.search(text, least, least + _WORD)
    return text[: space.start() if space else least + _WORD]


def has_openings(texts):
    r"""Tell whether openings are something of their own: most texts go on after theirs.

    Parameters
    ----------
    texts : sequence of str
        Texts.

    Returns
    -------
    bool
        Whether at least half of them are twice as long as their openings.

    Examples
    --------
    >>> from textspace.text import has_openings
    >>> has_openings(["Corn prices\nThe price of corn rose", "Short", "Ships\nTwo ships sank"])
    True
    """
    return sum(len(text) >= 2 * len(opening_of(text)) for text in texts) * 2 >= len(texts)
