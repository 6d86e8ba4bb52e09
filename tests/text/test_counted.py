"""Texts counted in partitions against a space that reads all of them."""

import numpy as np
import pytest

from textspace.datasets import load
from textspace.text import VectorSpace, count_texts, learn_frequencies, weigh_counted


@pytest.mark.parametrize("settings", [{}, {"min_df": 3, "scheme": "ltc"}, {"n_hashed": 500}])
def test_partitions_make_the_space_and_the_rows_of_the_whole(settings):
    texts = load("demo").train.texts
    partitions = [list(texts[:50]), list(texts[50:51]), list(texts[51:])]
    space = VectorSpace(**settings)
    counted = [count_texts(partition, space) for partition in partitions]
    frequencies = counted[0].frequencies + counted[1].frequencies + counted[2].frequencies
    learn_frequencies(space, frequencies, n_texts=len(texts))
    whole = VectorSpace(**settings).fit(texts)
    assert list(space.vocabulary_) == list(whole.vocabulary_)
    np.testing.assert_array_equal(space.idf_, whole.idf_)
    for partition, each in zip(partitions, counted, strict=True):
        rows, expected = weigh_counted(each, space), whole.transform(partition)
        np.testing.assert_allclose(rows.toarray(), expected.toarray(), atol=1e-7)


def test_letters_are_not_counted_in_partitions():
    with pytest.raises(ValueError, match="leave out letters"):
        count_texts(["a text"], VectorSpace(letters=(2, 5)))
