"""What the default classifier reads texts in, and which scores of it are tried on all documents."""

import numpy as np
from scipy import sparse

from textspace._folds import deal_folds
from textspace.classify import ManyClassBlend, SubspaceBlend
from textspace.text import Alphabets, VectorSpace, has_openings

ALPHABETS = "stems", "words", "opening", "letters"
MANY_CLASSES = 1000  # above, coefficients for all terms and classes take hours and fill the memory
_MOST_COEFFICIENTS = 64_000_000  # of a matrix of terms by classes: 256 MB
_MOST_LETTERS = 300_000
_OPENING = 100  # characters, where the first line is long
_TOO_FEW = 200  # texts below which nothing can show that openings help
_SEVERAL = 1000  # documents from which on a word or n-gram of a single document tells nothing
_QUICK = "ridge", "naive Bayes"  # scorers that take the least time
_THRIFT = 0.005  # share of the log loss that is worth a billion multiplications in a step of learning
_UNLABELLED_THRIFT = 0.0025  # the same where all are learned from in rounds, which one waits for longer
_SAMPLE = 2000  # documents that tell what alphabets and scores are worth; of fewer than twice as many, all do


def default_alphabets(texts, n_classes, *, stem, stop_words, quick=False):
    """Give the alphabets, not fitted: stems without stop words, words as they are written, openings, letters.

    Openings, of which the stems are read once more, are left out where most texts are hardly longer, and of
    fewer than 200 texts. The quick alphabets are stems and words, without pairs.
    """
    n_texts = texts.shape[0] if sparse.issparse(texts) else len(texts)
    most = _MOST_COEFFICIENTS // n_classes
    rare = 2 if n_texts > _SEVERAL else 1
    words = {"bigrams": not quick, "max_terms": most}
    stems = {"scheme": "ltc", "stem": stem, "stop_words": stop_words, "tokens": "whole", **words}
    written = {"scheme": "even", "stem": None, "stop_words": None, "min_df": rare}
    spaces = {
        "stems": VectorSpace(**stems),
        "words": VectorSpace(**written, tokens="whole", **words),
        "opening": VectorSpace(**stems, opening=_OPENING),
        "letters": VectorSpace(**written, letters=(2, 5), max_terms=min(most, _MOST_LETTERS)),
    }
    if quick:
        del spaces["letters"]
    if quick or sparse.issparse(texts) or n_texts < _TOO_FEW or not has_openings(texts):
        del spaces["opening"]
    return Alphabets(list(spaces.items()))


def are_many(n_classes):
    """Whether classes are so many that their scores must be sparse: :class:`ManyClassBlend` serves them."""
    return n_classes > MANY_CLASSES


def many_alphabets(*, stem, stop_words):
    """Give the alphabets of many classes, not fitted: stems, and words and pairs of words as written.

    Letters add nothing where a class has a few documents. Rare words do: all are kept.
    """
    spaces = (
        VectorSpace("ltc", stem=stem, stop_words=stop_words, tokens="whole"),
        VectorSpace("even", stem=None, stop_words=None, tokens="whole", bigrams=True),
    )
    return Alphabets(list(zip(ALPHABETS, spaces, strict=False)))


def fit_many(texts, y, *, random_state, **words):
    """Fit the alphabets and the classifier of many classes, as :func:`fit_default` does those of fewer."""
    alphabets = many_alphabets(**words)
    X = alphabets.fit_transform(texts)
    n_classes = len(np.unique(y[y != ""]))
    model = default_classifier(n_classes, blocks=alphabets.blocks_, random_state=random_state)
    return alphabets, X, model.fit(X, y)


def fit_default(texts, y, *, random_state, quick=False, sample_weight=None, **words):
    """Fit alphabets and a blend, of what pays only.

    Where there are many labelled texts, a sample of them tells which alphabets and scores are tried on all.

    Parameters
    ----------
    texts : list of str, or sparse matrix of raw term counts
        Texts.
    y : ndarray of str, shape (n_texts,)
        Labels, "" for none.
    random_state : int
        Seed.
    quick : bool, default=False
        Whether to try the cheapest scores only, without a sample.
    sample_weight : ndarray of shape (n_texts,), optional
        What each labelled text counts, above 0.
    **words : dict
        The stemmer ``stem`` and the ``stop_words`` of the alphabet of stems.

    Returns
    -------
    alphabets : Alphabets
        Those that are kept, fitted.
    X : csr_matrix of shape (n_texts, n_terms)
        Rows of the texts.
    model : SubspaceBlend
        Fitted.
    """
    scorers = None
    rows = np.flatnonzero(y != "")
    alphabets = default_alphabets(texts, len(np.unique(y[rows])), quick=quick, **words)
    if not quick and len(rows) > 2 * _SAMPLE and isinstance(texts, list):
        drawn = rows[_sample(y[rows])]
        X = alphabets.fit_transform([texts[row] for row in drawn])
        thrift = _THRIFT * len(rows) / len(drawn)
        model = SubspaceBlend(alphabets.blocks_, n_folds=3, thrift=thrift, random_state=random_state)
        own = None if sample_weight is None else sample_weight[drawn]
        scorers = model.choose_scorers(X, y[drawn], own)
        names = {kept.block for kept in scorers}
        alphabets = Alphabets([(name, space) for name, space in alphabets.spaces if name in names])
    X = alphabets.fit_transform(texts)
    if quick:
        scorers = [(block.name, name, None, 0.0) for block in alphabets.blocks_ for name in _QUICK]
    n_labelled = np.sum(y != "")
    thrift = _UNLABELLED_THRIFT * len(y) / n_labelled if n_labelled < len(y) else 0.0
    model = SubspaceBlend(alphabets.blocks_, scorers, thrift=thrift, random_state=random_state)
    model.fit(X, y, sample_weight)
    used = model.drop_unused_blocks()
    names, *_ = zip(*model.blocks, strict=True)
    if len(names) < len(alphabets.spaces):
        alphabets, X = alphabets.only(names), X[:, used]
    return alphabets, X, model


def _sample(labels):
    """Give about 2000 rows, in which a class has its share but two documents at least, if it has them."""
    folds = deal_folds(-(-len(labels) // _SAMPLE), labels, n_samples=len(labels))
    order = np.argsort(labels, kind="stable")
    _, first, sizes = np.unique(labels[order], return_index=True, return_counts=True)
    among_first = np.empty(len(labels), dtype=bool)
    among_first[order] = np.arange(len(labels)) - np.repeat(first, sizes) < 2
    return np.flatnonzero((folds == 0) | among_first)


def default_classifier(n_classes, *, random_state, blocks=None):
    """Give the classifier, not fitted, that suits a number of classes."""
    if are_many(n_classes):
        return ManyClassBlend(blocks)
    return SubspaceBlend(blocks, random_state=random_state)
