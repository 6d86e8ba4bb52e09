"""VectorSpace against scikit-learn's TfidfVectorizer with the same analyser, one process each.

The peer runs with two analysers that give the same terms: one looks stems up in a dictionary, as quick as we
could write it; the other asks PyStemmer, which has a cache of its own, for each word. Words as they are
written and n-grams of characters are compared with scikit-learn's own analysers.
"""

import re

import numpy as np
import Stemmer
from benchmarks._measure import best_of
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

from textspace.datasets import load
from textspace.text import VectorSpace

WORD = re.compile("[a-z]{2,}")
AS_WRITTEN = r"[^\W_]+|[!?$+<=>^`|~]"  # of ASCII


class Stems(dict):
    """Stem of each word met so far; None for a stop word."""

    def __init__(self):
        self.stem = Stemmer.Stemmer("porter", 0).stemWord

    def __missing__(self, word):
        self[word] = None if word in ENGLISH_STOP_WORDS else self.stem(word)
        return self[word]


def dictionary_analyzer():
    stem_of = Stems().__getitem__
    return lambda text: [stem for stem in map(stem_of, WORD.findall(text.lower())) if stem is not None]


def stemmer_analyzer():
    stem = Stemmer.Stemmer("porter").stemWords
    return lambda text: stem([word for word in WORD.findall(text.lower()) if word not in ENGLISH_STOP_WORDS])


def vectorize(texts):
    return VectorSpace().fit_transform(texts)


def vectorize_with_peer(texts, analyzer):
    return TfidfVectorizer(analyzer=analyzer(), dtype=np.float32).fit_transform(texts)


def vectorize_pairs(texts):
    return VectorSpace(min_df=2, bigrams=True).fit_transform(texts)


def pairs_peer(**settings):
    """Make scikit-learn's n-grams of the quicker analyser's words."""
    tokens = {"tokenizer": dictionary_analyzer(), "token_pattern": None, "lowercase": False}
    return TfidfVectorizer(**tokens, ngram_range=(1, 2), min_df=2, **settings)


def vectorize_pairs_with_peer(texts):
    return pairs_peer(dtype=np.float32).fit_transform(texts)


def alphabets():
    """Give a space and its peer for words as they are written, and for letters."""
    words = VectorSpace(tokens="written", stem=None, stop_words=None, bigrams=True, min_df=2)
    yield "as written", words, TfidfVectorizer(token_pattern=AS_WRITTEN, ngram_range=(1, 2), min_df=2)
    letters = VectorSpace(letters=(2, 5), min_df=3)
    yield "letters", letters, TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), min_df=3)


def measure_alphabets(corpus):
    texts = [text for text in load(corpus).train.texts if text.isascii()]
    millions = sum(map(len, texts)) / 1e6
    for name, space, peer in alphabets():
        difference = largest_difference(space, peer, texts[:1000])  # the peer takes long
        ours = best_of(space.fit_transform, texts)
        theirs = best_of(peer.set_params(dtype=np.float32).fit_transform, texts, repeats=1)
        print(
            f"  {corpus:13} {name}: VectorSpace {ours.cpu:.2f} s, {millions / ours.cpu:.1f} million "
            f"characters a second, TfidfVectorizer {theirs.cpu:.2f} s, {theirs.cpu / ours.cpu:.2f} times as "
            f"long, largest difference {difference:.0e}"
        )
        short = [text[:200] for text in texts[:1000]]
        ours, theirs = (best_of(one_by_one, each, short) for each in (space, peer))
        print(
            f"  {'':13} a text of 200 characters alone: {ours.cpu * 1000:.0f} and {theirs.cpu * 1000:.0f} "
            "microseconds"
        )


def one_by_one(vectorizer, texts):
    for text in texts:
        vectorizer.transform([text])


def largest_difference(space, peer, texts):
    """Compare the two matrices entry by entry, with the peer's idf, log(n / df) + 1, made ours."""
    ours = space.fit_transform(texts)
    peer.set_params(smooth_idf=False).fit(texts)
    peer.idf_ = peer.idf_ - 1
    columns = [peer.vocabulary_[term] for term in space.get_feature_names_out()]
    return abs(ours - peer.transform(texts)[:, columns]).max()


def main():
    print("VectorSpace against TfidfVectorizer with the same analyser, fit_transform of the training texts")
    for corpus in ("reuters-r52", "20newsgroups"):
        texts = load(corpus).train.texts
        space, peer = VectorSpace(), TfidfVectorizer(analyzer=dictionary_analyzer())
        difference = largest_difference(space, peer, texts)  # also compiles, before the clock runs
        ours = best_of(vectorize, texts, repeats=7)
        print(
            f"  {corpus:13} words: VectorSpace {ours.cpu:.2f} s of CPU, largest difference {difference:.0e}"
        )
        for analyzer in (dictionary_analyzer, stemmer_analyzer):
            theirs = best_of(vectorize_with_peer, texts, analyzer)
            print(
                f"  {'':13} TfidfVectorizer, {analyzer.__name__:19} {theirs.cpu:.2f} s, "
                f"{theirs.cpu / ours.cpu:.2f} times as long"
            )
        short = [text[:200] for text in texts[:1000]]
        ours, theirs = (best_of(one_by_one, each, short) for each in (space, peer))
        print(
            f"  {'':13} a text of 200 characters alone: {ours.cpu * 1000:.0f} and {theirs.cpu * 1000:.0f} "
            f"microseconds, {theirs.cpu / ours.cpu:.2f} times as long"
        )
        difference = largest_difference(VectorSpace(min_df=2, bigrams=True), pairs_peer(), texts)
        ours = best_of(vectorize_pairs, texts, repeats=5)
        theirs = best_of(vectorize_pairs_with_peer, texts)
        print(
            f"  {'':13} words and pairs: VectorSpace {ours.cpu:.2f} s, TfidfVectorizer {theirs.cpu:.2f} s, "
            f"{theirs.cpu / ours.cpu:.2f} times as long, largest difference {difference:.0e}"
        )
        measure_alphabets(corpus)


if __name__ == "__main__":
    main()
