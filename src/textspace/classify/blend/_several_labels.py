"""The default classifier where a document may have several labels: a calibrated blend of three scores."""

import warnings
from typing import ClassVar

import numpy as np
from scipy import sparse, special
from sklearn.utils import gen_batches

from textspace._compiled import blas_threads
from textspace._label_lists import check_indicators
from textspace._labels import split_labelled
from textspace._parameters import POSITIVE, SEED, SHARE, one_of
from textspace._saving import saved_as
from textspace._validation import validate_data
from textspace.classify.blend._arrays import block_of, relative
from textspace.classify.blend._base import BlendClassifier, blocks_fit, check_memory
from textspace.classify.blend._blend import Blend
from textspace.classify.blend._centroids import FittedCentroids, left_out_means
from textspace.classify.blend._label_calibration import (
    LIKELY,
    fit_label_calibration,
    fit_pair_calibration,
    fit_sureness,
    label_log_loss,
    likely_pairs,
)
from textspace.classify.blend._label_decisions import expected_f1_thresholds, pair_thresholds
from textspace.classify.blend._label_ridge import (
    FittedLabelRidge,
    best_penalty,
    learn_label_ridge,
    mean_square,
    value_scores,
)
from textspace.classify.blend._likely_labels import find_likely_labels
from textspace.classify.blend._many_labels import learn_many_labels

_BATCH = 4 << 20  # labels of documents that are looked for at a time
_FIRST_FOUND = 64  # labels of a document that are looked for at first
_NAMED = 3  # labels in a warning
_MANY_PAIRS = 200_000_000  # of documents and labels: above, numbers for all of them take 4 GB
_USUAL_ALPHA = 2.0  # where no penalty is chosen


@saved_as(
    "classify.several_labels",
    shapes={
        "classes_": "c",
        "thresholds_": "c",
        "n_features_in_": "d",
        "calibration_.bias": "c",
        "_blends.*.calibration.bias": "c",
    },
    check=lambda blend: (
        blocks_fit(blend)
        and [list(map(type, each.scorers)) for each in blend._blends] == [[FittedLabelRidge, FittedCentroids]]
        and blend._form in ("labels", "dense", "sparse")
        and isinstance(blend.at_least_one_, bool)
    ),
    not_saved=["out_of_fold_"],
)
class SeveralLabelsBlend(BlendClassifier):
    """Classifier of documents that may have several labels, or none, with a calibrated probability of each.

    The scores of a label are the value of a ridge regression onto its indicator, this value divided by the
    largest of the document, and the cosine to the mean document of the label, divided in the same way. Each
    training document is scored by what is learned from all others, in closed form and without folds. These
    scores choose the penalty, become probabilities, and tell from which probability on a label pays.

    Parameters
    ----------
    alpha : float, default=None
        Penalty of the ridge regression, for rows of unit length. None stands for that of .25, .5, 1 and 2
        with the smallest log loss; of very many labels for 2.
    decision : {"f1", "micro", "macro"} or float, default="f1"
        Which labels are given: those that make the expected F1 of all pairs of documents and labels highest,
        "micro"; that of each label by itself, "macro", which gives rare labels more often; "f1" gives a label
        where one of the two does. Or those whose probability is above a number.
    blocks : list of textspace.text.Block or tuple, default=None
        As in :class:`SubspaceBlend`, one after the other without gaps. The regression learns from all of
        them together, the mean documents hold the single words of the first.
    random_state : int, RandomState instance or None, default=0
        Seed of the random signs and samples by which documents are left out and a penalty is chosen.

    Attributes
    ----------
    classes_ : ndarray of shape (n_labels,)
        Labels: numbers of the columns of the indicator matrix.
    thresholds_ : ndarray of shape (n_labels,)
        A label is given where its probability is higher.
    at_least_one_ : bool
        Whether the most probable label is given where no other is, as each training document has one. Not
        where the decision is a number.
    alpha_ : float
        Penalty.
    out_of_fold_ : {ndarray, csr_array} of shape (n_samples, n_labels), float32
        Logits of the training documents, each by a blend that has not learned from it; of very many labels
        those of the 40 likeliest of each document.
    loss_ : float
        Their log loss, of all labels together, the mean over documents.
    calibration_ : LabelCalibration
        Weight of each score and constant of each label.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    See Also
    --------
    SubspaceBlend : For one label a document.
    RLSC : The ridge regression alone, with indicators too.

    Notes
    -----
    The logit of a label is a weighted sum of its scores. The weights depend on the logarithm of the label's
    share, and on nothing else of it, so that rare labels learn from each other. A constant a label is shrunk
    towards zero. At last one factor for all logits makes the probabilities right among the pairs of documents
    and labels that are not hopeless. The thresholds are told by the logits before that.

    Documents that are left out are scored with the random signs of :func:`textspace.solvers.left_out`; the
    cosine takes a document out of the sums of its own labels. The weights, constants and thresholds have seen
    all documents, but they are a handful of numbers and one a label.

    With more than 200 million pairs of documents and labels there is no room for numbers of all of them. Each
    label then has terms of its own, those with the largest sums over its documents, and learns from its
    documents, from those to which it is one of the 20 nearest labels, and from as many at random as it has
    itself. What it would say of a document that is left out follows in closed form too. Answers are looked
    for among all labels, in sparse tables: :meth:`likely_labels` and :meth:`given_labels` hold no array of
    all pairs.

    Where y is a vector of labels, each document has just one: the probabilities of a document are divided by
    their sum, and it gets the most probable label.

    References
    ----------
    R. M. Rifkin and R. A. Lippert, "Notes on regularized least squares", MIT-CSAIL-TR-2007-025, 2007.
    Z. C. Lipton, C. Elkan and B. Naryanaswamy, "Optimal thresholding of classifiers to maximize F1 measure",
    ECML PKDD 2014.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.classify import SeveralLabelsBlend
    >>> from textspace.text import VectorSpace
    >>> texts = ["corn and wheat", "wheat crop", "corn on ships", "ships at sea", "wheat ships", "a sea port"]
    >>> grain_and_ship = np.array([[1, 0], [1, 0], [1, 1], [0, 1], [1, 1], [0, 1]])
    >>> space = VectorSpace()
    >>> model = SeveralLabelsBlend().fit(space.fit_transform(texts), grain_and_ship)
    >>> model.predict(space.transform(["corn at sea", "a good crop"]))
    array([[1, 1],
           [1, 0]])
    """

    _parameter_constraints: ClassVar = {
        "alpha": [POSITIVE, None],
        "decision": [one_of("f1", "micro", "macro"), SHARE],
        "blocks": [list, None],
        "random_state": [SEED],
    }
    has_constants = False  # of classes of which one is right

    def __init__(self, alpha=None, decision="f1", blocks=None, random_state=0):
        self.alpha = alpha
        self.decision = decision
        self.blocks = blocks
        self.random_state = random_state

    def fit(self, X, y):
        """Learn from documents and their labels.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row; rows of unit length, or of blocks of unit length.
        y : {array-like, sparse matrix} of shape (n_samples, n_labels), or array-like of shape (n_samples,)
            Ones where a document has a label, and zeros. Or one label of each document.

        Returns
        -------
        SeveralLabelsBlend
            The fitted classifier.
        """
        self._validate_params()
        rows, truth = self._encode(y)
        X = self._prepared(validate_data(self, X, accept_sparse="csr", dtype=np.float32))
        if X.shape[0] != len(rows):
            raise ValueError(f"X has {X.shape[0]} rows and y {len(rows)}: give labels for each document.")
        self._learn(X[rows], truth)
        return self

    def _encode(self, y):
        """Say which rows are learned from, and what labels they have; note the form of y."""
        if y is None or (not sparse.issparse(y) and _is_vector(y)):
            self._form = "labels"
            rows, codes, self.classes_ = split_labelled(y, signs=True)
            places = np.arange(rows.sum() + 1)
            ones = np.ones(rows.sum(), dtype=np.float32)
            shape = len(ones), len(self.classes_)
            return rows, sparse.csr_array((ones, codes[rows].astype(np.int32), places), shape=shape)
        self._form = "sparse" if sparse.issparse(y) else "dense"
        truth = check_indicators(y)
        self.classes_ = np.arange(truth.shape[1])
        sizes = np.asarray(truth.sum(axis=0)).ravel()
        for size, where in ((0, "no document"), (truth.shape[0], "every document")):
            constant = np.flatnonzero(sizes == size)
            if len(constant):
                some = ", ".join(map(str, constant[:_NAMED])) + (", ..." if len(constant) > _NAMED else "")
                warnings.warn(
                    f"{len(constant)} of {len(sizes)} labels are in {where}, columns {some}: what they mean "
                    "cannot be learned.",
                    stacklevel=3,
                )
        return np.ones(truth.shape[0], dtype=bool), truth

    # the products are spread over the cores already: threads of the BLAS would only wait for them
    @blas_threads(1)
    def _learn(self, X, truth):
        blocks = self._blocks()
        n_words = blocks[0][3] or blocks[0][2] - blocks[0][1]
        every, words = slice(blocks[0][1], blocks[-1][2]), slice(blocks[0][1], blocks[0][1] + n_words)
        seed = self.random_state if isinstance(self.random_state, (int, np.integer)) else 0
        self.at_least_one_ = isinstance(self.decision, str) and bool(np.all(np.diff(truth.indptr) > 0))
        learn = self._learn_near if are_many_labels(*truth.shape) else self._learn_all
        learn(X, truth, every, words, seed)

    def _learn_all(self, X, truth, every, words, seed):
        """Learn from all pairs of documents and labels."""
        check_memory(X.shape[0], 0, truth.shape[1])
        rows = block_of(X, every)
        if self.alpha is None:
            self.alpha_, _ = best_penalty(rows, truth, random_state=seed)
        else:
            self.alpha_ = self.alpha
        penalty = self.alpha_ * mean_square(rows)
        ridge, values = learn_label_ridge(rows, truth, alpha=penalty, columns=every, random_state=seed)
        means, cosines = left_out_means(block_of(X, words), truth)

        def scores(some):
            return [*value_scores(values[some]), relative(cosines[some])]

        calibration, logits = fit_label_calibration(scores, truth, random_state=seed)
        sure = fit_sureness(*likely_pairs(logits, truth))
        self.out_of_fold_ = sure[0] * logits + np.float32(sure[1])
        self.loss_ = float(label_log_loss(self.out_of_fold_, truth))
        steep = None
        if isinstance(self.decision, str):
            steep = expected_f1_thresholds(self.decision, logits)
        self._decide_by([ridge, FittedCentroids.of(means, words)], calibration, sure, steep)

    def _learn_near(self, X, truth, every, words, seed):
        """Learn from pairs of documents and labels that come near to each other."""
        self.alpha_ = _USUAL_ALPHA if self.alpha is None else self.alpha
        penalty = self.alpha_ * mean_square(block_of(X, every))
        scorers, likely = learn_many_labels(
            X, truth, columns=every, words=words, alpha=penalty, random_state=seed
        )
        documents, places = np.nonzero(likely.labels >= 0)
        labels = likely.labels[documents, places]
        scores = [own[documents, places] for own in likely.scores]
        del likely
        found = _are_in(truth, documents, labels)
        sizes = np.asarray(truth.sum(axis=0), dtype=np.float64).ravel()
        calibration, logits = fit_pair_calibration(
            scores, found, labels, sizes, n_samples=X.shape[0], random_state=seed
        )
        telling = logits > LIKELY
        sure = fit_sureness(logits[telling], found[telling].astype(np.float32))
        final = sure[0] * logits + np.float32(sure[1])
        self.out_of_fold_ = sparse.csr_array((final, (documents, labels)), shape=truth.shape)
        self.loss_ = float((np.logaddexp(0, final).sum(dtype=np.float64) - final[found].sum()) / X.shape[0])
        steep = None
        if isinstance(self.decision, str):
            shares = special.expit(logits).astype(np.float64)
            totals = np.bincount(labels, shares, minlength=len(sizes))
            every_label = np.concatenate([labels, np.arange(len(sizes), dtype=labels.dtype)])
            steep = pair_thresholds(
                self.decision, np.append(shares, np.zeros(len(sizes))), every_label, totals
            )
        self._decide_by(scorers, calibration, sure, steep)

    def _decide_by(self, scorers, calibration, sure, steep):
        """Set what answers: decisions are those of the steeper logits, before they are made less sure."""
        factor, constant = sure
        self.calibration_ = calibration.then(factor, constant)
        self._blends = [Blend(scorers, self.calibration_)]
        if steep is None:
            self.thresholds_ = np.full(len(self.classes_), float(self.decision))
        else:
            self.thresholds_ = special.expit(factor * special.logit(steep) + constant)

    def decision_function(self, X):
        """Give the logits of the labels.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
            Logits; where y was a vector of two labels, how much the second is ahead.
        """
        logits = self.class_scores(X)
        if self._form == "labels" and len(self.classes_) == 2:
            return logits[:, 1] - logits[:, 0]
        return logits

    def _proba(self, X):
        shares = special.expit(self._scores(X))
        return shares / shares.sum(axis=1, keepdims=True) if self._form == "labels" else shares

    def predict(self, X):
        """Give the labels of documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        {ndarray, csr_array} of shape (n_samples, n_labels), int
            Ones where a document has a label; sparse where y was. Where y was a vector, the label of each
            document, of shape (n_samples,).
        """
        X = self._documents(X)
        if self._form == "labels":
            return self._answers(X)
        given = self._given(X, self.thresholds_, self.at_least_one_)
        given = sparse.csr_array((np.ones(given.nnz, dtype=int), given.indices, given.indptr), given.shape)
        return given if self._form == "sparse" else given.toarray()

    def likely_labels(self, X, n_labels=10):
        """Give the labels of the highest probabilities, in little memory however many labels there are.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        n_labels : int, default=10
            How many labels of each document.

        Returns
        -------
        csr_array of shape (n_samples, n_labels), float32
            Probabilities of these labels, in the order of the columns.
        """
        return self._found(self._documents(X), n_found=min(n_labels, len(self.classes_)))

    def given_labels(self, X, threshold=None):
        """Give the labels of documents with their probabilities, in little memory.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        threshold : float, default=None
            A label is given where its probability is higher; None stands for `thresholds_`.

        Returns
        -------
        csr_array of shape (n_samples, n_labels), float32
            Probabilities of the labels that are given, in the order of the columns.
        """
        X = self._documents(X)
        if threshold is None:
            return self._given(X, self.thresholds_, self.at_least_one_)
        return self._given(X, np.full(len(self.classes_), float(threshold)), False)

    def _given(self, X, thresholds, at_least_one):
        """Give the probabilities of labels above thresholds; labels are looked for until all are found."""
        n_labels, limits = len(self.classes_), special.logit(thresholds)
        n_found = min(_FIRST_FOUND, n_labels)
        parts = []
        for rows in gen_batches(X.shape[0], max(1, _BATCH // n_found)):
            own = X[rows]
            found = self._found(own, n_found=n_found, limits=limits, at_least_one=at_least_one)
            while n_found < n_labels and np.diff(found.indptr).max() == n_found:
                n_found = min(8 * n_found, n_labels)
                found = self._found(own, n_found=n_found, limits=limits, at_least_one=at_least_one)
            parts.append(found)
        return sparse.vstack(parts, format="csr")

    def _found(self, X, *, n_found, limits=None, at_least_one=True):
        """Give the probabilities of the likeliest labels, or of those whose logit is above a limit."""
        n_labels, calibration = len(self.classes_), self.calibration_
        likely = find_likely_labels(X, *self._blends[0].scorers, calibration, n_found=n_found, limits=limits)
        documents, places = np.nonzero(likely.labels >= 0)
        labels = likely.labels[documents, places]
        logits = calibration.bias[labels]
        for weights, own in zip(calibration.weights, likely.scores, strict=True):
            logits = logits + weights[labels] * own[documents, places]
        if not at_least_one:
            higher = logits > limits[labels]
            documents, labels, logits = documents[higher], labels[higher], logits[higher]
        found = sparse.csr_array(
            (special.expit(logits).astype(np.float32), (documents, labels)), shape=(X.shape[0], n_labels)
        )
        found.sort_indices()
        return found

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


def _is_vector(y):
    """Whether y holds one label a document: it has one dimension, or one column that is no indicator."""
    try:
        y = np.asarray(y)
    except ValueError:  # lists of several lengths
        return False
    return y.ndim == 1 or (y.ndim == 2 and y.shape[1] == 1 and not np.isin(y, (0, 1)).all())


def are_many_labels(n_samples, n_labels):
    """Tell whether there are too many pairs of documents and labels to hold numbers for all of them.

    Parameters
    ----------
    n_samples, n_labels : int
        Number of documents and of labels.

    Returns
    -------
    bool
        Whether there are more than 200 million.

    Examples
    --------
    >>> from textspace.classify import are_many_labels
    >>> are_many_labels(20_000, 3_600), are_many_labels(1_000_000, 100_000)
    (False, True)
    """
    return n_samples * n_labels > _MANY_PAIRS


def _are_in(truth, documents, labels):
    """Tell which pairs of documents and labels a CSR array in order holds."""
    n_labels = truth.shape[1]
    rows = np.repeat(np.arange(truth.shape[0]), np.diff(truth.indptr))
    held, pairs = rows * n_labels + truth.indices, documents * n_labels + labels
    places = np.minimum(np.searchsorted(held, pairs), len(held) - 1)
    return held[places] == pairs
