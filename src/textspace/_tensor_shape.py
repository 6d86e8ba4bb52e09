"""The shape of the tensors that the rows of a document matrix stand for."""

from collections.abc import Iterable
from math import isqrt, prod
from numbers import Integral


def resolve_shape(tensor_shape, n_columns):
    """Mode sizes of the tensors that rows of a given width stand for.

    Column f of a row is the tensor entry ``np.unravel_index(f, shape, order="F")``: the first index runs
    fastest.

    Parameters
    ----------
    tensor_shape : tuple of int, one of which may be None, or "square"
        Size of each mode. "square" stands for two modes whose sizes differ by at most one, so that their sum
        is the least. None means as large as needed: the rows may then be a little narrower than the
        tensor, and its last entries are zero.
    n_columns : int
        Number of columns of the document matrix.

    Returns
    -------
    tuple of int
        The shape, whose product is `n_columns`, or at least `n_columns` where a size was None.

    Examples
    --------
    >>> resolve_shape((27, 27, 27), 19683)
    (27, 27, 27)
    >>> resolve_shape((None, 50), 120)
    (3, 50)
    >>> resolve_shape("square", 120)
    (11, 11)
    """
    if isinstance(tensor_shape, str) and tensor_shape == "square":
        n_rows = isqrt(max(n_columns - 1, 0)) + 1
        return n_rows, -(-n_columns // n_rows)
    sizes = tuple(tensor_shape) if isinstance(tensor_shape, Iterable) else ()
    given = [size for size in sizes if size is not None]
    if (
        not sizes
        or len(given) < len(sizes) - 1
        or not all(isinstance(size, Integral) and not isinstance(size, bool) and size >= 1 for size in given)
    ):
        raise ValueError(
            f"A tensor shape is a tuple of whole numbers of at least 1, of which one may be None, such as "
            f"(27, 27, 27) or (None, 50), or 'square', but it was given as {tensor_shape!r}."
        )
    n_given = prod(map(int, given))
    if len(given) < len(sizes):
        return tuple(-(-n_columns // n_given) if size is None else int(size) for size in sizes)
    if n_given != n_columns:
        raise ValueError(
            f"A tensor of shape {tuple(given)} has {n_given} entries, but the documents have {n_columns} "
            f"columns: choose sizes whose product is {n_columns}, or put None for one of them."
        )
    return tuple(map(int, sizes))
