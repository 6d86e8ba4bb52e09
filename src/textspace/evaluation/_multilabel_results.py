"""The outcome of a comparison on several labels a document: plain data that is saved and loaded."""

from dataclasses import dataclass, field

from textspace.evaluation._forms import COUNT, POSITIVE, SHARE, Number, check_form, check_that
from textspace.evaluation._multilabel_evaluation import SHARES
from textspace.evaluation._results_file import ResultsFile
from textspace.evaluation._saved import COMPARISON, PARAMS

FORMAT, VERSION = "textspace-multilabel-comparison", 1
_CALIBRATION = "calibration_error"  # which methods without probabilities do not have
_SCORES = dict.fromkeys(SHARES, SHARE) | {f"{_CALIBRATION}?": SHARE, "hierarchical_f1?": SHARE}
del _SCORES[_CALIBRATION]
_SCORES |= dict.fromkeys(("cardinality_true", "cardinality_predicted"), Number(0))
_TEST = {"p_value": SHARE, "mark": {">>", ">", "~", "<", "<<"}}
_PROTOCOL = {name: form for name, form in COMPARISON["protocol"].items() if not name.endswith("?")}
_FORM = {
    "corpus": {
        "name": str,
        "n_train": POSITIVE,
        "n_test": POSITIVE,
        "classes": [str],
        "train_sizes": [COUNT],
        "test_sizes": [COUNT],
        "cardinality": [COUNT],
        "notes": [str],
    },
    "protocol": _PROTOCOL | {"n_splits": POSITIVE, "tested_once": bool, "ancestors": bool},
    "environment": COMPARISON["environment"],
    "methods": [{"method": str, "title": str, "error": (str, None)}],
}
_FINISHED = {
    "scores": _SCORES,
    "intervals": {"micro_f1": ([SHARE], None)},
    "f1": [SHARE],
    "cardinality": [COUNT],
    "splits": [dict.fromkeys(("micro_f1", "macro_f1", "macro_f1_tested"), SHARE)],
    "settings": [PARAMS],
    "seconds": Number(0),
    "cpu_seconds": Number(0),
    "significance": ({"s": _TEST, "S": _TEST, "T": _TEST}, None),
}


@dataclass(frozen=True)
class MultilabelComparison(ResultsFile):
    """What methods achieved on several labels a document, as :func:`compare_multilabel` found it.

    All fields hold plain data: ``dataclasses.asdict`` gives what stands in a file.

    Parameters
    ----------
    corpus : dict
        ``name`` and ``notes``; ``n_train``, training documents of the first split, and ``n_test``, test
        documents of all splits together; ``classes``, the labels of both sides, with their ``train_sizes``
        and ``test_sizes`` in the same documents; ``cardinality``, how many of the test documents have no
        label, one, two and so on.
    protocol : dict
        How documents were split, in how many splits and with which seed; whether they are ``tested_once``;
        whether labels imply their ``ancestors``; the ``baseline``, against which others are tested.
    environment : dict
        Versions, platform, date.
    methods : list of dict
        For each method ``method``, ``title``, and ``error``, None, or why the method failed, which has None
        of what follows. ``scores`` as by :func:`multilabel_scores` over all labels and all test documents
        (of a method without probabilities without ``calibration_error``; with a tree also those of
        :func:`hierarchical_scores`); ``intervals``, of ``micro_f1``, 95 %: over the test documents by the
        bootstrap, or over the splits by Student's t where documents are tested more than once; ``f1`` of each
        label; ``cardinality``, how many documents were given no label, one, two and so on; ``splits``, the
        micro and macro F1 of each split; ``settings`` that were chosen on each; ``seconds`` and
        ``cpu_seconds`` of learning and answering; ``significance``: p value and mark of the tests of Yang and
        Liu against the baseline, None for itself and where documents are tested more than once.

    Attributes
    ----------
    format, version : str, int
        What the file says that it is; the same for all such comparisons.

    Examples
    --------
    >>> from textspace.datasets import Corpus
    >>> from textspace.evaluation import compare_multilabel
    >>> texts = ["corn and wheat", "wheat by ship", "a ship at sea", "corn crop", "ship with corn"] * 4
    >>> labels = [["grain"], ["grain", "ship"], ["ship"], ["grain"], ["grain", "ship"]] * 4
    >>> comparison = compare_multilabel(Corpus("goods", texts, labels), ["svm", "rlsc"])
    >>> comparison.corpus["classes"], comparison.methods[1]["f1"]
    (['grain', 'ship'], [1.0, 1.0])
    """

    _kind = "comparison"

    format: str = field(default=FORMAT, init=False)
    version: int = field(default=VERSION, init=False)
    corpus: dict
    protocol: dict
    environment: dict
    methods: list

    @staticmethod
    def _check(content):
        """Raise a ValueError that says what is wrong with a comparison that was read from a file."""
        check_form(content, _FORM)
        corpus, methods = content["corpus"], content["methods"]
        n_labels, n_test = len(corpus["classes"]), corpus["n_test"]
        names = [row["method"] for row in methods]
        check_that(
            [
                (n_labels and methods, "it has no labels or no methods"),
                (len(set(corpus["classes"])) == n_labels, "corpus.classes names a label twice"),
                (len(set(names)) == len(names), "methods names a method twice"),
                (
                    len(corpus["train_sizes"]) == len(corpus["test_sizes"]) == n_labels,
                    "corpus.train_sizes and corpus.test_sizes have not a number for each label",
                ),
                (sum(corpus["cardinality"]) == n_test, "corpus.cardinality does not count n_test documents"),
            ]
        )
        for place, row in enumerate(methods):
            if row["error"] is not None:
                continue
            where = f"methods[{place}]"
            check_form(row, _FINISHED, where)
            ends = row["intervals"]["micro_f1"]
            check_that(
                [
                    (len(row["f1"]) == n_labels, f"{where}.f1 has not a number for each label"),
                    (
                        len(row["splits"]) == len(row["settings"]) == content["protocol"]["n_splits"],
                        f"{where}.splits and {where}.settings are not there for each split",
                    ),
                    (
                        sum(row["cardinality"]) == n_test,
                        f"{where}.cardinality does not count n_test documents",
                    ),
                    (
                        ends is None or (len(ends) == 2 and ends[0] <= ends[1]),
                        f"{where}.intervals.micro_f1 has not a lower and an upper end",
                    ),
                ]
            )
