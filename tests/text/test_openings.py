import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textspace.text import Alphabets, VectorSpace, has_openings, opening_of

TEXTS = [
    "Corn prices\nThe price of corn rose while ships lay in port",
    " \n Ships sunk\r\nTwo ships with corn sank near the port",
    "a long line about corn and ships " * 8,
    "",
]


def test_an_opening_is_the_first_line_unless_that_is_long():
    assert [opening_of(text) for text in TEXTS[:2]] == ["Corn prices", " \n Ships sunk"]
    line = "x" * 200
    assert opening_of(line + "\nmore") == line  # twice the length
    assert opening_of("x" * 201 + "\nmore") == "x" * 130  # no word is so long
    assert opening_of(TEXTS[2]) == "a long line about corn and ships " * 3 + "a"
    assert opening_of("ab cd ef", n_characters=3) == "ab cd"
    assert opening_of("ab cd ef", n_characters=2) == "ab"


@given(st.text(st.sampled_from("ab \n\r\t\v日👍"), max_size=60), st.integers(1, 20))
def test_an_opening_is_where_its_text_begins_and_bounded(text, n_characters):
    opening = opening_of(text, n_characters)
    assert text.startswith(opening)
    written = opening.lstrip(" \t\n\r\f\v")
    assert len(written) <= max(2 * n_characters, n_characters + 30)
    assert not set(written) & {"\n", "\r"}
    rest = text[len(opening) :]
    assert not rest or rest[0].isspace() or len(written) >= n_characters


def test_short_texts_have_no_openings_of_their_own():
    assert has_openings(TEXTS)
    assert not has_openings(["corn", "two ships", *TEXTS[:1]])


@pytest.mark.parametrize("kind", [{"bigrams": True, "tokens": "whole"}, {"letters": (2, 3)}])
def test_a_space_of_openings_is_that_of_the_shorter_texts(kind):
    openings = [opening_of(text, 20) for text in TEXTS]
    space, other = VectorSpace(opening=20, **kind), VectorSpace(**kind)
    X, expected = space.fit_transform(TEXTS), other.fit_transform(openings)
    np.testing.assert_array_equal(X.toarray(), expected.toarray())
    np.testing.assert_array_equal(space.transform(TEXTS).toarray(), expected.toarray())
    assert list(space.get_feature_names_out()) == list(other.get_feature_names_out())


def test_terms_are_found_in_the_opening_alone():
    space = VectorSpace(opening=20).fit(TEXTS)
    text = " Corn\nships and corn"
    names = space.get_feature_names_out()
    assert [(text[a:b], names[column]) for a, b, column in space.spans(text)] == [("Corn", "corn")]


def test_openings_stand_beside_whole_texts():
    alphabets = Alphabets([("stems", VectorSpace()), ("opening", VectorSpace(opening=20))])
    X = alphabets.fit_transform(TEXTS)
    stems, opening = alphabets.blocks_
    assert X[:, opening.start : opening.stop].nnz < X[:, stems.start : stems.stop].nnz


def test_a_space_of_an_older_file_reads_whole_texts():
    state = VectorSpace().fit(TEXTS).__getstate__()
    del state["opening"]
    space = VectorSpace()
    space.__setstate__(state)
    assert space.opening is None
    assert space.transform(["the port"]).nnz == 1
