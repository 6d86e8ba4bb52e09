"""Embeddings beside the terms: one more score of the blend, where it pays."""

import time
from typing import ClassVar

import numpy as np
from scipy import sparse, special
from sklearn.base import BaseEstimator, ClassifierMixin

from textspace._compiled import blas_threads
from textspace._labels import split_labelled
from textspace._parameters import COUNT, SEED
from textspace._rows import softmax
from textspace._saving import saved_as
from textspace.classify import calibrate
from textspace.models._default import default_classifier
from textspace.models._explanation import TermContribution, add_up_by_word
from textspace.text import Alphabets, SentenceEmbeddings, StaticEmbeddings, VectorSpace, find_embeddings

EMBEDDING = "(sentence embedding)"  # the name of all its columns
_FOLDS = 5  # in which the two calibrations are compared


@saved_as(
    "models.embedded_space",
    shapes={"n_terms_": "t", "terms.n_terms_": "t"},
    not_saved=["encoder"],
)
class EmbeddedSpace(BaseEstimator):
    """Texts as rows of terms, followed by the columns of an embedding.

    The columns of terms are `n_terms_`. Which encoder it is says `fingerprint_`; the training texts took it
    `encoding_seconds_`.
    """

    _parameter_constraints: ClassVar = {
        "terms": [Alphabets, VectorSpace],
        "encoder": [SentenceEmbeddings, StaticEmbeddings],
    }

    def __init__(self, terms, encoder):
        self.terms = terms
        self.encoder = encoder

    def fit_transform(self, texts, y=None):
        """Learn the terms, and give the rows of the texts, of shape (n_texts, n_columns)."""
        self._validate_params()
        rows = self.terms.fit_transform(texts)
        self.n_terms_ = rows.shape[1]
        start = time.perf_counter()
        self.fingerprint_ = self.encoder.fit(texts).fingerprint_
        rows = self._beside(rows, texts)
        self.encoding_seconds_ = time.perf_counter() - start
        return rows

    def attach(self, source):
        """Take the encoder from where it lies; it must be the one that was learned with."""
        encoder = find_embeddings(source).fit([])
        if encoder.fingerprint_ != self.fingerprint_:
            raise ValueError(
                f"{source} holds another encoder than the one that the model was trained with: give that "
                "one, or train again."
            )
        self.encoder = encoder

    def transform(self, texts):
        """Give the rows of texts, of shape (n_texts, n_columns)."""
        return self._beside(self.terms.transform(texts), texts)

    def _beside(self, rows, texts):
        return sparse.hstack([rows, sparse.csr_array(self.encoder.transform(texts))], format="csr")

    def split(self, text, contributions):
        """Split what the embedding of a text adds to a score over the words of the text.

        Given are the contributions of the columns in which the embedding is not zero. A sentence encoder
        reads a text as a whole: there they stay together. A static embedding is a sum over tokens.
        """
        if not isinstance(self.encoder, StaticEmbeddings):
            return [TermContribution(EMBEDDING, float(contributions.sum()), [])]
        tokens = [each for each in self.encoder.spans(text) if self.encoder.vectors_[each[2]].any()]
        if not tokens:
            return []
        [embedding] = self.encoder.transform([text]).astype(np.float64)
        slopes = np.zeros(len(embedding))  # of the score, which for this one text is linear
        slopes[embedding != 0] = contributions / embedding[embedding != 0]
        vectors = self.encoder.vectors_[[number for _, _, number in tokens]].astype(np.float64)
        values = vectors @ slopes / (np.linalg.norm(vectors.sum(axis=0)) or 1.0)
        values += (contributions.sum() - values.sum()) / len(values)  # what was lost in rounding
        return add_up_by_word(text, [start for start, _, _ in tokens], values.tolist(), "embedding")


@saved_as(
    "models.embedded_blend",
    shapes={
        "n_terms": "t",
        "terms_.n_features_in_": "t",
        "classes_": "c",
        "terms_.classes_": "c",
        "embedding_.classes_": "c",
        "calibration_.bias": "c",
        "calibration_.weights": "2",
    },
    check=lambda blend: blend.n_features_in_ == blend.n_terms + blend.embedding_.n_features_in_,
    not_saved=["gain_", "out_of_fold_"],
)
class EmbeddedBlend(ClassifierMixin, BaseEstimator):
    """A blend of terms and a blend of an embedding, weighed by documents held out.

    The first `n_terms` columns are terms, in the `blocks` of :class:`SubspaceBlend`; the others are the
    embedding. ``terms_`` and ``embedding_`` are the two blends, ``calibration_`` tells what each counts, and
    ``out_of_fold_`` are decision values of the labelled documents by models that have not seen them. What the
    embedding is worth on these says ``gain_``: accuracy and log loss, without and with it.
    """

    _parameter_constraints: ClassVar = {
        "n_terms": [COUNT],
        "blocks": [list, None],
        "random_state": [SEED],
    }

    def __init__(self, n_terms, blocks=None, random_state=None):
        self.n_terms = n_terms
        self.blocks = blocks
        self.random_state = random_state

    # as in the blends: threads of the BLAS would only wait for each other
    @blas_threads(1)
    def fit(self, X, y):
        """Learn both blends from rows X and labels y, "" for none, and what each counts."""
        self._validate_params()
        labelled, codes, self.classes_ = split_labelled(y)
        self.n_features_in_, n_classes = X.shape[1], len(self.classes_)
        terms, embedding = self._split(X)
        no_words = [("embedding", 0, embedding.shape[1], 0)]
        self.terms_, self.embedding_ = (
            default_classifier(n_classes, blocks=blocks, random_state=self.random_state).fit(rows, y)
            for rows, blocks in ((terms, self.blocks), (embedding, no_words))
        )
        values = [self.terms_.out_of_fold_, self.embedding_.out_of_fold_]
        constants, truth = self.has_constants, codes[labelled]
        self.calibration_ = calibrate(values, truth, constants=constants)
        self.out_of_fold_ = self.calibration_(values)
        self.gain_ = {}
        for name, some in (("without", values[:1]), ("with", values)):
            accuracy, log_loss = _judged(some, truth, constants=constants)
            self.gain_ |= {f"accuracy_{name}": accuracy, f"log_loss_{name}": log_loss}
        return self

    @property
    def shares_noise_(self):
        """What documents seem to gain by other shares of the classes, as the terms have it."""
        return getattr(self.terms_, "shares_noise_", 0.0)

    @property
    def has_constants(self):
        """Whether each class has a calibrated constant of its own, as in the blend of the terms."""
        return self.terms_.has_constants

    def _split(self, X):
        return X[:, : self.n_terms], X[:, self.n_terms :]

    def class_scores(self, X):
        """Give the decision values of the classes, of shape (n_samples, n_classes)."""
        terms, embedding = self._split(X)
        return self.calibration_([self.terms_.class_scores(terms), self.embedding_.class_scores(embedding)])

    def predict_proba(self, X):
        """Give the probabilities of the classes, of shape (n_samples, n_classes)."""
        return softmax(self.class_scores(X))

    def predict(self, X):
        """Give the most probable class of each document, of shape (n_samples,)."""
        return self.classes_[self.class_scores(X).argmax(axis=1)]

    def transform(self, X):
        """Place documents in the discriminant space of the terms, of shape (n_samples, n_classes - 1)."""
        return self.terms_.transform(self._split(X)[0])

    @property
    def _n_features_out(self):
        return self.terms_._n_features_out

    def contributions(self, x):
        """Split the decision values of one document, as :meth:`SubspaceBlend.contributions` does."""
        blends = zip((self.terms_, self.embedding_), self._split(x), self.calibration_.factors, strict=True)
        contributions, constant = [], self.calibration_.bias
        for blend, row, factor in blends:
            own, left = blend.contributions(row)
            contributions.append(factor * own)
            constant = constant + factor * left
        return sparse.vstack(contributions, format="csr"), constant


def _judged(values, truth, *, constants):
    """Give the accuracy and the log loss of scores that are calibrated on other documents.

    A class of one document tells nothing: held out, the document takes its class with it. Where all are such,
    both are None.
    """
    rows = np.flatnonzero(np.bincount(truth)[truth] > 1)
    if not len(rows):
        return None, None
    values, truth = [own[rows] for own in values], truth[rows]
    shares = np.empty_like(values[0], dtype=np.float64)
    from sklearn.model_selection import KFold

    for train, test in KFold(min(_FOLDS, len(rows)), shuffle=True, random_state=0).split(truth):
        calibration = calibrate([own[train] for own in values], truth[train], constants=constants)
        shares[test] = special.log_softmax(calibration([own[test] for own in values]), axis=1)
    accuracy = np.mean(shares.argmax(axis=1) == truth)
    return round(float(accuracy), 4), round(float(-shares[np.arange(len(truth)), truth].mean()), 4)
