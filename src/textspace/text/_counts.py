"""Documents -> matrix of counts of words and pairs of words."""

from itertools import pairwise, repeat
from operator import is_not

import numpy as np
import scipy.sparse as sp
from joblib import Parallel, delayed, effective_n_jobs

from textspace._compiled import compiled
from textspace._validation import merged
from textspace.text._bigrams import DROPPED, UNKNOWN, find_pair
from textspace.text._interface import check_texts
from textspace.text._reading import SharedTexts

EXPECTED = "VectorSpace takes a list or a single column of texts, or a sparse matrix of term counts"

_MOST = 1e8  # as a count of one term in one document
# Fewer characters than this, about a second of work, are analysed sooner than another process is started.
_CHARACTERS_PER_PROCESS = 1 << 25
_FEW = 16  # of fewer columns than this part of the numbers that half their bits can say, comparing is quicker


def tokenize(texts, analyzer, *, n_jobs):
    """Analyse texts, in several processes where that pays.

    Give a list of consecutive batches of the corpus: iterables of `TokenizedBlock`, each numbered for itself.
    In one process the texts are analysed as the blocks are asked for.
    """
    if not isinstance(texts, SharedTexts):
        texts = check_texts(texts, expected=EXPECTED)
    n_processes = effective_n_jobs(n_jobs)
    if n_processes > 1:
        texts = texts if isinstance(texts, SharedTexts) else list(texts)
        reached = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
        n_processes = min(n_processes, int(reached[-1] // _CHARACTERS_PER_PROCESS)) if texts else 1
    if n_processes <= 1:
        return [analyzer.blocks(texts)]
    stops = reached[-1] * np.arange(1, n_processes) // n_processes
    bounds = [0, *np.searchsorted(reached, stops), len(texts)]
    return Parallel(n_jobs=n_processes)(
        delayed(analyzer)(texts[start:stop]) for start, stop in pairwise(bounds)
    )


def number_words(batches, vocabulary):
    """Give each token of analysed texts the column of its word.

    Yields (columns, ends) of consecutive documents. `columns` (int32) holds for each token the column of its
    word, `UNKNOWN` or `DROPPED`; document i holds ``columns[ends[i - 1] : ends[i]]`` (from 0 for the first).
    """
    for blocks in batches:
        columns = np.empty(0, np.int32)
        for block in blocks:
            columns = np.concatenate([columns, columns_of(block, vocabulary).ravel()])
            yield columns[block.ids], block.ends


def columns_of(block, vocabulary):
    """Give the column of the term of each new form of a block (rows) in each language, as `number_words`."""
    columns = np.full((len(block.terms), len(block.forms)), DROPPED, np.int32)
    for own, terms in zip(columns, block.terms, strict=True):
        known = [term for term in terms if term is not None]
        is_kept = np.fromiter(map(is_not, terms, repeat(None)), bool, len(terms))
        own[is_kept] = np.fromiter(map(vocabulary.get, known, repeat(UNKNOWN)), np.int32, len(known))
    return columns.T


def count_columns(blocks, vocabulary, pairs, *, dtype):
    """Count the words and the pairs of adjacent words in the documents that `number_words` gives.

    The vocabulary may grow while the blocks are read. The result is a csr_array of shape (n_documents,
    n_words + n_pairs) with sorted column indices and no explicit zeros.
    """
    counted = []
    for columns, ends in blocks:
        columns, tallies, lengths = _count_block(columns, ends, *pairs)
        counted.append((columns, tallies.astype(dtype), lengths))
    return stack_counted(counted, n_columns=len(vocabulary) + len(pairs.seconds), dtype=dtype)


def stack_counted(counted, *, n_columns, dtype):
    """Make one matrix of blocks of documents: columns, counts, and number of different columns of each."""
    columns = np.concatenate([np.empty(0, np.int32), *(columns for columns, _, _ in counted)])
    tallies = np.concatenate([np.empty(0, dtype), *(tallies for _, tallies, _ in counted)])
    lengths = np.concatenate([np.zeros(1, np.int64), *(lengths for _, _, lengths in counted)])
    # scipy would widen the columns to the type of the row ends, which is needed for 2**31 entries only.
    indptr = np.cumsum(lengths, dtype=sp.get_index_dtype(maxval=len(columns)))
    counts = sp.csr_array((tallies, columns, indptr), shape=(len(lengths) - 1, n_columns))
    counts.has_canonical_format = True
    return counts


@compiled(nogil=True, steps=lambda columns, *_: columns.size)
def _count_block(columns, ends, starts, seconds):
    """Count the columns of each document, ascending; also give the number of different ones in each."""
    n_words, has_pairs = starts.size - 1, seconds.size > 0
    found = np.empty(columns.size * (1 + has_pairs), np.int32)
    tallies = np.empty(found.size, np.int32)
    lengths = np.empty(ends.size, np.int64)
    n_columns = max(n_words + seconds.size, columns.max() + 1 if columns.size else 0)  # a vocabulary may grow
    n_entries = position = 0
    for document in range(ends.size):
        first = last = n_entries
        previous = UNKNOWN
        while position < ends[document]:
            column = columns[position]
            position += 1
            if column == DROPPED:
                continue
            if column >= 0:
                found[last] = column
                last += 1
                if has_pairs and previous >= 0:
                    pair = find_pair(previous, column, starts, seconds)
                    if pair >= 0:
                        found[last] = n_words + pair
                        last += 1
            previous = column
        sort_columns(found[first:last], n_columns)
        # Equal columns stand together now: they are closed up to one entry each.
        for i in range(first, last):
            if n_entries > first and found[n_entries - 1] == found[i]:
                tallies[n_entries - 1] += 1
            else:
                found[n_entries] = found[i]
                tallies[n_entries] = 1
                n_entries += 1
        lengths[document] = n_entries - first
    return found[:n_entries].copy(), tallies[:n_entries], lengths


@compiled()
def sort_columns(columns, n_columns):
    """Sort columns in place by their lower and then by their upper bits: six times as fast as comparing."""
    n_bits = 1
    while n_columns >> (2 * n_bits):
        n_bits += 1
    if columns.size < (1 << n_bits) // _FEW:
        columns.sort()
        return
    spare = np.empty_like(columns)
    _sort_by_bits(columns, 0, n_bits, spare)
    _sort_by_bits(spare, n_bits, n_bits, columns)


@compiled()
def _sort_by_bits(columns, shift, n_bits, result):
    """Put columns in the order of some bits; where these are the same, columns keep their order."""
    mask = (1 << n_bits) - 1
    places = np.zeros(mask + 2, np.int64)
    for column in columns:
        places[((column >> shift) & mask) + 1] += 1
    for i in range(mask):
        places[i + 1] += places[i]
    for column in columns:
        bits = (column >> shift) & mask
        result[places[bits]] = column
        places[bits] += 1


def check_counts(X, *, dtype):
    """Check a sparse matrix of raw term counts; give a sorted csr_array without explicit zeros, a copy."""
    if X.ndim != 2 or X.dtype.kind not in "biuf":
        raise ValueError(f"Term counts must be a matrix of numbers, not {X.ndim}-dimensional {X.dtype}.")
    X = merged(X)
    entries = sp.coo_array(X)
    for is_bad, complaint in (
        (~np.isfinite(entries.data), "must be finite"),
        (entries.data < 0, "cannot be negative"),
        (entries.data > _MOST, f"cannot be above {_MOST:g}"),
        (entries.data != np.rint(entries.data), "must be whole numbers (raw counts, not weights)"),
    ):
        if is_bad.any():
            k = np.argmax(is_bad)
            raise ValueError(
                f"Term counts {complaint}, but document {entries.row[k]}, column {entries.col[k]} "
                f"holds {entries.data[k]}."
            )
    return sp.csr_array(X, dtype=dtype, copy=True)
