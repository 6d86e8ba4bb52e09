"""What a sceptic would bring: they read texts by themselves, take part in comparisons, make no model file."""

from functools import partial

from textspace.methods._building import make, vectorized
from textspace.methods._method import Method

_ENTRIES = [
    Method(
        name="svm-sklearn",
        title="TfidfVectorizer + LinearSVC",
        summary="scikit-learn alone: words and pairs of words, logarithms of counts, a linear SVM.",
        paper="Joachims, Text categorization with support vector machines, ECML 1998",
        build=partial(vectorized, "sklearn.svm.LinearSVC", sublinear_tf=True, ngram_range=(1, 2)),
        grid={"classify__C": [0.1, 0.3, 1.0, 3.0]},
        scheme="texts",
        open_ended=("classify__C",),
        several=True,
    ),
    Method(
        name="svm-letters",
        title="Linear SVM, 2 to 5 letters",
        summary="scikit-learn alone: sequences of 2 to 5 letters within words, a linear SVM.",
        paper="Cavnar and Trenkle, N-gram-based text categorization, SDAIR 1994",
        build=partial(
            vectorized, "sklearn.svm.LinearSVC", sublinear_tf=True, analyzer="char_wb", ngram_range=(2, 5)
        ),
        grid={"classify__C": [0.1, 0.3, 1.0, 3.0]},
        scheme="texts",
        open_ended=("classify__C",),
        several=True,
    ),
    Method(
        name="nb-svm",
        title="NB-SVM",
        summary="A linear SVM a class on words and pairs of words that naive Bayes has weighed.",
        paper="Wang and Manning, Baselines and bigrams: simple, good sentiment and topic classification, "
        "ACL 2012",
        build=partial(
            vectorized,
            "textspace.classify.NBSVM",
            "CountVectorizer",
            binary=True,
            ngram_range=(1, 2),
            dtype=float,
        ),
        grid={"classify__C": [0.01, 0.03, 0.1, 0.3]},
        scheme="texts",
        open_ended=("classify__C",),
        several=True,
    ),
    Method(
        name="fasttext",
        title="fastText",
        summary="Softmax regression on vectors of words and pairs that are learned with it.",
        paper="Joulin et al., Bag of tricks for efficient text classification, EACL 2017",
        build=partial(make, "textspace.classify.FastText"),
        grid={"lr": [0.1, 0.3, 1.0]},
        scheme="texts",
        open_ended=("lr",),
    ),
]

BASELINES = {method.name: method for method in _ENTRIES}
