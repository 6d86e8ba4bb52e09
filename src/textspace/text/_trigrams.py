"""Trigram tensor space: texts -> counts of three characters in a row."""

from itertools import product
from string import ascii_lowercase
from typing import ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.utils.sparsefuncs_fast import inplace_csr_row_normalize_l2

from textspace._compiled import compiled
from textspace._saving import saved_as
from textspace._validation import FLOATS, refuse_dask
from textspace.text._interface import TextTransformer, as_configured, check_dtype, check_texts, kind_of
from textspace.text._reading import byte_blocks

ALPHABET = ascii_lowercase + "*"
_N_SYMBOLS = len(ALPHABET)
_N_TRIGRAMS = _N_SYMBOLS**3
_SHAPE = (_N_SYMBOLS,) * 3
# Number of the symbol that each byte of an ASCII text stands for; "not found", -1, becomes the last one.
_SYMBOLS = np.array([ALPHABET.find(chr(byte).lower()) % _N_SYMBOLS for byte in range(128)], np.int32)


@saved_as(
    "text.trigram_tensor_space",
    check=lambda space: getattr(space, "tensor_shape_", _SHAPE) == _SHAPE and np.dtype(space.dtype) in FLOATS,
)
class TrigramTensorSpace(TextTransformer):
    """Texts as sparse 27 x 27 x 27 tensors of unit length that count windows of three characters.

    A text is lower-cased; the letters a to z are kept and every other character becomes ``*``. Each window of
    three characters, with overlap, is counted at the place (first, second, third). This is the third-order
    tensor space of [1]_ as section 8.5 of [2]_ uses it. Nothing is learned from the training texts.

    Parameters
    ----------
    dtype : {numpy.float32, numpy.float64}, default=numpy.float32
        Type of the weights.

    Attributes
    ----------
    tensor_shape_ : tuple of int
        ``(27, 27, 27)``, for the parameter `tensor_shape` of an estimator on tensors.

    See Also
    --------
    FoldedTensorSpace : Tensors of words.

    Notes
    -----
    The window ``ijk`` is the column ``i + 27 * j + 729 * k`` of the matrix that `transform` gives, where a
    to z count 0 to 25 and ``*`` counts 26. Columns are thus entries of the tensor in column-major order,
    ``np.unravel_index(column, (27, 27, 27), order="F")``.

    A document without letters, or with fewer than three characters, has the zero tensor: ``***`` counts only
    beside windows that hold letters.

    The weights are the counts, as in [2]_. scikit-learn's ``TfidfTransformer`` behind this transformer gives
    others; the shape stays.

    References
    ----------
    .. [1] N. Liu, B. Zhang, J. Yan, Z. Chen, W. Liu, F. Bai and L. Chien, "Text representation: from vector
       to tensor", ICDM 2005.
    .. [2] Q. Gu and J. Zhou, "Local Relevance Weighted Maximum Margin Criterion for Text Classification",
       SDM 2009.

    Examples
    --------
    >>> from textspace.text import TrigramTensorSpace
    >>> space = TrigramTensorSpace()
    >>> X = space.fit_transform(["It said it", "1, 2, 3"])
    >>> X.shape
    (2, 19683)
    >>> space.get_feature_names_out()[X[[0]].indices].tolist()
    ['*sa', 'aid', 'sai', 'd*i', 't*s', '*it', 'id*', 'it*']
    >>> X.power(2).sum(axis=1).round(3).tolist()
    [[1.0], [0.0]]
    """

    _parameter_constraints: ClassVar = {"dtype": "no_validation"}  # of many spellings: check_dtype knows

    def __init__(self, dtype=np.float32):
        self.dtype = dtype

    def fit(self, X, y=None):
        """Check the settings; there is nothing to learn.

        Parameters
        ----------
        X : iterable of str
            Training texts; not read.
        y : object, optional
            Ignored.

        Returns
        -------
        TrigramTensorSpace
            The transformer.
        """
        check_dtype(self.dtype)
        refuse_dask(self, X)
        _check_texts(X)
        self.tensor_shape_ = _SHAPE
        return self

    def transform(self, X):
        """Count the trigrams of texts.

        Parameters
        ----------
        X : iterable of str
            Texts.

        Returns
        -------
        csr_matrix of shape (n_documents, 19683)
            Tensors of unit length, one a row (a csr_array where scikit-learn is configured to give sparse
            arrays).
        """
        check_dtype(self.dtype)
        counts = [sp.csr_array((0, _N_TRIGRAMS), dtype=self.dtype)]
        for block in byte_blocks(map(_encoded, _check_texts(X))):
            ends = np.cumsum(list(map(len, block)))
            columns, tallies, indptr = count_windows(np.frombuffer(b"".join(block), np.uint8), ends)
            shape = (len(block), _N_TRIGRAMS)
            counts.append(sp.csr_array((tallies.astype(self.dtype), columns, indptr), shape=shape))
        tensors = sp.vstack(counts, format="csr")
        inplace_csr_row_normalize_l2(tensors)
        return as_configured(tensors)

    @property
    def n_terms_(self):
        """Number of columns."""
        return _N_TRIGRAMS

    def get_feature_names_out(self, input_features=None):
        """Give the trigrams in the order of the columns.

        Parameters
        ----------
        input_features : object, optional
            Ignored.

        Returns
        -------
        ndarray of str objects, shape (19683,)
            Trigrams.
        """
        return np.array([i + j + k for k, j, i in product(ALPHABET, repeat=3)], dtype=object)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags


@compiled(nogil=True)
def count_windows(buffer, ends):
    """Count the windows of three characters in each of some documents.

    `buffer` (uint8) has the documents one after the other, in ASCII; document i ends before the byte
    ``ends[i]``. Give the indices (ascending in a document), counts and indptr of a CSR matrix.
    """
    columns = np.empty(buffer.size, np.int32)
    tallies = np.empty(buffer.size, np.int32)
    indptr = np.zeros(len(ends) + 1, np.int32)
    tally = np.zeros(_N_TRIGRAMS, np.int32)
    # Which last two characters of a window were met: few of all, so that the sweep below is short.
    is_met = np.zeros(_N_TRIGRAMS // _N_SYMBOLS, np.bool_)
    n_entries = start = 0
    for document in range(len(ends)):
        first = n_entries
        window = 0
        for position in range(start, ends[document]):
            # The oldest of three characters drops out, the newest comes in.
            window = window // _N_SYMBOLS + _SYMBOLS[buffer[position]] * _N_SYMBOLS**2
            if position >= start + 2:
                tally[window] += 1
                is_met[window // _N_SYMBOLS] = True
        for pair in range(is_met.size):
            if is_met[pair]:
                is_met[pair] = False
                for column in range(pair * _N_SYMBOLS, (pair + 1) * _N_SYMBOLS):
                    if tally[column] > 0:
                        columns[n_entries] = column
                        tallies[n_entries] = tally[column]
                        tally[column] = 0
                        n_entries += 1
        if n_entries == first + 1 and columns[first] == _N_TRIGRAMS - 1:
            n_entries = first  # a document without letters
        indptr[document + 1] = n_entries
        start = ends[document]
    return columns[:n_entries], tallies[:n_entries], indptr


def _encoded(text):
    """Give a text as ASCII, one byte a character of the lower-cased text."""
    # An ASCII text need not be lower-cased: the table of symbols sees to that.
    return text.encode() if text.isascii() else text.lower().encode("ascii", "replace")


def _check_texts(X):
    if sp.issparse(X):
        raise TypeError(
            f"TrigramTensorSpace reads letters, but was given {kind_of(X)}: give it the texts themselves, "
            "since term counts do not hold them."
        )
    return check_texts(X, expected="TrigramTensorSpace takes a list or a single column of texts")
