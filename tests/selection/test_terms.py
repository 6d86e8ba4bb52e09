"""Terms of documents with their scores and classes."""

import numpy as np
from scipy import sparse

from textspace.datasets import load
from textspace.selection import TermSelector, classes_of_terms, information_gain, score_terms
from textspace.text import VectorSpace


def test_term_of_every_document_and_names_of_counts():
    counts = sparse.csr_array(np.array([[1, 0, 2, 0], [1, 0, 0, 3], [2, 0, 1, 1]], dtype=np.float32))
    labels = np.array(["grain", "ship", "grain"])
    selector = TermSelector("weighted", n_terms=2, mode="top")
    for terms, expected in ((["the", "absent", "corn", "port"], ["the", "corn", "port"]), (None, "023")):
        scored = score_terms(counts, labels, selector, names=terms)
        assert scored.names.tolist() == list(expected)
        assert scored.frequencies.tolist() == [3, 2, 2]


def test_class_of_a_term_is_where_the_score_is_highest():
    corpus = load("demo").train
    X = VectorSpace().fit_transform(corpus.texts)
    best = information_gain(X, corpus.labels, aggregate=None).argmax(axis=0)
    expected = corpus.classes[best]
    assert np.mean(classes_of_terms("information_gain", X, corpus.labels) == expected) > 0.99  # but for ties


def test_order_is_by_falling_scores_and_the_best_are_chosen():
    corpus = load("demo").train
    scored = score_terms(corpus.texts, corpus.labels, TermSelector("chi2", n_terms=30, mode="top"))
    assert (np.diff(scored.selector.scores_[scored.order]) <= 0).all()
    assert scored.selector.get_support()[scored.order[:30]].all()
