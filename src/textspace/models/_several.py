"""What a classifier of texts learns where a text may have several labels."""

import numpy as np
from scipy import sparse

from textspace.classify import SeveralLabelsBlend, best_penalty
from textspace.models._default import default_alphabets
from textspace.text import Alphabets

_SAMPLE = 2000  # documents that tell which alphabets pay; of fewer than twice as many, all do
_LEAST = 0.002  # share of the log loss that any alphabet must save
_THRIFT, _DEAREST = 0.06, 0.045  # share of it for each billion multiplications in a step of learning, at most
_MOST_PAIRS = 16_000_000  # of texts and labels: above, alphabets beside the stems would take minutes


def fit_several(texts, truth, labelled, *, quick, random_state, **words):
    """Fit alphabets and the blend of several labels.

    The stems choose the penalty, on labelled texts or a sample of them. With it the other alphabets are tried
    one after the other, beside those that are kept. One is kept where it lowers the log loss of documents
    that are left out by enough for its work. Of more than 16 million pairs of texts and labels, stems and
    pairs of them tell alone.

    Parameters
    ----------
    texts : list of str, or sparse matrix of raw term counts
        Texts.
    truth : csr_array of shape (n_labelled, n_labels)
        Ones where a labelled text has a label.
    labelled : ndarray of shape (n_texts,), bool
        Which texts are labelled. Terms and their weights are learned from all.
    quick : bool
        Whether to read single words only, without trying.
    random_state : int
        Seed.
    **words : dict
        The stemmer ``stem`` and the ``stop_words`` of the alphabet of stems.

    Returns
    -------
    alphabets : Alphabets
        Those that are kept, fitted.
    X : csr_matrix of shape (n_texts, n_terms)
        Rows of the texts.
    model : SeveralLabelsBlend
        Fitted.
    """
    # the table of coefficients is sparse: labels, however many, leave room for all terms
    alphabets = default_alphabets(texts, 1, quick=quick, **words)
    rows, alpha = np.flatnonzero(labelled), None
    if truth.shape[0] * truth.shape[1] > _MOST_PAIRS:
        alphabets = Alphabets(alphabets.spaces[:1])
    elif not quick and isinstance(texts, list):
        drawn = np.arange(len(rows))
        if len(rows) > 2 * _SAMPLE:
            generator = np.random.default_rng(random_state)
            drawn = np.sort(generator.choice(drawn, _SAMPLE, replace=False))
        X = alphabets.fit_transform([texts[row] for row in rows[drawn]])
        names, alpha = _paying(alphabets.blocks_, X, truth[drawn], len(rows) / len(drawn), random_state)
        alphabets = Alphabets([(name, space) for name, space in alphabets.spaces if name in names])
    X = alphabets.fit_transform(texts)
    model = SeveralLabelsBlend(alpha, blocks=alphabets.blocks_, random_state=random_state)
    return alphabets, X, model.fit(X[rows], truth)


def _paying(blocks, X, truth, times, random_state):
    """Name the alphabets that pay, and give the best penalty; all documents are so many `times` these."""
    kept, parts, least, alpha = [], [], np.inf, None
    if truth.nnz == 0:  # in a sample of documents of which hardly any has a label
        return [block.name for block in blocks], alpha
    for block in blocks:
        own = X[:, block.start : block.stop]
        rows = sparse.hstack([*parts, own], format="csr")
        tried = {} if alpha is None else {"alphas": [alpha]}
        alpha, loss = best_penalty(rows, truth, **tried, random_state=random_state)
        work = times * own.nnz * truth.shape[1] / 1e9
        if not kept or loss < (1 - _LEAST - min(_DEAREST, _THRIFT * work)) * least:
            kept, parts, least = [*kept, block.name], [*parts, own], loss
    return kept, alpha
