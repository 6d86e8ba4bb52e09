"""Texts in, labels and probabilities out."""

from collections.abc import Mapping
from os import PathLike
from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from textspace._label_lists import are_lists
from textspace._parameters import SEED, one_of
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
from textspace.models._decisions import (
    add_ancestors,
    batches,
    best_labels,
    check_count,
    check_room,
    likeliest_pairs,
    logistic,
    places_below,
    probability_of,
    ranked_pairs,
    several_labels,
    softmax_rows,
)
from textspace.models._default import MANY_CLASSES
from textspace.models._embedded import EmbeddedSpace
from textspace.models._explanation import as_dense, centred, explain, finite
from textspace.models._labelled_texts import (
    known_labels,
    label_sets,
    listed_labels,
    texts_with_labels,
    texts_with_lists,
)
from textspace.models._learning import learn, refuse_weights
from textspace.models._shared_words import SharedWords
from textspace.models._training_documents import draw_documents, remember_documents
from textspace.tree import as_tree

_MOST_SCORES = 4 << 20  # of unlabelled documents and classes, from which shares are estimated


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


def _tree_fits(model):
    """Whether the tree has all classes, and the classes hold all that their labels imply."""
    if model.tree_ is None:
        return not model.ancestors
    names = set(map(str, model.classes_.tolist()))
    return all(name in model.tree_ for name in names) and (
        not model.ancestors or all(names.issuperset(model.tree_.ancestors(name)) for name in names)
    )


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
        and _tree_fits(model)
    ),
    not_saved=["_words", "card_", "embeddings", "evaluation_", "out_of_fold_proba_"],
)
class TextClassifier(ClassifierMixin, BaseEstimator):
    """Classify texts, with calibrated probabilities and explanations that add up.

    Parameters
    ----------
    method : str, default="auto"
        "auto" for :class:`SubspaceBlend` on those of four alphabets that pay: stems without stop words,
        words as they are written, the stems of the opening, such as a title, and letters; with more than 1000
        classes for :class:`ManyClassBlend` on the first two, with pairs of words in the second alone; or the
        name of any method of the catalogue (:data:`textspace.methods.METHODS`), whose settings are then
        chosen by cross-validation.
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
        y = listed_labels(y)
        self.several_ = are_lists(y)
        self.tree_ = None if self.tree is None else as_tree(self.tree)
        if self.several_:
            weights = self.class_weight if sample_weight is None else sample_weight
            refuse_weights(weights, "texts with several labels")
            data = texts_with_lists(texts, y, unlabelled, self.tree_, self.ancestors)
        else:
            data = texts_with_labels(texts, y, unlabelled, self.tree_, sample_weight, self.class_weight)
        if sparse.issparse(data.labels) and not (self.embeddings is None and self.shares is None):
            raise ValueError(
                "texts with several labels are learned without embeddings and shares: leave these out, or "
                "give each text one label."
            )
        self.reads_texts_ = not sparse.issparse(data.texts)
        self.classes_, self.class_shares_ = data.classes, data.class_shares
        self.n_labelled_ = int(data.labelled.sum())
        if self.shares is not None:
            self.shares_ = complete_shares(self.shares, self.classes_, self.class_shares_)
        drawn = draw_documents(self.n_labelled_, self.random_state)
        rows = np.flatnonzero(data.labelled)[drawn]
        self.space_, X, self.model_, self.settings_, self.embedding_ = learn(self, data, self.tree_)
        positions = self.model_.transform(X[rows])
        self.out_of_fold_proba_ = self._probabilities(self.model_.out_of_fold_)
        if self.shares is None:
            self.shares_ = self._estimated_shares(X, ~data.labelled)
        self.training_ = remember_documents(positions, data.labels_of(drawn), data.texts, rows)
        return self

    def _estimated_shares(self, X, unlabelled):
        """Give the shares of the classes among unlabelled rows, those of the labels if they do not tell."""
        if not (unlabelled.any() and self._has_constants()):
            return self.class_shares_
        if isinstance(self.model_, SubspaceBlend):
            return self.model_.unlabelled_shares_
        rows, most = np.flatnonzero(unlabelled), max(1, _MOST_SCORES // len(self.classes_))
        if len(rows) > most:
            rows = np.random.default_rng(self.random_state).choice(rows, most, replace=False)
        probabilities = self._probabilities(self.model_.class_scores(X[rows]))
        return new_shares(probabilities, self.class_shares_, self.n_labelled_, self._noise)

    @property
    def _noise(self):
        """What labelled texts seem to gain by other shares than theirs; older files do not say it."""
        return getattr(self.model_, "shares_noise_", 0.0)

    def _has_constants(self):
        """Whether each class has a calibrated constant: with one temperature for all, shares go astray."""
        return getattr(self.model_, "has_constants", False)

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
        return softmax_rows(scores) if self.one_is_right else logistic(scores)

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
            return [tuple(label for label, _ in own) for own in ranked_pairs(given, self.classes_)]
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
        check_count("n_labels", n_labels, 1)
        X = self.space_.transform(texts)
        if self._has_many_labels():
            return ranked_pairs(self.model_.likely_labels(X, n_labels), self.classes_)
        found = []
        for rows in batches(X.shape[0], len(self.classes_)):
            found += likeliest_pairs(self._probabilities(self._scores(X[rows])), self.classes_, n_labels)
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
            known = self.classes_, self.tree_, min_confidence
            return several_labels(given, probabilities, *known, one_is_right=self.one_is_right)
        if threshold is not None:
            raise ValueError("threshold goes with several labels a text: give min_confidence for one.")
        return best_labels(probabilities, self.classes_, self.tree_, min_confidence)

    def _given_labels(self, probabilities, threshold):
        """Say which labels texts have: those above a threshold, by default those of the model or the best."""
        if threshold is not None:
            given = probabilities > threshold
        elif self.one_is_right:
            given = np.zeros(probabilities.shape, dtype=bool)
            given[np.arange(len(given)), probabilities.argmax(axis=1)] = True
        else:
            given = decide_labels(probabilities, self.model_.thresholds_, self.model_.at_least_one_)
        return add_ancestors(given, self.classes_, self.tree_) if self.ancestors else given

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
        places = places_below(self.classes_, self.tree_)
        return probability_of(label, probabilities, places, one_is_right=self.one_is_right)

    def score(self, texts, y, sample_weight=None):
        """Give the share of texts that are labelled right; of several labels, with all of them and no others.

        Parameters
        ----------
        texts : list of str, or sparse matrix of raw term counts
            Texts.
        y : array-like of shape (n_texts,), or list of lists of labels
            Labels, as in :meth:`fit`; none may be missing.
        sample_weight : array-like of shape (n_texts,), default=None
            What each text counts.

        Returns
        -------
        float
            The share.
        """
        check_is_fitted(self)
        y = listed_labels(y)
        if not self.several_:
            return super().score(texts, known_labels(y), sample_weight)
        wanted, given = label_sets(y, self.tree_ if self.ancestors else None), self.predict(texts)
        check_consistent_length(wanted, given)
        right = [own == set(map(str, answer)) for own, answer in zip(wanted, given, strict=True)]
        return float(np.average(right, weights=sample_weight))

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
        check_count("n_terms", 0 if n_terms is None else n_terms, 0)
        check_count("n_neighbors", n_neighbors, 0)
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
