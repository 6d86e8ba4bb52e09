"""The report of a model as one HTML file."""

import json
from collections import Counter

from markupsafe import Markup

from textspace._cards import check_card
from textspace._files import atomic_open
from textspace._wording import percent
from textspace.evaluation import OUT_OF_FOLD, MultilabelEvaluation
from textspace.report._figures import LONGEST_IN_MATRIX, shorten_apart
from textspace.report._label_report import render_labels
from textspace.report._model_figures import learning_chart, reject_chart, reliability_chart
from textspace.report._model_summary import summarise_model
from textspace.report._templates import entry_text, template

MOST_PAIRS = 500
MOST_CLASSES = 300
DIGITS = 4
SECTIONS = {
    "verdict": "Verdict",
    "scores": "Scores",
    "confusions": "Confusions",
    "errors": "Errors",
    "classes": "Classes",
    "terms": "Terms",
    "card": "Model card",
}


def write_model_report(model, path, evaluation=None):
    """Write the report of a model: one HTML file that needs nothing but a browser.

    It says how good the model is and how far its probabilities can be trusted, and shows what it confuses,
    its errors with the terms that led to them, what it has learned, and its card. The file makes no request
    to anywhere. It quotes the documents of the evaluation and beginnings of training documents.

    Parameters
    ----------
    model : TextClassifier
        Fitted, or loaded from a file.
    path : str or os.PathLike
        The page, written whole or not at all. Its folder must exist.
    evaluation : textspace.evaluation.Evaluation or MultilabelEvaluation, default=None
        What the model said of documents whose label is known; by default the one that was saved with it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from textspace.models import TextClassifier
    >>> from textspace.datasets import load
    >>> from textspace.evaluation import evaluate
    >>> corpus = load("demo")
    >>> model = TextClassifier("rlsc").fit(corpus.texts, corpus.labels)
    >>> evaluation = evaluate(
    ...     model, corpus.texts, corpus.labels, probabilities=model.out_of_fold_proba_,
    ...     source="out-of-fold training documents",
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model_report(model, Path(folder, "model.html"), evaluation)
    ...     Path(folder, "model.html").read_text(encoding="utf-8")[:15]
    '<!DOCTYPE html>'
    """
    evaluation = getattr(model, "evaluation_", None) if evaluation is None else evaluation
    if evaluation is None:
        raise ValueError(
            "the model was saved without an evaluation: give one, made by textspace.evaluation.evaluate from "
            "documents whose label is known."
        )
    if list(evaluation.classes) != [str(name) for name in model.classes_]:
        raise ValueError(
            "the evaluation is of a model with other classes: make one of this model, with "
            "textspace.evaluation.evaluate."
        )
    if getattr(model, "card_", None):
        check_card(model.card_)
    if isinstance(evaluation, MultilabelEvaluation):
        page = render_labels(model, evaluation)
    else:
        page = render_model(summarise_model(model, evaluation))
    with atomic_open(path, "wb") as file:
        file.write(page.encode("utf-8", "replace"))  # half a surrogate pair has no bytes


def render_model(summary):
    """Turn the summary of a model into the text of the HTML file."""
    page = template("model.html", percent=percent, entry=entry_text)
    errors = [one for one in summary["documents"] if one["truth"] != one["predicted"]]
    curve = summary["learning_curve"]
    return page.render(
        **summary,
        title=summary["name"] or summary["method"],
        sections=list(SECTIONS.items()),
        reliability_figure=reliability_chart(summary["calibration"]["bins"]),
        reject_figure=reject_chart(summary["reject"]["curve"], summary["reject"]["steps"]),
        learning_figure=learning_chart(curve) if curve else None,
        column_names=shorten_apart(
            [summary["classes"][c] for c in summary["confusion"]["shown"]], LONGEST_IN_MATRIX
        ),
        pairs=summary["confusion"]["pairs"][:MOST_PAIRS],
        error_classes={key: _counted(errors, key, summary["classes"]) for key in ("truth", "predicted")},
        n_kept_errors=len(errors),
        terms_missing=all(not one["why"]["terms"] for one in errors if one["why"]),
        class_rows=summary["per_class"][:MOST_CLASSES],
        has_thresholds=any(row["threshold"] is not None for row in summary["per_class"]),
        has_sizes=any(row["n_train"] is not None for row in summary["per_class"]),
        seen=_was_seen(summary),
        data=Markup(safe_json(page_data(summary))),
    )


def _counted(errors, key, names):
    """Count errors by class: pairs of position and count, by name, unknown labels first."""
    counts = Counter(error[key] for error in errors)
    return sorted(counts.items(), key=lambda pair: (pair[0] >= 0, names[pair[0]].lower()))


def _was_seen(summary):
    """Tell whether the finished model has learned from the documents that it was judged on."""
    return summary["source"] == OUT_OF_FOLD


def page_data(summary):
    """Give what the page's script needs, as plain data with rounded numbers."""
    return {
        "classes": summary["classes"],
        "seen": _was_seen(summary),
        "documents": [_document(one, set(summary["suspects"])) for one in summary["documents"]],
    }


def _document(one, suspects):
    why = one["why"]
    pieces = [(one["text"], 0.0)] if why is None else why["marked"]
    return {
        "row": one["row"],
        "where": one["where"],
        "id": one["id"],
        "truth": one["truth"],
        "predicted": one["predicted"],
        "confidence": round(one["confidence"], DIGITS),
        "top": [(c, round(share, DIGITS)) for c, share in one["top"]],
        "suspect": one["row"] in suspects,
        "pieces": [(text, round(weight, DIGITS)) if weight else text for text, weight in pieces if text],
        "cut": one["is_cut"],
        "why": why
        and {
            "terms": [(term, round(contribution, DIGITS)) for term, contribution in why["terms"]],
            "constant": round(why["constant"], DIGITS),
            "score": round(why["score"], DIGITS),
            "near": [(round(cosine, DIGITS), label, excerpt) for cosine, label, excerpt in why["near"]],
            "note": why["note"],
        },
    }


def safe_json(content):
    r"""Write JSON that can stand inside a ``<script>`` element, whatever its texts hold.

    Examples
    --------
    >>> print(safe_json(["</script>", "a & b"]))
    ["\u003c/script\u003e","a \u0026 b"]
    """
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    # "<" is all that could end the element; the others keep older readers of scripts from stumbling
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
