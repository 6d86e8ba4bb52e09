"""How good a model of several labels a document is: what it said of documents whose labels are known."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from scipy import sparse

from textspace._label_sets import from_columns, indicators, label_lists
from textspace.evaluation._confidence import reliability_bins
from textspace.evaluation._forms import COUNT, NUMBER, SHARE, check_form, check_that
from textspace.evaluation._hierarchical import hierarchical_scores, with_ancestors
from textspace.evaluation._results_file import ResultsFile
from textspace.evaluation._scores import precision_recall_f1
from textspace.evaluation._several_labels import likely_pairs, multilabel_scores, per_label, top_labels
from textspace.evaluation._shown import LONGEST_TEXT, as_pairs, rounded_shares, shown_rows
from textspace.evaluation._thresholds import KEYS, label_thresholds

FORMAT, VERSION = "textspace-multilabel-evaluation", 1
_TOP = 5  # labels of each document whose probability is kept
_BIN = dict.fromkeys(("low", "high", "n_documents", "confidence", "accuracy"), NUMBER)
SHARES = (
    "micro_f1", "macro_f1", "macro_f1_tested", "example_f1", "subset_accuracy", "precision_at_1",
    "precision_at_3", "precision_at_5", "ndcg_at_5", "calibration_error",
)  # fmt: skip
_SCORES = dict.fromkeys(SHARES, SHARE) | {"n_documents": COUNT}
_FORM = {
    "source": str,
    "classes": [str],
    "truth": [[COUNT]],
    "n_unknown": [COUNT],
    "predicted": [[COUNT]],
    "top": [[[NUMBER]]],
    "texts": [str],
    "rows": [COUNT],
    "scores": _SCORES,
    "reliability": [_BIN],
    "curve": [dict.fromkeys(("threshold", "micro_precision", "micro_recall", "micro_f1"), SHARE)],
    "unknown_labels": {str: COUNT},
    "thresholds": [dict.fromkeys(KEYS, (SHARE, None))],
    "learning_curve": [{"n_train": COUNT, "micro_f1": SHARE, "macro_f1": SHARE}],
}


@dataclass(frozen=True)
class MultilabelEvaluation(ResultsFile):
    """What a model said of documents whose labels are known, several each, as :func:`evaluate` found it.

    All fields hold plain data: ``dataclasses.asdict`` gives what stands in a file. Labels are given by their
    position in `classes`.

    Parameters
    ----------
    source : str
        Which documents these are: "test documents", "out-of-fold training documents" or the name of a file.
    classes : list of str
        The labels that the model knows.
    truth : list of list of int
        Labels of each document, increasing.
    n_unknown : list of int
        How many more labels each document has, which the model does not know.
    predicted : list of list of int
        Labels that the model gave, increasing.
    top : list of list of [int, float]
        The five most probable labels of each document with their probabilities, the first one first.
    texts : list of str
        Documents to be shown, each cut at 2000 characters: those with errors, the most of them first, and
        others up to 2000 in all.
    rows : list of int
        Which documents the texts are, increasing.
    scores : dict of str to float
        As by :func:`multilabel_scores`, over the labels that the model knows and those that the documents
        have, with ``n_documents``; of a model with a tree those of :func:`hierarchical_scores` too.
    reliability : list of dict, default=[]
        As by :func:`reliability_bins`, over the pairs of a document and a label that are likelier than .01.
    curve : list of dict, default=[]
        What one threshold for all labels would give: ``threshold``, .02, .04 and so on, ``micro_precision``,
        ``micro_recall`` and ``micro_f1``.
    unknown_labels : dict of str to int, default={}
        Labels that the model does not know, with their numbers of documents; all of these are misses.
    thresholds : list of dict, default=[]
        One for each label, as in :class:`Evaluation`.
    learning_curve : list of dict, default=[]
        As by :func:`learning_curve`; may be empty.

    Attributes
    ----------
    format, version : str, int
        What the file says that it is; the same for all evaluations.

    Examples
    --------
    >>> evaluation = MultilabelEvaluation(
    ...     "test documents", ["corn", "grain"], [[0, 1], [1]], [0, 0], [[1], [0]], [], [], [], {}
    ... )
    >>> evaluation.per_label()["recall"].tolist()
    [0.0, 0.5]
    >>> evaluation.confusions()
    [{'missed': 1, 'given': 0, 'documents': 1}]
    """

    format: str = field(default=FORMAT, init=False)
    version: int = field(default=VERSION, init=False)
    source: str
    classes: list
    truth: list
    n_unknown: list
    predicted: list
    top: list
    texts: list
    rows: list
    scores: dict
    reliability: list = field(default_factory=list)
    curve: list = field(default_factory=list)
    unknown_labels: dict = field(default_factory=dict)
    thresholds: list = field(default_factory=list)
    learning_curve: list = field(default_factory=list)

    def per_label(self):
        """Score each label alone.

        Returns
        -------
        dict of str to array of shape (n_labels,)
            As by :func:`textspace.evaluation.per_label`, with ``classes`` and what `thresholds` holds, NaN
            for None.
        """
        found = per_label(*(from_columns(rows, len(self.classes)) for rows in (self.truth, self.predicted)))
        ranked = self.thresholds or [dict.fromkeys(KEYS)] * len(self.classes)
        found |= {key: np.array([each[key] for each in ranked], dtype=float) for key in KEYS}
        return {"classes": np.array(self.classes)} | found

    def confusions(self):
        """Count pairs of a label that was missed and another that the same document was wrongly given.

        Returns
        -------
        list of dict
            ``missed`` and ``given``, positions of labels; ``documents``. The most frequent first.
        """
        counts = Counter(
            (missed, given)
            for truth, predicted in zip(map(set, self.truth), map(set, self.predicted), strict=True)
            for missed in truth - predicted
            for given in predicted - truth
        )
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return [{"missed": pair[0], "given": pair[1], "documents": n} for pair, n in ranked]

    def together(self):
        """Count pairs of labels that documents have together, and how often the model gave both.

        Returns
        -------
        list of dict
            ``first`` and ``second``, positions of labels; ``documents`` that have both; ``found``, those of
            them that were given both; ``given``, all documents that were. The most frequent first.
        """
        true, given, both = (Counter() for _ in range(3))
        for truth, predicted in zip(self.truth, self.predicted, strict=True):
            have, got = set(_pairs(truth)), set(_pairs(predicted))
            true.update(have)
            given.update(got)
            both.update(have & got)
        ranked = sorted(true.items(), key=lambda item: (-item[1], item[0]))
        return [
            {"first": pair[0], "second": pair[1], "documents": n, "found": both[pair], "given": given[pair]}
            for pair, n in ranked
        ]

    def cardinality(self):
        """Count documents by how many labels they have and by how many they were given.

        Returns
        -------
        list of dict
            ``labels``, 0, 1 and so on; ``true`` and ``predicted``, numbers of documents.
        """
        true = Counter(len(row) + n for row, n in zip(self.truth, self.n_unknown, strict=True))
        predicted = Counter(map(len, self.predicted))
        return [
            {"labels": n, "true": true[n], "predicted": predicted[n]}
            for n in range(max([*true, *predicted]) + 1)
        ]

    @staticmethod
    def _check(content):
        """Raise a ValueError that says what is wrong with an evaluation that was read from a file."""
        check_form(content, _FORM)
        n_labels, n_documents = len(content["classes"]), len(content["truth"])
        lists = [*content["truth"], *content["predicted"]]
        pairs = [pair for several in content["top"] for pair in several]
        rows = content["rows"]
        check_that(
            [
                (n_labels and n_documents, "it has no labels or no documents"),
                (
                    len(content["predicted"])
                    == len(content["n_unknown"])
                    == len(content["top"])
                    == n_documents,
                    f"predicted, n_unknown and top are not there for each of {n_documents} documents",
                ),
                (
                    all(each == sorted(set(each)) and each[-1:] < [n_labels] for each in lists),
                    "truth or predicted holds labels that there are not, or twice, or in disorder",
                ),
                (
                    all(len(pair) == 2 and type(pair[0]) is int and 0 <= pair[0] < n_labels for pair in pairs)
                    and all(0 <= pair[1] <= 1 for pair in pairs),
                    "top does not hold pairs of a label and its probability",
                ),
                (
                    len(rows) == len(content["texts"])
                    and rows == sorted(set(rows))
                    and rows[-1:] < [n_documents],
                    "rows are not the places of the texts among the documents",
                ),
                (len(content["thresholds"]) in (0, n_labels), "thresholds are not there for each label"),
            ]
        )


def evaluate_label_lists(model, texts, labels, *, probabilities=None, source="test documents"):
    """Ask a model of several labels about documents whose labels are known, as :func:`evaluate` says."""
    lists = label_lists(labels)
    known = [row for row, each in enumerate(lists) if each is not None]
    n_texts = texts.shape[0] if sparse.issparse(texts) else len(texts)
    if n_texts != len(lists):
        raise ValueError(f"there are {n_texts} texts, but {len(lists)} lists of labels: give one a text.")
    if not known:
        raise ValueError("no document has a list of labels: there is nothing to score.")
    lists, classes = lists[known], model.classes_.astype(str)
    tree = getattr(model, "tree_", None)
    if getattr(model, "ancestors", False):  # in the answers, and so in the truth
        lists = with_ancestors(lists, tree)
    texts = texts[known] if sparse.issparse(texts) else [texts[row] for row in known]
    if probabilities is None:
        probabilities = model.predict_proba(texts)
    elif len(probabilities) == n_texts:
        probabilities = probabilities[known]
    if probabilities.shape != (len(known), len(classes)):
        raise ValueError(
            f"probabilities has the shape {probabilities.shape}, but there are {len(known)} documents with "
            f"labels and {len(classes)} labels: give one row a document and one column a label."
        )
    answers = label_lists(model.decide(probabilities))
    truth, predicted = indicators(lists, classes), indicators(answers, classes)
    scores = _scores(lists, truth, predicted, probabilities, sorted({*chain(*lists)} - {*classes}))
    if tree is not None:
        scores |= hierarchical_scores(lists, answers, tree)
    unknown = Counter(one for each in lists for one in each if one not in set(classes))
    n_unknown = [len(each) - n for each, n in zip(lists, truth.sum(1), strict=True)]
    top = np.vstack(list(top_labels(probabilities, min(_TOP, len(classes)))))
    shares = rounded_shares(probabilities, top)
    wrong = (truth != predicted).sum(1) + n_unknown
    rows = [] if sparse.issparse(texts) else shown_rows(wrong > 0, wrong)
    pairs = likely_pairs(truth, probabilities)
    return MultilabelEvaluation(
        source=source,
        classes=classes.tolist(),
        truth=_columns(truth),
        n_unknown=[int(n) for n in n_unknown],
        predicted=_columns(predicted),
        top=as_pairs(top, shares),
        texts=[texts[row][:LONGEST_TEXT] for row in rows],
        rows=rows,
        scores=scores | {"n_documents": len(known)},
        reliability=reliability_bins(*pairs),
        curve=_threshold_curve(*pairs, truth.sum() + sum(n_unknown)),
        unknown_labels=dict(sorted(unknown.items())),
        thresholds=label_thresholds(truth, probabilities),
    )


def _scores(lists, truth, predicted, probabilities, unknown):
    """Score over all labels, those too that the model does not know, which have the probability 0."""
    if unknown:
        blank = sparse.csr_array((len(lists), len(unknown)))
        truth = sparse.hstack([truth, indicators(lists, unknown)], format="csr")
        predicted = sparse.hstack([predicted, blank.astype(bool)], format="csr")
        probabilities = np.hstack([probabilities, blank.toarray()])
    return multilabel_scores(truth, predicted, probabilities)


def _threshold_curve(values, right, n_true):
    """Score what all thresholds from .02 to .98 would give, if they held for every label."""
    order = np.argsort(values)
    values, right = values[order], right[order]
    hits = np.append(np.cumsum(right[::-1])[::-1], 0)
    found = []
    for threshold in np.arange(1, 50) / 50:
        start = np.searchsorted(values, threshold, side="right")
        scores = precision_recall_f1(hits[start], n_true, len(values) - start)
        named = zip(("micro_precision", "micro_recall", "micro_f1"), map(float, scores), strict=True)
        found.append({"threshold": float(threshold), **dict(named)})
    return found


def _columns(Y):
    return [Y.indices[start:end].tolist() for start, end in zip(Y.indptr[:-1], Y.indptr[1:], strict=True)]


def _pairs(labels):
    return [(first, second) for place, first in enumerate(labels) for second in labels[place + 1 :]]
