"""Places of terms in a text: they agree with the rows, and point into the text as it was written."""

import unicodedata
from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp

from textspace.text import VectorSpace
from textspace.text._reading import folded
from textspace.text._spans import origins_of_normalized

TEXTS = [
    "The cats sat on a mat; the cats' mat was new. New York, new york!",
    "<p class='new'>New&nbsp;York <b>cats</b></p><script>alert(1)</script>",
    "good❤️work 👍🏽 new👩‍👩‍👧york cats 🇫🇷 mats 1️⃣",
    "Café crème, déjà vu; CAFÉ CRÈME NAÏVE",
    unicodedata.normalize("NFD", "Café crème, déjà vu; CAFÉ CRÈME NAÏVE Ångström"),
    "a\u0327\u0301b cafe\u0301\u0327\u0323s a\u0315\u0300\u05ae\u0062 cre\u0300me",
    "İstanbul'da İyi kıyı IRMAK ılık İSTANBUL iyi",
    "हिन्दी में कविता और हिन्दी में क\u093cलम क़लम",
    "বাংলা ভাষা \u0995\u09c7\u09be\u0995\u09c7\u09be",
    unicodedata.normalize("NFD", "한국어 문장 한국어 문장"),
    "ὁδός ΟΔΟΣ οδος ΣΑΣ",
    "Straße STRASSE ẞ Größe ﬁne ﬁnd",
    "broken\ud800text nul\0byte nul\0byte\r\n\ttabs\u2028lines",
    "don't stop-words: of the and 42 x y2k snake_case",
    "#a #b then # and #a #b",
    "",
    "?! 7",
]
PATTERNS = [None, r"\w+", r"\S+", r"[a-z]{2,}", r"(?:^|\s)(\w+)", r"#(\w)?|\b\w\w+"]


@pytest.mark.parametrize("stem", ["porter", None])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_places_are_as_many_as_the_rows_count(pattern, stem):
    space = VectorSpace("tf", stem=stem, token_pattern=pattern, bigrams=True, dtype=np.float64).fit(TEXTS * 2)
    rows = space.transform(TEXTS).toarray()
    assert (rows[:, space.n_words_ :] > 0).any()
    for text, row in zip(TEXTS, rows, strict=True):
        spans = space.spans(text)
        assert spans == sorted(spans)
        counts = np.zeros(len(row))
        for column, count in Counter(column for _, _, column in spans).items():
            counts[column] = count
        np.testing.assert_allclose(counts / max(np.linalg.norm(counts), 1), row, atol=1e-12)


@pytest.mark.parametrize("pattern", PATTERNS[:-2])
@pytest.mark.parametrize("text", TEXTS[:13])
def test_the_text_at_a_place_is_the_term(text, pattern):
    space = VectorSpace("tf", token_pattern=pattern, bigrams=True).fit(TEXTS * 2)
    spans = space.spans(text)
    assert spans or pattern == r"[a-z]{2,}"
    for start, end, column in spans:
        alone = space.spans(text[start:end])
        assert (0, end - start, column) in alone
        if column < space.n_words_:
            assert space.transform([text[start:end]]).indices.tolist() == [column]
        else:
            assert len(alone) == 3  # the two words and the pair


@pytest.mark.parametrize("text", TEXTS[:13])
def test_places_of_tokens_as_they_are_written(text):
    space = VectorSpace("tf", tokens="written", stem=None, stop_words=None, bigrams=True).fit(TEXTS * 2)
    spans = space.spans(text)
    row = space.transform([text]).toarray()[0]
    assert sorted({column for _, _, column in spans}) == np.flatnonzero(row).tolist()
    for start, end, column in spans:
        assert (0, end - start, column) in space.spans(text[start:end])


def test_places_by_hand():
    text = "Re\u0301sume\u0301 of İ\u0130X: 👍 RÉSUMÉ"
    space = VectorSpace(stem=None, bigrams=True).fit([text, text, "résumé"])
    names = space.get_feature_names_out()
    assert [(text[start:end], names[column]) for start, end, column in space.spans(text)] == [
        ("Re\u0301sume\u0301", "résumé"),
        ("Re\u0301sume\u0301 of İ\u0130X", "résumé i̇i̇x"),
        ("İ\u0130X", "i̇i̇x"),
        ("İ\u0130X: 👍 RÉSUMÉ", "i̇i̇x résumé"),
        ("RÉSUMÉ", "résumé"),
    ]


def test_terms_that_weigh_nothing_have_places_too():
    space = VectorSpace().fit(["common cat", "common dog"])
    assert space.transform(["common"]).nnz == 0
    assert space.spans("so common") == [(3, 9, space.vocabulary_["common"])]
    assert space.spans("unseen words") == []


@pytest.mark.parametrize("seed", range(5))
def test_each_folded_character_has_the_characters_it_came_from(seed):
    pool = [
        *"abIİı éß1\0<\ud800",
        *"\u0301\u0327\u0315\u0323\u0f73\u0f71\u0344",
        *"각\u1100\u1161\u11a8",
        "👍",
    ]
    pool += [*"\u0995\u09c7\u09be\u09d7", *"\u0cc6\u0cc2\u0cd5", *"\u212b\u1e9b\ufb01\u0958", *"क\u093c"]
    rng = np.random.default_rng(seed)
    for length in rng.integers(1, 30, size=300):
        text = "".join(pool[i] for i in rng.integers(len(pool), size=length))
        origins = origins_of_normalized(text)
        groups = list(dict.fromkeys(origins))
        assert [start for start, _ in groups] == [0, *(end for _, end in groups[:-1])]
        assert groups[-1][1] == len(text)
        # Folded one by one, the groups give the whole, each as many characters as point to it.
        assert "".join(folded(text[start:end]) for start, end in groups) == folded(text)
        assert [len(folded(text[start:end])) for start, end in groups] == list(Counter(origins).values())


def test_a_letter_with_very_many_marks_takes_no_time():
    text = "x" + "\u0315\u0300" * 100_000 + " cat"  # composing these at once would take minutes
    space = VectorSpace(stem=None).fit(["cat", text])
    assert space.transform([text]).nnz == 1
    assert (len(text) - 3, len(text)) in [(start, end) for start, end, _ in space.spans(text)]
    assert folded("e" + "\u0315\u0300" * 15) == unicodedata.normalize("NFC", "e" + "\u0315\u0300" * 15)


def test_wrong_use_is_explained():
    with pytest.raises(TypeError, match="one text, but was given list: call it for each"):
        VectorSpace().fit(TEXTS).spans(TEXTS)
    with pytest.raises(ValueError, match="fitted on term counts"):
        VectorSpace().fit(sp.csr_array(np.eye(3))).spans("text")
