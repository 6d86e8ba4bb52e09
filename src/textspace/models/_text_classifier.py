"""Texts in, labels and probabilities out."""

from collections.abc import Mapping
from functools import partial
from os import PathLike
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.preprocessing import normalize
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted

from textspace._labels import split_labelled
from textspace._parameters import SEED
from textspace._saving import saved_as
from textspace._validation import refuse_dask
from textspace.classify import adjusted, complete_shares, new_shares
from textspace.methods import find_methods
from textspace.models._catalogue import fit_method
from textspace.models._default import (
    MANY_CLASSES,
    are_many,
    default_alphabets,
    fit_default,
    fit_many,
    many_alphabets,
)
from textspace.models._embedded import EmbeddedBlend, EmbeddedSpace
from textspace.models._explanation import as_dense, centred, explain, finite
from textspace.text import find_embeddings
from textspace.tree import as_tree

_KEPT = 20_000  # training documents that are remembered as neighbours
_EXCERPT = 240  # characters of each
_BATCH = 1 << 18  # scores that are handled at a time
_MOST_SCORES = 4 << 20  # of unlabelled documents and classes, from which shares are estimated


def _softmax_rows(values):
    """Give the softmax of rows, some at a time: of thousands of classes there is no room for copies."""
    shares = np.empty_like(values)
    for rows in gen_batches(len(values), max(1, _BATCH // values.shape[1])):
        shares[rows] = softmax(values[rows], axis=1)
    return shares


@saved_as("models.training_documents", shapes={"positions": "n m", "labels": "n", "excerpts": "n"})
class TrainingDocuments(NamedTuple):
    """Training documents that a classifier remembers, to show them as neighbours.

    Attributes
    ----------
    positions : {ndarray, sparse matrix} of shape (n_documents, n_dimensions), float32
        Coordinates in its space, divided by their length: neighbours are told by the cosine.
    labels : ndarray of shape (n_documents,)
        Labels.
    excerpts : list of str
        Beginnings of the texts.
    """

    positions: Any
    labels: np.ndarray
    excerpts: list


def _columns_fit(model):
    """Whether the model takes as many terms as the space gives."""
    n_taken = model.model_.n_features_in_
    if isinstance(model.space_, EmbeddedSpace):  # the other columns are those of an embedding
        n_taken = model.model_.n_terms
    return model.space_.n_terms_ == n_taken


def _shares_fit(model):
    """Whether all classes have a share."""
    both = [getattr(model, name, np.ones(1)) for name in ("shares_", "class_shares_")]
    return all(bool(np.all(shares > 0)) for shares in both)


@saved_as(
    "models.text_classifier",
    shapes={
        "classes_": "c",
        "model_.classes_": "c",
        "training_.labels": "n",
        "class_shares_?": "c",
        "shares_?": "c",
    },
    check=lambda model: (
        len(model.classes_) > 1
        and {"space_", "tree_", "settings_"} <= vars(model).keys()
        and len({"shares_", "class_shares_"} & vars(model).keys()) != 1  # older files have neither
        and _columns_fit(model)
        and _shares_fit(model)
    ),
    not_saved=["card_", "embeddings", "evaluation_", "out_of_fold_proba_"],
)
class TextClassifier(ClassifierMixin, BaseEstimator):
    """Classify texts, with calibrated probabilities and explanations that add up.

    Parameters
    ----------
    method : str, default="auto"
        "auto" for :class:`SubspaceBlend` on those of three alphabets that pay: stems without stop words,
        words as they are written, and letters; with more than 1000 classes for :class:`ManyClassBlend` on
        the first two, with pairs of words in the second alone; or the name of any method of the catalogue
        (:data:`textspace.methods.METHODS`), whose settings are then chosen by cross-validation.
    stem : str or None, default="porter"
        As in :class:`textspace.text.VectorSpace`.
    stop_words : "english", collection of str, or None, default="english"
        As in :class:`textspace.text.VectorSpace`.
    tree : LabelTree, mapping of str to str, path of a table, or None, default=None
        Categories in which the labels lie: given to a method that uses it, and to step back to where a
        prediction is not sure.
    embeddings : str or path, default=None
        Where an embedding lies, for one more score of the blend, which helps where labels are few:
        "wordllama" or the folder of a static embedding (:class:`textspace.text.StaticEmbeddings`), which
        costs little; or the folder of a sentence encoder (:class:`textspace.text.SentenceEmbeddings`), which
        takes many times as long as all the rest. It is left out where documents held out show no gain.
    shares : mapping of str to float, default=None
        Shares of the classes among the documents to come, of some classes or of all; the others divide what
        is left as the labels do. None stands for the shares of the labels or, where the default method finds
        clearly others among unlabelled texts, for those (:func:`textspace.classify.new_shares`).
    quick : bool, default=False
        Whether the default method reads single words only, stems and as they are written, and learns ridge
        regression and naive Bayes only: about twice as quick on long texts, and a little less accurate.
    random_state : int, default=0
        Seed of all that is drawn.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels, sorted as text.
    space_ : VectorSpace
        From texts to rows.
    model_ : classifier
        From rows to labels: a :class:`SubspaceBlend`, a :class:`ManyClassBlend` or a
        :class:`CalibratedMethod`.
    tree_ : LabelTree or None
        The tree of categories.
    settings_ : dict
        Settings of the method that were chosen by cross-validation.
    embedding_ : dict or None
        What the embedding was worth, if one was given: whether it was ``kept``, its ``sha256``, the
        ``seconds`` it took, and accuracy and log loss on held-out documents without and with it.
    out_of_fold_proba_ : ndarray of shape (n_labelled, n_classes)
        Probabilities of each labelled training text by a model that has not seen it. They are not in a model
        file; what they tell is in its evaluation.
    reads_texts_ : bool
        Whether it was fitted on texts, and not on counts of terms.
    n_labelled_ : int
        Number of labelled training texts.
    class_shares_ : ndarray of shape (n_classes,)
        Shares of the classes among these.
    shares_ : ndarray of shape (n_classes,)
        Shares of the classes among the documents to come, which the probabilities assume.
    training_ : TrainingDocuments
        Training texts to be shown as neighbours: all, or a sample of 20,000.

    Examples
    --------
    >>> from textspace.models import TextClassifier
    >>> texts = ["wheat and corn", "corn harvest", "ships at sea", "sea port", "corn crop", "a ship sank"]
    >>> labels = ["grain", "grain", "ship", "ship", "grain", "ship"]
    >>> model = TextClassifier().fit(texts, labels)
    >>> model.predict(["the corn is ripe", "ships of the sea"])
    array(['grain', 'ship'], dtype='<U5')
    >>> why = model.explain("the corn is ripe")
    >>> why.label, why.terms[0].term, why.terms[0].spans
    ('grain', 'corn', [(4, 8)])
    """

    _parameter_constraints: ClassVar = {
        "method": [str],
        "stem": [str, None],
        "stop_words": [str, "array-like", set, frozenset, None],
        "tree": "no_validation",
        "embeddings": [str, PathLike, None],
        "shares": [Mapping, None],
        "quick": ["boolean"],
        "random_state": [SEED],
    }

    def __init__(
        self,
        method="auto",
        *,
        stem="porter",
        stop_words="english",
        tree=None,
        embeddings=None,
        shares=None,
        quick=False,
        random_state=0,
    ):
        self.method = method
        self.stem = stem
        self.stop_words = stop_words
        self.tree = tree
        self.embeddings = embeddings
        self.shares = shares
        self.quick = quick
        self.random_state = random_state

    def fit(self, texts, y, unlabelled=None):
        """Learn from texts and their labels.

        Parameters
        ----------
        texts : list of str, or sparse matrix of raw term counts of shape (n_texts, n_terms)
            Texts.
        y : array-like of shape (n_texts,)
            Labels; the empty string or None, the same throughout, where there is none.
        unlabelled : list of str, default=None
            More texts, without labels. Terms, their weights and, for methods that can, the model itself are
            learned from them too.

        Returns
        -------
        TextClassifier
            The fitted classifier.
        """
        self._validate_params()
        if self.method != "auto":
            find_methods([self.method])
        if self.quick and (self.method not in ("auto", "blend") or self.embeddings is not None):
            raise ValueError("quick goes with the method 'auto' only, without embeddings: leave it out.")
        refuse_dask(self, texts)
        texts, y = join_texts(texts, y, unlabelled)
        self.reads_texts_ = not sparse.issparse(texts)
        labelled, codes, classes = split_labelled(y)
        names = classes.astype(str)
        order = np.argsort(names)  # as the model has them, which knows their text only
        self.classes_ = classes[order]
        self.n_labelled_ = int(labelled.sum())
        self.class_shares_ = np.bincount(codes[labelled])[order] / self.n_labelled_
        self.tree_ = None if self.tree is None else as_tree(self.tree)
        if self.tree_ is not None:
            self.tree_.check_labels(names)
        y = np.where(labelled, names[codes], "")
        if self.shares is not None:
            self.shares_ = complete_shares(self.shares, self.classes_, self.class_shares_)
        rows = self._draw(np.flatnonzero(labelled))
        X = self._fit_model(texts, y)
        positions = self.model_.transform(X[rows])
        self.out_of_fold_proba_ = _softmax_rows(self.model_.out_of_fold_)
        if self.shares is None:
            self.shares_ = self._estimated_shares(X[~labelled])
        self.training_ = self._remember(positions, y, texts, rows)
        return self

    def _fit_model(self, texts, y):
        """Set the space and the model, and give the texts' rows."""
        self.embedding_ = None
        words = {"stem": self.stem, "stop_words": self.stop_words}
        if self.method in ("auto", "blend"):
            return self._fit_blend(texts, y, words)
        if self.embeddings is not None:
            raise ValueError(f"embeddings go with the method 'auto' only, not with {self.method!r}.")
        self.space_, X, self.model_, self.settings_ = fit_method(
            self.method, texts, y, words=words, tree=self.tree_, random_state=self.random_state
        )
        return X

    def _fit_blend(self, texts, y, words):
        n_classes, self.settings_ = len(self.classes_), {}
        many = self.method == "auto" and are_many(n_classes)
        if self.embeddings is None:
            fit = fit_many if many else partial(fit_default, quick=self.quick)
            self.space_, X, self.model_ = fit(texts, y, random_state=self.random_state, **words)
            return X
        alphabets = many_alphabets(**words) if many else default_alphabets(len(y), n_classes, **words)
        self.space_ = EmbeddedSpace(alphabets, find_embeddings(self.embeddings))
        X = self.space_.fit_transform(texts)
        self.model_ = EmbeddedBlend(
            self.space_.n_terms_, alphabets.blocks_, random_state=self.random_state
        ).fit(X, y)
        return self._judge_embedding(X)

    def _judge_embedding(self, X):
        """Note what the embedding is worth, leave it out where that is nothing, and give the rows."""
        space, gain = self.space_, self.model_.gain_
        kept = gain["log_loss_with"] is None or gain["log_loss_with"] < gain["log_loss_without"]
        seconds = round(space.encoding_seconds_, 3)
        self.embedding_ = {"kept": kept, "sha256": space.fingerprint_, "seconds": seconds, **gain}
        if kept:
            return X
        self.space_, self.model_ = space.terms, self.model_.terms_
        return X[:, : space.n_terms_]

    def _estimated_shares(self, X):
        """Give the shares of the classes among unlabelled rows, those of the labels if they do not tell."""
        if not (X.shape[0] and self._has_constants()):
            return self.class_shares_
        most = max(1, _MOST_SCORES // len(self.classes_))
        if X.shape[0] > most:
            X = X[np.random.default_rng(self.random_state).choice(X.shape[0], most, replace=False)]
        probabilities = softmax(self.model_.class_scores(X), axis=1)
        return new_shares(probabilities, self.class_shares_, self.n_labelled_, self._noise)

    @property
    def _noise(self):
        """What labelled texts seem to gain by other shares than theirs; older files do not say it."""
        return getattr(self.model_, "shares_noise_", 0.0)

    def _has_constants(self):
        """Whether each class has a calibrated constant: with one temperature for all, shares go astray."""
        return getattr(self.model_, "has_constants", False)

    def _draw(self, rows):
        """Draw the documents to be remembered, where there are many."""
        if len(rows) <= _KEPT:
            return rows
        return np.sort(np.random.default_rng(self.random_state).choice(rows, _KEPT, replace=False))

    def _remember(self, positions, y, texts, rows):
        """Put down where some of the documents are, and what they are; the positions are those of `rows`."""
        if sparse.issparse(texts):
            excerpts = [f"document {row}" for row in rows]
        else:
            excerpts = [" ".join(texts[row][: 2 * _EXCERPT].split())[:_EXCERPT] for row in rows]
        return TrainingDocuments(normalize(positions).astype(np.float32), y[rows], excerpts)

    def decision_function(self, texts):
        """Give the scores of the classes, whose softmax are the probabilities.

        Parameters
        ----------
        texts : list of str, or sparse matrix of raw term counts
            Texts.

        Returns
        -------
        ndarray of shape (n_texts, n_classes)
            Scores; the mean over the classes is zero.
        """
        check_is_fitted(self)
        return self._scores(self.space_.transform(texts))

    def _scores(self, X):
        return finite(centred(self.model_.class_scores(X) + self.shift))

    @property
    def shift(self):
        """What other shares than those of the labels add to the scores, of shape (n_classes,)."""
        return np.log(self.shares_ / self.class_shares_)

    def predict_proba(self, texts, adapt=False):
        """Give the probabilities of the classes.

        Parameters
        ----------
        texts : list of str, or sparse matrix of raw term counts
            Texts.
        adapt : bool, default=False
            Whether to assume the shares that the classes have among these very texts, as
            :meth:`shares_among` estimates them. For the default method only.

        Returns
        -------
        ndarray of shape (n_texts, n_classes)
            Probabilities; the columns belong to ``classes_``.
        """
        probabilities = softmax(self.decision_function(texts), axis=1)
        if not adapt:
            return probabilities
        return adjusted(probabilities, self.shares_, self.shares_among(probabilities))

    def shares_among(self, probabilities):
        """Estimate the shares of the classes among texts.

        Parameters
        ----------
        probabilities : ndarray of shape (n_texts, n_classes)
            Probabilities of the texts, as by :meth:`predict_proba`.

        Returns
        -------
        ndarray of shape (n_classes,)
            Shares; ``shares_`` unless they clearly differ, see :func:`textspace.classify.new_shares`.

        Raises
        ------
        ValueError
            The method is not the default one, or there are more than 1000 classes: probabilities are then
            calibrated by one number for all classes, which is not enough to count by them.
        """
        check_is_fitted(self)
        if not self._has_constants():
            raise ValueError(
                "shares cannot be told from these probabilities, which are calibrated by one number for all "
                f"classes: train with the method 'auto' in place of {self.method!r} and at most "
                f"{MANY_CLASSES} classes, or give the shares themselves."
            )
        return new_shares(probabilities, self.shares_, self.n_labelled_, self._noise)

    def predict(self, texts, min_confidence=None, adapt=False):
        """Give the label of each text.

        Parameters
        ----------
        texts : list of str, or sparse matrix of raw term counts
            Texts.
        min_confidence : float, default=None
            A label whose probability is lower is replaced: by its nearest category of at least that
            probability where there is a tree, else, and where there is none, by the empty string.
        adapt : bool, default=False
            As in :meth:`predict_proba`.

        Returns
        -------
        ndarray of shape (n_texts,)
            Labels.
        """
        return self.decide(self.predict_proba(texts, adapt), min_confidence)

    def decide(self, probabilities, min_confidence=None):
        """Give the label that probabilities speak for, as :meth:`predict` does.

        Parameters
        ----------
        probabilities : ndarray of shape (n_texts, n_classes)
            Probabilities, as by :meth:`predict_proba`.
        min_confidence : float, default=None
            As in :meth:`predict`.

        Returns
        -------
        ndarray of shape (n_texts,)
            Labels.
        """
        best = probabilities.argmax(axis=1)
        labels = self.classes_[best]
        if min_confidence is None:
            return labels
        if not 0 <= min_confidence <= 1:
            raise ValueError(f"min_confidence={min_confidence!r} must lie between 0 and 1.")
        doubtful = np.flatnonzero(probabilities[np.arange(len(best)), best] < min_confidence)
        labels = labels.astype(object)
        for row in doubtful:
            labels[row] = self._sure_ancestor(labels[row], probabilities[row], min_confidence)
        return labels.astype(str)

    def _sure_ancestor(self, label, probabilities, min_confidence):
        if self.tree_ is not None:
            for node in self.tree_.ancestors(str(label)):
                below = np.isin(self.classes_.astype(str), self.tree_.leaves_below(node))
                if probabilities[below].sum() >= min_confidence:
                    return node
        return ""

    def transform(self, texts):
        """Give the place of texts in the model's space.

        Parameters
        ----------
        texts : list of str, or sparse matrix of raw term counts
            Texts.

        Returns
        -------
        ndarray of shape (n_texts, n_dimensions)
            Coordinates.
        """
        check_is_fitted(self)
        return finite(as_dense(self.model_.transform(self.space_.transform(texts))))

    def explain(self, text, label=None, n_terms=None, n_neighbors=5):
        """Say why a text has its score.

        Parameters
        ----------
        text : str
            The text.
        label : str, default=None
            The class to explain; the predicted one by default.
        n_terms : int, default=None
            How many terms to list; all by default.
        n_neighbors : int, default=5
            How many training texts to list.

        Returns
        -------
        Explanation
            Terms for and against, which add up to the score, and the nearest training texts.
        """
        check_is_fitted(self)
        return explain(self, text, label=label, n_terms=n_terms, n_neighbors=n_neighbors)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def join_texts(texts, y, unlabelled):
    """Put unlabelled texts behind the others, marked as the others are."""
    if not sparse.issparse(texts) and len(getattr(texts, "shape", (0,))) != 1:
        raise TypeError(
            f"TextClassifier takes a list or one column of texts, but was given {type(texts).__name__} of "
            f"shape {texts.shape}: join its columns, as in table['subject'] + '\\n' + table['body']."
        )
    texts = texts.tocsr() if sparse.issparse(texts) else list(texts)
    y = np.asarray(y, dtype=object)
    n_texts = texts.shape[0] if sparse.issparse(texts) else len(texts)
    if n_texts != len(y):
        raise ValueError(f"there are {n_texts} texts, but {len(y)} labels: give one label a text.")
    y = np.array(["" if label is None or label != label else label for label in y], dtype=object)
    if unlabelled is None:
        return texts, y
    if sparse.issparse(texts):
        more = sparse.csr_array(unlabelled)
        return sparse.vstack([texts, more], format="csr"), np.append(y, [""] * more.shape[0])
    more = list(unlabelled)
    return texts + more, np.append(y, np.array([""] * len(more), dtype=object))
