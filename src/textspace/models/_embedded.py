"""Sentence embeddings beside the terms: one more score of the blend."""

import time
from typing import ClassVar

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin

from textspace._labels import split_labelled
from textspace._parameters import COUNT, SEED, at_least
from textspace._saving import saved_as
from textspace.classify import calibrate
from textspace.models._default import MANY_CLASSES, default_classifier
from textspace.text import SentenceEmbeddings, VectorSpace

EMBEDDING = "(sentence embedding)"  # the name of all its columns


@saved_as(
    "models.embedded_space",
    shapes={"n_terms_": "t", "n_words_": "w", "terms.n_words_": "w", "terms.idf_": "t"},
    not_saved=["encoder"],
)
class EmbeddedSpace(BaseEstimator):
    """Texts as rows of terms, followed by the columns of a sentence embedding.

    The columns of terms are `n_terms_`, and the first `n_words_` of them are single words. Which encoder it
    is says `fingerprint_`; the training texts took it `encoding_seconds_`.
    """

    _parameter_constraints: ClassVar = {"terms": [VectorSpace], "encoder": [SentenceEmbeddings]}

    def __init__(self, terms, encoder):
        self.terms = terms
        self.encoder = encoder

    def fit_transform(self, texts, y=None):
        """Learn the terms, and give the rows of the texts, of shape (n_texts, n_columns)."""
        self._validate_params()
        rows = self.terms.fit_transform(texts)
        self.n_terms_, self.n_words_ = rows.shape[1], self.terms.n_words_
        start = time.perf_counter()
        self.fingerprint_ = self.encoder.fit(texts).fingerprint_
        rows = self._beside(rows, texts)
        self.encoding_seconds_ = time.perf_counter() - start
        return rows

    def attach(self, folder):
        """Take the encoder out of a folder, where it must be the one that was learned with."""
        encoder = SentenceEmbeddings(folder).fit([])
        if encoder.fingerprint_ != self.fingerprint_:
            raise ValueError(
                f"{folder} holds another encoder than the one that the model was trained with: give the "
                "folder of that one, or train again."
            )
        self.encoder = encoder

    def transform(self, texts):
        """Give the rows of texts, of shape (n_texts, n_columns)."""
        return self._beside(self.terms.transform(texts), texts)

    def _beside(self, rows, texts):
        return sparse.hstack([rows, sparse.csr_array(self.encoder.transform(texts))], format="csr")

    def names_of(self, columns):
        """Give the names of some columns; those of the embedding have one name together."""
        is_term = columns < self.n_terms_
        names = np.full(len(columns), EMBEDDING, dtype=object)
        names[is_term] = self.terms.names_of(columns[is_term])
        return names

    def spans(self, text):
        """Find where the known terms stand in a text, as :meth:`textspace.text.VectorSpace.spans` does."""
        return self.terms.spans(text)


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
    not_saved=["out_of_fold_"],
)
class EmbeddedBlend(ClassifierMixin, BaseEstimator):
    """A blend of terms and a blend of sentence embeddings, weighed by documents held out.

    The first `n_terms` columns are terms, of which the first `n_words` are single words; the others are the
    embedding. ``terms_`` and ``embedding_`` are the two blends, ``calibration_`` tells what each counts, and
    ``out_of_fold_`` are decision values of the labelled documents by models that have not seen them.
    """

    _parameter_constraints: ClassVar = {
        "n_terms": [COUNT],
        "n_words": [at_least(0), None],
        "random_state": [SEED],
    }

    def __init__(self, n_terms, n_words=None, random_state=None):
        self.n_terms = n_terms
        self.n_words = n_words
        self.random_state = random_state

    def fit(self, X, y):
        """Learn both blends from rows X and labels y, "" for none, and what each counts."""
        self._validate_params()
        labelled, codes, self.classes_ = split_labelled(y)
        self.n_features_in_, n_classes = X.shape[1], len(self.classes_)
        self.terms_, self.embedding_ = (
            default_classifier(n_classes, n_words=n_words, random_state=self.random_state).fit(rows, y)
            for rows, n_words in zip(self._split(X), (self.n_words, 0), strict=True)
        )
        values = [self.terms_.out_of_fold_, self.embedding_.out_of_fold_]
        self.calibration_ = calibrate(values, codes[labelled], constants=n_classes <= MANY_CLASSES)
        self.out_of_fold_ = self.calibration_(values)
        return self

    def _split(self, X):
        return X[:, : self.n_terms], X[:, self.n_terms :]

    def class_scores(self, X):
        """Give the decision values of the classes, of shape (n_samples, n_classes)."""
        terms, embedding = self._split(X)
        return self.calibration_([self.terms_.class_scores(terms), self.embedding_.class_scores(embedding)])

    def predict_proba(self, X):
        """Give the probabilities of the classes, of shape (n_samples, n_classes)."""
        return softmax(self.class_scores(X), axis=1)

    def predict(self, X):
        """Give the most probable class of each document, of shape (n_samples,)."""
        return self.classes_[self.class_scores(X).argmax(axis=1)]

    def transform(self, X):
        """Place documents in the discriminant space of the terms, of shape (n_samples, n_classes - 1)."""
        return self.terms_.transform(self._split(X)[0])

    def contributions(self, x):
        """Split the decision values of one document, as :meth:`SubspaceBlend.contributions` does."""
        blends = zip((self.terms_, self.embedding_), self._split(x), self.calibration_.factors, strict=True)
        contributions, constant = [], self.calibration_.bias
        for blend, row, factor in blends:
            own, left = blend.contributions(row)
            contributions.append(factor * own)
            constant = constant + factor * left
        return sparse.vstack(contributions, format="csr"), constant
