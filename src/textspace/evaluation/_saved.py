"""What saved results hold: the forms of comparisons, of their runs and of evaluations, and how parts fit."""

from textspace.evaluation._forms import (
    COUNT,
    NUMBER,
    PLAIN,
    POSITIVE,
    SHARE,
    Number,
    check_form,
    check_that,
)
from textspace.evaluation._thresholds import KEYS
from textspace.tree import as_tree

CODE = Number(-1, whole=True)  # of a class: its position; that it is there is a rule
PARAMS = {str: PLAIN}
SECONDS = {"search": Number(0), "fit": Number(0), "predict": Number(0)}
SCORES = {
    "accuracy": SHARE,
    "micro_precision": SHARE,
    "micro_recall": SHARE,
    "micro_f1": SHARE,
    "macro_precision": SHARE,
    "macro_recall": SHARE,
    "macro_f1": SHARE,
    "macro_f1_of_means": SHARE,
    "auc": (SHARE, None),
}
RUN = {
    "method": str,
    "repeat": COUNT,
    "error": (str, None),
    "warnings?": ([str], None),
}
FINISHED_RUN = {
    "predicted": ([CODE], None),
    "scores": SCORES,
    "sign?": ({"accepted": ([[CODE]], None), "unassigned": SHARE, "scores": SCORES}, None),
    "params": PARAMS,
    "seconds": SECONDS,
    "cpu_seconds": SECONDS,
    "search": ([{"params": PARAMS, "mean": (SHARE, None), "std": (SHARE, None)}], None),
    "oracle": ([{"params": PARAMS, "scores": (SCORES, None)}], None),
    "n_dimensions": COUNT,
    "n_terms": COUNT,
}
COMPARISON = {
    "corpus": {
        "name": str,
        "n_train": POSITIVE,
        "n_test": POSITIVE,
        "n_terms": (COUNT, None),
        "classes": [str],
        "train_sizes": [COUNT],
        "test_sizes": [COUNT],
        "mean_length": NUMBER,
        "notes": [str],
        "n_unlabelled?": COUNT,
        "tree?": ({str: (str, None)}, None),
    },
    "protocol": {
        "split": {"given", "share", "folds"},
        "train_share": (SHARE, None),
        "repeats": POSITIVE,
        "folds": (POSITIVE, None),
        "cv": (POSITIVE, None),
        "random_state": (COUNT, None),
        "space?": str,
        "baseline": str,
    },
    "environment": {str: PLAIN},
    "methods": {
        str: {
            "title": str,
            "summary": str,
            "paper": str,
            "grid": {str: [PLAIN]},
            "scheme?": str,
            "bigrams?": bool,
            "unlabelled?": bool,
            "open_ended?": [str],
        }
    },
    "truth": [[CODE]],
    "runs": [RUN],
    "map": (
        {
            "method": str,
            "repeat": COUNT,
            "layout": str,
            "x": [NUMBER],
            "y": [NUMBER],
            "label": [CODE],
            "predicted": [CODE],
            "text": [str],
            "place?": [str],
        },
        None,
    ),
}
EVALUATION = {
    "source": str,
    "classes": [str],
    "truth": [CODE],
    "predicted": [CODE],
    "confidence": [SHARE],
    "top": [[[NUMBER]]],
    "texts": [str],
    "rows": [COUNT],
    "scores": SCORES | {"calibration_error": SHARE, "n_documents": COUNT},
    "unknown_labels": {str: COUNT},
    "learning_curve": [{"n_train": COUNT, "micro_f1": SHARE, "macro_f1": SHARE}],
    "thresholds": [dict.fromkeys(KEYS, (SHARE, None))],
    "places": [[str]],
}


def check_comparison(content):
    """Raise a ValueError that says what is wrong with a comparison that was read from a file."""
    check_form(content, COMPARISON)
    corpus, methods, truth, runs = (content[name] for name in ("corpus", "methods", "truth", "runs"))
    n_classes, named = len(corpus["classes"]), {run["method"] for run in runs}
    once = {(run["method"], run["repeat"]) for run in runs}
    check_that(
        [
            (n_classes and truth and methods, "it has no classes, no splits or no methods"),
            (len(set(corpus["classes"])) == n_classes, "corpus.classes names a class twice"),
            (
                len(corpus["train_sizes"]) == len(corpus["test_sizes"]) == n_classes,
                "corpus.train_sizes and corpus.test_sizes have not a number for each class",
            ),
            (all(_are_codes(codes, n_classes) for codes in truth), "truth holds a class that there is not"),
            (named == methods.keys(), "runs and methods do not name the same methods"),
            (len(once) == len(runs), "runs has a run twice"),
        ]
    )
    if corpus.get("tree") is not None:
        as_tree(corpus["tree"]).check_labels(corpus["classes"])
    for number, run in enumerate(runs):
        try:
            check_run(run, methods, truth, n_classes)
        except ValueError as error:
            raise ValueError(f"runs[{number}]: {error}") from error
    if content["map"] is not None:
        _check_map(content["map"], runs, n_classes)


def check_run(run, methods, truth, n_classes):
    """Raise a ValueError that says what is wrong with a run of a comparison.

    `methods` are the descriptions by name, `truth` the true classes of each split.
    """
    check_form(run, RUN)
    method, repeat = run["method"], run["repeat"]
    check_that(
        [
            (method in methods, f"there is no method {method!r}"),
            (repeat < len(truth), f"there is no split {repeat}"),
            (run["error"] != "", "error is empty"),
        ]
    )
    if run["error"] is not None:
        return
    check_form(run, FINISHED_RUN)
    grid, n_documents = methods[method]["grid"], len(truth[repeat])
    accepted = run["sign"]["accepted"] if run.get("sign") else []
    tried = [run, *(run["search"] or []), *(run["oracle"] or [])]
    check_that(
        [
            # The predictions of several splits may have been left out, as they are large.
            (len(truth) > 1 or (run["predicted"] and accepted is not None), "predicted is missing"),
            (
                run["predicted"] is None or _are_codes(run["predicted"], n_classes, n_documents),
                f"predicted is not a class for each of {n_documents} documents",
            ),
            (
                not accepted
                or (len(accepted) == n_documents and all(_are_codes(each, n_classes) for each in accepted)),
                f"sign.accepted is not a list of classes for each of {n_documents} documents",
            ),
            (
                all(_is_point(each["params"], grid, methods[method].get("open_ended", ())) for each in tried),
                f"params are not of the grid of {method}",
            ),
            (
                all((each["mean"] is None) == (each["std"] is None) for each in run["search"] or []),
                "search has a mean without its std",
            ),
        ]
    )


def check_evaluation(content):
    """Raise a ValueError that says what is wrong with an evaluation that was read from a file."""
    check_form(content, EVALUATION)
    n_classes, n_documents = len(content["classes"]), len(content["truth"])
    predicted, rows, top = (content[name] for name in ("predicted", "rows", "top"))
    pairs = [pair for several in top for pair in several]
    check_that(
        [
            (n_classes and n_documents, "it has no classes or no documents"),
            (
                all(-1 <= code < n_classes for code in content["truth"]),
                "truth holds a class that there is not",
            ),
            (
                _are_codes(predicted, n_classes, n_documents),
                f"predicted is not a class for each of {n_documents} documents",
            ),
            (len(content["confidence"]) == n_documents, "confidence has not a number for each document"),
            (
                all(len(pair) == 2 and type(pair[0]) is int and 0 <= pair[0] < n_classes for pair in pairs)
                and all(0 <= pair[1] <= 1 for pair in pairs),
                "top does not hold pairs of a class and its probability",
            ),
            (
                [list(own[0][:1]) if own else [] for own in top] == [[code] for code in predicted],
                "top does not begin with the class that was predicted",
            ),
            (
                len(rows) == len(content["texts"])
                and rows == sorted(set(rows))
                and rows[-1:] < [n_documents],
                "rows are not the places of the texts among the documents",
            ),
            (
                len(content["places"]) in (0, len(rows)) and {len(pair) for pair in content["places"]} <= {2},
                "places are not there for each text, in pairs",
            ),
            (
                len(content["thresholds"]) in (0, n_classes),
                "thresholds are not there for each class",
            ),
        ]
    )


def _check_map(places, runs, n_classes):
    lengths = {len(places[name]) for name in ("x", "y", "label", "predicted", "text")}
    lengths |= {len(places["place"])} if "place" in places else set()
    drawn = [run for run in runs if run["method"] == places["method"] and run["error"] is None]
    check_that(
        [
            (len(lengths) == 1 and 0 not in lengths, "map has not the same number of x, y, label and text"),
            (
                _are_codes(places["label"], n_classes) and _are_codes(places["predicted"], n_classes),
                "map holds a class that there is not",
            ),
            (drawn, f"map.method is {places['method']!r}, which has no finished run"),
        ]
    )


def _are_codes(codes, n_classes, length=None):
    return length in (None, len(codes)) and all(0 <= code < n_classes for code in codes)


def _is_point(params, grid, open_ended):
    return params.keys() == grid.keys() and all(
        value in grid[name] or (name in open_ended and Number(0).fits(value))
        for name, value in params.items()
    )
