"""Types that a model file may hold, under names that do not depend on where they are defined.

A class registers where it is defined, with what is true of its arrays beside it:

>>> import numpy as np
>>> @saved_as("example.scores", shapes={"coef_": "c d", "classes_": "c", "order_?": "d < d"})
... class Scores:
...     def __init__(self, coef, classes, order=None):
...         self.coef_, self.classes_, self.order_ = coef, classes, order
>>> saved = saved_types()["example.scores"]
>>> saved.check_state(Scores(np.eye(2, 3), ["corn", "ship"]))
>>> saved.check_state(Scores(np.eye(2, 3), ["corn", "ship", "ore"]))
Traceback (most recent call last):
...
ValueError: the arrays of its Scores do not fit together: classes_ has the size 3, not c with c=2, d=3

Sizes are letters. Equal letters stand for equal sizes, in whichever order they come:

"c d", "csr c d"
    an array or CSR matrix of shape (c, d) of floating-point numbers; a CSR matrix only.
"c"
    an array, list or dict of c items; or, of an integer, the number c itself.
"c+1", "c-1", "2", "_"
    one more or one less than c, just two, and any size.
"n < c", "n <= c"
    an array of n int32 or int64 from 0 up to, but without or with, c: positions in what has the size c. Sums
    of smaller numbers would wrap.

The name of an attribute may be a path: ``index.rows`` is the attribute of an attribute, ``factors_.*`` is
every item of a list, tuple or dict. A name with ``?`` at its end need not be there, or is None.

What has no size here holds no array: compiled code looks up positions without asking whether they exist, so
that each array of a file must be known to fit. No number of a file is NaN or infinite, unless it is said that
it may be.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral
from operator import methodcaller

import numpy as np
from scipy import sparse

_SIZE = re.compile(r"([a-z]?)([+-]?\d*)")
_SPEC = re.compile(r"(csr )?{0}( {0})*( <=? {0})?".format(r"(_|[a-z]([+-]\d+)?|\d+)"))
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_POSITIONS = (np.dtype(np.int32), np.dtype(np.int64))
_TYPES = {}


@dataclass(frozen=True)
class SavedType:
    """A type that a model file may hold, as :func:`saved_as` describes it.

    Parameters
    ----------
    name : str
        What stands for the type in a file.
    kind : type
        The type.
    shapes : mapping of str to str, or None
        Sizes of its attributes, in the language of this module; None where nothing is known of them.
    check : callable, optional
        Whether a value is sound, for what sizes cannot say.
    not_saved : tuple of str
        Attributes that are not written.
    may_be_nan : tuple of str
        Attributes that may hold NaN and infinity.
    holds : tuple of str
        Types of another library that it has as parts once it is fitted, by their dotted names.
    state : callable
        Gives what is written of a value, a dict of names to parts.
    """

    name: str
    kind: type
    shapes: Mapping[str, str] | None
    check: Callable | None = None
    not_saved: tuple = ()
    may_be_nan: tuple = ()
    holds: tuple = ()
    state: Callable = methodcaller("__getstate__")

    def check_state(self, value):
        """Raise a ValueError if the arrays of a value do not fit together; an unfitted one has none."""
        try:
            wrong = _undeclared(value, self.shapes)
            if wrong is None and self.shapes and not _is_fitted(value):
                return
            wrong = wrong or _misfit(value, self.shapes or {})
            if wrong is None and self.check is not None and not self.check(value):
                wrong = "what it looks up is not there"
        except Exception as error:  # whatever a forged state brings about
            wrong = str(error) or type(error).__name__
        if wrong is not None:
            raise ValueError(f"the arrays of its {self.kind.__name__} do not fit together: {wrong}")


def saved_as(name, *, shapes=None, check=None, not_saved=(), may_be_nan=(), holds=(), state=SavedType.state):
    """Make a decorator that lets model files hold a class. A subclass needs a name of its own.

    Parameters
    ----------
    name : str
        What stands for the class in files: the room and a name, ``"linear.lrwmmc"``. Files keep it for ever,
        wherever the class goes.
    shapes : mapping of str to str, optional
        Sizes of attributes, in the language of this module.
    check : callable, optional
        ``check(value)`` tells whether a value is sound, where sizes do not say it all.
    not_saved : sequence of str, default=()
        Attributes that are not written.
    may_be_nan : sequence of str, default=()
        Attributes that may hold NaN and infinity: those that tell of the training, and answer nothing.
    holds : sequence of type, default=()
        Types of scikit-learn that the class has as parts once it is fitted, and that its parameters do not
        show.
    state : callable, default=methodcaller("__getstate__")
        ``state(value)`` gives what is written of a value, a dict of names to parts; ``vars`` where a pickle
        is to hold something else.

    Returns
    -------
    callable
        Takes the class and gives it back.
    """
    for path, spec in (shapes or {}).items():
        if not _SPEC.fullmatch(spec):
            raise ValueError(f"{spec!r} does not say which size {path} has: write letters, such as 'c d'.")

    def register(kind):
        known = _TYPES.get(name)
        if known is not None and known.kind.__qualname__ != kind.__qualname__:
            raise ValueError(
                f"the name {name!r} stands for {known.kind.__qualname__} already: choose another."
            )
        _TYPES[name] = SavedType(
            name, kind, dict(shapes or {}), check, tuple(not_saved), tuple(may_be_nan), tuple(holds), state
        )
        return kind

    return register


def saved_types():
    """Give all types that have registered so far, a dict of str to :class:`SavedType`."""
    return dict(_TYPES)


def one_machine_a_class(model):
    """Whether a linear classifier has a row of coefficients for each class, or one row for two classes."""
    n_classes = len(model.classes_)
    return n_classes > 1 and len(model.coef_) == (1 if n_classes == 2 else n_classes)


def _is_fitted(value):
    if not hasattr(value, "get_params"):
        return True
    return any(name.endswith("_") and not name.startswith("__") for name in vars(value))


def _undeclared(value, shapes):
    """Say which attribute holds an array that has no size, or give None; parameters may, and labels."""
    if shapes is None:
        return None
    state = value._asdict() if hasattr(value, "_asdict") else vars(value)
    known = {"classes_"} | {path.rstrip("?").split(".")[0] for path in shapes}
    if hasattr(value, "get_params"):
        known |= set(type(value)._get_param_names())
    for name in state.keys() - known:
        if _holds_array(state[name]):
            return f"{name} is not known to hold arrays"
    return None


def _holds_array(value):
    if isinstance(value, list | tuple):
        return any(map(_holds_array, value))
    if isinstance(value, dict):
        return any(map(_holds_array, value.values()))
    return isinstance(value, np.ndarray) or sparse.issparse(value)


def _misfit(value, shapes):
    """Say what does not fit, or give None."""
    sizes, positions = {}, []
    for path, spec in shapes.items():
        wanted, *bound = re.split(" (<=?) ", spec)
        is_csr, wanted = wanted.startswith("csr "), wanted.removeprefix("csr ")
        for part in _reached(value, path.rstrip("?").split(".")):
            if part is None and path.endswith("?"):
                continue
            if part is None:
                return f"{path} is missing"
            found = _sizes_of(part)
            if is_csr and not (sparse.issparse(part) and part.format == "csr"):
                return f"{path} is no CSR matrix"
            if " " in wanted and np.dtype(part.dtype) not in _FLOATS:
                return f"{path} holds {part.dtype}, not floating-point numbers"
            if not _unify(wanted.split(), found, sizes):
                known = ", ".join(f"{letter}={size}" for letter, size in sizes.items())
                return f"{path} has the size {' x '.join(map(str, found))}, not {wanted} with {known}"
            if bound:
                positions.append((path, part, *bound))
    for path, part, relation, bound in positions:
        letter, offset = _letter_and_offset(bound)
        if not _are_within(part, sizes.get(letter, 0) + offset + (relation == "<=")):
            return f"{path} holds positions that are not {relation} {bound}"
    return None


def _reached(value, path):
    """Yield all that a path leads to, None where something on the way is missing."""
    if not path or value is None:
        yield value
    elif path[0] == "*":
        for item in value.values() if isinstance(value, dict) else value:
            yield from _reached(item, path[1:])
    else:
        yield from _reached(getattr(value, path[0], None), path[1:])


def _sizes_of(value):
    if isinstance(value, Integral):
        return (int(value),)
    return value.shape if hasattr(value, "shape") else (len(value),)


def _unify(wanted, found, sizes):
    """Whether sizes are as wanted; letters that were not yet known are put down."""
    if len(wanted) != len(found):
        return False
    for text, size in zip(wanted, found, strict=True):
        letter, offset = _letter_and_offset(text)
        known = 0 if not letter else sizes.setdefault(letter, size - offset)
        if text != "_" and size != known + offset:
            return False
    return True


def _letter_and_offset(text):
    """Split "c+1" into "c" and 1."""
    letter, offset = _SIZE.match(text).groups()
    return letter, int(offset or 0)


def _are_within(positions, end):
    positions = np.asarray(positions)
    return positions.dtype in _POSITIONS and (
        positions.size == 0 or bool(positions.min() >= 0 and positions.max() < end)
    )
