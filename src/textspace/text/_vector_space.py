"""Vector space model: texts -> weighted unit rows."""

from itertools import compress, pairwise
from math import ceil
from numbers import Integral
from typing import ClassVar

import numpy as np
import scipy.sparse as sp
import Stemmer
from sklearn.utils.sparsefuncs_fast import inplace_csr_row_normalize_l2
from sklearn.utils.validation import check_is_fitted

from textspace._parameters import COUNT, FLOAT_SHARE, one_of
from textspace._saving import saved_as
from textspace._validation import refuse_dask
from textspace.text._analyzer import cached_analyzer
from textspace.text._bigrams import UNKNOWN, find_pair, no_pairs, repeated_pairs
from textspace.text._counts import EXPECTED, check_counts, count_columns, number_words, tokenize
from textspace.text._forms import commonest_forms, join_forms
from textspace.text._interface import TextTransformer, as_configured, check_dtype, check_texts, kind_of
from textspace.text._languages import main_languages
from textspace.text._letters import GrowingLetters, Letters, check_lengths, read_runs
from textspace.text._openings import opening_of
from textspace.text._reading import SharedTexts
from textspace.text._space_state import columns_fit, packed, unpacked
from textspace.text._spans import locate_ngrams, locate_terms
from textspace.text._stop_words import STOP_WORD_LANGUAGES
from textspace.text._vocabulary import HashedWords, as_count, select_terms

# What needs a vocabulary, with the values that ask for nothing.
_OF_WORDS = {"bigrams": False, "min_df": 1, "max_df": 1.0, "max_terms": None}
# What letters do not go with, likewise.
_NOT_OF_LETTERS = {"bigrams": False, "n_hashed": None, "token_pattern": None, "tokens": "words"}


class NoTermsError(ValueError):
    """No term of the training texts has a column."""


@saved_as(
    "text.vector_space",
    shapes={
        "vocabulary_": "w",
        "n_words_": "w",
        "_pairs.starts": "w+1 <= p",
        "_pairs.seconds": "p < w",
        "idf_?": "d",
        "_kept_columns?": "_",
        "forms_?": "w",
        "languages_?": "_",
    },
    check=columns_fit,
    state=vars,  # a model file has room for words, and need not have them as arrays
)
class VectorSpace(TextTransformer):
    """Texts as sparse rows of unit length, one column a term.

    A term is a word or, with `bigrams`, also a pair of adjacent words. The vocabulary, the number of
    documents n and the document frequencies df come from the texts given to `fit` only. Columns are sorted by
    term, words before pairs. The result does not depend on `n_jobs`.

    Parameters
    ----------
    scheme : {"tfidf", "tf", "ltc", "even", "counts"}, default="tfidf"
        Weight of a term that stands tf times in a document: ``tf * log(n / df)``, ``tf``, SMART's ltc,
        ``(1 + log(tf)) * log(n / df)`` [1]_, or "even", ``(1 + log(tf)) * (1 + log(n / df))``, in which words
        that stand nearly everywhere still count. Rows are then divided by their Euclidean length; "counts"
        leaves ``tf`` as it is.
    stem : str or None, default="porter"
        "porter" for Porter's algorithm [2]_, the name of any other Snowball stemmer ("english", "german",
        "russian", ...), None to keep words as they are, or "auto" for the stemmer of the language that the
        training texts are in, where it has one. Each distinct word is stemmed once.
    stop_words : str, collection of str, or None, default="english"
        Words that are left out. They are compared in lower case, before stemming. "english" is scikit-learn's
        list, "de", "fr", "ru" and other codes stand for short lists of our own, and "auto" for that of the
        language that the training texts are in, where there is one.
    min_df : int or float, default=1
        Leave out terms that stand in fewer documents: a number of documents (int) or a share of them (float).
    max_df : int or float, default=1.0
        Leave out terms that stand in more documents, a number or a share of them as in `min_df`.
    max_terms : int or None, default=None
        Keep only the terms of highest document frequency, words and pairs together: the number of columns is
        at most this. Of equally frequent terms words go first, then those that the alphabet puts first.
    token_pattern : str or None, default=None
        Regular expression of a token in the lower-cased text (of its group, where it has one). None means
        what `tokens` says.
    n_jobs : int or None, default=None
        Number of processes, as in joblib. Texts of less than some 67 million characters, two seconds of work,
        are analysed in one.
    dtype : {numpy.float32, numpy.float64}, default=numpy.float32
        Type of the weights.
    bigrams : bool, default=False
        Whether pairs of adjacent words are terms too, named "word1 word2". What is dropped from the text
        (stop words, single letters) does not separate its neighbours. A pair has a column where both of its
        words have one and it stands in at least two training documents (in `min_df`, if that is more).
    n_hashed : int or None, default=None
        Give each word the column of its hash among so many, and keep no vocabulary: for texts without end.
        Words that share a column are told apart no more. All columns stay, whatever their frequency; not
        with `bigrams`, `min_df`, `max_df` or `max_terms`.
    tokens : {"words", "written", "whole"}, default="words"
        What a token is where `token_pattern` does not say it. "words": runs of at least two letters of any
        alphabet, with the accents and vowel signs that belong to them; digits, underscores and punctuation
        separate words. "written": runs of letters and digits, even single ones, and ``!``, ``?`` and each
        symbol such as an emoji as a token of its own. Words keep their form with ``stem=None`` and
        ``stop_words=None``. "whole": as "written", but names (Node.js, C++, .NET, e-mail, #tag, @handle),
        numbers (404, 3.11.2) and hosts of addresses are one token each; a price is "$0", and long numbers,
        dates and times are their shape, as 0000-00-00. Full-width letters and ligatures are as others, skin
        tones of emoji and the points of Arabic and Hebrew vanish, and scripts without spaces (Chinese,
        Japanese, Thai, Khmer, ...) have their letters as tokens, so that `bigrams` are pairs of letters. Of
        names, short capitals (DNS) and words of up to three letters no ending is cut off by `stem`.
    letters : tuple of (int, int) or None, default=None
        Terms are the n-grams of characters instead of words, from the shortest to the longest number of
        characters, such as ``(2, 5)``. They are taken from each run of characters between white space, with
        one space before and behind it; a run that is too short is one n-gram. `stem`, `stop_words` and
        `n_jobs` are not used; not with `bigrams`, `n_hashed`, `token_pattern` or `tokens`.
    opening : int or None, default=None
        Read the openings of the texts only, such as titles: the first line or, where that has more than twice
        as many characters, the first so many, up to the end of a word (:func:`opening_of`).

    Attributes
    ----------
    vocabulary_ : dict of str to int, HashedWords or Letters
        Column of each word, or of each n-gram of characters.
    n_words_ : int
        Number of words, or of n-grams of characters; the columns from there on are pairs of words.
    forms_ : ndarray of str objects, shape (n_words_,), or None
        The form in which each word stands most often in the training texts, "" where it is the word itself;
        None where words have one form only.
    languages_ : list of str
        Codes of the languages of the training texts, the commonest first, where `stem` or `stop_words` is
        "auto". Where there are several, each text has the stems and stop words of its own.
    idf_ : ndarray of shape (n_terms,) or None
        ``log(n / df)`` of each term, and one more for the scheme "even"; None for "tf" and "counts".

    See Also
    --------
    sklearn.feature_extraction.text.TfidfVectorizer : Slower, with longer n-grams and another idf.

    Notes
    -----
    A term that stands in every training document has the idf 0: it keeps its column, and no entries are
    stored there. So "tf" is the scheme for a single document. A document without any known term is a row of
    zeros. scikit-learn's idf is ``log(n / df) + 1`` or a smoothed form of it, so its rows differ.

    A sparse matrix of raw term counts may be given instead of texts, in `fit` and `transform` alike. Then
    `stem`, `stop_words`, `token_pattern` and `bigrams` are not used and the terms are named "0", "1", ...
    after their columns.

    Accented letters count as one letter however they are encoded (Unicode NFC; NFKC of whole tokens). Writing
    without spaces between words needs ``tokens="whole"``, `letters`, or texts in which the words were
    separated beforehand.

    The n-grams of characters are those of scikit-learn's ``analyzer="char_wb"``. Each run of characters is
    taken apart once for some million characters of text. Where a corpus has more than 8 million n-grams,
    the rarest are forgotten while it is read, so that the memory is bounded.

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

    Pairs of words that stand in two documents or more:

    >>> space = VectorSpace(bigrams=True).fit(["New cars in New York", "York", "a new car"])
    >>> space.get_feature_names_out()
    array(['car', 'new', 'york', 'new car'], dtype=object)
    >>> space.n_words_
    3

    Words as they are written:

    >>> space = VectorSpace(tokens="written", stem=None, stop_words=None).fit(["I won 5 cups!", "You? 👍"])
    >>> space.get_feature_names_out()
    array(['!', '5', '?', 'cups', 'i', 'won', 'you', '👍'], dtype=object)

    N-grams of characters:

    >>> space = VectorSpace(letters=(2, 3)).fit(["Cat", "cats"])
    >>> space.get_feature_names_out()
    array([' c', ' ca', 'at', 'at ', 'ats', 'ca', 'cat', 's ', 't ', 'ts',
           'ts '], dtype=object)
    """

    _parameter_constraints: ClassVar = {
        "scheme": [one_of("tfidf", "tf", "ltc", "even", "counts")],
        "stem": [one_of("auto", *Stemmer.algorithms()), None],
        "stop_words": [one_of("auto", "english", *STOP_WORD_LANGUAGES), "array-like", None],
        "min_df": [COUNT, FLOAT_SHARE],
        "max_df": [COUNT, FLOAT_SHARE],
        "max_terms": [COUNT, None],
        "token_pattern": [str, None],
        "n_jobs": [Integral, None],
        "dtype": "no_validation",  # of many spellings: check_dtype knows
        "bigrams": ["boolean"],
        "n_hashed": [COUNT, None],
        "tokens": [one_of("words", "written", "whole")],
        "letters": [tuple, list, None],
        "opening": [COUNT, None],
    }

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
        bigrams=False,
        n_hashed=None,
        tokens="words",
        letters=None,
        opening=None,
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
        self.bigrams = bigrams
        self.n_hashed = n_hashed
        self.tokens = tokens
        self.letters = letters
        self.opening = opening

    def fit(self, X, y=None):
        """Learn the vocabulary and the document frequencies.

        Parameters
        ----------
        X : iterable of str, or sparse matrix of shape (n_documents, n_columns)
            Training texts, or raw term counts.
        y : object, optional
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
        y : object, optional
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
        if isinstance(self.vocabulary_, Letters):
            return self._weigh(self.vocabulary_.count(self._runs(X), dtype=self.dtype))
        if not sp.issparse(X):
            blocks = number_words(self._tokenize(X), self.vocabulary_)
            return self._weigh(count_columns(blocks, self.vocabulary_, self._pairs, dtype=self.dtype))
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
        input_features : object, optional
            Ignored.

        Returns
        -------
        ndarray of str objects, shape (n_terms,)
            Terms.
        """
        check_is_fitted(self)
        return self.names_of(np.arange(self.n_terms_))

    @property
    def n_terms_(self):
        """Number of columns."""
        return self.n_words_ + len(self._pairs.seconds)

    def names_of(self, columns):
        """Give the terms of some columns, without making the names of all.

        Parameters
        ----------
        columns : ndarray of int, shape (n_columns,)
            Columns of the document matrix.

        Returns
        -------
        ndarray of str objects, shape (n_columns,)
            Their terms.
        """
        check_is_fitted(self)
        if isinstance(self.vocabulary_, Letters):
            return self.vocabulary_.names_of(columns)
        return self._named(columns, np.array(list(self.vocabulary_), dtype=object), "{} {}".format)

    def forms_of(self, columns):
        """Give the terms of some columns as people write them: the commonest form stands for its stem.

        Parameters
        ----------
        columns : ndarray of int, shape (n_columns,)
            Columns of the document matrix.

        Returns
        -------
        ndarray of str objects, shape (n_columns,)
            Terms to be read; two stems may have the same form. Those of :meth:`names_of` where the space
            knows no other.

        Examples
        --------
        >>> import numpy as np
        >>> from textspace.text import VectorSpace
        >>> space = VectorSpace(tokens="whole").fit(["Ponies and DNS", "ponies", "ponies"])
        >>> space.names_of(np.arange(2)), space.forms_of(np.arange(2))
        (array(['dns', 'poni'], dtype=object), array(['DNS', 'ponies'], dtype=object))
        """
        check_is_fitted(self)
        forms = getattr(self, "forms_", None)  # older files have none
        if forms is None:
            return self.names_of(columns)
        words = np.where(forms == "", np.array(list(self.vocabulary_), dtype=object), forms)
        return self._named(columns, words, join_forms)

    def _named(self, columns, words, join):
        """Name columns by the names of the words; `join` makes that of a pair of two."""
        is_pair = columns >= self.n_words_
        names = words[np.where(is_pair, 0, columns)]
        pairs = columns[is_pair] - self.n_words_
        names[is_pair] = [*map(join, words[self._pairs.firsts[pairs]], words[self._pairs.seconds[pairs]])]
        return names

    def spans(self, text):
        """Find where the known terms stand in a text.

        Parameters
        ----------
        text : str
            One document.

        Returns
        -------
        list of (int, int, int)
            Start, end and column of each place of each term, in ascending order: ``text[start:end]`` is the
            word as it was written, or all from the first to the last letter of a pair of words. The spaces
            around a run of characters have no place: an n-gram stands where its other characters do.

        Examples
        --------
        >>> from textspace.text import VectorSpace
        >>> text = "New CARS, new ideas."
        >>> space = VectorSpace(bigrams=True).fit([text, "A new car", "Car ideas"])
        >>> names = space.get_feature_names_out()
        >>> [(text[start:end], names[column]) for start, end, column in space.spans(text)]
        [('New', 'new'), ('New CARS', 'new car'), ('CARS', 'car'), ('new', 'new'), ('ideas', 'idea')]
        """
        check_is_fitted(self)
        if not isinstance(text, str):
            raise TypeError(f"spans takes one text, but was given {kind_of(text)}: call it for each text.")
        if self._kept_columns is not None:
            raise ValueError(
                "This VectorSpace was fitted on term counts, which do not say where terms stand."
            )
        [text] = self._read([text])
        if isinstance(self.vocabulary_, Letters):
            return locate_ngrams(self._analyzer(), text, self.vocabulary_)
        places = [
            (start, end, self.vocabulary_.get(term, UNKNOWN))
            for start, end, term in locate_terms(self._analyzer(), text)
        ]
        spans = [place for place in places if place[2] >= 0]
        for (start, _, first), (_, end, second) in pairwise(places):
            if first >= 0 and second >= 0:
                pair = find_pair(first, second, *self._pairs)
                if pair >= 0:
                    spans.append((start, end, self.n_words_ + pair))
        return sorted(spans)

    def __getstate__(self):
        """Give the state with the terms as arrays: a dict of many words is slow to store and to read."""
        return packed(super().__getstate__())

    def __setstate__(self, state):
        """Take what `__getstate__` gave, or all attributes as they are."""
        super().__setstate__(unpacked({"opening": None} | state))  # which is younger than some files

    def _learn(self, X):
        """Set the fitted attributes and return the counts of the terms that are kept."""
        self._check_parameters()
        forms = None
        if self._asks_language() and not sp.issparse(X):
            X = X if isinstance(X, SharedTexts) else list(check_texts(X, expected=EXPECTED))
            self.languages_ = X.languages() if isinstance(X, SharedTexts) else main_languages(X)
        if self.letters is not None and not sp.issparse(X):
            return self._learn_letters(X)
        if sp.issparse(X):
            counts = check_counts(X, dtype=self.dtype)
            vocabulary = {str(column): column for column in range(counts.shape[1])}
            pairs = no_pairs(len(vocabulary))
        else:
            batches = self._tokenize(X)
            if self.n_hashed is None:
                batches = [list(batch) for batch in batches]  # the columns are known when all words are
                words = set().union(*(terms for batch in batches for block in batch for terms in block.terms))
                vocabulary = {word: column for column, word in enumerate(sorted(words - {None}))}
            else:
                vocabulary = HashedWords(self.n_hashed)
            blocks = number_words(batches, vocabulary)
            pairs = no_pairs(len(vocabulary))
            if self.n_hashed is None and (self.stem is not None or self.tokens == "whole"):
                forms = commonest_forms(batches, vocabulary)
            if self.bigrams:
                blocks = list(blocks)
                pairs = repeated_pairs(blocks, len(vocabulary))
            counts = count_columns(blocks, vocabulary, pairs, dtype=self.dtype)
        frequencies = np.bincount(counts.indices, minlength=counts.shape[1])
        kept = self._set_terms(vocabulary, pairs, frequencies, counts.shape[0])
        self._kept_columns = kept if sp.issparse(X) else None
        if forms is not None:
            self.forms_ = forms[kept[: len(vocabulary)]]
        return counts if kept.all() else counts[:, kept]

    def _learn_letters(self, X):
        """Set the fitted attributes and return the counts of the n-grams that are kept."""
        growing, blocks = GrowingLetters(*self.letters), []
        for block in self._runs(X):
            growing.read(block)
            blocks.append(block)
        growing.forget(ceil(as_count(self.min_df, growing.n_documents)))
        letters, frequencies = growing.in_order()
        self._set_terms(letters, no_pairs(len(letters)), frequencies, growing.n_documents)
        return self.vocabulary_.count(blocks, dtype=self.dtype)

    def _set_terms(self, vocabulary, pairs, frequencies, n_documents):
        """Choose among terms by their document frequencies, set the fitted attributes; give the choice."""
        if n_documents == 0:
            raise ValueError("The corpus is empty: VectorSpace learns its terms from at least one document.")
        n_words = len(vocabulary)
        if isinstance(vocabulary, HashedWords):
            kept = np.ones(n_words, dtype=bool)
        else:
            kept = select_terms(
                frequencies,
                n_documents,
                pairs,
                min_df=self.min_df,
                max_df=self.max_df,
                max_terms=self.max_terms,
            )
        if not kept.any():
            raise NoTermsError(
                f"No terms remain of {n_words}: lower min_df ({self.min_df}), raise max_df ({self.max_df}) "
                "or check that the documents hold words other than stop words."
            )
        if not kept.all():
            if isinstance(vocabulary, Letters):
                vocabulary = vocabulary.among(kept)
            else:
                vocabulary = {word: column for column, word in enumerate(compress(vocabulary, kept))}
            pairs = pairs.among(kept[:n_words], kept[n_words:])
        self.vocabulary_ = vocabulary
        self.forms_ = None
        self.n_words_ = len(vocabulary)
        self._pairs = pairs
        self._kept_columns = None
        self.idf_ = None
        if self.scheme not in ("tf", "counts"):
            # a hash that no word has had yet may come: it is as rare as one that came once
            rarity = np.log(n_documents / np.maximum(frequencies[kept], 1))
            self.idf_ = (rarity + (self.scheme == "even")).astype(self.dtype)
        return kept

    def _runs(self, X):
        refuse_dask(self, X)
        return read_runs(self._read(X), self._analyzer().reader)

    def _tokenize(self, X):
        refuse_dask(self, X)
        return tokenize(self._read(X), self._analyzer(), n_jobs=self.n_jobs)

    def _read(self, texts):
        """Give what is read of texts."""
        if self.opening is None:
            return texts
        return [opening_of(text, self.opening) for text in check_texts(texts, expected=EXPECTED)]

    def _analyzer(self):
        return cached_analyzer(
            stem=self.stem,
            stop_words=self.stop_words,
            token_pattern=self.token_pattern,
            tokens=self.tokens if self.letters is None else "letters",
            languages=tuple(self.languages_) if self._asks_language() else (),
        )

    def _asks_language(self):
        """Whether stems or stop words are those of the language that the texts turn out to be in."""
        asked = [setting for setting in (self.stem, self.stop_words) if isinstance(setting, str)]
        return self.letters is None and "auto" in asked

    def _weigh(self, counts):
        """Turn counts into weights in place; give the kind of sparse matrix that scikit-learn is set to."""
        if self.scheme in ("ltc", "even"):
            np.log(counts.data, out=counts.data)
            counts.data += 1
        if self.idf_ is not None:
            counts.data *= self.idf_[counts.indices]
            counts.eliminate_zeros()
        if self.scheme != "counts":
            inplace_csr_row_normalize_l2(counts)
        return as_configured(counts)

    def _check_parameters(self):
        self._validate_params()
        check_dtype(self.dtype)
        if self.token_pattern is not None and self.tokens != "words":
            raise ValueError("token_pattern says what a token is: leave out tokens.")
        if self.letters is not None:
            check_lengths(self.letters)
            chosen = [name for name in _NOT_OF_LETTERS if getattr(self, name) != _NOT_OF_LETTERS[name]]
            if chosen:
                raise ValueError(f"letters gives n-grams of characters only: leave out {chosen[0]}.")
        if self.n_hashed is not None:
            chosen = [name for name in _OF_WORDS if getattr(self, name) != _OF_WORDS[name]]
            if chosen:
                raise ValueError(f"n_hashed keeps all columns and has words only: leave out {chosen[0]}.")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
