"""Ways to damage bytes and values of JSON, drawn from a random generator, and what may be said of them."""

import copy
import json
import re
from contextlib import contextmanager

STRAY = ['"', "'", "\0", "\t", ",", ";", "\n", "\r", "\r\n", "\ufeff", "\x1a", "\u2028", "\\", "{", "}", "é"]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-7", "cp037"]

# Errors of a file as a whole need not name a row.
OF_THE_FILE = (
    "is empty|has no rows|more than once|no column|is not utf-8|seems to be a document|may stand for none|"
    "every text is empty|damaged|may be in|"
    "marked in different ways|is refused|the first row has one cell|the first row names|has no tables|"
    "its first row has|labels look like lists"
)


def damaged_bytes(content, rng):
    """Damage bytes in one to three ways."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        content = rng.choice(BYTE_DAMAGES)(content, rng)
    return content


def cut(content, rng):
    return content[: rng.randrange(len(content) + 1)]


def flip(content, rng):
    changed = bytearray(content)
    for _ in range(rng.choice([1, 1, 4, 30])):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def overwrite(content, rng):
    start, length = _span(content, rng)
    filling = rng.choice([bytes(length), b"\xff" * length, rng.randbytes(length)])
    return content[:start] + filling + content[start + length :]


def swap(content, rng):
    (start, length), (other, _) = _span(content, rng), _span(content, rng)
    first, second = sorted((start, other))
    a, b = content[first : first + length], content[second : second + length]
    return content[:first] + b + content[first + len(b) : second] + a + content[second + len(a) :]


def repeat(content, rng):
    start, length = _span(content, rng)
    return content[: start + length] + content[start:]


def remove(content, rng):
    start, length = _span(content, rng)
    return content[:start] + content[start + length :]


def stray(content, rng):
    place = rng.randrange(len(content) + 1)
    return content[:place] + rng.choice(STRAY).encode() * rng.choice([1, 1, 2, 3]) + content[place:]


def first_line_again(content, rng):
    line, _, rest = content.partition(b"\n")
    return line + b"\n" + line + b"\n" + rest


def huge_field(content, rng):
    place = rng.randrange(len(content) + 1)
    return content[:place] + b"x" * rng.choice([70_000, 140_000, 300_000]) + content[place:]


def half_of_another_encoding(content, rng):
    place = rng.randrange(len(content) + 1)
    rest = content[place:].decode("utf-8", "replace")
    return content[:place] + rest.encode(rng.choice(ENCODINGS), "replace")


def lone_surrogate(content, rng):
    place = rng.randrange(len(content) + 1)
    return content[:place] + rng.choice([b"\\ud800", b"\xed\xa0\x80", b"\\udc00x"]) + content[place:]


def _span(content, rng):
    start = rng.randrange(len(content) + 1)
    return start, min(rng.choice([1, 2, 4, 16, 200]), len(content) - start)


BYTE_DAMAGES = [cut, flip, overwrite, swap, repeat, remove]
TEXT_DAMAGES = [
    *BYTE_DAMAGES, stray, stray, stray, first_line_again, huge_field, half_of_another_encoding,
    lone_surrogate,
]  # fmt: skip


def damaged_text(content, rng):
    """Damage the bytes of a text file in one to three ways."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        content = rng.choice(TEXT_DAMAGES)(content, rng)
    return content


ODD_VALUES = [
    None, True, False, 0, 1, -1, 2**31, 2**63, 2**70, -(2**63), 0.5, -0.5, 1e308, -1e308, 1e-320,
    float("nan"), float("inf"), "", "text", "\ud800", "\0", "<script>", "{{ 7 }}", "0.5", [], {}, [[]],
    [None], [1, "a"], {"": None}, {"a": {"b": []}}, "x" * 5000,
]  # fmt: skip


def damaged_json(value, rng):
    """Give the text of a JSON file of which some parts are replaced, lost, doubled or moved."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        parent, key = _place(value, rng)
        if parent is None:
            value = rng.choice(ODD_VALUES)
            break
        match rng.randrange(9):
            case 0 | 1 | 2:
                parent[key] = copy.deepcopy(rng.choice(ODD_VALUES))
            case 6 | 7 | 8 if type(parent[key]) in (int, float):  # a value that is as good as any
                parent[key] = type(parent[key])(rng.choice([0, 1, parent[key] / 2, parent[key] + 1]))
            case 3:
                del parent[key]
            case 4 if isinstance(parent, list):
                parent.insert(key, copy.deepcopy(parent[key]))
            case 4:
                parent[rng.choice(["text", "", "scores"])] = parent.pop(key)
            case _:
                other, place = _place(value, rng)
                if other is not None:
                    parent[key] = copy.deepcopy(other[place])
    text = json.dumps(value)
    return damaged_text(text.encode(), rng) if rng.random() < 0.15 else text.encode()


def _place(value, rng):
    """Choose a part of a value: what it lies in, and its name or position there."""
    parent, key = None, None
    while isinstance(value, dict | list) and value:
        if parent is not None and rng.random() < 0.25:
            break
        parent, key = value, rng.choice([*value]) if isinstance(value, dict) else rng.randrange(len(value))
        value = parent[key]
    return parent, key


@contextmanager
def refusal(path, rows=rf"(line|rows?) \d|{OF_THE_FILE}"):
    """Let a ValueError pass that names the file and, if it is about one, the row; gives what was said."""
    said = []
    try:
        yield said
    except ValueError as error:
        said += [str(error), type(error)]
    if said:
        assert said[1] is ValueError, f"{said[1].__name__} is raised: {said[0]}"
        assert path.name in said[0], f"the file is not named: {said[0]}"
        assert re.search(rows, said[0]), f"no row is named: {said[0]}"
