"""Plain data of a model in a compact form, before it is written and after it was read.

skops writes a list or a dict item by item, with a description of each: slow and large for the excerpts of ten
thousand documents. Here JSON stands for them, and the parents of its nodes for a tree of categories. A dict
whose keys are not all text, which skops cannot read back, becomes two lists, and a path its text.
"""

import json
import os
from copy import copy

import numpy as np
from sklearn.base import BaseEstimator

from textspace.text import SentenceEmbeddings
from textspace.tree import LabelTree

_SCALARS = (str, int, float, bool, type(None))


class Packed:
    """What stands for plain data in a file.

    Parameters
    ----------
    kind : {"json", "strings", "tree", "entries"}
        What it was: a list or dict, an array of text, a LabelTree, or a dict with these keys and `values`.
    data : bytes
        Its content as JSON.
    values : list
        Of a dict, in the order of the keys in `data`; else empty.
    """

    def __init__(self, kind, content, values=()):
        self.kind = kind
        self.data = json.dumps(content).encode("ascii")
        self.values = list(values)

    def content(self):
        """Give what was packed."""
        content = json.loads(self.data)
        if self.kind == "entries":
            return dict(zip(content, self.values, strict=True))
        if self.kind == "strings":
            array = np.empty(len(content), dtype=object)
            array[:] = content
            return array
        return LabelTree(content) if self.kind == "tree" else content


def pack(model, leave_out=()):
    """Give a copy of a model in which plain data is packed; arrays are shared with the model.

    Parameters
    ----------
    model : TextClassifier
        It stays as it is.
    leave_out : collection of str, default=()
        Attributes that the copy and all its parts are to lack.

    Returns
    -------
    TextClassifier
        To be written; it cannot classify.
    """
    bare = copy(model)
    if hasattr(bare, "embeddings"):
        bare.embeddings = None  # an encoder stays in its folder, which is another one elsewhere
    return _Rebuilder(_packed, leave_out).rebuild(bare)


def unpack(model):
    """Give a copy of a model with all that :func:`pack` has packed as it was."""
    return _Rebuilder(_unpacked).rebuild(model)


def _packed(value):
    if isinstance(value, LabelTree):
        return Packed("tree", value.to_dict())
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, SentenceEmbeddings):
        return None
    if type(value) in (list, dict) and _is_plain(value):
        return Packed("json", value)
    if type(value) is dict and not all(type(key) is str for key in value) and _is_plain(list(value)):
        return Packed("entries", list(value), value.values())
    if isinstance(value, np.ndarray) and value.dtype == object and value.ndim == 1:
        items = value.tolist()
        if all(type(item) is str for item in items):
            return Packed("strings", items)
    return value


def _unpacked(value):
    return value.content() if isinstance(value, Packed) else value


def _is_plain(value):
    """Whether JSON gives a value back as it was."""
    if type(value) is list:
        return all(map(_is_plain, value))
    if type(value) is dict:
        return all(type(key) is str for key in value) and all(map(_is_plain, value.values()))
    return type(value) in _SCALARS


class _Rebuilder:
    """Copy estimators and containers with every part changed; what is shared stays shared."""

    def __init__(self, change, leave_out=()):
        self.change = change
        self.leave_out = leave_out
        self.done = {}

    def rebuild(self, value):
        if id(value) not in self.done:
            # the value is held too, so that no other object takes its number
            self.done[id(value)] = self._with_parts(self.change(value)), value
        return self.done[id(value)][0]

    def _with_parts(self, value):
        if type(value) is dict:
            return {key: self.rebuild(item) for key, item in value.items()}
        if type(value) is list:
            return [self.rebuild(item) for item in value]
        if isinstance(value, tuple):
            items = map(self.rebuild, value)
            return value._make(items) if hasattr(value, "_make") else tuple(items)
        if isinstance(value, Packed):
            value.values = [self.rebuild(item) for item in value.values]
        elif _is_ours(value):
            new = object.__new__(type(value))
            parts = {name: part for name, part in vars(value).items() if name not in self.leave_out}
            vars(new).update((name, self.rebuild(part)) for name, part in parts.items())
            return new
        return value


def _is_ours(value):
    """Whether a value has parts to be packed; VectorSpace, with a state of its own, packs them itself."""
    kind = type(value)
    if isinstance(value, BaseEstimator):
        return kind.__getstate__ is BaseEstimator.__getstate__
    return kind.__module__.startswith("textspace.") and hasattr(value, "__dict__") and kind is not LabelTree
