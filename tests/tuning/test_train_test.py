"""What estimators of a comparison are told about the documents."""

import numpy as np

from textspace.classify import SubspaceBlend
from textspace.datasets import load
from textspace.text import VectorSpace
from textspace.tuning import in_context, vectorise


def test_the_blend_knows_which_terms_are_single_words():
    corpus = load("demo")
    rows = np.arange(len(corpus.texts))
    documents = vectorise(corpus, rows[::2], rows[1::2], space=VectorSpace(), scheme="ltc", bigrams=True)
    [(_, start, stop, n_words)] = in_context(SubspaceBlend(), documents.context).blocks
    assert (start, stop) == (0, documents.X_train.shape[1])
    are_words = [" " not in term for term in documents.context["terms"]]
    assert n_words == sum(are_words[:n_words]) == sum(are_words) < stop
