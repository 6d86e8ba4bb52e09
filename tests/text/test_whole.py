"""Whole tokens: names, numbers, addresses, emoji, and scripts without spaces."""

import unicodedata

import numpy as np
import pytest

from textspace.text import VectorSpace
from textspace.text._analyzer import Analyzer
from textspace.text._spans import locate_terms
from textspace.text._whole import cut


def terms_of(text, **settings):
    """Give the terms of a text, in order, as the compiled pass finds them."""
    settings = {"stem": None, "stop_words": None, "token_pattern": None, "tokens": "whole"} | settings
    [block] = Analyzer(**settings)([text])
    [terms] = block.terms
    return [terms[i] for i in block.ids if terms[i] is not None]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Node.js, C++ (C#) and .NET.", ["node.js", "c++", "c#", "and", ".net"]),
        ("An e-mail: 404! DNS?", ["an", "e-mail", "404", "!", "dns", "?"]),
        ("UTF-8 ISO-8859-1 AT&T MP3 U.S.", ["utf-8", "iso-8859-1", "at&t", "mp3", "u.s"]),
        ("$5 £1,299.00 5€ $", ["$0", "£0", "€0", "$"]),
        ("2024-05-31 31.05.2024 12:30 5/31/2024", ["0000-00-00", "00.00.0000", "00:00", "0/00/0000"]),
        ("3.11.2 v2.0 1234567 10,000", ["3.11.2", "v2.0", "0000000", "00,000"]),
        ("#fail #1 @some_body x@example.org", ["#fail", "1", "@some_body", "x", "@example.org"]),
        ("https://www.example.org/a/b-c", ["://", "example.org", "a", "b-c"]),
        ("The end.Then well-known, part-time", ["the", "end", "then", "well", "known", "part", "time"]),
        ("...so x/y foo--bar 10-year", ["so", "x", "y", "foo", "bar", "10", "year"]),
        ("👍🏽 👍🏿👍 ❤️ 👩‍💻 🇩🇪🇫🇷", ["👍", "👍", "👍", "❤", "👩", "💻", "🇩🇪", "🇫🇷"]),
        ("日本 ไทยก็", ["日", "本", "ไ", "ท", "ย", "ก็"]),
        ("Ｆｕｌｌ １２ ﬁne", ["full", "12", "fine"]),
        ("İstanbul كِتَاب שָׁלוֹם", ["istanbul", "كتاب", "שלום"]),
    ],
)
def test_tokens_of_our_time(text, terms):
    assert terms_of(text) == terms
    assert [
        term
        for _, _, term in locate_terms(
            Analyzer(stem=None, stop_words=None, token_pattern=None, tokens="whole"), text
        )
    ] == terms


def test_names_keep_their_endings():
    terms = terms_of("DNS dns AIDS aids cats Node.js MP3s bus houses", stem="porter")
    assert terms == ["dns", "dns", "aids", "aid", "cat", "node.js", "mp3s", "bus", "hous"]


def test_the_turkish_i():
    assert terms_of("ISPARTA İzmir", stem="turkish")[0].startswith("ı")
    assert terms_of("ISPARTA")[0].startswith("i")


@pytest.mark.parametrize("seed", range(3))
def test_the_places_of_tokens_are_those_that_are_counted(seed):
    pool = [*"aB1.,-+#@/:&_$€ é!?(日ไก็🇩🇪👍🏽İΣﬁＡ", "://", "www.", "Aa", "e\u0301"]
    rng = np.random.default_rng(seed)
    analyzer = Analyzer(stem=None, stop_words=None, token_pattern=None, tokens="whole")
    for length in rng.integers(1, 25, size=300):
        text = "".join(pool[i] for i in rng.integers(len(pool), size=length))
        places = locate_terms(analyzer, text)
        assert [term for _, _, term in places] == terms_of(text)
        assert all(start < end for start, end, _ in places)


@pytest.mark.parametrize("part", ["a.", "1.", "a-", "#1", "@.", "$", "A&", "abcdef.", "a://", "1-", "www."])
def test_no_run_takes_long(part):
    cut(part * 20_000 + "toolong")  # quadratic, it would take minutes


def test_letters_of_scripts_without_spaces_make_pairs():
    space = VectorSpace(tokens="whole", stem=None, stop_words=None, bigrams=True).fit(["東京都", "京都 東京"])
    columns = np.arange(space.n_terms_)
    assert "東 京" in space.names_of(columns)
    assert set(space.forms_of(columns)) == {"東", "京", "都", "東京", "京都"}


def test_the_commonest_form_stands_for_its_stem():
    texts = ["Ponies love DNS", "ponies", "one pony", "dns", "DNS"]
    space = VectorSpace(tokens="whole").fit(texts)
    shown = dict(zip(space.get_feature_names_out(), space.forms_of(np.arange(space.n_terms_)), strict=True))
    assert shown == {"dns": "DNS", "love": "love", "poni": "Ponies"}
    stems = VectorSpace(bigrams=True).fit(["new houses", "New houses", "a new house"])
    assert list(stems.forms_of(np.arange(stems.n_terms_))) == ["houses", "new", "new houses"]


def test_forms_do_not_depend_on_the_number_of_processes(monkeypatch):
    monkeypatch.setattr("textspace.text._counts._CHARACTERS_PER_PROCESS", 10)
    texts = ["Houses and Ponies", "house", "ponies houses", "a pony", "pony"]
    spaces = [VectorSpace(tokens="whole", n_jobs=n).fit(texts) for n in (1, 2)]
    assert spaces[0].forms_.tolist() == spaces[1].forms_.tolist()


def test_full_width_letters_stand_where_they_are():
    text = "a Ｆｕｌｌ ﬁne e\u0301te\u0301"
    space = VectorSpace("tf", tokens="whole", stem=None, stop_words=None).fit([text])
    found = {
        space.names_of(np.array([column]))[0]: text[start:end] for start, end, column in space.spans(text)
    }
    assert found == {"a": "a", "full": "Ｆｕｌｌ", "fine": "ﬁne", "été": unicodedata.normalize("NFD", "été")}
