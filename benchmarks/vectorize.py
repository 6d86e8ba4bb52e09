"""VectorSpace against scikit-learn's TfidfVectorizer with the same analyser, one process each.

The peer runs with two analysers that give the same terms: one looks stems up in a dictionary, as quick as we
could write it; the other asks PyStemmer, which has a cache of its own, for each word.
"""

import re

import numpy as np
import Stemmer
from benchmarks._measure import best_of
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

from textspace.datasets import load
from textspace.text import VectorSpace

WORD = re.compile("[a-z]{2,}")


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


def largest_difference(texts):
    """Compare the two matrices entry by entry, with the peer's idf, log(n / df) + 1, made ours."""
    peer = TfidfVectorizer(analyzer=dictionary_analyzer(), smooth_idf=False).fit(texts)
    peer.idf_ = peer.idf_ - 1
    return abs(vectorize(texts) - peer.transform(texts)).max()


def main():
    print("VectorSpace against TfidfVectorizer with the same analyser, fit_transform of the training texts")
    for corpus in ("reuters-r52", "20newsgroups"):
        texts = load(corpus).train.texts
        difference = largest_difference(texts)  # also compiles, before the clock runs
        ours = best_of(vectorize, texts, repeats=7)
        print(f"  {corpus:13} VectorSpace {ours.cpu:.2f} s of CPU, largest difference {difference:.0e}")
        for analyzer in (dictionary_analyzer, stemmer_analyzer):
            peer = best_of(vectorize_with_peer, texts, analyzer)
            print(
                f"  {'':13} TfidfVectorizer, {analyzer.__name__:19} {peer.cpu:.2f} s, "
                f"{peer.cpu / ours.cpu:.2f} times as long"
            )


if __name__ == "__main__":
    main()
