"""The default classifier: a calibrated blend of ridge regression, discriminant analysis and naive Bayes."""

from typing import ClassVar

import numpy as np
from sklearn.utils.validation import _check_sample_weight

from textspace._compiled import blas_threads
from textspace._folds import deal_folds, fold_rows
from textspace._labels import class_weights
from textspace._parameters import COUNT, NOT_NEGATIVE, SEED, at_least, one_of
from textspace._rows import softmax
from textspace._saving import saved_as
from textspace.classify._shares import new_shares, shares_noise
from textspace.classify.blend._base import BlendClassifier, blocks_fit, check_memory
from textspace.classify.blend._blend import Blend, fit_scorers, judge
from textspace.classify.blend._calibration import calibrate, calibrate_few, sobered
from textspace.classify.blend._choice import TELLING, KeptScorer, choose
from textspace.classify.blend._complement import ComplementScorer
from textspace.classify.blend._latent import LatentScorer
from textspace.classify.blend._ridge import RidgeScorer
from textspace.classify.blend._scaled_ridge import ScaledRidgeScorer
from textspace.classify.blend._unlabelled import does_no_harm, self_train
from textspace.text import Block

_FOLDS, _FEW_FOLDS = 5, 3
_TELLING = 1 << 18  # scores of documents and classes that tell how far an estimate of shares goes astray
_COUNTED = 4 << 20  # scores of unlabelled documents and classes by which shares are estimated
_MANY = 5000  # documents from which on few folds suffice
_PART = "opening"  # block that sees a part of each text: few documents must show that it helps


@saved_as(
    "classify.blend",
    shapes={
        "classes_": "c",
        "n_features_in_": "d",
        "calibration_.bias": "c",
        "_blends.*.calibration.bias": "c",
        "_blends.*.scorers.*.coef?": "_ c",
    },
    check=lambda blend: blocks_fit(blend) and blend._regressions_fit(),
    not_saved=["out_of_fold_", "unlabelled_shares_"],
)
class SubspaceBlend(BlendClassifier):
    """Classifier of documents that adds up cheap scores, those that pay, with calibrated probabilities.

    The scores of a class are the value of a ridge regression onto its indicator; the cosine to its point in
    the space of linear discriminant analysis, which follows from the same regression; the value of a
    regression whose terms naive Bayes has scaled; and that of complement naive Bayes. They are learned on
    each block of columns, such as words and letters. Documents held out in turn choose the penalties, tell
    what each score is worth, which are left out, and what a sum of the others means.

    Parameters
    ----------
    blocks : list of textspace.text.Block or tuple, default=None
        Name, first column, column behind the last and number of first columns that are single words, of each
        block of columns; as ``blocks_`` of :class:`textspace.text.Alphabets`. Naive Bayes counts single words
        only, pairs of words do it harm; it is left out where there are none. None stands for one block of
        words.
    scorers : list of KeptScorer, default=None
        The scorers to choose among, and of each the penalty near which to look, such as `kept_` of a blend of
        similar documents. None stands for all.
    n_components : int, default=200
        Number of directions of latent semantic indexing, which is used where there are unlabelled rows.
    n_folds : int, default=None
        Number of folds of the labelled documents, each of which is held out once. None stands for five, and
        for three of more than 5000 documents.
    thrift : float, default=0.0
        What time is worth: the share of the log loss that a scorer must save for each billion of
        multiplications in a step of its regressions, 3.5 % at most, beside what any must save.
    random_state : int, RandomState instance or None, default=None
        Seed of the vector from which latent semantic indexing starts. It changes the result by rounding only.
    class_weight : dict or "balanced", default=None
        What documents of each class count, beside their own weights; "balanced" makes all classes count the
        same, so that probabilities are those among as many documents of each.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    kept_ : list of KeptScorer
        The scorers that were kept: ``block``, ``name``, penalty ``alpha``, and ``gain``, by how much each
        lowers the log loss of held-out documents.
    out_of_fold_ : ndarray of shape (n_labelled, n_classes), float32
        Decision values of the labelled training documents, each by a blend that has not learned from it, in
        the order of the rows; without documents of weight 0.
    calibration_ : Calibration
        Scale and weight of each score, and one constant a class; before self-training, where there are
        unlabelled rows.
    shares_noise_ : float
        What the held-out documents seem to gain by other shares of the classes than they have, as
        :func:`shares_noise` tells: others must gain more before shares are taken from them.
    unlabelled_shares_ : ndarray of shape (n_classes,)
        Where there are unlabelled rows, the shares of the classes among them, as :func:`new_shares` estimates
        them before self-training; those of the labels where they do not clearly differ.
    self_trained_ : bool
        Where there are unlabelled rows, whether self-training was kept.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    See Also
    --------
    ManyClassBlend : For thousands of classes.
    RLSC : The ridge regression alone, with a penalty that is chosen by cross-validation.
    textspace.linear.SpectralRegressionLDA : The discriminant space alone.
    SelfTraining : Unlabelled documents for any classifier.

    Notes
    -----
    The rows of each block should have unit length, as :class:`textspace.text.VectorSpace` makes them. The
    probabilities are a softmax of a weighted sum of the scores and a constant a class, which have the
    smallest log loss on held-out documents, times one factor that makes answers no surer than they are right.
    A class of one document takes no part in this: held out, the document would take its class with it. Where
    X holds negative numbers, as sentence embeddings do, there is no naive Bayes.

    Rows without a label are learned from in two ways. The scores of the regression and of the discriminant
    space are computed once more in the space of latent semantic indexing of all rows. And there are three
    rounds of self-training as in :class:`SelfTraining`: documents with a probability of at least .7 and
    the surer half of those of each class are added with their answers as labels, and count half their
    probability. All of this is repeated with the labels of each fold of the labelled documents hidden. Where
    fewer of these are then answered rightly than before self-training, it is left out. They also calibrate
    once more, by one factor: what a classifier learns from its own answers makes it surer than it should be.
    There is no self-training where the unlabelled rows have clearly other shares of the classes than the
    labels: answers would have to assume these, and mistakes in them would grow from round to round.

    With two classes the discriminant space is a line and its cosines are signs; they are left out.

    A document of weight 2 counts as two in regressions, naive Bayes, calibration and choice. It is the same
    as standing there twice in one fold: documents are dealt into folds one by one, whatever they weigh.

    The regressions need a coefficient for each term and class: with thousands of classes
    :class:`ManyClassBlend` is quicker.

    References
    ----------
    R. Rifkin, G. Yeo and T. Poggio, "Regularized least-squares classification", in Advances in Learning
    Theory: Methods, Models and Applications, IOS Press, 2003.
    D. Cai, X. He and J. Han, "Training linear discriminant analysis in linear time", IEEE International
    Conference on Data Engineering, 2008.
    J. D. Rennie, L. Shih, J. Teevan and D. R. Karger, "Tackling the poor assumptions of naive Bayes text
    classifiers", ICML 2003.
    S. Wang and C. D. Manning, "Baselines and bigrams: simple, good sentiment and topic classification", ACL
    2012.

    Examples
    --------
    >>> from textspace.classify import SubspaceBlend
    >>> from textspace.text import VectorSpace
    >>> texts = ["corn and wheat", "wheat crop", "corn crop", "ships at sea", "ships in port", "a sea port"]
    >>> space = VectorSpace()
    >>> model = SubspaceBlend().fit(space.fit_transform(texts), ["grain"] * 3 + ["ship"] * 3)
    >>> model.predict(space.transform(["the port", "a good crop"]))
    array(['ship', 'grain'], dtype='<U5')
    """

    _parameter_constraints: ClassVar = {
        "blocks": [list, None],
        "scorers": [list, None],
        "n_components": [COUNT],
        "n_folds": [at_least(2), None],
        "thrift": [NOT_NEGATIVE],
        "class_weight": [dict, one_of("balanced"), None],
        "random_state": [SEED],
    }

    def __init__(
        self,
        blocks=None,
        scorers=None,
        n_components=200,
        n_folds=None,
        thrift=0.0,
        random_state=None,
        class_weight=None,
    ):
        self.blocks = blocks
        self.scorers = scorers
        self.n_components = n_components
        self.n_folds = n_folds
        self.thrift = thrift
        self.random_state = random_state
        self.class_weight = class_weight

    def __setstate__(self, state):
        """Take the state; files of older models have one block of columns, and do not say what was kept."""
        if "alpha" in state:
            state = {name: state[name] for name in state if name not in ("alpha", "n_words")}
            state |= {"blocks": None, "scorers": None, "kept_": [], "thrift": 0.0}
        super().__setstate__({"class_weight": None} | state)  # which is younger than some files

    def fit(self, X, y, sample_weight=None):
        """Learn from labelled documents and from unlabelled ones.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,)
            Their classes; -1, the empty string, None or NaN, the same throughout, where there is none.
        sample_weight : array-like of shape (n_samples,), default=None
            What each labelled document counts, 0 or more; those of 0 are left out.

        Returns
        -------
        SubspaceBlend
            The fitted classifier.
        """
        X, y = self._checked(X, y)
        weights = self._weights(X, y, sample_weight)
        if weights is not None and not weights.all():
            X, y, weights = X[weights > 0], y[weights > 0], weights[weights > 0]
        self._learn(X, y, weights)
        return self

    def _weights(self, X, y, sample_weight):
        """Give what documents count, None where all count the same; those without a label count 1."""
        if sample_weight is None and self.class_weight is None:
            return None
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        labelled = y >= 0
        if self.class_weight is not None:
            weights[labelled] *= class_weights(self.class_weight, self.classes_[y[labelled]])
        weights[~labelled] = 1.0
        sizes = np.bincount(y[labelled], weights[labelled], minlength=len(self.classes_))
        if not sizes.all():
            name = str(self.classes_[np.argmin(sizes)])
            raise ValueError(
                f"all documents of the class {name!r} have the weight 0: leave them out, or weigh one more."
            )
        return weights

    def drop_unused_blocks(self):
        """Leave out the blocks of columns that no scorer looks at.

        Returns
        -------
        ndarray of int, shape (n_left,)
            Columns that are left, ascending; documents to come have only these.
        """
        kept = {own.block for own in self.kept_}
        used, blocks, end = np.zeros(self.n_features_in_, dtype=bool), [], 0
        for name, start, stop, n_words in self._blocks():
            if name in kept:
                used[start:stop] = True
                blocks.append(Block(name, end, end + stop - start, n_words))
                end += stop - start
        self.blocks, self.n_features_in_ = blocks, end
        self._blends = [blend.moved(np.cumsum(used) - 1) for blend in self._blends]
        return np.flatnonzero(used)

    def _regressions_fit(self):
        """Whether each regression has a coefficient for each column of its block."""
        ends = {(start, stop) for _, start, stop, _ in self._blocks()}
        scorers = [scorer for blend in self._blends for scorer in blend.scorers if hasattr(scorer, "coef")]
        return all((scorer.columns.start, scorer.columns.stop) in ends for scorer in scorers)

    # the products are spread over the cores already: threads of the BLAS would only wait for them
    @blas_threads(1)
    def choose_scorers(self, X, y, sample_weight=None):
        """Tell which scorers pay, without learning from all documents together.

        Scaled regressions, the dearest, are tried on those blocks only on which another scorer pays.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Labelled documents, one a row.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            What each document counts, above 0.

        Returns
        -------
        list of KeptScorer
            The `scorers` for a blend of similar documents.
        """
        X, y = self._checked(X, y)
        folds, weights = self._folds(y), self._weights(X, y, sample_weight)
        scorers = self._scorers(X)
        cheap = [each for each in scorers if not isinstance(each[1], ScaledRidgeScorer)]
        judged = self._judged(cheap, X, y, folds, whole=False, weights=weights)
        kept, _ = self._chosen(judged, y, weights)
        pay = {own.block for own in kept}
        dear = [each for each in scorers if each not in cheap and each[0] in pay]
        if dear:
            judged = [each for each in judged if each[0] in pay]
            judged += self._judged(dear, X, y, folds, whole=False, weights=weights)
            order = [(block, scorer.name) for block, scorer in scorers]
            judged.sort(key=lambda each: order.index((each[0], each[1].scorer.name)))
            kept, _ = self._chosen(judged, y, weights)
        return kept

    def _judged(self, scorers, X, y, folds, *, whole, weights=None):
        """Judge scorers, pairs of a block and a scorer, by documents held out: pairs of it and a HeldOut."""
        blocks, scorers = zip(*scorers, strict=True)
        judged = judge(scorers, X, y, folds, n_classes=len(self.classes_), whole=whole, weights=weights)
        return list(zip(blocks, judged, strict=True))

    def _chosen(self, judged, y, weights):
        """Choose among what :meth:`_judged` gives: KeptScorer of those that pay, and of `judged` the same."""
        doubtful = [place for place, (block, _) in enumerate(judged) if block == _PART]
        kept, gains = choose([own for _, own in judged], y, self.thrift, weights, doubtful)
        judged = [judged[i] for i in kept]
        kept_scorers = [
            KeptScorer(block, own.scorer.name, own.scorer.alpha, float(gain))
            for (block, own), gain in zip(judged, gains, strict=True)
        ]
        return kept_scorers, judged

    def _folds(self, y):
        """Deal labelled documents into folds."""
        n_folds = (_FOLDS if len(y) <= _MANY else _FEW_FOLDS) if self.n_folds is None else self.n_folds
        return fold_rows(deal_folds(min(n_folds, len(y)), y, n_samples=len(y)))

    @blas_threads(1)
    def _learn(self, X, y, weights=None):
        labelled = y >= 0
        n_classes = len(self.classes_)
        check_memory(np.sum(labelled), X.shape[1], n_classes)
        known, truth = (X, y) if labelled.all() else (X[labelled], y[labelled])
        own_weights = None if weights is None else weights[labelled]
        folds = self._folds(truth)
        judged = self._judged(self._scorers(X), known, truth, folds, whole=known is X, weights=own_weights)
        self.kept_, judged = self._chosen(judged, truth, own_weights)
        judged = [own for _, own in judged]
        scores = [score for own in judged for score in own.scores]
        self.calibration_ = calibrate(scores, truth, sample_weight=own_weights)
        if labelled.all():
            if len(y) < TELLING:
                self.calibration_ = calibrate_few(scores, y, sample_weight=own_weights)
            self.calibration_ = sobered(self.calibration_, scores, y, sample_weight=own_weights)
            self._blends = [Blend([own.fitted() for own in judged], self.calibration_).rounded()]
            self.out_of_fold_ = self.calibration_(scores).astype(np.float32)
        else:
            self._fit_unlabelled(X, y, folds, [own.scorer for own in judged], scores, weights)
        self.shares_noise_ = self._shares_noise(self.out_of_fold_, truth, own_weights)

    def _shares_noise(self, held_out, y, weights):
        """Tell what documents that are held out seem to gain by other shares, from decision values."""
        some = held_out[:: -(-held_out.size // _TELLING)]
        return shares_noise(softmax(some), _shares(y, weights))

    def _scorers(self, X):
        """List blocks, by name, with the scorers of each that do not read unlabelled rows: pairs."""
        counts = not (X.nnz and X.data.min() < 0)
        found = [
            (name, scorer)
            for name, start, stop, n_words in self._blocks()
            for scorer in (
                RidgeScorer(slice(start, stop)),
                *([ScaledRidgeScorer(slice(start, stop))] if counts and n_words else []),
                *([ComplementScorer(slice(start, start + n_words))] if counts and n_words else []),
            )
        ]
        if self.scorers is not None:
            known = {(name, scorer.name): scorer for name, scorer in found}
            wanted = [(block, name) for block, name, _, _ in self.scorers]
            missing = [each for each in wanted if each not in known]
            if missing:
                raise ValueError(f"there is no scorer {missing[0]}: choose among {list(known)}.")
            found = [(block, known[block, name].near(alpha)) for block, name, alpha, _ in self.scorers]
        if not any(scorer.has_space for _, scorer in found):
            raise ValueError(
                f"none of the scorers {self.scorers} places documents in a space: add {RidgeScorer.name!r} "
                "of a block."
            )
        return found

    def _fit_unlabelled(self, X, y, folds, scorers, scores, weights):
        """Learn from all documents: from their words and, unless it may do harm, by self-training."""
        rows, n_classes = np.flatnonzero(y >= 0), len(self.classes_)
        known, truth = X[rows], y[rows]
        counts = None if weights is None else weights[rows]
        spaces = (scorer.columns for scorer in scorers if scorer.has_space)
        reader = LatentScorer(next(spaces), self.n_components, self.random_state).prepared(X)
        [reader] = judge([reader], known, truth, folds, n_classes=n_classes, whole=False, weights=counts)
        scores, scorers = scores + reader.scores, [*scorers, reader.scorer]
        calibrations = calibrate(scores, truth, sample_weight=counts), self.calibration_
        self.calibration_ = sobered(calibrations[0], scores, truth, sample_weight=counts)
        held_out = self.calibration_(scores)
        fitted = fit_scorers(scorers, known, truth, n_classes=n_classes, weights=counts)
        before = Blend(fitted, self.calibration_)
        self._blends, self.out_of_fold_ = [before.rounded()], held_out.astype(np.float32)
        shares, self.self_trained_ = _shares(truth, counts), False
        others = np.flatnonzero(y < 0)
        others = others[:: -(-len(others) * n_classes // _COUNTED)]
        noise = self._shares_noise(held_out, truth, counts)
        self.unlabelled_shares_ = new_shares(softmax(before.decide(X[others])), shares, len(rows), noise)
        if np.array_equal(self.unlabelled_shares_, shares):
            self._self_train(X, y, folds, scorers, calibrations, weights)

    def _self_train(self, X, y, folds, scorers, calibrations, weights):
        """Learn from answers too, unless it does harm.

        That is told by the folds of the labelled documents, whose labels are hidden in turn.
        """
        rows, n_classes = np.flatnonzero(y >= 0), len(self.classes_)
        labellings = np.tile(y, (len(folds) + 1, 1))
        for own, (_, test) in zip(labellings, folds, strict=False):
            own[rows[test]] = -1
        rounds = self_train(X, labellings, scorers, calibrations, n_classes=n_classes, sample_weight=weights)
        values = np.empty((2, len(rows), n_classes), dtype=np.float32)
        for fold, (_, test) in enumerate(folds):
            values[:, test] = rounds.before[fold, rows[test]], rounds.after[fold, rows[test]]
        self.self_trained_ = does_no_harm(values, y[rows])
        if self.self_trained_:
            labels, taken = rounds.y[-1], rounds.weights[-1].astype(float)
            learned = np.flatnonzero(taken)
            fitted = fit_scorers(
                [scorer for scorer in scorers if not scorer.reads_unlabelled],
                X[learned],
                labels[learned],
                n_classes=n_classes,
                weights=taken[learned],
            )
            counts = None if weights is None else weights[rows]
            last = calibrate([values[1]], y[rows], sample_weight=counts, constants=False)
            last = sobered(last, [values[1]], y[rows], sample_weight=counts)
            self._blends = [Blend(fitted, calibrations[1]).then(last).rounded()]
            self.out_of_fold_ = last([values[1]]).astype(np.float32)


def _shares(y, weights):
    """Give the share of each class among labelled documents, which may be weighed."""
    sizes = np.bincount(y, weights)
    return sizes / sizes.sum()
