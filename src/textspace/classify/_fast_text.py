"""The classifier of fastText, which is asked for only where it is fitted."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from textspace._parameters import COUNT, POSITIVE
from textspace._validation import refuse_dask

_TOKEN = re.compile(r"\w+|[^\w\s]")


class FastText(ClassifierMixin, BaseEstimator):
    """Softmax regression on the mean of learned vectors of words and pairs, by the package fasttext.

    Install it with ``pip install fasttext-community``.

    Parameters
    ----------
    lr : float, default=0.3
        Learning rate.
    epoch : int, default=25
        How often all texts are read.
    dim : int, default=50
        Length of the vectors.
    bucket : int, default=500_000
        Number of vectors that pairs of words share.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    model_ : fasttext model
        What was learned.

    References
    ----------
    A. Joulin, E. Grave, P. Bojanowski and T. Mikolov, "Bag of tricks for efficient text classification", EACL
    2017.

    Examples
    --------
    >>> from textspace.classify import FastText
    >>> FastText(lr=0.1).set_params(epoch=5)
    FastText(epoch=5, lr=0.1)
    """

    _parameter_constraints: ClassVar = {
        "lr": [POSITIVE],
        "epoch": [COUNT],
        "dim": [COUNT],
        "bucket": [COUNT],
    }

    def __init__(self, lr=0.3, epoch=25, dim=50, bucket=500_000):
        self.lr = lr
        self.epoch = epoch
        self.dim = dim
        self.bucket = bucket

    def fit(self, texts, y):
        """Learn from texts and their labels.

        Parameters
        ----------
        texts : iterable of str
            Texts.
        y : array-like of shape (n_texts,)
            Their labels.

        Returns
        -------
        FastText
            The fitted classifier.
        """
        self._validate_params()
        refuse_dask(self, texts)
        try:
            from fasttext import train_supervised
        except ImportError:
            raise ImportError("fastText is not installed: pip install fasttext-community.") from None
        self.classes_, codes = np.unique(y, return_inverse=True)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "train.txt"
            lines = (f"__label__{code} {text}\n" for code, text in zip(codes, tokenise(texts), strict=True))
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
        """Give the probabilities of the classes.

        Parameters
        ----------
        texts : iterable of str
            Texts.

        Returns
        -------
        ndarray of shape (n_texts, n_classes)
            Probabilities.
        """
        check_is_fitted(self)
        names, found = self.model_.predict(tokenise(texts), k=-1)
        shares = np.zeros((len(names), len(self.classes_)))
        for row, (labels, values) in enumerate(zip(names, found, strict=True)):
            shares[row, [int(label.removeprefix("__label__")) for label in labels]] = values
        return shares

    def predict(self, texts):
        """Give the most probable class of each text.

        Parameters
        ----------
        texts : iterable of str
            Texts.

        Returns
        -------
        ndarray of shape (n_texts,)
            Classes.
        """
        return self.classes_[self.predict_proba(texts).argmax(axis=1)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def tokenise(texts):
    """Give texts in small letters with a space between words and marks, as fastText reads them: list of str.

    >>> tokenise(["Corn rose, again."])
    ['corn rose , again .']
    """
    return [" ".join(_TOKEN.findall(text.lower())) for text in texts]
