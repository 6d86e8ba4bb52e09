"""One split of a corpus as matrices: what a method learns from and what it is tested on."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import clone


class TrainTest(NamedTuple):
    """Training and test documents of one split, as :func:`vectorise` makes them.

    Attributes
    ----------
    X_train : {ndarray, sparse matrix} of shape (n_train, n_features), or ndarray of str, shape (n_train,)
        Documents to learn from.
    y_train : ndarray of str, shape (n_train,), or CSR indicators of shape (n_train, n_labels)
        Their classes; the empty string for one without. Or which of several labels they have.
    X_test : {ndarray, sparse matrix} of shape (n_test, n_features), or ndarray of str, shape (n_test,)
        Documents to test on.
    y_test : ndarray of str, shape (n_test,)
        Their classes.
    context : dict
        What an estimator may ask for by a parameter of that name: the ``terms`` of the columns; their
        ``blocks``, which say how many are single words; the ``tree`` of the classes.
    """

    X_train: Any
    y_train: np.ndarray
    X_test: Any
    y_test: np.ndarray
    context: dict

    def folds(self, splits):
        """Give the documents of each of the splits of the *training* rows.

        Parameters
        ----------
        splits : iterable of pairs of arrays of int
            Positions among the training rows: to learn from, to test on. Unlabelled rows are always learned
            from.

        Yields
        ------
        tuple (X_train, y_train, X_test, y_test)
        """
        several = self.y_train.ndim == 2
        unlabelled = [] if several else np.flatnonzero(self.y_train == "")
        for train, test in splits:
            train = np.concatenate([train, unlabelled]).astype(int)
            yield self.X_train[train], self.y_train[train], self.X_train[test], self.y_train[test]


class NoTextsError(ValueError):
    """A method asks for texts, or trigrams of them, and the corpus holds none."""


def vectorise(corpus, train, test, *, space, scheme, bigrams=False, unlabelled=()):
    """Turn the texts of one split into matrices; vocabulary and weights come from what is learned from.

    Parameters
    ----------
    corpus : Corpus
        The texts and their labels.
    train, test : arrays of int
        Rows of the split.
    space : transformer
        From texts to rows, such as :class:`textspace.text.VectorSpace`. Not changed.
    scheme : str
        Set as the parameter ``scheme`` of `space`, if it has one. "trigrams" stands for
        :class:`textspace.text.TrigramTensorSpace` in place of `space`, "texts" for the texts as they are;
        without texts both raise NoTextsError.
    bigrams : bool, default=False
        Set as the parameter of that name of `space`, if it has one.
    unlabelled : array of int, default=()
        Rows to learn from without their labels, put behind the training rows.

    Returns
    -------
    TrainTest
        The matrices, the labels and what is known of both.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> from textspace.text import VectorSpace
    >>> from textspace.tuning import vectorise
    >>> documents = vectorise(load("demo"), [0, 1, 2], [3], space=VectorSpace(), scheme="tfidf")
    >>> documents.X_train.shape[0], documents.X_test.shape[0], len(documents.y_test)
    (3, 1, 1)
    """
    if scheme in ("trigrams", "texts"):
        space = _space_of_texts(corpus, scheme)
    else:
        space = clone(space)
        wanted = {"scheme": scheme, "bigrams": bigrams}
        space.set_params(**{name: wanted[name] for name in wanted if name in space.get_params()})
    learned = np.concatenate([train, np.asarray(unlabelled, dtype=int)])
    y_train = corpus.labels[learned]
    y_train[len(train) :] = ""
    X_train = space.fit_transform(corpus.subset(learned).texts)
    X_test = space.transform(corpus.subset(test).texts)
    context = {"terms": corpus.terms, "tree": corpus.tree}
    if hasattr(space, "n_words_"):
        context["blocks"] = [("terms", 0, X_train.shape[1], space.n_words_)]
    if scheme != "texts" and not sparse.issparse(corpus.texts) and hasattr(space, "get_feature_names_out"):
        context["terms"] = space.get_feature_names_out()
    return TrainTest(X_train, y_train, X_test, corpus.labels[test], context)


def _space_of_texts(corpus, scheme):
    if sparse.issparse(corpus.texts):
        raise NoTextsError(f"needs texts; the corpus {corpus.name!r} holds term counts.")
    if scheme == "texts":
        from sklearn.preprocessing import FunctionTransformer

        return FunctionTransformer(np.array, kw_args={"dtype": object})
    from textspace.text import TrigramTensorSpace

    return TrigramTensorSpace()
