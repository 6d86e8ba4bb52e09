"""Tokens, stop words and stems against slow, obvious readings of the same rules."""

import pickle
import re
import unicodedata
from functools import cache
from itertools import groupby

import numpy as np
import pytest
import Stemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from textspace.text import _reading
from textspace.text._analyzer import Analyzer


def terms_of(texts, *, stem=None, stop_words=None, token_pattern=None, tokens="words"):
    """Give the kept terms of each text, in order."""
    analyzer = Analyzer(stem=stem, stop_words=stop_words, token_pattern=token_pattern, tokens=tokens)
    terms, documents = [], []
    for block in analyzer(texts):
        terms += block.terms[0]  # a block's terms stand there or in one before it
        documents += [
            [terms[i] for i in document if terms[i] is not None]
            for document in np.split(block.ids, block.ends[:-1])
        ]
    return documents


def letter_runs(text):
    """Give the runs of two or more letters and marks, one character at a time."""
    text = unicodedata.normalize("NFC", text.lower())
    runs = groupby(text, key=lambda character: unicodedata.category(character)[0] in "LM")
    return [run for is_word, run in ((w, "".join(r)) for w, r in runs) if is_word and len(run) > 1]


def random_ascii(rng, n_characters):
    return rng.integers(0, 128, size=n_characters, dtype=np.uint8).tobytes().decode("ascii")


@pytest.mark.parametrize("seed", range(3))
def test_ascii_tokens_are_runs_of_letters(seed):
    rng = np.random.default_rng(seed)
    texts = [random_ascii(rng, size) for size in (0, 1, 2, 50, 5000)]
    assert terms_of(texts) == [re.findall("[a-z]{2,}", text.lower()) for text in texts]


def test_ascii_and_other_texts_are_treated_alike():
    texts = [random_ascii(np.random.default_rng(0), 5000) for _ in range(3)]
    assert [terms[:-1] for terms in terms_of([text + " été" for text in texts])] == terms_of(texts)


WRITINGS = {
    "accents": ("Café crème, déjà-vu; NAÏVE Ångström", ["café", "crème", "déjà", "vu", "naïve", "ångström"]),
    "cyrillic": ("Всё СМЕШАЛОСЬ в доме", ["всё", "смешалось", "доме"]),
    "greek": ("ὁδός. ΟΔΟΣ", ["ὁδός", "οδος"]),
    "hindi": ("हिन्दी में कविता", ["हिन्दी", "में", "कविता"]),
    "tamil": ("தமிழ் மொழி", ["தமிழ்", "மொழி"]),
    "arabic": ("كِتَاب جديد", ["كِتَاب", "جديد"]),
    "turkish": ("İstanbul ılık", ["i̇stanbul", "ılık"]),
    "german": ("Straße, Größe", ["straße", "größe"]),
    "emoji": ("good❤️work 1️⃣ ok👍🏽then", ["good", "work", "ok", "then"]),
    "digits": ("x2y 3rd b2b R2D2 snake_case ²½", ["rd", "snake", "case"]),
    "half a surrogate pair": ("broken\ud800text", ["broken", "text"]),
    "NUL": ("nul\0byte é", ["nul", "byte"]),
}


@pytest.mark.parametrize(("text", "expected"), WRITINGS.values(), ids=WRITINGS)
def test_words_of_any_alphabet_stay_whole(text, expected):
    assert terms_of([text]) == [expected]


@pytest.mark.parametrize("name", [name for name in WRITINGS if name != "emoji"])
def test_unicode_tokens_equal_a_walk_over_the_characters(name):
    text = WRITINGS[name][0]
    assert terms_of([text]) == [letter_runs(text)]


def class_of(characters):
    """Give the character class of a regular expression."""
    return "[" + "".join(map(re.escape, characters)) + "]"


@cache
def pattern_as_written():
    """Give the regular expression of words with digits, and of single symbols, among all characters."""
    kinds = {chr(code): unicodedata.category(chr(code)) for code in range(0x110000)}
    word = class_of(c for c, kind in kinds.items() if kind[0] in "LN" or kind in ("Mn", "Mc"))
    symbol = class_of(c for c, kind in kinds.items() if kind[0] == "S" or c in "!?")
    return re.compile(f"{word}+|{symbol}")


def written_slowly(text):
    """Find words with digits, and single symbols, by a regular expression."""
    text = unicodedata.normalize("NFC", text.lower())
    return pattern_as_written().findall(re.sub("[\ufe00-\ufe0f\u200c\u200d]", "", text))


AS_WRITTEN = {
    "English": ("I can't: 3rd, B2B_x!! Why?", ["i", "can", "t", "3rd", "b2b", "x", "!", "!", "why", "?"]),
    "symbols": ("a+b=$5 ~10€ <b>", ["a", "+", "b", "=", "$", "5", "~", "10", "€", "<", "b", ">"]),
    "emoji": ("good❤️work 1️⃣ ok👍🏽then", ["good", "❤", "work", "1", "ok", "👍", "🏽", "then"]),
    "family": ("👩\u200d👩\u200d👧🇫🇷", ["👩", "👩", "👧", "🇫", "🇷"]),
    "persian": ("می\u200cخواهم ۵", ["میخواهم", "۵"]),
    "hindi": ("हिन्दी में ५ कविता।", ["हिन्दी", "में", "५", "कविता"]),
    "japanese": ("日本語、ですか？", ["日本語", "ですか"]),
    "fractions": ("x² ½ Ⅷ", ["x²", "½", "ⅷ"]),
    "half a surrogate pair": ("broken\ud800text?", ["broken", "text", "?"]),
    "NUL": ("nul\0byte é", ["nul", "byte", "é"]),
    "accents apart": ("Cafe\u0301!", ["café", "!"]),
}


@pytest.mark.parametrize(("text", "expected"), AS_WRITTEN.values(), ids=AS_WRITTEN)
def test_tokens_as_they_are_written(text, expected):
    assert terms_of([text], tokens="written") == [expected] == [written_slowly(text)]


@pytest.mark.parametrize("seed", range(3))
def test_tokens_as_written_equal_a_regular_expression(seed):
    rng = np.random.default_rng(seed)
    common = [*"aAbZ09 \n!?.,$_-é\u0301ßжह\u094d中\u200d\ufe0f👍\u20ac\ud800"]
    mixed = ["".join(rng.choice(common, size=size)) for size in (1, 5, 100, 2000)]
    rare = ["".join(chr(code) for code in rng.integers(0x110000, size=size)) for size in (20, 2000)]
    texts = [*mixed, *rare, random_ascii(rng, 3000)]
    assert terms_of(texts, tokens="written") == [written_slowly(text) for text in texts]


def test_very_many_different_symbols_take_no_time():
    # Sought one by one in the whole text, so many would take minutes.
    symbols = [chr(code) for code in range(0xE000, 0xF8FF)] + [chr(code) for code in range(0xF0000, 0x10FFFD)]
    assert terms_of(["été" + "été".join(symbols)]) == [["été"] * len(symbols)]


def test_an_accent_may_be_written_apart():
    composed, apart = unicodedata.normalize("NFC", "café"), unicodedata.normalize("NFD", "café")
    assert composed != apart
    assert terms_of([apart, composed]) == [["café"], ["café"]]
    assert terms_of([composed], stop_words=[apart]) == [[]]


def test_stop_words_are_compared_before_stemming():
    # "being" is a stop word, "be" its stem; "beings" is none.
    assert terms_of(["being beings"], stem="porter", stop_words=["being"]) == [["be"]]
    assert terms_of(["being beings"], stem="porter", stop_words=["be"]) == [["be", "be"]]


def test_stop_words_are_compared_in_lower_case():
    assert terms_of(["The end THE"], stop_words=["THE"]) == [["end"]]


def test_english_stop_words_are_those_of_scikit_learn():
    text = " ".join(sorted(ENGLISH_STOP_WORDS)) + " stays"
    assert terms_of([text], stop_words="english") == [["stays"]]
    assert len(terms_of([text])[0]) > 300


@pytest.mark.parametrize("language", ["porter", "english", "german", "russian", "french"])
def test_stems_are_those_of_snowball(language):
    text = "running runners häusern Häuser книгами книга continuellement general generalization"
    assert terms_of([text], stem=language) == [Stemmer.Stemmer(language).stemWords(text.lower().split())]


def test_token_pattern_is_matched_in_the_lower_cased_text():
    assert terms_of(["Route 66, A é ROUTE"], token_pattern=r"\w+") == [["route", "66", "a", "é", "route"]]
    assert terms_of(["Ab-Cd"], token_pattern=r"([a-z])[a-z]") == [["a", "c"]]
    assert terms_of(["broken\ud800text"], token_pattern=r"\S+") == [["broken?text"]]


def test_blocks_of_texts_share_their_terms(monkeypatch):
    texts = ["one two", "two three", "", "three four one", "ünd one"] * 3
    whole = terms_of(texts, stem="porter")
    monkeypatch.setattr(_reading, "_BLOCK_BYTES", 10)
    analyzer = Analyzer(stem="porter", stop_words=None, token_pattern=None, tokens="words")
    assert len(analyzer(texts)) > 3
    assert terms_of(texts, stem="porter") == whole


def test_an_analyzer_can_be_sent_to_another_process():
    analyzer = Analyzer(stem="porter", stop_words="english", token_pattern=r"\w+", tokens="words")
    copy = pickle.loads(pickle.dumps(analyzer))
    assert [each(["the running 5"])[0].terms for each in (copy, analyzer)] == 2 * [[[None, "run", "5"]]]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("(a", "not a regular expression"),
        ("(a)(b)", "has 2 groups"),
    ],
)
def test_wrong_patterns_are_explained(wrong, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        terms_of(["text"], token_pattern=wrong)
