"""Fixtures of the linear projections' tests."""

import pytest

from textspace.text import VectorSpace


@pytest.fixture(scope="session")
def r52(corpus_or_skip):
    """Give R52 as training rows and labels, test rows and labels."""
    corpus = corpus_or_skip("reuters-r52")
    vectors = VectorSpace().fit(corpus.train.texts)
    return (
        vectors.transform(corpus.train.texts),
        corpus.train.labels,
        vectors.transform(corpus.test.texts),
        corpus.test.labels,
    )
