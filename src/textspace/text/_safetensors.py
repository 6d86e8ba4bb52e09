"""Arrays out of a safetensors file, which holds nothing but numbers.

Eight bytes tell the length of a header, the lowest byte first. The header is JSON: for each name the type,
the shape, and where the numbers begin and end behind it.
"""

import json
from math import prod
from typing import NamedTuple

import numpy as np

_TYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "I8": "i1", "I32": "<i4", "I64": "<i8"}


class Tensor(NamedTuple):
    """Where an array stands in its file."""

    dtype: str
    shape: tuple
    start: int
    end: int


def find_tensors(path):
    """Give where the arrays of a file stand, a dict of str to :class:`Tensor`."""
    size = path.stat().st_size
    with path.open("rb") as file:
        first = 8 + int.from_bytes(file.read(8), "little")
        if size < 8 or first > size:
            raise ValueError(f"{path} is cut off or is no safetensors file. Get it anew.")
        try:
            header = json.loads(file.read(first - 8))
            header.pop("__metadata__", None)
            tensors = {name: _tensor(first, **entry) for name, entry in header.items()}
        except (ValueError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is damaged or is no safetensors file. Get it anew.") from error
    end = max((tensor.end for tensor in tensors.values()), default=0)
    if end > size:
        raise ValueError(f"{path} is cut off: it has {size:,} of {end:,} bytes. Get it anew.")
    return tensors


def _tensor(first, *, dtype, shape, data_offsets):
    """Say where an array stands, by its entry in a header."""
    start, end = data_offsets
    tensor = Tensor(dtype, tuple(shape), first + start, first + end)
    if not 0 <= start <= end or min(shape, default=0) < 0:
        raise ValueError("an array stands nowhere")
    if dtype in _TYPES and prod(shape) * np.dtype(_TYPES[dtype]).itemsize != end - start:
        raise ValueError("an array has another size than its numbers")
    return tensor


def read_tensor(path, tensor):
    """Read one array of a file."""
    if tensor.dtype not in _TYPES:
        raise ValueError(
            f"{path} holds numbers of the type {tensor.dtype}: save it with one of {list(_TYPES)}."
        )
    with path.open("rb") as file:
        file.seek(tensor.start)
        return np.fromfile(file, _TYPES[tensor.dtype], count=prod(tensor.shape)).reshape(tensor.shape)
