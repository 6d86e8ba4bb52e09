"""Texts in, labels and probabilities out."""

from collections.abc import Mapping
from functools import partial
from os import PathLike
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy import sparse, special
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import gen_batches
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import check_array, check_is_fitted

from textspace._label_lists import are_lists, split_label_lists
from textspace._labels import split_labelled
from textspace._parameters import SEED, one_of
from textspace._rows import normalize, softmax
from textspace._saving import saved_as
from textspace._validation import refuse_dask
from textspace.classify import (
    SeveralLabelsBlend,
    SubspaceBlend,
    adjusted,
    complete_shares,
    decide_labels,
    new_shares,
)
from textspace.methods import find_methods
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
from textspace.models._several import (
    check_room,
    fit_several,
    label_tuples,
    ranked_pairs,
    sparse_tuples,
    step_back,
    with_ancestors,
)
from textspace.models._shared_words import SharedWords
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
        shares[rows] = softmax(values[rows])
    return shares


def _logistic(logits):
    """Give the probabilities of logits, of a dense array or of those that a CSR array holds."""
    if not sparse.issparse(logits):
        return special.expit(logits)
    return sparse.csr_array((special.expit(logits.data), logits.indices, logits.indptr), shape=logits.shape)


@saved_as("models.training_documents", shapes={"positions": "n m", "labels": "n", "excerpts": "n"})
class TrainingDocuments(NamedTuple):
    """Training documents that a classifier remembers, to show them as neighbours.

    Attributes
    ----------
    positions : {ndarray, sparse matrix} of shape (n_documents, n_dimensions), float32
        Coordinates in its space, divided by their length: neighbours are told by the cosine.
    labels : ndarray of shape (n_documents,), or list of tuple
        Labels; a tuple of them for each document that may have several.
    excerpts : list of str
        Beginnings of the texts.
    """

    positions: Any
    labels: Any
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


def _ancestors_fit(model):
    """Whether the classes hold all that their labels imply."""
    if not model.ancestors:
        return True
    names = set(model.classes_.tolist())
    return all(names.issuperset(model.tree_.ancestors(name)) for name in names)


@saved_as(
    "models.text_classifier",
    shapes={
        "classes_": "c",
        "model_.classes_": "c",
        "training_.positions": "n p",
        "model_._n_features_out?": "p",
        "training_.labels": "n",
        "class_shares_?": "c",
        "shares_?": "c",
    },
    check=lambda model: (
        len(model.classes_) > (0 if isinstance(model.model_, SeveralLabelsBlend) else 1)
        and {"space_", "tree_", "settings_"} <= vars(model).keys()
        and len({"shares_", "class_shares_"} & vars(model).keys()) != 1  # older files have neither
        and _columns_fit(model)
        and _shares_fit(model)
        and _ancestors_fit(model)
    ),
    not_saved=["_words", "card_", "embeddings", "evaluation_", "out_of_fold_proba_"],
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
    stem : str or None, default="auto"
        As in :class:`textspace.text.VectorSpace`; by default the stemmer of the texts' language.
    stop_words : str, collection of str, or None, default="auto"
        As in :class:`textspace.text.VectorSpace`; by default those of the texts' language.
    tree : LabelTree, mapping of str to str, path of a table, or None, default=None
        Categories in which the labels lie: given to a method that uses it, and to step back to where a
        prediction is not sure.
    ancestors : bool, default=False
        Where texts have several labels, whether a label implies the categories above it in the tree: in the
        texts that are learned from, and in the answers.
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
    class_weight : dict or "balanced", default=None
        What texts of each class count, beside their own weights, as in :class:`SubspaceBlend`; for the
        default method only.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels, sorted as text.
    space_ : VectorSpace
        From texts to rows.
    several_ : bool
        Whether texts may have several labels: the labels came as lists.
    model_ : classifier
        From rows to labels: a :class:`SubspaceBlend`, a :class:`ManyClassBlend`, a
        :class:`SeveralLabelsBlend` or a :class:`CalibratedMethod`.
    tree_ : LabelTree or None
        The tree of categories.
    settings_ : dict
        Settings of the method that were chosen by cross-validation.
    embedding_ : dict or None
        What the embedding was worth, if one was given: whether it was ``kept``, its ``sha256``, the
        ``seconds`` it took, and accuracy and log loss on held-out documents without and with it.
    out_of_fold_proba_ : {ndarray, csr_array} of shape (n_labelled, n_classes)
        Probabilities of each labelled training text by a model that has not seen it; of very many labels, the
        likely ones of each text. They are not in a model file; what they tell is in its evaluation.
    reads_texts_ : bool
        Whether it was fitted on texts, and not on counts of terms.
    n_labelled_ : int
        Number of labelled training texts.
    class_shares_ : ndarray of shape (n_classes,)
        Shares of these that have each class.
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

    Several labels a text are given as lists:

    >>> texts += ["a ship with wheat", "corn on a ship", "ripe wheat", "the wheat ship"]
    >>> labels = [["grain"] if label == "grain" else ["ship"] for label in labels]
    >>> labels += [["grain", "ship"], ["grain", "ship"], ["grain"], ["grain", "ship"]]
    >>> TextClassifier().fit(texts, labels).predict(["the corn is ripe", "ships with corn"])
    [('grain',), ('grain', 'ship')]
    """

    _parameter_constraints: ClassVar = {
        "method": [str],
        "stem": [str, None],
        "stop_words": [str, "array-like", set, frozenset, None],
        "tree": "no_validation",
        "ancestors": ["boolean"],
        "embeddings": [str, PathLike, None],
        "shares": [Mapping, None],
        "quick": ["boolean"],
        "random_state": [SEED],
        "class_weight": [dict, one_of("balanced"), None],
    }

    def __init__(
        self,
        method="auto",
        *,
        stem="auto",
        stop_words="auto",
        tree=None,
        ancestors=False,
        embeddings=None,
        shares=None,
        quick=False,
        random_state=0,
        class_weight=None,
    ):
        self.method = method
        self.stem = stem
        self.stop_words = stop_words
        self.tree = tree
        self.ancestors = ancestors
        self.embeddings = embeddings
        self.shares = shares
        self.quick = quick
        self.random_state = random_state
        self.class_weight = class_weight

    def __setstate__(self, state):
        """Take the state; weights of classes are younger than some files."""
        super().__setstate__({"class_weight": None} | state)

    def fit(self, texts, y, unlabelled=None, sample_weight=None):
        """Learn from texts and their labels.

        Parameters
        ----------
        texts : list of str, or sparse matrix of raw term counts of shape (n_texts, n_terms)
            Texts.
        y : array-like of shape (n_texts,), or list of lists of labels
            Labels; the empty string or None, the same throughout, where there is none. Where a text may have
            several, a list, tuple or set of labels for each: empty where it has none of them, None where they
            are not known.
        unlabelled : list of str, default=None
            More texts, without labels. Terms, their weights and, for methods that can, the model itself are
            learned from them too.
        sample_weight : array-like of shape (n_texts,), default=None
            What each text counts, 0 or more, for the default method and one label a text: in all that is
            learned from labels, and in the calibration. Terms and their weights come from all texts alike.

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
        y = y.toarray() if sparse.issparse(y) else y
        self.several_ = are_lists(y)
        if self.several_:
            self._refuse_weights(sample_weight, "texts with several labels")
            return self._fit_lists(texts, y, unlabelled)
        return self._fit_labels(texts, y, unlabelled, sample_weight)

    def _fit_labels(self, texts, y, unlabelled, sample_weight=None):
        if sample_weight is not None:
            texts, y = join_texts(texts, y, None)
            weights = _check_weights(sample_weight, len(y))
            kept = np.flatnonzero(weights)  # a text of weight 0 is as good as not there
            texts = texts[kept] if sparse.issparse(texts) else [texts[row] for row in kept]
            y, sample_weight = y[kept], weights[kept]
        texts, y = join_texts(texts, y, unlabelled)
        self.reads_texts_ = not sparse.issparse(texts)
        labelled, codes, classes = split_labelled(y)
        names = classes.astype(str)
        order = np.argsort(names)  # as the model has them, which knows their text only
        self.classes_ = classes[order]
        self.n_labelled_ = int(labelled.sum())
        weights = self._weights(classes, codes, labelled, sample_weight)
        sizes = np.bincount(codes[labelled], None if weights is None else weights[labelled])
        self.class_shares_ = sizes[order] / sizes.sum()
        self.tree_ = None if self.tree is None else as_tree(self.tree)
        if self.tree_ is not None:
            self.tree_.check_labels(names)
        y = np.where(labelled, names[codes], "")
        if self.shares is not None:
            self.shares_ = complete_shares(self.shares, self.classes_, self.class_shares_)
        rows = self._draw(np.flatnonzero(labelled))
        X = self._fit_model(texts, y, weights)
        positions = self.model_.transform(X[rows])
        self.out_of_fold_proba_ = _softmax_rows(self.model_.out_of_fold_)
        if self.shares is None:
            self.shares_ = self._estimated_shares(X[~labelled])
        self.training_ = self._remember(positions, y[rows], texts, rows)
        return self

    def _weights(self, classes, codes, labelled, sample_weight):
        """Give what texts count, None where all count the same; those without a label count 1."""
        if sample_weight is None and self.class_weight is None:
            return None
        weights = np.ones(len(labelled))
        if sample_weight is not None:
            weights[: len(sample_weight)] = sample_weight
        if self.class_weight is not None:
            weights[labelled] *= compute_sample_weight(self.class_weight, classes[codes[labelled]])
        weights[~labelled] = 1.0
        return weights

    def _refuse_weights(self, weights, what):
        if weights is not None or self.class_weight is not None:
            raise ValueError(
                f"weights go with the method 'auto', at most {MANY_CLASSES} classes and no embeddings, and "
                f"not with {what}: leave out sample_weight and class_weight."
            )

    def _fit_lists(self, texts, y, unlabelled):
        """Learn from lists of labels; where each has just one, as from these labels themselves."""
        texts, y = join_lists(texts, y, unlabelled)
        labelled, truth, classes = split_label_lists(y)
        self.tree_ = None if self.tree is None else as_tree(self.tree)
        if self.tree_ is not None:
            self.tree_.check_labels(classes, inner=True)
        if self.ancestors:
            if self.tree_ is None:
                raise ValueError("ancestors=True needs the tree in which the labels lie: give tree.")
            truth, classes = with_ancestors(truth, classes, self.tree_)
        elif len(classes) > 1 and np.all(np.diff(truth.indptr) == 1):
            single = np.full(len(labelled), None, dtype=object)
            single[labelled] = classes[truth.indices].tolist()
            return self._fit_labels(texts, single, None)
        if self.embeddings is not None or self.shares is not None:
            raise ValueError(
                "texts with several labels are learned without embeddings and shares: leave these out, or "
                "give each text one label."
            )
        self.reads_texts_ = not sparse.issparse(texts)
        self.classes_, self.n_labelled_ = classes, int(labelled.sum())
        self.class_shares_ = self.shares_ = np.asarray(truth.mean(axis=0), dtype=np.float64).ravel()
        X = self._fit_label_model(texts, truth, labelled)
        self.out_of_fold_proba_ = _logistic(self.model_.out_of_fold_)
        rows = self._draw(np.flatnonzero(labelled))
        names = classes.astype(str)
        own = truth[np.searchsorted(np.flatnonzero(labelled), rows)]
        labels = [tuple(names[each].tolist()) for each in np.split(own.indices, own.indptr[1:-1])]
        self.training_ = self._remember(self.model_.transform(X[rows]), labels, texts, rows)
        return self

    def _fit_label_model(self, texts, truth, labelled):
        """Set the space and the model of several labels, and give the texts' rows."""
        self.embedding_ = None
        words = {"stem": self.stem, "stop_words": self.stop_words}
        if self.method in ("auto", "blend"):
            self.space_, X, self.model_ = fit_several(
                texts, truth, labelled, quick=self.quick, random_state=self.random_state, **words
            )
            self.settings_ = {"alpha": self.model_.alpha_}
            return X
        from textspace.models._catalogue import fit_label_method  # what answers need is loaded without it

        self.space_, X, self.model_, self.settings_ = fit_label_method(
            self.method,
            texts,
            truth,
            labelled,
            labels=self.classes_.astype(str),
            words=words,
            tree=self.tree_,
            random_state=self.random_state,
        )
        return X

    def _fit_model(self, texts, y, weights):
        """Set the space and the model, and give the texts' rows."""
        self.embedding_ = None
        words = {"stem": self.stem, "stop_words": self.stop_words}
        if self.method in ("auto", "blend"):
            return self._fit_blend(texts, y, words, weights)
        self._refuse_weights(weights, f"the method {self.method!r}")
        if self.embeddings is not None:
            raise ValueError(f"embeddings go with the method 'auto' only, not with {self.method!r}.")
        from textspace.models._catalogue import fit_method  # what answers need is loaded without it

        self.space_, X, self.model_, self.settings_ = fit_method(
            self.method, texts, y, words=words, tree=self.tree_, random_state=self.random_state
        )
        return X

    def _fit_blend(self, texts, y, words, weights):
        n_classes, self.settings_ = len(self.classes_), {}
        many = self.method == "auto" and are_many(n_classes)
        if many or self.embeddings is not None:
            self._refuse_weights(weights, f"{n_classes} classes" if many else "embeddings")
        if self.embeddings is None:
            fit = fit_many if many else partial(fit_default, quick=self.quick, sample_weight=weights)
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
        if isinstance(self.model_, SubspaceBlend):
            return self.model_.unlabelled_shares_
        most = max(1, _MOST_SCORES // len(self.classes_))
        if X.shape[0] > most:
            X = X[np.random.default_rng(self.random_state).choice(X.shape[0], most, replace=False)]
        probabilities = softmax(self.model_.class_scores(X))
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

    def _remember(self, positions, labels, texts, rows):
        """Put down where some documents, those of `rows`, are, and what they are."""
        if sparse.issparse(texts):
            excerpts = [f"document {row}" for row in rows]
        else:
            excerpts = [" ".join(texts[row][: 2 * _EXCERPT].split())[:_EXCERPT] for row in rows]
        return TrainingDocuments(normalize(positions).astype(np.float32), labels, excerpts)

    def decision_function(self, texts):
        """Give the scores of the classes, in the form of scikit-learn: their softmax are the probabilities.

        Of texts with several labels the logits of the labels are given.

        Parameters
        ----------
        texts : list of str, or sparse matrix of raw term counts
            Texts.

        Returns
        -------
        ndarray of shape (n_texts, n_classes), or (n_texts,) for two classes
            Scores; the mean over the classes is zero, but not that of logits. For two classes of which each
            text has one, how much the second is ahead: the logarithm of its odds.
        """
        check_is_fitted(self)
        scores = self._scores(self.space_.transform(texts))
        two = scores.shape[1] == 2 and self.one_is_right
        return scores[:, 1] - scores[:, 0] if two else scores

    def _scores(self, X):
        scores = self.model_.class_scores(X)
        return finite(centred(scores + self.shift) if self.one_is_right else scores)

    @property
    def one_is_right(self):
        """Whether the probabilities are of classes of which each text has just one, and sum to one."""
        return getattr(self.model_, "thresholds_", None) is None

    def _probabilities(self, scores):
        """Give the probabilities that follow from scores, of shape (n_texts, n_classes)."""
        return softmax(scores) if self.one_is_right else special.expit(scores)

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
            Probabilities; the columns belong to ``classes_``. Those of a text sum to one, unless texts have
            several labels: then each label has its own.
        """
        check_is_fitted(self)
        X = self.space_.transform(texts)
        check_room(X.shape[0], len(self.classes_))
        probabilities = self._probabilities(self._scores(X))
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
        if not self.one_is_right:
            raise ValueError("shares are of classes of which a text has one, and these have several labels.")
        if not self._has_constants():
            raise ValueError(
                "shares cannot be told from these probabilities, which are calibrated by one number for all "
                f"classes: train with the method 'auto' in place of {self.method!r} and at most "
                f"{MANY_CLASSES} classes, or give the shares themselves."
            )
        return new_shares(probabilities, self.shares_, self.n_labelled_, self._noise)

    def predict(self, texts, min_confidence=None, adapt=False, threshold=None):
        """Give the label of each text, or its labels.

        Parameters
        ----------
        texts : list of str, or sparse matrix of raw term counts
            Texts.
        min_confidence : float, default=None
            A label whose probability is lower is replaced: by its nearest category of at least that
            probability where there is a tree, else, and where there is none, by the empty string. Of several
            labels such a one is left out where no category is probable enough, and a text to which the model
            gives none is looked at for the most probable one.
        adapt : bool, default=False
            As in :meth:`predict_proba`.
        threshold : float, default=None
            For several labels, the probability above which a text has a label. None stands for the thresholds
            of the model, which make the expected F1 highest.

        Returns
        -------
        ndarray of shape (n_texts,), or list of tuple
            Labels. Of texts that may have several, a tuple for each text, by falling probability.
        """
        check_is_fitted(self)
        if self._has_many_labels() and not adapt and min_confidence is None:
            given = self.model_.given_labels(self.space_.transform(texts), threshold)
            return sparse_tuples(given, self.classes_)
        return self.decide(self.predict_proba(texts, adapt), min_confidence, threshold)

    def likely_labels(self, texts, n_labels=5):
        """Give the likeliest labels of texts, in little memory however many labels there are.

        Parameters
        ----------
        texts : list of str, or sparse matrix of raw term counts
            Texts.
        n_labels : int, default=5
            How many labels of each text.

        Returns
        -------
        list of list of (label, float) pairs
            Labels and their probabilities for each text, the likeliest first.
        """
        check_is_fitted(self)
        X = self.space_.transform(texts)
        if self._has_many_labels():
            return ranked_pairs(self.model_.likely_labels(X, n_labels), self.classes_)
        found = []
        for rows in gen_batches(X.shape[0], max(1, _BATCH // len(self.classes_))):
            probabilities = self._probabilities(self._scores(X[rows]))
            best = np.argsort(-probabilities, axis=1, kind="stable")[:, :n_labels]
            shares = np.take_along_axis(probabilities, best, axis=1)
            found += [
                list(zip(self.classes_[own].tolist(), each.tolist(), strict=True))
                for own, each in zip(best, shares, strict=True)
            ]
        return found

    def _has_many_labels(self):
        """Whether texts have several of so many labels that only the likely ones are looked at."""
        many = isinstance(self.model_, SeveralLabelsBlend) and len(self.classes_) > MANY_CLASSES
        return many and not self.ancestors

    def decide(self, probabilities, min_confidence=None, threshold=None):
        """Give the label that probabilities speak for, or the labels, as :meth:`predict` does.

        Parameters
        ----------
        probabilities : ndarray of shape (n_texts, n_classes)
            Probabilities, as by :meth:`predict_proba`.
        min_confidence, threshold : float, default=None
            As in :meth:`predict`.

        Returns
        -------
        ndarray of shape (n_texts,), or list of tuple
            As of :meth:`predict`.
        """
        for name, value in (("min_confidence", min_confidence), ("threshold", threshold)):
            if value is not None and not 0 <= value <= 1:
                raise ValueError(f"{name}={value!r} must lie between 0 and 1.")
        if self.several_:
            given = self._given_labels(probabilities, threshold)
            if min_confidence is None:
                return label_tuples(given, probabilities, self.classes_)
            return [
                step_back(
                    self.classes_[has if has.any() else [own.argmax()]].tolist(),
                    partial(self.probability_of, probabilities=own),
                    self.tree_,
                    min_confidence,
                )
                for has, own in zip(given, probabilities, strict=True)
            ]
        if threshold is not None:
            raise ValueError("threshold goes with several labels a text: give min_confidence for one.")
        best = probabilities.argmax(axis=1)
        labels = self.classes_[best]
        if min_confidence is None:
            return labels
        doubtful = np.flatnonzero(probabilities[np.arange(len(best)), best] < min_confidence)
        labels = labels.astype(object)
        for row in doubtful:
            labels[row] = self._sure_ancestor(labels[row], probabilities[row], min_confidence)
        return labels.astype(str)

    def _given_labels(self, probabilities, threshold):
        """Say which labels texts have: those above a threshold, by default those of the model or the best."""
        if threshold is not None:
            given = probabilities > threshold
        elif self.one_is_right:
            given = np.zeros(probabilities.shape, dtype=bool)
            given[np.arange(len(given)), probabilities.argmax(axis=1)] = True
        else:
            given = decide_labels(probabilities, self.model_.thresholds_, self.model_.at_least_one_)
        return self._with_ancestors(given) if self.ancestors else given

    def probability_of(self, label, probabilities):
        """Give the probability of a label, or of a category of the tree.

        Parameters
        ----------
        label : str
            One of ``classes_``, or a category above some of them.
        probabilities : ndarray of shape (n_classes,) or (n_texts, n_classes)
            Probabilities, as by :meth:`predict_proba`.

        Returns
        -------
        float or ndarray of shape (n_texts,)
            Of a category that is no class itself, the sum of the classes below it; where texts have several
            labels, the probability of at least one of these, as if they did not depend on each other.
        """
        [own] = [np.flatnonzero(self.classes_ == label)]
        if len(own):
            return probabilities[..., own[0]]
        below = np.array([self.tree_ is not None and label in self.tree_.ancestors(c) for c in self._names()])
        if not below.any():
            raise ValueError(f"there is no label {label!r}, nor a category of that name above labels.")
        shares = probabilities[..., below]
        return shares.sum(axis=-1) if self.one_is_right else 1 - np.prod(1 - shares, axis=-1)

    def _names(self):
        return self.classes_.astype(str).tolist()

    def _with_ancestors(self, given):
        """Add the categories above labels that are given, which the classes hold."""
        names = self.classes_.tolist()
        for place, name in enumerate(names):
            for node in self.tree_.ancestors(name):
                given[:, names.index(node)] |= given[:, place]
        return given

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

    def _shared_words(self):
        """Give the index of the words of the training texts, which is made when it is first asked for."""
        if getattr(self, "_words", (None,))[0] is not self.training_:
            self._words = self.training_, SharedWords(self.training_.excerpts)
        return self._words[1]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def _check_weights(sample_weight, n_texts):
    """Give weights of texts as an array; refuse those that are negative, no numbers, or too few."""
    weights = check_array(
        sample_weight, ensure_2d=False, dtype=np.float64, ensure_non_negative=True, input_name="sample_weight"
    )
    if weights.shape != (n_texts,):
        raise ValueError(f"sample_weight has the shape {weights.shape}: give one weight for each text.")
    return weights


def join_lists(texts, y, unlabelled):
    """Put unlabelled texts behind those with lists of labels, marked by None."""
    y = list(y)
    texts, _ = join_texts(texts, [None] * len(y), unlabelled)
    n_texts = texts.shape[0] if sparse.issparse(texts) else len(texts)
    missing = [isinstance(labels, float) and labels != labels for labels in y]
    y = [None if nan or labels is None else labels for labels, nan in zip(y, missing, strict=True)]
    return texts, y + [None] * (n_texts - len(y))


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
