"""Documents -> matrix of term counts."""

from itertools import pairwise

import numpy as np
import scipy.sparse as sp
from joblib import Parallel, delayed, effective_n_jobs

from textspace.text._interface import check_texts

# Fewer characters than this, about a second of work, are analysed sooner than another process is started.
_CHARACTERS_PER_PROCESS = 1 << 25


def tokenize(texts, analyzer, *, n_jobs):
    """Analyse texts, in several processes where that pays.

    Parameters
    ----------
    texts : iterable of str
        The documents; consumed once.
    analyzer : Analyzer
        What makes terms of them.
    n_jobs : int or None
        Number of processes as in joblib.

    Returns
    -------
    list of TokenizedTexts
        Consecutive parts of the corpus.
    """
    texts = check_texts(
        texts,
        expected="VectorSpace takes a list or a single column of texts, or a sparse matrix of term counts",
    )
    n_processes = effective_n_jobs(n_jobs)
    if n_processes > 1:
        texts = list(texts)
        reached = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
        n_processes = min(n_processes, int(reached[-1] // _CHARACTERS_PER_PROCESS)) if texts else 1
    if n_processes <= 1:
        return [analyzer(texts)]
    shares = reached[-1] * np.arange(1, n_processes) // n_processes
    bounds = [0, *np.searchsorted(reached, shares), len(texts)]
    return Parallel(n_jobs=n_processes)(
        delayed(analyzer)(texts[start:stop]) for start, stop in pairwise(bounds)
    )


def count_terms(parts, vocabulary, *, dtype):
    """Count the terms of analysed texts.

    Parameters
    ----------
    parts : list of TokenizedTexts
        Consecutive parts of a corpus.
    vocabulary : dict of str to int
        Column of each term; other terms are left out.
    dtype : dtype
        Type of the counts.

    Returns
    -------
    csr_array of shape (n_documents, n_terms)
        Counts, with sorted column indices and no explicit zeros.
    """
    counts = [sp.csr_array((0, len(vocabulary)), dtype=dtype)]
    for terms, blocks in parts:
        # A dropped token has the id -1, which picks the last entry: another -1.
        columns = np.fromiter((*(vocabulary.get(term, -1) for term in terms), -1), np.int32)
        counts.extend(
            _count_block(columns[ids], ends, n_terms=len(vocabulary), dtype=dtype) for ids, ends in blocks
        )
    return sp.vstack(counts, format="csr")


def _count_block(columns, ends, *, n_terms, dtype):
    """Count the columns (-1 for none) that stand in each document; document i's tokens end at ``ends[i]``."""
    is_kept = columns >= 0
    n_kept = np.concatenate([[0], np.cumsum(is_kept)])
    indptr = n_kept[np.concatenate([[0], ends])].astype(np.int32)
    columns = columns[is_kept]
    counts = sp.csr_array((np.ones(len(columns), dtype), columns, indptr), shape=(len(ends), n_terms))
    # Through columns and back: each turn is a linear-time sort, and the first brings equal entries together.
    counts = counts.tocsc()
    counts.sum_duplicates()
    return counts.tocsr()


def check_counts(X, *, dtype):
    """Check a matrix of raw term counts.

    Parameters
    ----------
    X : sparse matrix or sparse array of shape (n_documents, n_terms)
        Counts.
    dtype : dtype
        Type of the counts to return.

    Returns
    -------
    csr_array of shape (n_documents, n_terms)
        A copy with sorted column indices and no explicit zeros.
    """
    if X.ndim != 2 or X.dtype.kind not in "biuf":
        raise ValueError(f"Term counts must be a matrix of numbers, not {X.ndim}-dimensional {X.dtype}.")
    entries = sp.coo_array(X)
    for is_bad, complaint in (
        (~np.isfinite(entries.data), "must be finite"),
        (entries.data < 0, "cannot be negative"),
        (entries.data != np.rint(entries.data), "must be whole numbers (raw counts, not weights)"),
    ):
        if is_bad.any():
            k = np.argmax(is_bad)
            raise ValueError(
                f"Term counts {complaint}, but document {entries.row[k]}, column {entries.col[k]} "
                f"holds {entries.data[k]}."
            )
    counts = sp.csr_array(X, dtype=dtype, copy=True)
    counts.sum_duplicates()
    counts.eliminate_zeros()
    return counts
