"""The same documents in many containers, which all mean the same."""

import numpy as np
import pandas as pd
from scipy import sparse

INTEGERS = (np.int64, np.int32, np.int16, np.uint8)
FLOATS = (np.float64, np.float32)


def draw(rng, values):
    """Put values, a float64 array, into a container drawn at random.

    Gives what it is in words, the container, and the canonical one: an array in C order or a CSR array that
    holds each entry once, sorted, with 32-bit indices. Values are multiples of 1/8, so that their parts sum
    to them without rounding.
    """
    dtype = _draw_dtype(rng, values)
    plain = values.astype(dtype)
    canonical = plain.astype(dtype if dtype in FLOATS else np.float64)
    if rng.random() < 0.3:
        name, X = _dense(rng, plain)
        return f"{name} of {np.dtype(dtype)}", X, canonical
    name, X = _sparse(rng, plain)
    return f"{name} of {np.dtype(dtype)}", X, sparse.csr_array(canonical)


def state(X):
    """Give all that a container holds, to see later whether it is still the same."""
    if isinstance(X, pd.DataFrame):
        return X.to_numpy().tobytes()
    names = ("data", "indices", "indptr", "row", "col", "offsets", "rows")
    if not sparse.issparse(X):
        return np.asarray(X).tobytes()
    if X.format == "dok":
        return sorted(X.items())
    return [np.asarray(getattr(X, name)).tolist() for name in names if hasattr(X, name)]


def _draw_dtype(rng, values):
    possible = [*FLOATS]
    whole = np.array_equal(values, np.rint(values)) and np.abs(values).max(initial=0) < 100
    if whole:
        possible += INTEGERS if values.min(initial=0) >= 0 else INTEGERS[:3]
    if np.isin(values, (0, 1)).all():
        possible.append(np.bool_)
    return possible[rng.integers(len(possible))]


def _dense(rng, plain):
    kind = rng.choice(["C order", "Fortran order", "slice", "reversed", "read-only", "list", "table"])
    if kind == "Fortran order":
        return kind, np.asfortranarray(plain)
    if kind == "slice":
        wide = np.zeros((2 * len(plain), plain.shape[1] + 3), plain.dtype)
        wide[::2, 1:-2] = plain
        return kind, wide[::2, 1:-2]
    if kind == "reversed":
        return kind, np.ascontiguousarray(plain[::-1, ::-1])[::-1, ::-1]
    if kind == "read-only":
        plain = plain.copy()
        plain.flags.writeable = False
        return kind, plain
    if kind == "list" and plain.dtype == np.float64:  # which a list becomes
        return kind, plain.tolist()
    if kind == "table":
        return kind, pd.DataFrame(plain, columns=[f"c{number}" for number in range(plain.shape[1])])
    return "C order", plain


def _sparse(rng, plain):
    names = []
    rows, columns, data = _entries(rng, plain, names)
    kind = rng.choice(["csr", "csr", "csr", "csc", "coo", "bsr", "lil", "dok", "dia"])
    suffix = rng.choice(["array", "matrix"])
    names.append(f"{kind}_{suffix}")
    make = getattr(sparse, names[-1])
    if kind in ("bsr", "lil", "dok", "dia"):
        return " ".join(names), make(plain)
    if kind == "coo":
        return " ".join(names), make((data, (rows, columns)), shape=plain.shape)
    major, minor = (rows, columns) if kind == "csr" else (columns, rows)
    order = np.argsort(major, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(major, minlength=plain.shape[kind == "csc"]))])
    X = make((data[order], minor[order], starts), shape=plain.shape)
    if rng.random() < 0.3:
        names.append("with 64-bit indices")
        X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    if rng.random() < 0.2:
        names.append("that believes itself sorted")
        X.has_sorted_indices = X.has_canonical_format = True
    if rng.random() < 0.3:
        names.append("read-only")
        for array in (X.data, X.indices, X.indptr):
            array.flags.writeable = False
    return " ".join(names), X


def _entries(rng, plain, names):
    """Give rows, columns and values of entries whose sum is the array."""
    rows, columns = np.nonzero(plain)
    data = plain[rows, columns]
    if rng.random() < 0.5:
        names.append("repeated")
        if data.dtype == bool:
            parts = np.ones_like(data)
        else:
            parts = (data * rng.random(len(data)) * 8).astype(np.int64) / 8
            parts = parts.astype(data.dtype)
            data = data - parts
        rows, columns, data = np.tile(rows, 2), np.tile(columns, 2), np.concatenate([data, parts])
    if rng.random() < 0.3:
        names.append("with zeros")
        more = rng.integers(0, plain.shape, (3, 2))
        rows, columns = np.append(rows, more[:, 0]), np.append(columns, more[:, 1])
        data = np.append(data, np.zeros(3, data.dtype))
    if rng.random() < 0.5:
        names.append("shuffled")
        order = rng.permutation(len(data))
        rows, columns, data = rows[order], columns[order], data[order]
    return rows, columns, data
