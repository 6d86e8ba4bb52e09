"""Sentence embeddings from a model folder, computed on the CPU without a network."""

import hashlib
from os import PathLike
from pathlib import Path
from typing import ClassVar

import numpy as np
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted

from textspace._parameters import COUNT
from textspace._rows import normalize
from textspace._validation import refuse_dask
from textspace.text._interface import TextTransformer, check_texts


class SentenceEmbeddings(TextTransformer):
    """Texts as dense rows of unit length, by a sentence encoder that the user brings along.

    The folder holds what the usual exports of an encoder contain: ``model.onnx`` and ``tokenizer.json``. The
    vectors of a text's tokens are averaged. Nothing is downloaded.

    Parameters
    ----------
    folder : str or path
        Where the encoder lies.
    max_tokens : int, default=256
        Tokens of a text that are read; the rest is left out.
    batch_size : int, default=32
        Texts that are encoded at a time.

    Attributes
    ----------
    fingerprint_ : str
        SHA-256 of the encoder's files. Vectors of another encoder mean something else: :meth:`transform`
        refuses a folder that has changed.
    n_features_out_ : int
        Length of the vectors.

    References
    ----------
    N. Reimers and I. Gurevych, "Sentence-BERT: sentence embeddings using Siamese BERT-networks", EMNLP 2019.

    Examples
    --------
    >>> from textspace.text import SentenceEmbeddings
    >>> encoder = SentenceEmbeddings("all-MiniLM-L6-v2", max_tokens=128)
    >>> rows = encoder.fit_transform(["corn", "ships"])  # doctest: +SKIP
    """

    _parameter_constraints: ClassVar = {
        "folder": [str, PathLike],
        "max_tokens": [COUNT],
        "batch_size": [COUNT],
    }

    def __init__(self, folder, max_tokens=256, batch_size=32):
        self.folder = folder
        self.max_tokens = max_tokens
        self.batch_size = batch_size

    def fit(self, texts, y=None):
        """Check the encoder and note which one it is.

        Parameters
        ----------
        texts : iterable of str
            Ignored.
        y : object, optional
            Ignored.

        Returns
        -------
        SentenceEmbeddings
            The fitted transformer.
        """
        self._validate_params()
        refuse_dask(self, texts)
        self.fingerprint_ = _fingerprint(self.folder)
        self.n_features_out_ = self._encode(["text"]).shape[1]
        return self

    def transform(self, texts):
        """Encode texts.

        Parameters
        ----------
        texts : iterable of str
            Texts.

        Returns
        -------
        ndarray of shape (n_texts, n_features_out_), float32
            Rows of unit length.
        """
        check_is_fitted(self)
        if not hasattr(self, "_session") and _fingerprint(self.folder) != self.fingerprint_:
            raise ValueError(
                f"{self.folder} holds another encoder than the one that was learned with: give the folder of "
                "that one, or train again."
            )
        texts = list(check_texts(texts, expected="SentenceEmbeddings takes a list or a column of texts"))
        return self._encode(texts) if texts else np.zeros((0, self.n_features_out_), dtype=np.float32)

    def _encode(self, texts):
        if not hasattr(self, "_session"):
            self._tokenizer, self._session = _open(self.folder, self.max_tokens)
        wanted = {entry.name for entry in self._session.get_inputs()}
        # Texts of like length are encoded together: all of a batch are as long as its longest.
        order = np.argsort([len(text) for text in texts], kind="stable")
        rows = None
        for batch in gen_batches(len(texts), self.batch_size):
            places = order[batch]
            tokens = self._tokenizer.encode_batch([texts[place] for place in places])
            given = {
                "input_ids": np.array([each.ids for each in tokens], dtype=np.int64),
                "attention_mask": np.array([each.attention_mask for each in tokens], dtype=np.int64),
                "token_type_ids": np.array([each.type_ids for each in tokens], dtype=np.int64),
            }
            vectors = self._session.run(None, {name: given[name] for name in given if name in wanted})[0]
            means = _mean_vectors(vectors, given["attention_mask"])
            if rows is None:
                rows = np.zeros((len(texts), means.shape[1]), dtype=np.float32)
            rows[places] = means
        return normalize(rows)

    def __getstate__(self):
        """Leave out the opened encoder, which stays in its folder."""
        state = super().__getstate__().copy()
        for name in ("_session", "_tokenizer"):
            state.pop(name, None)
        return state


def _mean_vectors(vectors, mask):
    """Average the vectors (n, length, m) of the tokens that the mask (n, length) marks."""
    if vectors.ndim == 2:  # the encoder has averaged them itself
        return vectors
    weights = mask[:, :, None].astype(vectors.dtype)
    return (vectors * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)


def _files(folder):
    found = []
    for name in ("model.onnx", "tokenizer.json"):
        places = [Path(folder) / name, Path(folder) / "onnx" / name]
        path = next((place for place in places if place.is_file()), None)
        if path is None:
            raise FileNotFoundError(
                f"there is no {name} in {folder}: give the folder of an encoder exported to ONNX, with its "
                "tokenizer, or of a static embedding with its model.safetensors."
            )
        found.append(path)
    return found


def _fingerprint(folder):
    return digest_of(_files(folder))


def digest_of(paths):
    """Give the SHA-256 of some files together."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _open(folder, max_tokens):
    try:
        from onnxruntime import InferenceSession
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ImportError(
            "Sentence embeddings need onnxruntime and tokenizers: pip install 'textspace[embed]'."
        ) from error
    model, tokens = _files(folder)
    try:
        tokenizer = Tokenizer.from_file(str(tokens))
        session = InferenceSession(str(model), providers=["CPUExecutionProvider"])
    except Exception as error:  # both libraries raise their own kinds
        raise ValueError(f"the encoder in {folder} cannot be opened: {error}") from error
    tokenizer.enable_truncation(max_tokens)
    tokenizer.enable_padding()
    return tokenizer, session
