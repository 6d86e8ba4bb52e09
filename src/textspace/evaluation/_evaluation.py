"""How good a model is: what it said of documents whose label is known."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from sklearn.utils import gen_batches

from textspace._frames import make_frame
from textspace._label_lists import are_lists
from textspace._labels import text_labels
from textspace.evaluation._confidence import calibration_error, reject_curve, reliability_bins
from textspace.evaluation._multilabel_evaluation import FORMAT as MULTILABEL
from textspace.evaluation._multilabel_evaluation import MultilabelEvaluation, evaluate_label_lists
from textspace.evaluation._results_file import ResultsFile
from textspace.evaluation._saved import check_evaluation
from textspace.evaluation._scores import confusion, per_class, scores
from textspace.evaluation._shown import LONGEST_TEXT, as_pairs, rounded_shares, shown_rows
from textspace.evaluation._thresholds import KEYS, class_thresholds

FORMAT, VERSION = "textspace-evaluation", 1
OUT_OF_FOLD = "out-of-fold training documents"
_SORTED = 4 << 20  # probabilities at a time


@dataclass(frozen=True)
class Evaluation(ResultsFile):
    """What a model said of documents whose label is known, as :func:`evaluate` found it.

    All fields hold plain data: ``dataclasses.asdict`` gives what stands in a file. Classes are given by their
    position in `classes`.

    Parameters
    ----------
    source : str
        Which documents these are: "test documents", "out-of-fold training documents" or the name of a file.
    classes : list of str
        The labels that the model knows.
    truth : list of int
        True class of each document; -1 for a label that the model does not know.
    predicted : list of int
        Class that the model gave.
    confidence : list of float
        Probability of that class.
    top : list of list of [int, float]
        The three most probable classes of each document with their probabilities, the first one first.
    texts : list of str
        Documents to be shown, each cut at 2000 characters: the errors, and others up to 2000 in all. Of more
        errors, the ones of which the model was most sure.
    rows : list of int
        Which documents the texts are, increasing.
    scores : dict of str to float
        As by :func:`textspace.evaluation.scores`, over the labels that occur in the truth, with
        ``calibration_error`` (see :meth:`reliability`) and ``n_documents``.
    unknown_labels : dict of str to int, default={}
        Labels that the model does not know, with their numbers of documents; all of these are errors.
    learning_curve : list of dict, default=[]
        As by :func:`learning_curve`; may be empty.
    thresholds : list of dict, default=[]
        One for each class: ``average_precision`` of its probabilities; ``threshold``, the probability from
        which on documents should be said to be of the class, for the highest F1 on these documents; and
        ``threshold_f1``, that F1. They are None for a class that no document has. Evaluations of older
        versions have none.
    places : list of list of str, default=[]
        Where each of the `texts` stands in its file, such as "row 3 (line 4)", and its identifier, "" for
        none; empty where that is not known.

    Attributes
    ----------
    format, version : str, int
        What the file says that it is; the same for all evaluations.
    rarer_class : dict or None
        How well the rarer of two classes is found: ``class``, its name, and what `thresholds` holds of it.
        None where there are not two classes that documents have, or both have as many.

    Examples
    --------
    >>> evaluation = Evaluation(
    ...     "test documents", ["grain", "ship"], [0, 0, 1], [0, 1, 1], [0.9, 0.6, 0.8], [], [], [], {}
    ... )
    >>> evaluation.confusion().tolist()
    [[1, 1], [0, 1]]
    >>> curve = evaluation.reject_curve()
    >>> curve["coverage"].round(2).tolist(), curve["accuracy"].round(2).tolist()
    ([0.33, 0.67, 1.0], [1.0, 1.0, 0.67])
    """

    format: str = field(default=FORMAT, init=False)
    version: int = field(default=VERSION, init=False)
    source: str
    classes: list
    truth: list
    predicted: list
    confidence: list
    top: list
    texts: list
    rows: list
    scores: dict
    unknown_labels: dict = field(default_factory=dict)
    learning_curve: list = field(default_factory=list)
    thresholds: list = field(default_factory=list)
    places: list = field(default_factory=list)

    def __post_init__(self):
        # not a field: a file has all that it is made of
        object.__setattr__(self, "rarer_class", _rarer(self.classes, self.truth, self.thresholds))

    def reliability(self):
        """Compare how sure the model was with how often it was right.

        Returns
        -------
        list of dict
            One for each of 15 equally wide bins of confidence that holds documents: ``low`` and ``high``, its
            ends; ``n_documents``; ``confidence``, the mean over these; ``accuracy``, the share that is right.
            The mean distance of the two, weighed by documents, is the expected calibration error.
        """
        return reliability_bins(self.confidence, self._right())

    def reject_curve(self):
        """Tell how accurate the model is on the documents of which it is most sure.

        Returns
        -------
        dict of str to array of shape (n_points,)
            ``coverage``, the share of documents that are answered, increasing to 1; ``accuracy`` on them;
            ``min_confidence``, the confidence from which on documents are answered. At most 200 points.
        """
        return reject_curve(self.confidence, self._right())

    def confusion(self):
        """Count documents by true and by predicted class: array of shape (c, c), true classes in rows.

        Documents of unknown labels are left out.
        """
        return confusion(self.truth, self.predicted, classes=range(len(self.classes)))

    def per_class(self):
        """Score each class alone.

        Returns
        -------
        dict of str to array of shape (n_classes,)
            As by :func:`textspace.evaluation.per_class`, and what `thresholds` holds, NaN for None.
        """
        found = per_class(self.truth, self.predicted, classes=range(len(self.classes)))
        ranked = self.thresholds or [dict.fromkeys(KEYS)] * len(self.classes)
        found |= {key: np.array([each[key] for each in ranked], dtype=float) for key in KEYS}
        return found | {"classes": np.array(self.classes)}

    def to_frame(self, library="pandas"):
        """Give the documents as a DataFrame, one a row.

        Parameters
        ----------
        library : {"pandas", "polars"}, default="pandas"
            Whose DataFrame it is.

        Returns
        -------
        DataFrame
            Of that library: ``label``, None where the model does not know it, ``predicted``, ``confidence``
            and whether the answer is ``right``.
        """
        columns = {
            "label": [None if code < 0 else self.classes[code] for code in self.truth],
            "predicted": [self.classes[code] for code in self.predicted],
            "confidence": list(self.confidence),
            "right": self._right().tolist(),
        }
        return make_frame(columns, library)

    def _right(self):
        return np.array(self.truth) == np.array(self.predicted)

    @classmethod
    def from_dict(cls, content):
        """Make an evaluation of what ``dataclasses.asdict`` gave.

        Parameters
        ----------
        content : dict
            Checked: a ValueError says what is wrong with it.

        Returns
        -------
        Evaluation, or MultilabelEvaluation if it is one
        """
        if isinstance(content, dict) and content.get("format") == MULTILABEL:
            return MultilabelEvaluation.from_dict(content)
        if isinstance(content, dict):
            content = {"thresholds": [], "places": [], **content}  # files of older versions have none
        return super().from_dict(content)

    _check = staticmethod(check_evaluation)


def evaluate(model, texts, labels, *, probabilities=None, source="test documents", places=None):
    """Ask a model about documents whose label is known.

    Parameters
    ----------
    model : TextClassifier
        Fitted.
    texts : list of str, or sparse matrix of raw term counts
        Documents.
    labels : array-like of shape (n_documents,)
        Their labels. Documents without one ("" or None) are left out. A list of labels for each document, if
        the model gives several.
    probabilities : ndarray of shape (n_documents, n_classes) or (n_labelled, n_classes), default=None
        Probabilities to score in place of the model's own ``predict_proba(texts)``: for training documents
        those of ``model.out_of_fold_proba_``, as the model has seen them.
    source : str, default="test documents"
        Which documents these are, for cards and reports.
    places : list of tuple of str, default=None
        Where each document stands in its file, and its identifier, as a
        :class:`textspace.datasets.Corpus` has them, for reports. Not kept for several labels.

    Returns
    -------
    Evaluation, or MultilabelEvaluation of a model that gives several labels

    Examples
    --------
    >>> from textspace.models import TextClassifier
    >>> from textspace.evaluation import evaluate
    >>> texts = ["wheat and corn", "corn harvest", "ships at sea", "sea port", "corn crop", "a ship sank"]
    >>> labels = ["grain", "grain", "ship", "ship", "grain", "ship"]
    >>> model = TextClassifier("rlsc").fit(texts, labels)
    >>> evaluation = evaluate(model, ["corn", "the port", "the sea"], ["grain", "ship", "tin"])
    >>> evaluation.truth, evaluation.predicted, evaluation.unknown_labels
    ([0, 1, -1], [0, 1, 1], {'tin': 1})
    >>> round(evaluation.scores["accuracy"], 2)
    0.67
    """
    if getattr(model, "several_", False):
        return evaluate_label_lists(model, texts, labels, probabilities=probabilities, source=source)
    if are_lists(labels):
        raise ValueError("the labels are lists, but the model gives one label a document: give one each.")
    labels = text_labels(labels)
    labelled = np.flatnonzero(labels != "")
    n_texts = texts.shape[0] if hasattr(texts, "tocsr") else len(texts)
    if n_texts != len(labels):
        raise ValueError(f"there are {n_texts} texts, but {len(labels)} labels: give one label a text.")
    if not len(labelled):
        raise ValueError("no document has a label: there is nothing to score.")
    if len(labelled) < n_texts:
        texts = texts[labelled] if hasattr(texts, "tocsr") else [texts[row] for row in labelled]
    probabilities = _probabilities(model, texts, labelled, n_texts, probabilities)
    labels, classes = labels[labelled], model.classes_.astype(str)
    truth = _codes(labels, classes)
    best = _best_three(probabilities)
    shares = rounded_shares(probabilities, best)
    predicted, confidence, right = best[:, 0], shares[:, 0], best[:, 0] == truth
    rows = [] if hasattr(texts, "tocsr") else shown_rows(~right, confidence)
    return Evaluation(
        source=source,
        classes=classes.tolist(),
        truth=truth.tolist(),
        predicted=predicted.tolist(),
        confidence=confidence.tolist(),
        top=as_pairs(best, shares),
        texts=[texts[row][:LONGEST_TEXT] for row in rows],
        rows=rows,
        places=[] if places is None else [list(places[labelled[row]]) for row in rows],
        scores=_scores(labels, predicted, probabilities, classes)
        | {"calibration_error": calibration_error(confidence, right), "n_documents": len(truth)},
        unknown_labels=dict(sorted(Counter(labels[truth < 0].tolist()).items())),
        thresholds=class_thresholds(truth, probabilities),
    )


def _rarer(classes, truth, thresholds):
    """Give name and thresholds of the rarer of two classes that documents have, or None."""
    sizes = [truth.count(c) for c in range(len(classes))] if len(classes) == 2 else []
    if not thresholds or not sizes or not 0 < min(sizes) < max(sizes):
        return None
    rarer = sizes.index(min(sizes))
    return {"class": classes[rarer], **thresholds[rarer]}


def _probabilities(model, texts, labelled, n_texts, given):
    """Give the probabilities of the labelled documents, of shape (n_labelled, n_classes)."""
    if given is None:
        return model.predict_proba(texts)
    given = np.asarray(given)
    if given.shape[0] == n_texts:
        given = given[labelled] if n_texts > len(labelled) else given
    if given.shape != (len(labelled), len(model.classes_)):
        raise ValueError(
            f"probabilities has the shape {given.shape}, but there are {len(labelled)} labelled documents "
            f"and {len(model.classes_)} classes: give one row a document and one column a class."
        )
    return given


def _best_three(probabilities):
    """Give the positions of the three largest of each row, the first one first; some rows at a time."""
    n, c = probabilities.shape
    best = np.empty((n, min(3, c)), dtype=int)
    for rows in gen_batches(n, max(1, _SORTED // c)):
        best[rows] = np.argsort(-probabilities[rows], axis=1, kind="stable")[:, :3]
    return best


def _codes(labels, classes):
    """Position of each label among the sorted classes; -1 for one that is not there."""
    place = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    return np.where(classes[place] == labels, place, -1)


def _scores(labels, predicted, probabilities, classes):
    """Score over the labels that occur or are given; one that the model does not know has probability 0."""
    unknown = np.setdiff1d(labels, classes)
    met = np.isin(classes, labels)
    met[predicted] = True
    decision = probabilities if met.all() else probabilities[:, met]  # no copy of a large array
    if len(unknown):
        decision = np.hstack([decision, np.zeros((len(labels), len(unknown)))])
    return scores(labels, classes[predicted], decision, np.concatenate([classes[met], unknown]))
