"""The classifier of fastText, which is asked for only where it is fitted: pip install fasttext-community."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

TOKEN = re.compile(r"\w+|[^\w\s]")


def tokenise(texts):
    """Give texts in small letters with a space between words and marks, as fastText reads them: array of str.

    >>> tokenise(["Corn rose, again."]).tolist()
    ['corn rose , again .']
    """
    return np.array([" ".join(TOKEN.findall(text.lower())) for text in texts], dtype=object)


class FastText(ClassifierMixin, BaseEstimator):
    """Softmax regression on the mean of learned vectors of words and pairs.

    A. Joulin, E. Grave, P. Bojanowski and T. Mikolov, "Bag of Tricks for Efficient Text Classification" (EACL
    2017).
    """

    def __init__(self, lr=0.3, epoch=25, dim=50, bucket=500_000):
        self.lr = lr
        self.epoch = epoch
        self.dim = dim
        self.bucket = bucket

    def fit(self, texts, y):
        """Learn from tokenised texts and their labels."""
        from fasttext import train_supervised

        self.classes_, codes = np.unique(y, return_inverse=True)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "train.txt"
            lines = (f"__label__{code} {text}\n" for code, text in zip(codes, texts, strict=True))
            path.write_text("".join(lines), encoding="utf-8")
            self.model_ = train_supervised(
                str(path),
                lr=self.lr,
                epoch=self.epoch,
                dim=self.dim,
                bucket=self.bucket,
                wordNgrams=2,
                thread=1,
                seed=0,
                verbose=0,
            )
        return self

    def predict_proba(self, texts):
        """Give the probabilities of the classes."""
        names, found = self.model_.predict(list(texts), k=-1)
        shares = np.zeros((len(texts), len(self.classes_)))
        for row, (labels, values) in enumerate(zip(names, found, strict=True)):
            shares[row, [int(label.removeprefix("__label__")) for label in labels]] = values
        return shares

    def predict(self, texts):
        """Give the most probable class of each text."""
        return self.classes_[self.predict_proba(texts).argmax(axis=1)]
