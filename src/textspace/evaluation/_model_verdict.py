"""The verdict on a model in plain sentences."""

from textspace._wording import choice_text, embedding_text, joined, percent
from textspace.evaluation._evaluation import OUT_OF_FOLD

WELL_CALIBRATED, ROUGHLY_CALIBRATED = 0.02, 0.05
FEW_TESTED = 5  # documents; the F1 of a smaller class is luck
FEW_TRAINED = 10
WEAK = 0.15  # below the mean F1 of the classes
LITTLE = 0.015  # of micro F1, over the last step of the learning curve
CURVE_SHARE = 0.2  # of the documents that score the curve where there are no test documents
SEVERAL = 3  # names in a sentence


def model_verdict(summary):
    """Say in sentences how good a model is, where it fails, and what to do next.

    Gives ``headline``, a sentence; ``sentences`` and ``advice``, lists of them.
    """
    low, high = summary["interval"]
    headline = (
        f"{summary['method']} gives the right label to {percent(summary['accuracy'])} of "
        f"{_documents(summary)} (95 % interval {100 * low:.1f} to {100 * high:.1f} %)."
    )
    sentences = [
        _on_what(summary),
        _macro(summary),
        _calibration(summary),
        _refusing(summary),
        _failing(summary),
        "scorers" in summary["card"]["method"] and choice_text(summary["card"]["method"]),
        _rarer(summary),
        summary["card"].get("embeddings") and embedding_text(summary["card"]["embeddings"]),
    ]
    advice = [_label_errors(summary), _pairs(summary), _rare(summary), _more(summary), _unknown(summary)]
    return {
        "headline": headline,
        "sentences": [sentence for sentence in sentences if sentence],
        "advice": [sentence for sentence in advice if sentence],
    }


def _documents(summary):
    n, source = summary["n_documents"], summary["source"]
    if source.endswith("documents"):
        return f"{n:,} {source}"
    return f"the {n:,} documents of {source}"


def _on_what(summary):
    if summary["source"] == OUT_OF_FOLD:
        return (
            "Each of these documents was judged by a model that had learned from the others only. If some "
            "are nearly alike, which textspace check counts, the figures look better than they "
            "will be on new ones."
        )
    return None


def _macro(summary):
    found = {score["key"]: score["value"] for score in summary["scores"]}
    if "macro_f1" not in found:
        return None
    gap = found["micro_f1"] - found["macro_f1"]
    text = f"The mean F1 of the {len(summary['per_class'])} classes is {found['macro_f1']:.3f}"
    return text + (": it does worse on small classes than on large ones." if gap > 0.05 else ".")


def _calibration(summary):
    error, surplus = summary["calibration"]["error"], summary["calibration"]["surplus"]
    off = f"off by {100 * error:.1f} points on average"
    if error <= WELL_CALIBRATED:
        return f"Its probabilities can be taken at their word: they are {off}."
    if error <= ROUGHLY_CALIBRATED:
        return f"Its probabilities are about right: they are {off}."
    leaning = "too sure" if surplus > 0 else "too modest"
    return f"Its probabilities are {off}, {leaning}: do not take them at their word."


def _refusing(summary):
    step = next((step for step in summary["reject"]["steps"] if step["refused"] == 0.1), None)
    if step is None or not summary["n_wrong"]:
        return None
    return (
        f"If it may refuse the 10 % of which it is least sure, those below a probability of "
        f"{step['min_confidence']:.2f}, {percent(step['accuracy'])} of the others are right."
    )


def _failing(summary):
    if not summary["n_wrong"]:
        return "It makes no error here."
    rows = [row for row in summary["per_class"] if row["support"] >= FEW_TESTED]
    mean = sum(row["f1"] for row in rows) / max(len(rows), 1)
    weak = [row for row in rows if row["f1"] < mean - WEAK][:SEVERAL]
    if not weak:
        return None
    names = [f"{summary['classes'][row['class']]} ({row['f1']:.2f})" for row in weak]
    return f"It is weakest on {joined(names)}, by F1."


def _rarer(summary):
    found = summary["rarer_class"]
    return found and (
        f"Of the rarer class, {found['class']}, the average precision is {found['average_precision']:.3f}; "
        f"its F1 is highest here, {found['threshold_f1']:.3f}, where documents with a probability of "
        f"{found['threshold']:.3f} or more are said to be of it."
    )


def _label_errors(summary):
    n = len(summary["suspects"])
    if not n:
        return None
    are = "errors have" if summary["n_wrong"] > 1 else "error has"
    return (
        f"Check the labels: {n} of the {summary['n_wrong']:,} {are} a probability of 90 % or more, and some "
        "of these answers may be right."
    )


def _pairs(summary):
    names, pairs = summary["classes"], {}
    for pair in summary["confusion"]["pairs"]:
        key = tuple(sorted((pair["truth"], pair["predicted"])))
        pairs[key] = pairs.get(key, 0) + pair["count"]
    worst = sorted(pairs, key=lambda key: -pairs[key])[:SEVERAL]
    worst = [key for key in worst if pairs[key] >= 3]
    if not worst or len(names) < 3:
        return None
    shown = [f"{names[a]} with {names[b]} ({pairs[a, b]})" for a, b in worst]
    return f"Tell apart, by clearer labels or more examples, what it confuses most: {joined(shown)}."


def _rare(summary):
    rare = [
        row for row in summary["per_class"] if row["n_train"] is not None and row["n_train"] < FEW_TRAINED
    ]
    if not rare:
        return None
    names = [f"{summary['classes'][row['class']]} ({row['n_train']})" for row in rare[:SEVERAL]]
    return (
        f"Label more documents of rare classes, or join them: {len(rare)} of {len(summary['per_class'])} "
        f"have fewer than {FEW_TRAINED} training documents, such as {joined(names)}."
    )


def _more(summary):
    curve = sorted(summary["learning_curve"], key=lambda point: point["n_train"])
    if len(curve) < 2:
        return None
    before, last = curve[-2]["micro_f1"], curve[-1]["micro_f1"]
    gain = last - before
    n_tested = summary["n_documents"] * (CURVE_SHARE if summary["source"] == OUT_OF_FOLD else 1)
    # One right and one wrong are added, as none of few documents being wrong does not mean that none will be.
    shares = [(share * n_tested + 1) / (n_tested + 2) for share in (before, last)]
    half = 1.96 * (sum(share * (1 - share) for share in shares) / (n_tested + 2)) ** 0.5
    interval = f"(95 % interval {gain - half:.3f} to {gain + half:.3f})"
    moved = f"rose by {gain:.3f}" if gain >= 0 else f"fell by {-gain:.3f}"
    rose = f"from {curve[-2]['n_train']:,} to {curve[-1]['n_train']:,} micro F1 {moved}"
    if gain > half:
        return f"More training documents would help: {rose} {interval}."
    if gain + half < LITTLE:
        return "More training documents of the same kind would help little: the learning curve has flattened."
    return (
        f"Whether more training documents would help cannot be told: {rose}, which may be chance {interval}."
    )


def _unknown(summary):
    unknown = summary["unknown_labels"]
    if not unknown:
        return None
    names = sorted(unknown, key=lambda name: -unknown[name])[:SEVERAL]
    count = sum(unknown.values())
    have, they = (
        ("document has a label", "it counts") if count == 1 else ("documents have labels", "they count")
    )
    return (
        f"{count:,} {have} that the model never saw ({joined(names)}): {they} as wrong. Train with such "
        "documents, or leave them out."
    )
