"""Forms: what values that were read from JSON must look like, said once and checked in one place.

A form is one of these:

- ``str`` or ``bool``; a :class:`Number`, such as `NUMBER`, `COUNT` and `SHARE`; a set of the texts it may be;
- ``[form]``, a list; ``{str: form}``, names with values of one form;
- a dict of names to forms, which all must be there but for those that end in "?"; other names may be too;
- a tuple of a form and None: what may be null;
- `PLAIN`, for parameters: a text, a number, true, false, null, or a list of these.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from textspace._json import whole_object

LARGEST = 2**53  # whole numbers up to here are the same as float and as int64
SLACK = 1e-9  # a share that was summed up may be a little more than 1
QUOTED = 40  # characters of a wrong value that are shown


@dataclass(frozen=True)
class Number:
    """A finite number between two others, perhaps a whole one."""

    low: float = -LARGEST
    high: float = LARGEST
    whole: bool = False

    def fits(self, value):
        """Tell whether a value is such a number."""
        # The exact types: a bool is an int to Python, and no number to anybody else.
        if type(value) is int:
            return self.low <= value <= self.high
        return type(value) is float and not self.whole and self.low - SLACK <= value <= self.high + SLACK

    def __str__(self):
        what = "a whole number" if self.whole else "a number"
        if self == NUMBER:
            return what
        ends = f" from {self.low} to {self.high}" if self.high < LARGEST else f", {self.low} or more"
        return what + ends


NUMBER, SHARE, COUNT, POSITIVE = Number(), Number(0, 1), Number(0, whole=True), Number(1, whole=True)
PLAIN = object()


def check_form(value, form, where="it"):
    """Raise a ValueError that says which part of a value does not have the form.

    Examples
    --------
    >>> check_form({"runs": [{"f1": "high"}]}, {"runs": [{"f1": SHARE}]})
    Traceback (most recent call last):
    ...
    ValueError: runs[0].f1 should be a number from 0 to 1, but is "high".
    """
    if isinstance(form, tuple):
        if value is not None:
            check_form(value, form[0], where)
    elif isinstance(form, list):
        _check_type(value, list, "a list", where)
        if isinstance(form[0], Number) and all(map(form[0].fits, value)):
            return  # the quick way for long lists
        for position, each in enumerate(value):
            check_form(each, form[0], f"{where}[{position}]")
    elif isinstance(form, dict):
        _check_type(value, dict, "an object", where)
        _check_names(value, form, "" if where == "it" else f"{where}.")
    elif isinstance(form, Number):
        if not form.fits(value):
            raise _unfit(where, form, value)
    elif isinstance(form, set):
        if not isinstance(value, str) or value not in form:
            raise _unfit(where, f"one of {', '.join(sorted(form))}", value)
    elif form is PLAIN:
        if not all(map(_is_plain, value if isinstance(value, list) else [value])):
            raise _unfit(where, "a plain value or a list of them", value)
    else:
        _check_type(value, form, "a text" if form is str else "true or false", where)


def _check_names(value, form, before):
    if str in form:
        for name, each in value.items():
            check_form(each, form[str], before + name)
        return
    missing = [name for name in form if not name.endswith("?") and name not in value]
    if missing:
        raise ValueError(f"{before.removesuffix('.') or 'it'} lacks {', '.join(missing)}.")
    for name, inner in form.items():
        name = name.removesuffix("?")
        if name in value:
            check_form(value[name], inner, before + name)


def _check_type(value, expected, what, where):
    if not isinstance(value, expected):
        raise _unfit(where, what, value)


def _is_plain(value):
    return value is None or isinstance(value, str | bool | int) or (type(value) is float and value == value)


def _unfit(where, what, value):
    shown = json.dumps(value)
    shown = shown if len(shown) <= QUOTED else f"{shown[:QUOTED]}..."
    return ValueError(f"{where} should be {what}, but is {shown}.")


def check_that(rules):
    """Raise a ValueError with the first sentence whose rule does not hold: pairs of a bool and a sentence."""
    for holds, sentence in rules:
        if not holds:
            raise ValueError(f"{sentence}.")


def read_json(path):
    """Read a JSON file; a ValueError says so if it is none."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"), object_pairs_hook=whole_object)
    except RecursionError as error:
        raise ValueError("it is not JSON (nested too deeply).") from error
    except ValueError as error:
        raise ValueError(f"it is not JSON ({error}).") from error
