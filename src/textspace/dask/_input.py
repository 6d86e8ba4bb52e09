"""Documents and labels in row blocks, as the estimators of this package take them."""

import math
from typing import NamedTuple

import dask.array as da
import numpy as np
from dask import delayed
from dask.delayed import Delayed
from distributed import Future
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets

from textspace._labels import of_one_type
from textspace._validation import check_rows
from textspace.dask._blocks import Blocks


class Documents(NamedTuple):
    """One block of documents: its number, the rows (float32 or float64), and the classes 0, 1, ..."""

    block: int
    X: object
    codes: np.ndarray | None


class DocumentBlocks(Blocks):
    """Blocks of documents on the workers, checked. X is as for :func:`split_rows`; `name` is the estimator's.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,) or None
        Labels.
    columns : ndarray of int, shape (n_columns,)
        Terms that stand in any document. The blocks have these columns only: arrays over the terms travel in
        every pass, and of hashed terms most may never occur.
    sizes : list of int
        Numbers of rows of the blocks.
    n_samples, n_features : int
        Shape of the whole.
    dtype : dtype
        Precision: single if all blocks have it.
    """

    def __init__(self, client, X, y=None, *, name):
        rows, sizes = split_rows(X, name)
        if isinstance(X, da.Array) and sizes is None:
            raise ValueError(
                f"X has row chunks of unknown size, but {name} must know them: call X.compute_chunk_sizes() "
                "first, or give the blocks themselves, X.to_delayed().ravel().tolist()."
            )
        codes, self.classes = [None] * len(rows), None
        if y is not None:
            labels = _split_labels(y, sizes, len(rows))
            self.classes = _find_classes(client, labels, name)
            codes = [
                (delayed(_encode) if _is_remote(each) else _encode)(each, self.classes) for each in labels
            ]
        checked = [
            delayed(_documents)(block, *each) for block, each in enumerate(zip(rows, codes, strict=True))
        ]
        whole = self._whole = Blocks(client, checked, sources=[each.key for each in rows])
        shapes = whole.map(_describe)
        widths = [width for _, width, _ in shapes]
        if len(set(widths)) > 1:
            odd = next(block for block, width in enumerate(widths) if width != widths[0])
            raise ValueError(
                f"the blocks of X have different widths: block 0 has {widths[0]} columns, block {odd} has "
                f"{widths[odd]}. Make them with one vocabulary, or with hashing."
            )
        self.sizes = [n_rows for n_rows, _, _ in shapes]
        self.n_samples, self.n_features = sum(self.sizes), widths[0]
        self.dtype = np.result_type(*(dtype for _, _, dtype in shapes))
        occurs = whole.map_sum(_occurring)
        self.columns = np.flatnonzero(occurs | (not occurs.any()))
        columns, held = whole.send(self.columns), whole.held()
        super().__init__(
            client,
            [delayed(narrow)(documents, columns) for documents, _ in held],
            sources=[source for _, source in held],
        )

    def unnarrowed(self):
        """Release the narrow blocks; give those that they were made of, which share the memory of X.

        :func:`narrow` takes the columns from them.
        """
        self.release()
        whole, self._whole = self._whole, None
        return whole

    def widen(self, values):
        """Put zeros where terms do not occur: from (..., n_columns) to (..., n_features)."""
        wide = np.zeros((*values.shape[:-1], self.n_features), dtype=values.dtype)
        wide[..., self.columns] = values
        return wide


def split_rows(X, name):
    """Give the row blocks (Delayed) of a Dask array or of a list of blocks, and their sizes or None.

    An array must be cut into rows only; a block is a CSR matrix or an ndarray. `name` is the estimator's.
    """
    if isinstance(X, list | tuple) and X and all(isinstance(block, Delayed | Future) for block in X):
        return list(X), None
    if not isinstance(X, da.Array):
        raise TypeError(
            f"{name} takes a dask.array, or a list of delayed CSR blocks, but was given "
            f"{type(X).__name__}: for documents in memory there is {name.removeprefix('Dask')}."
        )
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, documents and terms, but it has {X.ndim}.")
    if X.numblocks[1] > 1:
        raise ValueError(
            f"X is cut into {X.numblocks[1]} column chunks, but a document must stand in one: use "
            "X.rechunk({1: -1}), or make the blocks of whole rows."
        )
    sizes = X.chunks[0]
    return list(X.to_delayed().ravel()), None if any(map(math.isnan, sizes)) else list(sizes)


def _split_labels(y, sizes, n_blocks):
    """Give the labels of each block, as Delayed or as arrays."""
    if isinstance(y, list | tuple) and len(y) and _is_block(y[0]):
        blocks = list(y)
    elif hasattr(y, "to_delayed"):  # an array or a series of Dask
        if y.ndim != 1:
            raise ValueError(f"y must have one dimension, but it has {y.ndim}.")
        blocks = list(np.ravel(np.asarray(y.to_delayed(), dtype=object)))
    elif sizes is None:
        raise ValueError(
            "X comes as delayed blocks, whose numbers of rows are not known: give y in blocks too, as a "
            "list of arrays or of delayed arrays."
        )
    else:
        y = np.asarray(y)
        if y.shape != (sum(sizes),):
            raise ValueError(f"X has {sum(sizes)} rows, but y has the shape {y.shape}.")
        blocks = np.split(y, np.cumsum(sizes)[:-1])
    if len(blocks) != n_blocks:
        raise ValueError(
            f"X has {n_blocks} blocks, but y has {len(blocks)}: they must be cut at the same rows."
        )
    return blocks


def _is_block(labels):
    return _is_remote(labels) or np.ndim(labels) == 1


def _is_remote(labels):
    return isinstance(labels, Delayed | Future)


def _find_classes(client, labels, name):
    """Find the labels that occur in any block, sorted."""
    remote = [delayed(_distinct)(each) for each in labels if _is_remote(each)]
    found = [_distinct(each) for each in labels if not _is_remote(each)]
    found += client.gather(client.compute(remote))
    kinds = {each.dtype.kind for each in found if each.size}
    if len(kinds & set("US")) and kinds - set("US"):
        raise ValueError("y holds text in some blocks and other labels in others: use one kind.")
    classes = np.unique(np.concatenate([each for each in found if each.size] or [np.empty(0)]))
    check_classification_targets(classes)
    if len(classes) < 2:
        only = f"only one class: {str(classes[0])!r}" if len(classes) else "no label"
        raise ValueError(f"{name} separates classes, but y holds {only}.")
    return classes


def _distinct(labels):
    return np.unique(_plain(labels))


def _plain(labels):
    """Labels as an array of text or of numbers: objects tell nothing of what they are."""
    labels = np.asarray(labels)
    return of_one_type(labels.tolist()) if labels.dtype.kind not in "biufUS" and labels.size else labels


def _encode(labels, classes):
    return np.searchsorted(classes, _plain(labels)).astype(np.int32)


def _documents(block, X, codes):
    """Check a block of documents."""
    if not hasattr(X, "shape"):
        raise TypeError(
            f"block {block} of X is of the type {type(X).__name__}: make it a CSR matrix or an array."
        )
    if X.shape[0] == 0:
        raise ValueError(
            f"block {block} of X has no rows: leave it out, or repartition so that each has some."
        )
    X = check_rows(X, input_name=f"block {block} of X")
    if codes is not None and len(codes) != X.shape[0]:
        raise ValueError(
            f"block {block} has {X.shape[0]} documents, but {len(codes)} labels: X and y must be cut at "
            "the same rows, for instance with y.rechunk(X.chunks[0])."
        )
    return Documents(block, X, codes)


def _describe(documents):
    return *documents.X.shape, documents.X.dtype


def _occurring(documents):
    """Whether each column has an entry; the sum over the blocks is whether any block has one."""
    X = documents.X
    occurs = np.full(X.shape[1], not sparse.issparse(X))  # a dense block is not made narrower
    if sparse.issparse(X):
        occurs[X.indices] = True
    return occurs


def narrow(documents, columns):
    """Keep these columns of a block, which are all that have entries; the entries are not copied."""
    X = documents.X
    if len(columns) == X.shape[1]:
        return documents
    place = np.zeros(X.shape[1], dtype=X.indices.dtype)
    place[columns] = np.arange(len(columns))
    X = type(X)((X.data, place[X.indices], X.indptr), shape=(X.shape[0], len(columns)))
    return documents._replace(X=X)
