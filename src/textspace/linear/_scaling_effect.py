"""What scaling the terms of a label does to the cosine of two documents."""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from textspace._validation import check_rows


class ScalingEffect(NamedTuple):
    """What happens to the cosine of pairs of documents when some terms of the second one are scaled.

    Attributes
    ----------
    cosine : ndarray of shape (n_pairs,)
        The paper's dist(t): the cosine at the factor t; 0 where a document is empty.
    slope : ndarray of shape (n_pairs,)
        Its derivative dist'(t).
    limit : ndarray of shape (n_pairs,)
        The factor at which the cosine is largest, ``C1 S2 / (C2 S1)``: below it, scaling brings the pair
        together. Infinite where ``C2 S1 = 0`` and ``C1 S2`` is not; NaN where scaling changes nothing.
    grows : ndarray of shape (n_pairs,), bool
        Whether the paper's condition holds at t: one of its two assumptions, and so a positive slope.
    """

    cosine: np.ndarray
    slope: np.ndarray
    limit: np.ndarray
    grows: np.ndarray


def scaling_effect(queries, documents, scaled, *, factor):
    """Tell what label-driven scaling does to the cosines of queries and documents, pair by pair.

    Parameters
    ----------
    queries : {array-like, sparse matrix} of shape (n_pairs, n_features)
        The paper's x, which is not scaled. No entry is negative.
    documents : {array-like, sparse matrix} of shape (n_pairs, n_features)
        The paper's y: row i makes a pair with row i of `queries`. No entry is negative.
    scaled : ndarray of shape (n_features,), bool
        Which terms are label-relevant, such as ``LabelDrivenLSI.term_scale_ > 1``.
    factor : float
        The factor t of these terms, above zero; ``1 + q``.

    Returns
    -------
    ScalingEffect
        Four arrays, one entry a pair.

    Notes
    -----
    With C1 and C2 the products of the pair over label-relevant and other terms, S1 and S2 the squares of the
    document over these, and T the length of the query, ``dist(t) = (t C1 + C2) / (T sqrt(t^2 S1 + S2))`` and
    ``dist'(t) = (C1 S2 - C2 S1 t) / (T (t^2 S1 + S2)^(3/2))``. The paper wants pairs of one category to grow
    and others not to: compare the shares of `grows` in both.

    References
    ----------
    X. Quan, E. Chen, Q. Luo and H. Xiong, "Adaptive label-driven scaling for latent semantic indexing",
    SIGIR 2008.

    Examples
    --------
    The pair shares a word of the label, and another:

    >>> import numpy as np
    >>> from textspace.linear import scaling_effect
    >>> found = scaling_effect([[1.0, 1.0]], [[1.0, 2.0]], np.array([True, False]), factor=1.5)
    >>> found.cosine.round(3), found.slope.round(3), found.limit, found.grows
    (array([0.99]), array([0.045]), array([2.]), array([ True]))
    """
    X, Y = (_documents(each) for each in (queries, documents))
    if X.shape != Y.shape:
        raise ValueError(f"queries of shape {X.shape} and documents of shape {Y.shape} make no pairs.")
    if not factor > 0:
        raise ValueError(f"factor must be above zero, not {factor}.")
    scaled = np.asarray(scaled, dtype=bool)
    products, squares = X.multiply(Y).tocsr(), Y.multiply(Y).tocsr()
    C1, C2 = (np.asarray(products[:, part].sum(axis=1)).ravel() for part in (scaled, ~scaled))
    S1, S2 = (np.asarray(squares[:, part].sum(axis=1)).ravel() for part in (scaled, ~scaled))
    T = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    square = factor**2 * S1 + S2
    present = T * square > 0
    numerator = C1 * S2 - C2 * S1 * factor
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.where(present, (factor * C1 + C2) / (T * np.sqrt(square)), 0.0)
        slope = np.where(present, numerator / (T * square**1.5), 0.0)
        limit = C1 * S2 / (C2 * S1)
    return ScalingEffect(cosine, slope, limit, slope > 0)


def _documents(X):
    X = sparse.csr_array(check_rows(X)).astype(np.float64)
    if X.nnz and X.data.min() < 0:
        raise ValueError("an entry is negative: give weights of terms, which are zero or more.")
    return X
