"""Vector space model: texts -> weighted unit rows."""

from itertools import compress
from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.sparsefuncs_fast import inplace_csr_row_normalize_l2
from sklearn.utils.validation import check_is_fitted

from textspace.text._analyzer import Analyzer
from textspace.text._counts import check_counts, count_terms, tokenize
from textspace.text._interface import as_configured, check_dtype

_SCHEMES = ("tfidf", "tf", "ltc")


class VectorSpace(TransformerMixin, BaseEstimator):
    """Texts as sparse rows of unit length, one column a term.

    The vocabulary, the number of documents n and the document frequencies df come from the texts given to
    `fit` only. Columns are sorted by term. The result does not depend on `n_jobs`.

    Parameters
    ----------
    scheme : {"tfidf", "tf", "ltc"}, default="tfidf"
        Weight of a term that stands tf times in a document: ``tf * log(n / df)``, ``tf``, or SMART's ltc,
        ``(1 + log(tf)) * log(n / df)`` [1]_. Rows are then divided by their Euclidean length.
    stem : str or None, default="porter"
        "porter" for Porter's algorithm [2]_, the name of any other Snowball stemmer ("english", "german",
        "russian", ...), or None to keep words as they are. Each distinct word is stemmed once.
    stop_words : "english", collection of str, or None, default="english"
        Words that are left out. They are compared in lower case, before stemming. "english" is scikit-learn's
        list; there is none for other languages.
    min_df, max_df : int or float, default=1 and 1.0
        Leave out terms that stand in fewer than `min_df` or in more than `max_df` documents: a number of
        documents (int) or a share of them (float).
    max_terms : int or None, default=None
        Keep only the terms of highest document frequency (of equally frequent ones the alphabetically first).
    token_pattern : str or None, default=None
        Regular expression of a token in the lower-cased text (of its group, where it has one). None means
        runs of at least two letters of any alphabet, with the accents and vowel signs that belong to them;
        digits, underscores and punctuation separate words.
    n_jobs : int or None, default=None
        Number of processes, as in joblib. Texts of less than some 67 million characters, two seconds of work,
        are analysed in one.
    dtype : {numpy.float32, numpy.float64}, default=numpy.float32
        Type of the weights.

    Attributes
    ----------
    vocabulary_ : dict of str to int
        Column of each term.
    idf_ : ndarray of shape (n_terms,) or None
        ``log(n / df)`` of each term; None for the scheme "tf".

    See Also
    --------
    sklearn.feature_extraction.text.TfidfVectorizer : Slower, with n-grams and another idf.

    Notes
    -----
    A term that stands in every training document has the idf 0: it keeps its column, and no entries are
    stored there (so "tf" is the scheme for a single document). A document without any known term is a row of
    zeros. scikit-learn's idf is ``log(n / df) + 1`` or a smoothed form of it, so its rows differ.

    A sparse matrix of raw term counts may be given instead of texts, in `fit` and `transform` alike. Then
    `stem`, `stop_words` and `token_pattern` play no part and the terms are named "0", "1", ... after their
    columns.

    Accented letters count as one letter however they are encoded (Unicode NFC). Writing without spaces
    between words needs texts in which the words were separated beforehand.

    References
    ----------
    .. [1] G. Salton and C. Buckley, "Term-weighting approaches in automatic text retrieval", Information
       Processing & Management 24 (5), 1988.
    .. [2] M. F. Porter, "An algorithm for suffix stripping", Program 14 (3), 1980.

    Examples
    --------
    >>> from textspace.text import VectorSpace
    >>> space = VectorSpace()
    >>> X = space.fit_transform(["The cats sat.", "A cat and two dogs", "Dogs bark!"])
    >>> space.get_feature_names_out()
    array(['bark', 'cat', 'dog', 'sat'], dtype=object)
    >>> X.toarray().round(2)
    array([[0.  , 0.35, 0.  , 0.94],
           [0.  , 0.71, 0.71, 0.  ],
           [0.94, 0.  , 0.35, 0.  ]], dtype=float32)
    """

    def __init__(
        self,
        scheme="tfidf",
        stem="porter",
        stop_words="english",
        min_df=1,
        max_df=1.0,
        max_terms=None,
        token_pattern=None,
        n_jobs=None,
        dtype=np.float32,
    ):
        self.scheme = scheme
        self.stem = stem
        self.stop_words = stop_words
        self.min_df = min_df
        self.max_df = max_df
        self.max_terms = max_terms
        self.token_pattern = token_pattern
        self.n_jobs = n_jobs
        self.dtype = dtype

    def fit(self, X, y=None):
        """Learn the vocabulary and the document frequencies.

        Parameters
        ----------
        X : iterable of str, or sparse matrix of shape (n_documents, n_columns)
            Training texts, or raw term counts.
        y : None
            Ignored.

        Returns
        -------
        VectorSpace
            The fitted transformer.
        """
        self._learn(X)
        return self

    def fit_transform(self, X, y=None):
        """Fit and return the training documents' rows; the texts are read once.

        Parameters
        ----------
        X : iterable of str, or sparse matrix of shape (n_documents, n_columns)
            Training texts, or raw term counts.
        y : None
            Ignored.

        Returns
        -------
        csr_matrix of shape (n_documents, n_terms)
            Weighted rows of unit length (a csr_array where scikit-learn is configured to give sparse arrays).
        """
        return self._weigh(self._learn(X))

    def transform(self, X):
        """Turn documents into rows over the learned terms.

        Parameters
        ----------
        X : iterable of str, or sparse matrix of shape (n_documents, n_columns)
            Texts, or raw term counts where the training documents were given so.

        Returns
        -------
        csr_matrix of shape (n_documents, n_terms)
            Weighted rows of unit length (a csr_array where scikit-learn is configured to give sparse arrays).
        """
        check_is_fitted(self)
        if sp.issparse(X) != (self._kept_columns is not None):
            learned, given = ("texts", "term counts") if sp.issparse(X) else ("term counts", "texts")
            raise ValueError(f"This VectorSpace was fitted on {learned}, but transform was given {given}.")
        if not sp.issparse(X):
            return self._weigh(count_terms(self._tokenize(X), self.vocabulary_, dtype=self.dtype))
        counts = check_counts(X, dtype=self.dtype)
        if counts.shape[1] != len(self._kept_columns):
            raise ValueError(
                f"The term counts have {counts.shape[1]} columns, but this VectorSpace was fitted on "
                f"{len(self._kept_columns)}."
            )
        return self._weigh(counts[:, self._kept_columns])

    def get_feature_names_out(self, input_features=None):
        """Give the terms in the order of the columns.

        Parameters
        ----------
        input_features : None
            Ignored.

        Returns
        -------
        ndarray of str objects, shape (n_terms,)
            Terms.
        """
        check_is_fitted(self)
        return np.array(list(self.vocabulary_), dtype=object)

    def _learn(self, X):
        """Set the fitted attributes and return the counts of the terms that are kept."""
        self._check_parameters()
        if sp.issparse(X):
            counts = check_counts(X, dtype=self.dtype)
            vocabulary = {str(column): column for column in range(counts.shape[1])}
        else:
            parts = self._tokenize(X)
            terms = sorted(set().union(*(part.terms for part in parts)))
            vocabulary = {term: column for column, term in enumerate(terms)}
            counts = count_terms(parts, vocabulary, dtype=self.dtype)
        n_documents, n_terms = counts.shape
        if n_documents == 0:
            raise ValueError("The corpus is empty: VectorSpace learns its terms from at least one document.")
        frequencies = np.bincount(counts.indices, minlength=n_terms)
        kept = _select_terms(
            frequencies, n_documents, min_df=self.min_df, max_df=self.max_df, max_terms=self.max_terms
        )
        if not kept.any():
            raise ValueError(
                f"No terms remain of {n_terms}: lower min_df ({self.min_df}), raise max_df ({self.max_df}) "
                "or check that the documents hold words other than stop words."
            )
        if not kept.all():
            counts = counts[:, kept]
            vocabulary = {term: column for column, term in enumerate(compress(vocabulary, kept))}
        self.vocabulary_ = vocabulary
        self._kept_columns = kept if sp.issparse(X) else None
        self.idf_ = None
        if self.scheme != "tf":
            self.idf_ = np.log(n_documents / frequencies[kept]).astype(self.dtype)
        return counts

    def _tokenize(self, X):
        analyzer = Analyzer(stem=self.stem, stop_words=self.stop_words, token_pattern=self.token_pattern)
        return tokenize(X, analyzer, n_jobs=self.n_jobs)

    def _weigh(self, counts):
        """Turn counts into weights in place; give the kind of sparse matrix that scikit-learn is set to."""
        if self.scheme == "ltc":
            np.log(counts.data, out=counts.data)
            counts.data += 1
        if self.idf_ is not None:
            counts.data *= self.idf_[counts.indices]
            counts.eliminate_zeros()
        inplace_csr_row_normalize_l2(counts)
        return as_configured(counts)

    def _check_parameters(self):
        if self.scheme not in _SCHEMES:
            raise ValueError(f"scheme={self.scheme!r} is not known: use one of {', '.join(_SCHEMES)}.")
        for name in ("min_df", "max_df"):
            value = getattr(self, name)
            if not isinstance(value, Real) or not (
                value >= 1 if isinstance(value, Integral) else 0 <= value <= 1
            ):
                raise ValueError(
                    f"{name}={value!r} must be a count of at least 1 or a share from 0.0 to 1.0."
                )
        if self.max_terms is not None and not (isinstance(self.max_terms, Integral) and self.max_terms >= 1):
            raise ValueError(f"max_terms={self.max_terms!r} must be None or a whole number of at least 1.")
        check_dtype(self.dtype)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        tags.input_tags.two_d_array = False
        return tags


def _select_terms(frequencies, n_documents, *, min_df, max_df, max_terms):
    """Which terms to keep, by their document frequencies.

    Parameters
    ----------
    frequencies : ndarray of int, shape (n_terms,)
        Number of documents in which each term stands; terms are in alphabetical order.
    n_documents : int
        Number of documents.
    min_df, max_df : int or float
        Bounds, as numbers of documents or as shares of them.
    max_terms : int or None
        How many terms to keep at most.

    Returns
    -------
    ndarray of bool, shape (n_terms,)
        True where a term is kept.
    """
    low, high = (bound if isinstance(bound, Integral) else bound * n_documents for bound in (min_df, max_df))
    # A column of a count matrix may be empty; it has no idf.
    kept = (frequencies >= max(low, 1)) & (frequencies <= high)
    if max_terms is not None:
        candidates = np.flatnonzero(kept)
        # A stable sort leaves equally frequent terms in alphabetical order.
        most_frequent = candidates[np.argsort(-frequencies[candidates], kind="stable")[:max_terms]]
        kept = np.isin(np.arange(len(frequencies)), most_frequent)
    return kept
