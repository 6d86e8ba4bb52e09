"""The compiled cutter against the regular expression that says what a token is."""

import numpy as np
import pytest

from textspace.text import _reading
from textspace.text._cutter import cut_ascii
from textspace.text._whole import cut, cut_all

PARTS = {
    "all": [*"aB1.,-+#@/:&_$!", "://", "www.", "Aa", "abcdef", "1234567", ".js"],
    "names": [*"ab1.-A"],
    "numbers": [*"1.,:/-$a"],
    "signs": [*"A&-1.+#@_a"],
    "addresses": ["http://", "www.", "://", *"a.1/$@w", "ww"],
    "writings": [*"aB1.,-#@:&_$€é", "ไก็", "🇩🇪", "日", "Ж", "ж", "٣"],
}


def pool_of(runs):
    """Give runs as `scan` does, in an array that can be written to: another would be compiled for anew."""
    return np.frombuffer(bytearray("".join(f"{run}\0" for run in runs).encode()), np.uint8)


def assert_cut(runs):
    """Compare tokens, and where those of each run end."""
    tokens, ends = cut_all(pool_of(runs))
    expected = [[token for _, _, token in cut(run)] for run in runs]
    assert [list(each) for each in np.split(np.array(tokens, object), ends[:-1])] == expected


@pytest.mark.parametrize("kind", PARTS)
def test_random_runs(kind):
    rng, parts = np.random.default_rng(0), PARTS[kind]
    assert_cut(["".join(rng.choice(parts, size)) for size in rng.integers(1, 14, size=3000)])


@pytest.mark.parametrize(
    "part", ["a.", "1.", "a-", "#1", "@.", "$", "A&", "abcdef.", "a://", "1-", "www.", "1a."]
)
def test_long_runs(part):
    assert_cut([part * 2000, part * 2000 + "toolong", "x"])


@pytest.mark.parametrize("name", ["20newsgroups-bydate", "debian-ja", "debian-ru"])
def test_runs_of_texts(corpus_or_skip, name):
    texts = corpus_or_skip(name).train.texts[:200]
    reader = _reading.Reader(token_pattern=None, tokens="whole")
    [(_, _, pool)] = _reading.scanned(texts, reader)
    assert_cut(pool.tobytes().decode().split("\0")[:-1])


def test_other_runs_are_named():
    _, ends, others = cut_ascii(pool_of(["a,b", "é,b", "日", "1"]), 4)
    assert (ends.tolist(), others.tolist()) == ([2, 3, 4, 5], [1, 2])
