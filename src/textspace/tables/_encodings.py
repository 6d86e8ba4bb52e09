"""Which encoding a text file has, where nobody says so."""

import codecs
import re

CHUNK = 1 << 20
# The longest first: that of UTF-32 begins as that of UTF-16 does.
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_UTF8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_HIGH = bytes(range(0x80, 0x100))
_LETTERS = bytes(range(ord("A"), ord("Z") + 1)) + bytes(range(ord("a"), ord("z") + 1))
# What ISO 8859-1 has no letters for, and of that what Windows has none for either.
_WINDOWS = bytes(range(0x80, 0xA0))
_NO_LETTER = b"\x81\x8d\x8f\x90\x9d"
# Between small letters, Western European text has small letters, apostrophes, hyphens, dashes and spaces.
_ODD = re.compile(
    rb"[a-z][\x80-\x84\x86-\x8f\x93\x94\x98\x99\x9b\x9d-\x9f\xa1-\xac\xae-\xb6\xb8-\xdd\xf7]+[a-z]"
)
MOST_HIGH = 0.3  # share of the letters that have an accent, at most
MOST_ODD = 0.1  # share of these that may stand where none belongs
FEWEST_PAIRS = 8  # of bytes, to tell UTF-16 by its zeros
LEAST_UTF8 = 0.1  # share of the high bytes that are UTF-8, in a damaged file of that


def marked_encoding(start):
    """Tell the encoding by the byte order mark at the start of a file; None without one."""
    return next((_MARKS[mark] for mark in _MARKS if start.startswith(mark)), None)


def find_encoding(file, name):
    """Tell the encoding of a file of bytes, and say what was assumed: "" for UTF-8. It is read to its end.

    A file that is not quite UTF-8 is still said to be, so that the byte is named that cannot be read. One
    that cannot be Western European either is a ValueError.
    """
    start = file.read(CHUNK)
    found = marked_encoding(start) or _unmarked_utf16(start)
    if found:
        return found, "" if found == "utf-8-sig" else f"The file was read as {found.upper()}."
    decoder, is_utf8 = codecs.getincrementaldecoder("utf-8")(), True
    n_letters = n_high = n_utf8 = n_odd = 0
    windows = set()
    content = start
    while True:
        if is_utf8:
            try:
                decoder.decode(content, final=not content)
            except UnicodeDecodeError:
                is_utf8 = False
        if not content:
            break
        if not content.isascii():
            n_high += len(content) - len(content.translate(None, _HIGH))
            n_utf8 += sum(map(len, _UTF8.findall(content)))
            n_odd += sum(len(each) - 2 for each in _ODD.findall(content))
            windows.update(content.translate(None, bytes(set(range(256)) - set(_WINDOWS))))
        n_letters += len(content) - len(content.translate(None, _LETTERS))
        content = file.read(CHUNK)
    if is_utf8:
        return "utf-8", ""
    is_accented = n_high <= MOST_HIGH * (n_high + n_letters)
    if is_accented and n_utf8 > LEAST_UTF8 * n_high:
        return "utf-8", ""
    is_western = is_accented and n_odd <= MOST_ODD * n_high
    if not is_western or windows & set(_NO_LETTER):
        raise ValueError(
            f"{name} is not utf-8, nor does it look like Western European text: say its encoding= "
            "(--encoding), such as 'cp1250', 'cp1251', 'mac_roman', 'shift_jis' or 'gb18030'"
        )
    found = "cp1252" if windows else "latin-1"
    return found, (
        f"The file is not UTF-8 and was read as {found}, Western European text: give encoding= (--encoding) "
        "if letters look wrong."
    )


def _unmarked_utf16(start):
    """Tell UTF-16 without a mark by the zeros, of which every other byte of Latin text is one."""
    half, odd = divmod(len(start), 2)
    first, second = start[: 2 * half : 2].count(0), start[1 : 2 * half : 2].count(0)
    fewer, more = sorted((first, second))
    if half >= FEWEST_PAIRS and not odd and more > 0.4 * half and fewer <= 0.02 * half:
        return "utf-16-be" if first > second else "utf-16-le"
    return None
