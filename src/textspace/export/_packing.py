"""Plain values with arrays in them -> a file that JavaScript unpacks: a line of JSON, and the arrays."""

import gzip
import json

import numpy as np

_LEVEL = 6  # of compression: more takes twice the time for a hundredth
_MOST = 1 << 15  # steps of a grid that two bytes count
_PARTS = 1, 2, 4, 8, 16, 32, 64  # of the root mean square, near which the step of a grid may be


def pack(value):
    """Give the bytes, compressed; the same value has the same bytes.

    In the JSON ``{"array": [type, start, length]}`` stands for an array or a list of many texts; a fourth
    number is the step of a grid whose multiples are counted. Bytes of the same significance stand together.
    """
    parts = []
    header = json.dumps(_with_places(value, parts, [0]), ensure_ascii=True, separators=(",", ":"))
    return gzip.compress(b"".join([header.encode(), b"\n", *parts]), _LEVEL, mtime=0)


def _with_places(value, parts, size):
    """Replace arrays by where they stand; add their bytes to `parts`, whose size is `size[0]`."""
    if isinstance(value, dict):
        return {name: _with_places(item, parts, size) for name, item in value.items()}
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        encoded = "\0".join(value).encode("utf-8", "replace")  # half a surrogate pair has no bytes
        return _placed("text", encoded, len(encoded), parts, size)
    if isinstance(value, (list, tuple)):
        return [_with_places(item, parts, size) for item in value]
    if isinstance(value, np.ndarray):
        array, step = _on_grid(_narrowed(value.ravel()))
        planes = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), array.itemsize).T.tobytes()
        kind = f"{array.dtype.kind}{array.dtype.itemsize}"
        return _placed(kind, planes, len(array), parts, size, step)
    return value.item() if isinstance(value, np.generic) else value


def _placed(kind, encoded, length, parts, size, step=None):
    place = [kind, size[0], length, *([] if step is None else [step])]
    parts.append(encoded)
    size[0] += len(encoded)
    return {"array": place}


def _narrowed(array):
    """Give whole numbers in the types that JavaScript has."""
    if array.dtype == bool:
        return array.astype(np.uint8)
    return array.astype(np.int32) if array.dtype == np.int64 else array


def _on_grid(array):
    """Count the steps of single-precision numbers that lie on a grid, as tables of scores do, else as is."""
    if array.dtype != np.float32 or not array.size:
        return array, None
    size = np.sqrt(np.mean(array**2, dtype=np.float64)) or 1.0
    for part in _PARTS:
        step = float(2 ** np.floor(np.log2(size / part)))
        steps = np.rint(array / np.float32(step))
        if np.abs(steps).max() < _MOST and np.array_equal(steps * np.float32(step), array):
            return steps.astype(np.int16), step
    return array, None
