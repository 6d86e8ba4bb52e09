"""A model as plain data and arrays, and back: nothing but what has a name here can be written or read.

A description is JSON. Numbers, text, null and lists stand for themselves. All else is an object with one key,
which says what it is:

``{"linear.lsi": {"n_components": 2, ...}}``
    an object of a type that has registered under this name (:mod:`textspace._saving`), with its state.
``{"array": "7"}``
    the array of this name.
``{"steps": [-10, "7", "8", "9"]}``
    whole numbers times two to this power: those of the array "7", one byte each, but at the positions "8" the
    larger ones of "9". They are as quickly read as checked, since none is NaN or infinite.
``{"csr_array": [[3, 5], data, indices, indptr]}``
    a sparse matrix of a shape, with its three arrays.
``{"strings": [...]}``, ``{"tuple": [...]}``, ``{"set": [...]}``, ``{"frozenset": [...]}``
    an array of text objects, and collections.
``{"dict": [[key, value], ...]}``, ``{"words": ["corn", "wheat", ...]}``
    a dict, whose keys need not be text; and one of words to their positions, 0, 1 and so on.
``{"scalar": ["float32", 0.5]}``, ``{"type": "float32"}``
    a number of numpy, and a type of numbers itself.
"""

import math
import os
from functools import cache
from inspect import Parameter, signature

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import InvalidParameterError, validate_parameter_constraints

from textspace._validation import are_row_ends
from textspace.models._archive import array_memory

_PLAIN = (type(None), bool, int, float, str)
_SCALARS = {kind.__name__: kind for kind in (np.bool_, np.int32, np.int64, np.float32, np.float64, np.str_)}
_SPARSE = {kind.__name__: kind for kind in (sparse.csr_array, sparse.csr_matrix)}
_INDICES = {np.dtype(np.int32), np.dtype(np.int64)}
_COLLECTIONS = {"tuple": tuple, "set": set, "frozenset": frozenset}
_NUMBERS_AND_TEXT = "biufU"  # kinds of arrays
_OF_THE_MACHINE = {"n_jobs", "memory"}  # how many processes, and which folder: not for a file to say
_STEPS = np.dtype(np.int8), np.dtype(np.int64), np.dtype(np.int16)  # numbers, positions of larger ones, these
_MOST_LARGER = 0.05  # share of an array
_POWERS = range(-126, 113)  # of two, of which float32 holds each multiple by an int16 to the last bit
_OBJECT_COST = 16 << 10  # bytes that could be looked at in the time that it takes to check an object
_MOST_OTHER_KEYS = 10_000  # of dicts and sets: text is hashed so that no file can know how, numbers are not


class ForeignPartError(ValueError):
    """What is no part of a model; the text of the error is its name."""


def describe(model, types):
    """Give a model as plain data for JSON, and the arrays that it names.

    It may consist of these `types`, by their names, besides plain data and arrays.

    Examples
    --------
    >>> describe([1, (2.5, {"a": np.arange(3)})], {})
    ([1, {'tuple': [2.5, {'dict': [['a', {'array': '0'}]]}]}], {'0': array([0, 1, 2])})
    """
    describer = _Describer({saved.kind: saved for saved in types.values()})
    return describer.describe(model), describer.arrays


def build(description, arrays, types, look_again=lambda n_bytes: None):
    """Make a model of its description, plain data of any content, and check each of its parts.

    ``arrays(name)`` gives the array of a name, and the model may consist of these `types` only. Of each
    object, and of each array that is named again, ``look_again(n_bytes)`` is told what it costs to check it.

    Examples
    --------
    >>> build([1, {"tuple": [2.5, {"dict": [["a", {"array": "0"}]]}]}], lambda name: np.arange(3), {})
    [1, (2.5, {'a': array([0, 1, 2])})]
    """
    return _Builder(arrays, types, look_again).build(description)


class _NotFiniteError(Exception):
    """A number that is NaN or infinite."""


class _Describer:
    def __init__(self, types):
        self.types = types
        self.arrays = {}
        self.names = {}  # by the number of the array, so that a shared one is written once
        self.in_steps = {}  # likewise, with the array itself
        self.may_be_nan = True  # what is being described: outside of all objects, anything

    def describe(self, value):
        kind = type(value)
        if kind in _PLAIN:
            self._check_finite(value)
            return value
        if kind in self.types:
            return {self.types[kind].name: self._state(value, self.types[kind])}
        if kind is list:
            return self._items(value)
        if kind in _COLLECTIONS.values():
            return {kind.__name__: self._items(value if kind is tuple else sorted(value, key=repr))}
        if kind is dict and value and _are_in_order(value):
            return {"words": list(value)}
        if kind is dict:
            return {"dict": [self._items(item) for item in value.items()]}
        if isinstance(value, np.ndarray):
            return self._dense(value)
        if kind in _SPARSE.values():
            arrays = map(self._array, (value.data, value.indices, value.indptr))
            return {kind.__name__: [[int(size) for size in value.shape], *arrays]}
        if kind in _SCALARS.values():
            self._check_finite(value.item())
            return {"scalar": [kind.__name__, value.item()]}
        if isinstance(value, type) and value in _SCALARS.values():
            return {"type": value.__name__}
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        raise ForeignPartError(_name_of(value))

    def _items(self, values):
        return [self.describe(value) for value in values]

    def _state(self, value, saved):
        state = value._asdict() if hasattr(value, "_asdict") else saved.state(value) or {}
        return {
            name: self._attribute(saved, name, part)
            for name, part in state.items()
            if name not in saved.not_saved
        }

    def _attribute(self, saved, name, part):
        before, self.may_be_nan = self.may_be_nan, name in saved.may_be_nan
        try:
            return self.describe(part)
        except _NotFiniteError:
            raise ValueError(
                f"the model cannot be saved: {name} of its {saved.kind.__name__} holds a number that is not "
                "finite, so that load would refuse it. Look for strange values among the "
                "documents, and train again."
            ) from None
        finally:
            self.may_be_nan = before

    def _check_finite(self, value):
        if not (self.may_be_nan or _is_finite(value)):
            raise _NotFiniteError

    def _dense(self, array):
        """Describe an array: where all its numbers are multiples of a power of two, by whole numbers."""
        if id(array) not in self.in_steps:
            self.in_steps[id(array)] = array, _in_steps(array)
        _, found = self.in_steps[id(array)]
        if found is None:
            return self._array(array)
        power, *arrays = found
        return {"steps": [power, *(self._array(each)["array"] for each in arrays)]}

    def _array(self, array):
        if array.dtype == object and array.ndim == 1 and all(type(item) is str for item in array):
            return {"strings": array.tolist()}
        if array.dtype.kind not in _NUMBERS_AND_TEXT:
            raise ForeignPartError(f"an array of {array.dtype}")
        self._check_finite(array)
        name = self.names.setdefault(id(array), str(len(self.names)))
        self.arrays[name] = array  # held, so that no other one takes its number
        return {"array": name}


class _Builder:
    def __init__(self, arrays, types, look_again):
        self.arrays = arrays
        self.types = types
        self.look_again = look_again
        self.read = {}
        self.may_be_nan = False  # what is being built

    def build(self, part):
        if type(part) is list:
            return [self.build(item) for item in part]
        if type(part) is not dict:
            return part if type(part) is not float or math.isfinite(part) else self._finite(part)
        [(kind, content)] = part.items()
        if kind in self.types:
            return self._object(self.types[kind], content)
        if kind in _SPARSE:
            return self._sparse(_SPARSE[kind], *content)
        if kind in _COLLECTIONS:
            return self._collection(_COLLECTIONS[kind], content)
        if kind == "dict":
            return {self.build(key): self.build(value) for key, value in _few_numbers(content, by_key=True)}
        if kind == "words":
            return dict(zip(_checked_strings(content), range(len(content)), strict=True))
        if kind == "array":
            return self._array(content, "array")
        if kind == "steps":
            return self._steps(*content)
        if kind == "strings":
            return _strings(content)
        if kind == "scalar":
            return self._scalar(*content)
        if kind == "type":
            return _SCALARS[content]
        raise ForeignPartError(kind)

    def _object(self, saved, state):
        self.look_again(_OBJECT_COST)
        state = {
            name: self._attribute(saved, name, part)
            for name, part in state.items()
            if name not in saved.not_saved
        }
        state |= dict.fromkeys(_OF_THE_MACHINE & state.keys())
        if hasattr(saved.kind, "_asdict"):
            value = saved.kind(**state)
        else:
            value = saved.kind.__new__(saved.kind)
            # as copy and pickle do; types without the method hold no more than their attributes
            getattr(value, "__setstate__", vars(value).update)(_defaults(saved.kind) | state)
        _check_settings(value)
        saved.check_state(value)
        return value

    def _attribute(self, saved, name, part):
        """Build what an attribute holds; one that stands for a method of the class has no place in a file."""
        if hasattr(saved.kind, name) and name not in _attribute_names(saved):
            raise ForeignPartError(f"{name} of {saved.name}")
        before = self.may_be_nan
        self.may_be_nan = name in saved.may_be_nan
        value = self.build(part)
        self.may_be_nan = before
        return value

    def _finite(self, value):
        """Give back a number or array; one that is not finite is refused, unless that is known of it."""
        if not (self.may_be_nan or _is_finite(value)):
            raise ValueError("it holds a number that is not finite")
        return value

    def _collection(self, kind, content):
        return kind(self.build(content if kind is tuple else _few_numbers(content)))

    def _scalar(self, kind, value):
        if type(value) not in _PLAIN:
            raise ForeignPartError(f"a number that is a {type(value).__name__}")
        with np.errstate(over="ignore"):  # what does not fit becomes infinite, and is refused as such
            return self._finite(_SCALARS[kind](value))

    def _array(self, name, role):
        """Give an array; it is shared by what has it in the same role only, as a matrix changes its own."""
        if (name, role) not in self.read:
            array = self.arrays(name)
            if array.dtype.kind not in _NUMBERS_AND_TEXT:
                raise ForeignPartError(f"an array of {array.dtype}")
            self.read[name, role] = array
            return self._finite(array)
        return self._finite(self._again(self.read[name, role]))

    def _steps(self, power, *names):
        """Give an array of whole numbers times a power of two, which float32 holds to the last bit."""
        if (power, *names) not in self.read:
            numbers, positions, larger = map(self.arrays, names)
            kinds = numbers.dtype, positions.dtype, larger.dtype
            if kinds != _STEPS or type(power) is not int or power not in _POWERS:
                raise ValueError("it holds an array in steps that are none")
            step = np.float32(2.0**power)
            array = np.multiply(numbers, step, dtype=np.float32)
            array.flat[positions] = larger * step
            self.read[power, *names] = array
            return array
        return self._again(self.read[power, *names])

    def _again(self, array):
        """Give an array that was given before."""
        self.look_again(array_memory(array.dtype, array.size))
        return array

    def _sparse(self, kind, shape, *parts):
        names = [part["array"] for part in parts]
        data, indices, indptr = map(self._array, names, ("data", "indices", "indptr"))
        if len(shape) != 2 or not {indices.dtype, indptr.dtype} <= _INDICES or data.dtype.kind == "U":
            raise ValueError("it holds a sparse matrix that is none")
        if not are_row_ends(indptr, len(indices)):
            raise ValueError("the index pointer of a sparse matrix is not in order")
        matrix = kind((data, indices, indptr), shape=tuple(shape))
        # compiled code looks up columns without asking whether they exist
        matrix.check_format(full_check=True)
        return matrix


def _is_finite(value):
    """Whether a number or the numbers of an array are; what is no floating-point number is."""
    if type(value) is float:  # of which a file may have very many
        return math.isfinite(value)
    return not hasattr(value, "dtype") or value.dtype.kind != "f" or bool(np.isfinite(value).all())


def _in_steps(array):
    """Give an array of float32 as a power of two and whole numbers, or None if they would not say all."""
    most = np.abs(array).max(initial=0) if array.dtype == np.float32 else 0
    power = int(np.frexp(most)[1]) - 15  # of which the largest number is less than 2 ** 15
    if not (most > 0 and np.isfinite(most) and power in _POWERS):
        return None
    exact = np.ldexp(array, -power)
    whole = exact.astype(np.int16)
    if not np.array_equal(whole, exact):
        return None
    bits = int(np.bitwise_or.reduce(whole, axis=None))
    spare = min((bits & -bits).bit_length() - 1, _POWERS[-1] - power)  # low bits that are zero in all
    whole >>= spare
    numbers = whole.astype(np.int8)
    positions = np.flatnonzero(numbers != whole)
    if len(positions) > _MOST_LARGER * array.size:
        return None
    return power + spare, numbers, positions, whole.flat[positions]


def _check_settings(value):
    """Raise a ValueError if an estimator has a parameter that its own `fit` would refuse."""
    declared = getattr(value, "_parameter_constraints", {})
    settings = {name: vars(value)[name] for name in declared if name in vars(value)}
    try:
        validate_parameter_constraints(declared, settings, type(value).__name__)
    except InvalidParameterError as error:
        raise ValueError(str(error).split(" Got ")[0]) from None  # what it got may be long


@cache
def _defaults(kind):
    """Give the defaults of an estimator's parameters, which one that is newer than the file takes."""
    if not issubclass(kind, BaseEstimator):
        return {}
    parameters = signature(kind.__init__).parameters.values()
    return {one.name: one.default for one in parameters if one.default is not Parameter.empty}


def _attribute_names(saved):
    """Name what a file may say of a class that has the name itself: parameters, fields, what it declares."""
    if hasattr(saved.kind, "_fields"):
        return saved.kind._fields
    declared = {path.rstrip("?").split(".")[0] for path in saved.shapes or ()}
    return declared | _own_names(saved.kind)


@cache
def _own_names(kind):
    fields = getattr(kind, "__dataclass_fields__", {})
    return set(fields) | set(signature(kind.__init__).parameters)


def _few_numbers(items, by_key=False):
    """Give the items of a dict or set, of which few may be no text: numbers can be made to collide."""
    keys = [item[0] for item in items] if by_key else items
    if sum(type(key) is not str for key in keys) > _MOST_OTHER_KEYS:
        raise ValueError(f"it holds a dict or set with more than {_MOST_OTHER_KEYS} keys that are no text")
    return items


def _are_in_order(words):
    """Whether a dict gives the position of each word, as a vocabulary does: it is long, and these say all."""
    return all(
        type(word) is str and type(number) is int and number == place
        for place, (word, number) in enumerate(words.items())
    )


def _strings(items):
    array = np.empty(len(items), dtype=object)
    array[:] = _checked_strings(items)
    return array


def _checked_strings(items):
    if set(map(type, items)) - {str}:
        raise ForeignPartError("an array of objects")
    return items


def _name_of(value):
    named = value if hasattr(value, "__qualname__") else type(value)  # a function, or what a value is
    return f"{named.__module__}.{named.__qualname__}"
