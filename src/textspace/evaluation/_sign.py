"""The sign rule: a document is put into every category for which the classifier says yes."""

from dataclasses import replace

import numpy as np

from textspace.evaluation._scores import scores
from textspace.tuning import decision_values, pipeline_parts

RULES = ("argmax", "sign")


def sign_decisions(estimator, X_test, y_test, decision, classes):
    """Ask a classifier for a yes or no to each pair of a document and a category, and score the answers.

    `decision` holds decision values for each of `classes`, which are all, sorted. Gives ``accepted``, a list
    of positions in `classes` for each document; ``unassigned``, the share of documents with none; ``scores``
    over all these decisions, macro averages being over the classes that are tested or answered. None for a
    classifier whose decision values, if any, have no meaningful zero.
    """
    if not _has_a_zero(estimator):
        return None
    known, true = np.searchsorted(classes, estimator.classes_), np.searchsorted(classes, y_test)
    accepted = [known[row].tolist() for row in _yes(estimator, X_test)]
    truth, answer = (decision_matrix(rows, len(classes)) for rows in (true[:, None], accepted))
    met = np.flatnonzero(truth.any(axis=0) | answer.any(axis=0))
    return {
        "accepted": accepted,
        "unassigned": float(np.mean(~answer.any(axis=1))),
        "scores": scores(truth, answer, decision[:, met], met),
    }


def _has_a_zero(estimator):
    from sklearn.svm import SVC, NuSVC

    # A machine that votes between pairs of classes has one for two classes only.
    votes = isinstance(pipeline_parts(estimator)[1], SVC | NuSVC)
    return hasattr(estimator, "decision_function") and not (votes and len(estimator.classes_) > 2)


def _yes(estimator, X):
    """Say yes above zero, or, of a classifier with probabilities, above one half."""
    # The decision values of a multinomial model are only compared with each other: their zero means nothing.
    zero = 0.5 if hasattr(estimator, "predict_proba") else 0.0
    return decision_values(estimator, X, ask=("predict_proba", "decision_function")) > zero


def decision_matrix(accepted, n_classes):
    """Turn lists of class numbers, one a document, into a boolean array of shape (n, n_classes)."""
    matrix = np.zeros((len(accepted), n_classes), dtype=bool)
    for row, classes in enumerate(accepted):
        matrix[row, classes] = True
    return matrix


def by_rule(comparison, rule):
    """Give a comparison as a decision rule sees it: "argmax" leaves it as it is.

    By "sign", truth and predictions are boolean arrays of shape (n, c) and scores are those of the sign rule;
    methods that finished without such answers are left out.
    """
    if rule not in RULES:
        raise ValueError(f"rule is {rule!r}: choose from {', '.join(RULES)}.")
    if rule == "argmax":
        return comparison
    n_classes = len(comparison.corpus["classes"])
    # A file saved by an earlier version has no such answers at all.
    methods = {
        name: method
        for name, method in comparison.methods.items()
        if all(run.get("sign") for run in comparison.runs_of(name))
    }
    return replace(
        comparison,
        methods=methods,
        truth=[decision_matrix([[label] for label in truth], n_classes) for truth in comparison.truth],
        runs=[_sign_run(run, n_classes) for run in comparison.runs if run["method"] in methods],
    )


def _sign_run(run, n_classes):
    if run["error"] is not None:
        return run
    sign = run["sign"]
    return run | {
        # Published results of repeated splits come without the answers.
        "predicted": None if sign["accepted"] is None else decision_matrix(sign["accepted"], n_classes),
        "scores": sign["scores"] | {"unassigned": sign["unassigned"]},
    }
