"""The compiled cutter: runs of ASCII characters -> tokens.

It cuts as :func:`textspace.text._whole.cut`, whose regular expression says what a token is, and is there for
speed alone. Each kind of token is told by the first character of it and by the one behind its first word.
"""

import numpy as np

from textspace._compiled import compiled
from textspace.text._scan import TOKEN_END

SIGNS = ".,-+#@/:&_"  # within a run; they are part of a name in one place and stand between words in another
MOST_DIGITS = 6  # of a number that is a token as it stands

_END, _SIGN, _MONEY, _DIGIT, _LETTER = range(5)  # kinds of bytes; from digits on, they are parts of words
_KINDS = np.full(256, _LETTER, np.uint8)
_KINDS[TOKEN_END] = _END
_KINDS[[ord(sign) for sign in SIGNS]] = _SIGN
_KINDS[ord("$")] = _MONEY
_KINDS[ord("0") : ord("9") + 1] = _DIGIT

_NOTHING, _WRITTEN, _NUMBER, _PRICE, _ADDRESS = range(5)  # what may begin at a place

_POINT, _COMMA, _HYPHEN, _PLUS, _HASH, _AT, _SLASH, _COLON, _AND, _UNDERSCORE = map(ord, ".,-+#@/:&_")
_DOLLAR, _ZERO, _LITTLE_W = map(ord, "$0w")
_CAPITALS, _SMALL = (ord("A"), ord("Z")), (ord("a"), ord("z"))
_BEGINNING = np.frombuffer(b"://", np.uint8)  # of an address
_ANY_PRICE = np.frombuffer(b"$0", np.uint8)
_MOST_POINTS = 6  # in a name


@compiled(nogil=True, steps=lambda pool, _: pool.size)
def cut_ascii(pool, n_runs):
    """Cut the runs of ASCII characters among some into tokens; others are left as they are.

    Parameters
    ----------
    pool : ndarray of uint8
        Runs, each closed by `TOKEN_END`.
    n_runs : int
        How many there are.

    Returns
    -------
    tokens : ndarray of uint8
        Their tokens, each closed by `TOKEN_END`; a run with other characters is one.
    ends : ndarray of int64, shape (n_runs,)
        Run r has the tokens from ``ends[r - 1]`` (0 for the first) to ``ends[r]``.
    others : ndarray of int64
        The runs with other characters, ascending.
    """
    tokens = np.empty(2 * pool.size, np.uint8)
    ends = np.empty(n_runs, np.int64)
    others = np.empty(n_runs, np.int64)
    n_tokens = n_others = size = start = 0
    for run in range(n_runs):
        stop, n_digits, is_plain, is_ascii = start, 0, True, True
        while pool[stop] != TOKEN_END:
            kind = _KINDS[pool[stop]]
            n_digits += kind == _DIGIT
            is_plain &= kind >= _DIGIT
            is_ascii &= pool[stop] < 128
            stop += 1
        if not is_ascii:
            others[n_others] = run
            n_others += 1
        if not is_ascii or (is_plain and (stop - start <= MOST_DIGITS or n_digits < stop - start)):
            size = _copy(pool, start, stop, tokens, size)
            n_tokens += 1
        else:
            place = start
            while place < stop:
                what, first, last, place = _token(pool, place, place == start)
                if what in (_ADDRESS, _PRICE):
                    name = _BEGINNING if what == _ADDRESS else _ANY_PRICE
                    size = _copy(name, 0, name.size, tokens, size)
                    n_tokens += 1
                if what in (_WRITTEN, _NUMBER) or (what == _ADDRESS and first < last):
                    size = _copy(pool, first, last, tokens, size)
                    n_tokens += 1
                if what == _NUMBER:
                    _classify(tokens, size - 1 - (last - first), size - 1)
        ends[run] = n_tokens
        start = stop + 1
    return tokens[:size], ends, others[:n_others]


@compiled()
def _copy(pool, start, stop, tokens, size):
    """Put some bytes behind the tokens and close them; give the number of bytes of all tokens."""
    for i in range(start, stop):
        tokens[size] = pool[i]
        size += 1
    tokens[size] = TOKEN_END
    return size + 1


@compiled()
def _classify(tokens, start, stop):
    """Make zeros of the digits of a number that is long or has other signs than points in it."""
    n_digits, has_signs = 0, False
    for i in range(start, stop):
        is_digit = _KINDS[tokens[i]] == _DIGIT
        n_digits += is_digit
        has_signs |= not is_digit and tokens[i] != _POINT
    if has_signs or n_digits > MOST_DIGITS:
        for i in range(start, stop):
            if _KINDS[tokens[i]] == _DIGIT:
                tokens[i] = _ZERO


@compiled()
def _token(pool, i, is_first):
    """Give what begins at a place, the start and end of what is written there, and where to go on.

    Of an address, start and end are those of its host. `is_first` says whether a run begins there.
    """
    byte, next_kind = pool[i], _KINDS[pool[i + 1]]
    kind = _KINDS[byte]
    if kind >= _DIGIT:
        return _word(pool, i, kind)
    if byte == _DOLLAR and next_kind == _DIGIT:
        end = _numbers_end(pool, i + 1, False)[0]
        return _PRICE, i, end, end
    end = i
    if byte == _AT and next_kind >= _DIGIT:
        end = _chain_end(pool, i + 1, _POINT, _UNDERSCORE)
    elif byte == _HASH and (is_first or _KINDS[pool[i - 1]] < _DIGIT):
        behind = i + 1
        while _KINDS[pool[behind]] == _DIGIT:
            behind += 1
        if _KINDS[pool[behind]] == _LETTER:
            end = _chain_end(pool, behind, _UNDERSCORE, _UNDERSCORE)
    elif byte == _POINT and next_kind == _LETTER and (is_first or pool[i - 1] == _DOLLAR):
        end = _word_end(pool, i + 1)
    elif byte in (_PLUS, _DOLLAR):
        end = i + 1
    return (_WRITTEN, i, end, end) if end > i else (_NOTHING, i, i, i + 1)


@compiled()
def _word(pool, i, kind):
    """Give the same where a letter or digit stands at the place."""
    end = _word_end(pool, i)
    behind = pool[end]
    if kind == _DIGIT:
        last = _numbers_end(pool, i, False)[0]
        if pool[last] == _DOLLAR:
            return _PRICE, i, last + 1, last + 1
        last, before = _numbers_end(pool, i, True)
        last = before if _KINDS[pool[last]] >= _DIGIT else last
        if last > i:
            return _NUMBER, i, last, last
    elif behind == _COLON and _is_scheme(pool, i, end):
        first = end + 3
        if _is_www(pool, first):
            first += 4
        last = _chain_end(pool, first, _POINT, _POINT) if _KINDS[pool[first]] >= _DIGIT else first
        return _ADDRESS, first, last, last
    elif _is_www(pool, i) and _KINDS[pool[i + 4]] >= _DIGIT:
        last = _chain_end(pool, i + 4, _POINT, _POINT)
        return _WRITTEN, i + 4, last, last
    last = _name_end(pool, i, end, kind == _LETTER) if behind != TOKEN_END else end
    return _WRITTEN, i, last, last


@compiled()
def _name_end(pool, i, end, is_letter):
    """Give the end of a name whose first word is known, or of that word; `is_letter` is of its first byte."""
    behind = pool[end]
    if behind == _PLUS:
        if end - i <= 4 and pool[end + 1] == _PLUS and _KINDS[pool[end + 2]] < _DIGIT:
            return end + 2
    elif behind == _POINT:
        return _dotted_end(pool, end)
    elif not is_letter:
        return end
    elif behind == _HASH:
        if end == i + 1 and _KINDS[pool[end + 1]] < _DIGIT:
            return end + 1
    elif behind == _AND:
        if end - i <= 3 and _capitals_end(pool, i) == end:
            last = _capitals_end(pool, end + 1)
            if 0 < last - end - 1 <= 3 and _KINDS[pool[last]] < _DIGIT:
                return last
    elif behind == _HYPHEN:
        if end == i + 1 and _KINDS[pool[end + 1]] >= _DIGIT:
            return _word_end(pool, end + 1)
        last = before = end
        while pool[last] == _HYPHEN and _KINDS[pool[last + 1]] == _DIGIT:
            before, last = last, last + 1
            while _KINDS[pool[last]] == _DIGIT:
                last += 1
        return before if _KINDS[pool[last]] >= _DIGIT else last
    return end


@compiled()
def _dotted_end(pool, end):
    """Give the end of a name with points, or that of its first word: its last part is short."""
    place, n_points, length = end, 0, 0
    while pool[place] == _POINT and _KINDS[pool[place + 1]] >= _DIGIT:
        n_points += 1
        first, second = pool[place + 1], pool[place + 2]
        begins_sentence = _CAPITALS[0] <= first <= _CAPITALS[1] and _SMALL[0] <= second <= _SMALL[1]
        if begins_sentence or n_points > _MOST_POINTS:
            return end
        last = place + 1
        place = _word_end(pool, last)
        length = place - last
    return place if 0 < length <= 4 else end


@compiled()
def _word_end(pool, i):
    while _KINDS[pool[i]] >= _DIGIT:
        i += 1
    return i


@compiled()
def _chain_end(pool, i, sign, other):
    """Give the end of words with one of two signs between them."""
    i = _word_end(pool, i)
    while pool[i] in (sign, other) and _KINDS[pool[i + 1]] >= _DIGIT:
        i = _word_end(pool, i + 1)
    return i


@compiled()
def _numbers_end(pool, i, is_any):
    """Give the end of digits with points, commas or, for any number, other signs between them.

    Also give the end of all but the last of them, which is the start where there are no signs.
    """
    before = i
    while _KINDS[pool[i]] == _DIGIT:
        i += 1
    while (pool[i] in (_POINT, _COMMA) or (is_any and pool[i] in (_COLON, _SLASH, _HYPHEN))) and _KINDS[
        pool[i + 1]
    ] == _DIGIT:
        before = i
        i += 1
        while _KINDS[pool[i]] == _DIGIT:
            i += 1
    return i, before


@compiled()
def _capitals_end(pool, i):
    while _CAPITALS[0] <= pool[i] <= _CAPITALS[1]:
        i += 1
    return i


@compiled()
def _is_scheme(pool, start, end):
    """Whether a word is one of letters, and "://" stands behind it."""
    for i in range(start, end):
        if not _SMALL[0] <= (pool[i] | 0x20) <= _SMALL[1]:
            return False
    return pool[end] == _COLON and pool[end + 1] == _SLASH and pool[end + 2] == _SLASH


@compiled()
def _is_www(pool, i):
    for place in range(i, i + 3):
        if pool[place] != _LITTLE_W:
            return False
    return pool[i + 3] == _POINT
