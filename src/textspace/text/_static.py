"""Static embeddings: a vector for each token, whatever stands around it."""

import re
from collections import defaultdict
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from textspace._rows import normalize
from textspace._validation import refuse_dask
from textspace.text._embeddings import SentenceEmbeddings, digest_of
from textspace.text._interface import TextTransformer, check_texts, kind_of
from textspace.text._safetensors import find_tensors, read_tensor

WORDLLAMA = "wordllama"  # the package of this name holds one
_FOLDER = "tokenizer.json", "model.safetensors"
_PACKAGE = "tokenizers/l2_supercat_tokenizer_config.json", "weights/l2_supercat_256.safetensors"
_VECTORS = "embeddings", "embedding.weight"  # what they are called in a folder and in the package
_WORD = re.compile(r"\S+")
_BATCH = 10_000  # words that are tokenized at a time: what is known of each takes a thousand bytes


class StaticEmbeddings(TextTransformer):
    """Texts as dense rows of unit length: the mean of the vectors of their tokens.

    A token has one vector, whatever stands around it. So texts are embedded far faster than by a sentence
    encoder (:class:`SentenceEmbeddings`), and a linear score of a row is a sum over the tokens of the text.
    Nothing is downloaded.

    Parameters
    ----------
    source : str or path
        A folder in the format of model2vec, with ``tokenizer.json`` and ``model.safetensors``; or "wordllama"
        for the vectors in the Python package of this name, which the extra ``static`` installs.

    Attributes
    ----------
    vectors_ : ndarray of shape (n_tokens, n_features_out_), float32
        Vectors of the tokens, times the weights of the tokens where the model has some. That of the unknown
        token is zero.
    fingerprint_ : str
        SHA-256 of the model's files. Vectors of another model mean something else.
    n_features_out_ : int
        Length of the vectors.

    Notes
    -----
    A text is split at white space, and each distinct word goes through the tokenizer once. White space itself
    has no token, and a word has the tokens that it has in the middle of a text, also where it begins one.

    References
    ----------
    S. Tulkens and T. van Dongen, "Model2Vec: fast state-of-the-art static embeddings", 2024.
    S. Arora, Y. Liang and T. Ma, "A simple but tough-to-beat baseline for sentence embeddings", ICLR 2017.

    Examples
    --------
    >>> from textspace.text import StaticEmbeddings
    >>> static = StaticEmbeddings("wordllama")
    >>> rows = static.fit_transform(["corn", "ships"])  # doctest: +SKIP
    """

    _parameter_constraints: ClassVar = {"source": [str, PathLike]}

    def __init__(self, source):
        self.source = source

    def fit(self, texts, y=None):
        """Read the vectors and the tokenizer.

        Parameters
        ----------
        texts : iterable of str
            Ignored.
        y : object, optional
            Ignored.

        Returns
        -------
        StaticEmbeddings
            The fitted transformer.
        """
        self._validate_params()
        refuse_dask(self, texts)
        paths = _files(self.source)
        self._tokenizer = _open_tokenizer(paths[0])
        self.vectors_ = _read_vectors(paths[1], self._tokenizer)
        self.fingerprint_ = digest_of(paths)
        self.n_features_out_ = self.vectors_.shape[1]
        # byte-level tokenizers write a space as a part of the word behind it, and others leave it out
        ids = self._tokenizer.encode("a a", add_special_tokens=False).ids
        self._before = "" if ids == 2 * ids[:1] else " "
        return self

    def tokens(self, texts):
        """Count the tokens of texts.

        Parameters
        ----------
        texts : iterable of str
            Texts.

        Returns
        -------
        csr_array of shape (n_texts, n_tokens), float32
            How often each token stands in each text; its columns are the rows of ``vectors_``.
        """
        check_is_fitted(self)
        texts = check_texts(texts, expected="StaticEmbeddings takes a list or a column of texts")
        places = defaultdict(lambda: len(places))  # of each distinct word
        ends = [0]
        codes = np.fromiter(_places_of(texts, places, ends), dtype=np.int32)
        found = [encoding.ids for encoding in self._encoded(places)]
        numbers = np.fromiter((token for ids in found for token in ids), dtype=np.int32)
        of_words = _counts(numbers, np.cumsum([0, *map(len, found)]), len(self.vectors_))
        counts = _counts(codes, ends, len(places)) @ of_words
        counts.sort_indices()
        return counts

    def transform(self, texts):
        """Embed texts.

        Parameters
        ----------
        texts : iterable of str
            Texts.

        Returns
        -------
        ndarray of shape (n_texts, n_features_out_), float32
            Rows of unit length; zero where no token of a text has a vector.
        """
        rows = self.tokens(texts) @ self.vectors_
        return normalize(rows) if len(rows) else rows

    def spans(self, text):
        """Find where the tokens stand in a text.

        Parameters
        ----------
        text : str
            One text.

        Returns
        -------
        list of (int, int, int)
            Start, end and number of each token, in the order of the text.
        """
        check_is_fitted(self)
        if not isinstance(text, str):
            raise TypeError(f"spans takes one text, but was given {kind_of(text)}: call it for each text.")
        spans, skipped = [], len(self._before)
        words = list(_WORD.finditer(text))
        for word, encoding in zip(words, self._encoded([word[0] for word in words]), strict=True):
            first = word.start() - skipped
            for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
                spans.append((first + max(start, skipped), first + end, token))
        return spans

    def _encoded(self, words):
        """Yield the tokens of each word."""
        # a lone surrogate has no UTF-8
        words = [self._before + word.encode("utf-8", "replace").decode() for word in words]
        for start in range(0, len(words), _BATCH):
            yield from self._tokenizer.encode_batch(words[start : start + _BATCH], add_special_tokens=False)


def find_embeddings(source):
    """Choose the embeddings that a source holds, by its files.

    Parameters
    ----------
    source : str or path
        "wordllama", or the folder of a static model or of a sentence encoder.

    Returns
    -------
    StaticEmbeddings or SentenceEmbeddings
        Not fitted. Where a folder holds a static model and an encoder made of it, the static model.

    Examples
    --------
    >>> from textspace.text import find_embeddings
    >>> find_embeddings("wordllama")
    StaticEmbeddings(source='wordllama')
    >>> find_embeddings("all-MiniLM-L6-v2")
    SentenceEmbeddings(folder='all-MiniLM-L6-v2')
    """
    path = Path(source) / _FOLDER[1]
    static = str(source) == WORDLLAMA or (
        path.is_file() and any(name in find_tensors(path) for name in _VECTORS)
    )
    return StaticEmbeddings(source) if static else SentenceEmbeddings(source)


def _places_of(texts, places, ends):
    """Yield the place of each word of all texts, and note where each text ends."""
    for text in texts:
        words = text.split()
        ends.append(ends[-1] + len(words))
        yield from map(places.__getitem__, words)


def _counts(codes, ends, n_columns):
    """Count codes in rows that end at some places, an array of shape (n_rows, n_columns)."""
    ones = np.ones(len(codes), dtype=np.float32)
    counts = sparse.csr_array((ones, codes, np.asarray(ends)), shape=(len(ends) - 1, n_columns))
    counts.sum_duplicates()
    return counts


def _files(source):
    """Give the paths of the tokenizer and of the vectors."""
    if str(source) == WORDLLAMA:
        package = find_spec(WORDLLAMA)  # which is not imported: it would fetch what it misses
        if package is None:
            raise ImportError("The vectors of wordllama are not installed: pip install 'textspace[static]'.")
        folder, names = Path(package.submodule_search_locations[0]), _PACKAGE
    else:
        folder, names = Path(source), _FOLDER
    for name in names:
        if not (folder / name).is_file():
            raise FileNotFoundError(
                f"there is no {name} in {folder}: give the folder of a model2vec model, or 'wordllama'."
            )
    return [folder / name for name in names]


def _open_tokenizer(path):
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ImportError("Static embeddings need tokenizers: pip install 'textspace[static]'.") from error
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # of a kind of its own
        raise ValueError(f"the tokenizer {path} cannot be opened: {error}. Get it anew.") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _read_vectors(path, tokenizer):
    """Give a vector for each token: the row that it is mapped to, times its weight."""
    tensors = find_tensors(path)
    name = next((name for name in _VECTORS if name in tensors), None)
    if name is None or len(tensors[name].shape) != 2:
        raise ValueError(f"{path} holds no table of vectors called 'embeddings': is it a model2vec model?")
    vectors = read_tensor(path, tensors[name]).astype(np.float32)
    if "mapping" in tensors:
        mapping = read_tensor(path, tensors["mapping"])
        if (
            mapping.ndim != 1
            or mapping.dtype.kind != "i"
            or not np.all((mapping >= 0) & (mapping < len(vectors)))
        ):
            raise ValueError(f"{path} maps tokens to vectors that it does not hold. Get it anew.")
        vectors = vectors[mapping.astype(np.intp)]
    if "weights" in tensors:
        weights = read_tensor(path, tensors["weights"])
        if weights.shape != vectors.shape[:1]:
            raise ValueError(f"{path} has {weights.size} weights for {len(vectors)} tokens. Get it anew.")
        vectors *= weights[:, None]
    if not np.isfinite(vectors).all():
        raise ValueError(f"{path} holds vectors that are no numbers. Get it anew.")
    last = max(tokenizer.get_vocab().values(), default=-1)
    if last >= len(vectors):
        raise ValueError(
            f"{path} has {len(vectors)} vectors, but its tokenizer knows {last + 1} tokens: take both files "
            "of one model."
        )
    unknown = getattr(tokenizer.model, "unk_token", None)
    if unknown is not None:
        vectors[tokenizer.token_to_id(unknown)] = 0
    return vectors
