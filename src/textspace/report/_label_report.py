"""The report of a model that gives several labels a document, as the text of one HTML file."""

import math

from textspace._wording import percent
from textspace.evaluation import OUT_OF_FOLD
from textspace.models import make_card
from textspace.report._model_figures import (
    cardinality_chart,
    learning_chart,
    reliability_chart,
    threshold_chart,
)
from textspace.report._templates import entry_text, template

MOST_LABELS = 1000
MOST_PAIRS = 100
MOST_DOCUMENTS = 300
LONGEST = 1200  # characters of a document that are shown
FEW = 10  # training documents of a label
OFF = 0.05  # calibration error
SECTIONS = {
    "verdict": "Verdict",
    "scores": "Scores",
    "labels": "Labels",
    "pairs": "Pairs of labels",
    "errors": "Errors",
    "card": "Model card",
}
SCORES = {
    "micro_f1": ("micro F1", "over all pairs of a document and a label: frequent labels count most"),
    "micro_precision": ("micro precision", "of the labels that were given, the share that is right"),
    "micro_recall": ("micro recall", "of the labels that documents have, the share that was given"),
    "macro_f1": (
        "macro F1",
        "mean over all labels: each counts alike, however rare; 0 if no document has it",
    ),
    "macro_f1_tested": ("macro F1, tested labels", "mean over the labels that these documents have"),
    "example_f1": ("example-based F1", "mean over the documents"),
    "subset_accuracy": ("all labels right", "share of documents without a wrong or missing label"),
    "precision_at_1": ("P@1", "share of right labels among the likeliest one"),
    "precision_at_3": ("P@3", "among the three likeliest; documents with fewer labels cannot reach 1"),
    "precision_at_5": ("P@5", "among the five likeliest"),
    "ndcg_at_5": ("nDCG@5", "how far up the right labels are among the five likeliest"),
    "calibration_error": (
        "calibration error",
        "mean distance of probabilities from the share that is right, over pairs likelier than 1 %",
    ),
    "hierarchical_f1": ("tree F1", "micro F1 in which each label also stands for all categories above it"),
    "hierarchical_precision": ("tree precision", "a label in the right branch is partly right"),
    "hierarchical_recall": ("tree recall", "a missed label whose branch was found is partly found"),
}


def render_labels(model, evaluation):
    """Turn a model and its evaluation, a MultilabelEvaluation, into the text of the HTML file."""
    card = getattr(model, "card_", None) or make_card(model)
    rows = label_rows(model, evaluation, card["data"]["classes"])
    documents = shown_documents(evaluation)
    page = template("labels.html", percent=percent, entry=entry_text)
    return page.render(
        title=card["data"]["name"] or card["method"]["title"],
        sections=list(SECTIONS.items()),
        classes=evaluation.classes,
        source=evaluation.source,
        scores=[
            {"name": name, "meaning": meaning, "value": evaluation.scores[key]}
            for key, (name, meaning) in SCORES.items()
            if key in evaluation.scores
        ],
        n_documents=len(evaluation.truth),
        verdict=verdict(evaluation, rows),
        reliability_figure=reliability_chart(evaluation.reliability) if evaluation.reliability else None,
        threshold_figure=threshold_chart(evaluation.curve) if evaluation.curve else None,
        learning_figure=learning_chart(evaluation.learning_curve) if evaluation.learning_curve else None,
        cardinality_figure=cardinality_chart(evaluation.cardinality()),
        cardinality={key: evaluation.scores[f"cardinality_{key}"] for key in ("true", "predicted")},
        rows=rows[:MOST_LABELS],
        n_rows=len(rows),
        has_thresholds=any(row["own_threshold"] is not None for row in rows),
        confusions=evaluation.confusions()[:MOST_PAIRS],
        together=evaluation.together()[:MOST_PAIRS],
        documents=documents,
        n_wrong=sum(map(_is_wrong, evaluation.truth, evaluation.predicted, evaluation.n_unknown)),
        unknown_labels=evaluation.unknown_labels,
        seen=evaluation.source == OUT_OF_FOLD,
        card=card,
    )


def label_rows(model, evaluation, sizes):
    """List the labels that documents have or were given, the lowest F1 first.

    `sizes` gives the number of training documents by label, or None.
    """
    found = {name: values.tolist() for name, values in evaluation.per_label().items()}
    own = getattr(model.model_, "thresholds_", None)
    rows = []
    for place, threshold in enumerate([None] * len(evaluation.classes) if own is None else own):
        row = {name: values[place] for name, values in found.items()}
        if not (row["support"] or row["predicted"]):
            continue
        for key in ("average_precision", "threshold", "threshold_f1"):
            row[key] = None if math.isnan(row[key]) else row[key]
        row["own_threshold"] = None if threshold is None else float(threshold)
        rows.append(row | {"label": place, "n_train": sizes.get(evaluation.classes[place])})
    return sorted(rows, key=lambda row: (row["f1"], -row["support"]))


def shown_documents(evaluation):
    """Prepare the documents with errors, those with the most first.

    Gives for each ``row``, its ``text``, whether it ``is_cut``, and its labels by position: ``right``,
    ``missed`` and ``wrong``; ``n_unknown``; ``top``, pairs of position and probability.
    """
    documents = []
    for row, text in zip(evaluation.rows, evaluation.texts, strict=True):
        truth, predicted = set(evaluation.truth[row]), set(evaluation.predicted[row])
        if not _is_wrong(truth, predicted, evaluation.n_unknown[row]):
            continue
        documents.append(
            {
                "row": row,
                "text": text[:LONGEST],
                "is_cut": len(text) > LONGEST,
                "right": sorted(truth & predicted),
                "missed": sorted(truth - predicted),
                "wrong": sorted(predicted - truth),
                "n_unknown": evaluation.n_unknown[row],
                "top": evaluation.top[row],
            }
        )
    documents.sort(key=lambda one: -(len(one["missed"]) + len(one["wrong"]) + one["n_unknown"]))
    return documents[:MOST_DOCUMENTS]


def _is_wrong(truth, predicted, n_unknown):
    return set(truth) != set(predicted) or n_unknown > 0


def verdict(evaluation, rows):
    """Say what the figures mean: a headline, sentences and advice."""
    scores = evaluation.scores
    headline = (
        f"Of the labels it gives, {percent(scores['micro_precision'])} are right, and it gives "
        f"{percent(scores['micro_recall'])} of those that documents have."
    )
    sentences = [
        f"{percent(scores['subset_accuracy'])} of the documents get exactly their labels. A document has "
        f"{scores['cardinality_true']:.2f} labels on average, and gets {scores['cardinality_predicted']:.2f}."
    ]
    advice = []
    few = [row for row in rows if row["n_train"] is not None and row["n_train"] < FEW]
    never = [row for row in rows if row["support"] and not row["predicted"]]
    if few:
        advice.append(f"{len(few)} labels have fewer than {FEW} training documents: collect more of these.")
    if never:
        advice.append(
            f"{len(never)} labels were never given, though documents have them: look at their texts."
        )
    if evaluation.unknown_labels:
        advice.append(
            f"{len(evaluation.unknown_labels)} labels of these documents are not known to the model: train "
            "it on documents that have them."
        )
    if scores["calibration_error"] > OFF:
        advice.append(
            f"The probabilities are off by {scores['calibration_error']:.2f} on average: set no limit on "
            "them before you have looked at documents of your own."
        )
    return {"headline": headline, "sentences": sentences, "advice": advice}
