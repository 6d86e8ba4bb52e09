"""The evaluation of a model in figures and sentences: a plain dictionary."""

import numpy as np

from textspace.evaluation._categories import category_scores
from textspace.evaluation._model_verdict import model_verdict
from textspace.evaluation._thresholds import KEYS

MOST_IN_MATRIX = 30  # classes; a larger matrix cannot be read
MOST_CONFUSED = 24  # classes that are shown of a larger matrix
SURE = 0.9  # an error with this probability may be an error of the label
REFUSED = (0.05, 0.1, 0.2, 0.3)
SCORES = {
    "accuracy": ("accuracy", "share of documents that got their label"),
    "micro_f1": ("micro F1", "the same, where every document has one label that the model knows"),
    "macro_f1": ("macro F1", "mean of the F1 of the classes: every class counts alike, however small"),
    "macro_precision": (
        "macro precision",
        "of what got a label, the share that belongs there; mean over classes",
    ),
    "macro_recall": ("macro recall", "of what belongs to a class, the share found; mean over classes"),
    "auc": ("AUC", "chance that a document of a class scores higher for it than one of another class"),
    "calibration_error": ("calibration error", "mean distance of probabilities from the share that is right"),
}


def summarise_evaluation(evaluation, card, tree=None):
    """Compute what the evaluation of a model shows: figures, and a verdict in sentences.

    Parameters
    ----------
    evaluation : Evaluation
        What a model said of documents whose label is known.
    card : dict
        Of the model, as :func:`textspace.models.make_card` gives it.
    tree : LabelTree, default=None
        The tree of the classes.

    Returns
    -------
    dict
        ``name`` of the data or None, ``method`` (its title), ``source`` of the documents, ``classes``,
        ``n_documents``, ``n_wrong``, ``unknown_labels``; ``scores``, dicts of key, name, meaning and value,
        and ``accuracy`` with its 95 % ``interval``; ``calibration`` (``error``, ``surplus``, mean confidence
        less accuracy, and ``bins``); ``reject`` (``curve`` and ``steps``); ``confusion``; ``per_class``;
        ``rarer_class`` of two, as by :attr:`Evaluation.rarer_class`; ``suspects``, the errors with a
        probability of .9 or more, by position; ``learning_curve``; ``tree``;
        ``card``; ``verdict`` (``headline``, ``sentences`` and ``advice``).

    Examples
    --------
    >>> from textspace.evaluation import evaluate, summarise_evaluation
    >>> from textspace.models import TextClassifier, make_card
    >>> texts = ["wheat and corn", "corn harvest", "ships at sea", "sea port", "corn crop", "a ship sank"]
    >>> labels = ["grain", "grain", "ship", "ship", "grain", "ship"]
    >>> model = TextClassifier("rlsc").fit(texts, labels)
    >>> evaluation = evaluate(model, ["corn", "the sea"], ["grain", "ship"])
    >>> found = summarise_evaluation(evaluation, make_card(model))
    >>> found["accuracy"], found["n_wrong"]
    (1.0, 0)
    """
    truth, predicted = np.array(evaluation.truth, int), np.array(evaluation.predicted, int)
    confidence, wrong = np.array(evaluation.confidence, float), truth != predicted
    confused = confusions(truth, predicted, len(evaluation.classes))
    from scipy.stats import binomtest

    interval = binomtest(int(np.sum(~wrong)), len(wrong)).proportion_ci(method="wilson")
    summary = {
        "name": card["data"]["name"],
        "method": card["method"]["title"],
        "source": evaluation.source,
        "classes": list(evaluation.classes),
        "n_documents": len(truth),
        "n_wrong": int(wrong.sum()),
        "unknown_labels": dict(evaluation.unknown_labels),
        "accuracy": float(np.mean(~wrong)),
        "interval": (float(interval.low), float(interval.high)),
        "scores": [
            {"key": key, "name": name, "meaning": meaning, "value": evaluation.scores[key]}
            for key, (name, meaning) in SCORES.items()
            if evaluation.scores.get(key) is not None
        ],
        "calibration": {
            "error": evaluation.scores["calibration_error"],
            "surplus": float(confidence.mean() - np.mean(~wrong)),
            "bins": evaluation.reliability(),
        },
        "reject": _reject(evaluation),
        "confusion": confused,
        "per_class": class_rows(evaluation, confused["pairs"], card["data"]["classes"]),
        "rarer_class": evaluation.rarer_class,
        "suspects": np.flatnonzero(wrong & (truth >= 0) & (confidence >= SURE)).tolist(),
        "learning_curve": list(evaluation.learning_curve),
        "tree": tree_scores(tree, evaluation.classes, truth, predicted) if tree else None,
        "card": card,
    }
    return summary | {"verdict": model_verdict(summary)}


def _reject(evaluation):
    """Give the reject curve as pairs, and the points where some of the documents are refused."""
    curve = {name: np.asarray(values) for name, values in evaluation.reject_curve().items()}
    steps = []
    for refused in REFUSED:
        i = np.abs(curve["coverage"] - (1 - refused)).argmin()
        # a handful of documents has no such point
        if abs(curve["coverage"][i] - (1 - refused)) <= 0.02:
            steps.append({name: float(values[i]) for name, values in curve.items()} | {"refused": refused})
    points = zip(curve["coverage"].tolist(), curve["accuracy"].tolist(), strict=True)
    return {"curve": list(points), "steps": steps}


def confusions(truth, predicted, n_classes):
    """Count documents by true and by given class, by position; those of a negative true class are left out.

    Gives ``shown``, the classes of the matrix: all of at most 30, else the 24 of the largest confusions;
    ``counts``, its rows; ``totals``, the number of documents of each class shown; ``n_left_out``; ``pairs``,
    all confusions, the largest first (``truth``, ``predicted``, ``count``, ``total``).
    """
    known = truth >= 0
    sizes = np.bincount(truth[known], minlength=n_classes)
    codes, counts = np.unique(truth[known] * n_classes + predicted[known], return_counts=True)
    rows, columns = codes // n_classes, codes % n_classes
    wrong = np.flatnonzero(rows != columns)
    worst = wrong[np.lexsort((-counts[wrong] / sizes[rows[wrong]], -counts[wrong]))]
    pairs = [
        {
            "truth": int(rows[i]),
            "predicted": int(columns[i]),
            "count": int(counts[i]),
            "total": int(sizes[rows[i]]),
        }
        for i in worst
    ]
    shown = list(range(n_classes)) if n_classes <= MOST_IN_MATRIX else _most_confused(pairs)
    found = dict(zip(codes.tolist(), counts.tolist(), strict=True))
    return {
        "shown": shown,
        "counts": [[found.get(i * n_classes + j, 0) for j in shown] for i in shown],
        "totals": [int(sizes[i]) for i in shown],
        "n_left_out": n_classes - len(shown),
        "pairs": pairs,
    }


def _most_confused(pairs):
    """Take the classes of the largest pairs until there are enough."""
    taken = set()
    for pair in pairs:
        if len(taken | {pair["truth"], pair["predicted"]}) <= MOST_CONFUSED:
            taken |= {pair["truth"], pair["predicted"]}
    return sorted(taken)


def class_rows(evaluation, pairs, sizes):
    """List the classes that were asked for or answered, the lowest F1 first.

    `pairs` are those of :func:`confusions`; `sizes` gives the number of training documents by class, or None.
    ``called`` is the class that documents were most often given wrongly, ``n_called`` times, or None. What is
    not known of a class (``average_precision``, ``threshold``, ``threshold_f1``) is None too.
    """
    found = evaluation.per_class()
    called = {}
    for pair in pairs:
        called.setdefault(pair["truth"], (pair["predicted"], pair["count"]))
    answered = np.bincount(evaluation.predicted, minlength=len(evaluation.classes))
    rows = [
        {
            "class": c,
            "support": int(found["support"][c]),
            **{key: float(found[key][c]) for key in ("precision", "recall", "f1")},
            **{key: None if np.isnan(found[key][c]) else float(found[key][c]) for key in KEYS},
            "n_train": sizes.get(name),
            "called": called.get(c, (None, 0))[0],
            "n_called": called.get(c, (None, 0))[1],
        }
        for c, name in enumerate(evaluation.classes)
        if found["support"][c] or answered[c]
    ]
    return sorted(rows, key=lambda row: (row["f1"], -row["support"]))


def tree_scores(tree, classes, truth, predicted):
    """Score the categories of a tree in which a document lies, from the roots down."""
    names, known = np.array(classes), truth >= 0
    if not known.any():
        return []
    nodes = category_scores(tree, names[truth[known]], names[predicted[known]])["nodes"]
    return [node for node in nodes if node["support"]]
