"""What the verbs write and print of models that give several labels a document."""

import json
from dataclasses import asdict

from textspace.cli._output import (
    name_files,
    plain_table,
    print_json,
    print_table,
    printable,
    working,
    write_files,
)

SEPARATOR = ";"  # between the labels of a cell
DIGITS = 4
# methods that only comparisons of several labels have
OF_SEVERAL = "svm-thresholds", "svm-calibrated", "logistic", "logistic-thresholds"
LABELS, PAIRS = 20, 10  # that are shown
FIGURES = "precision", "recall", "f1", "average_precision", "threshold"  # of each label
SCORES = {
    "micro F1": "micro_f1",
    "macro F1": "macro_f1",
    "all labels right": "subset_accuracy",
    "P@1": "precision_at_1",
    "P@3": "precision_at_3",
    "P@5": "precision_at_5",
    "nDCG@5": "ndcg_at_5",
    "calibration error": "calibration_error",
}
TREE_F1 = "hierarchical_f1"


def gives_several(model):
    """Tell whether a model gives several labels a document; those of older files do not say."""
    return getattr(model, "several_", False)


def label_list_columns(model, texts, *, top=None, threshold=None, min_confidence=None, as_lists=False):
    """Classify texts, and lay out what was found in columns.

    Gives ``labels``, those of each text by falling probability, and ``confidence``, their probabilities; with
    `top` also ``label_1``, ``confidence_1`` and so on, the most probable ones, given or not. The first two
    hold lists, or texts that ``--several ';'`` reads: "[]" for none. A text without any letters but spaces
    has nothing. With `min_confidence` labels are replaced by categories of the model's tree.
    """
    import numpy as np

    rows = [row for row, text in enumerate(texts) if text.strip()]
    classes = model.classes_.astype(str)
    columns = {"labels": [None if as_lists else ""] * len(texts)}
    columns["confidence"] = list(columns["labels"])
    n_top = 0 if top is None else min(top, len(classes))
    for place in range(n_top):
        columns |= {f"label_{place + 1}": [""] * len(texts), f"confidence_{place + 1}": [None] * len(texts)}
    if not rows:
        return columns
    shares = model.predict_proba([texts[row] for row in rows]).astype(np.float64)  # rounds to four digits
    if threshold is None:
        given = model.decide(shares) if min_confidence is None else model.decide(shares, min_confidence)
    else:
        order = np.argsort(-shares, axis=1, kind="stable")
        given = [classes[own[share[own] > threshold]] for own, share in zip(order, shares, strict=True)]
    place_of = {label: place for place, label in enumerate(classes.tolist())}
    for row, own, labels in zip(rows, shares, given, strict=True):
        labels = [str(label) for label in labels]
        sure = [
            round(float(own[place_of[one]] if one in place_of else model.probability_of(one, own)), DIGITS)
            for one in labels
        ]
        columns["labels"][row] = labels if as_lists else cell_of(labels)
        columns["confidence"][row] = sure if as_lists else SEPARATOR.join(map(str, sure))
        for rank, place in enumerate(np.argsort(-own, kind="stable")[:n_top], start=1):
            columns[f"label_{rank}"][row] = str(classes[place])
            columns[f"confidence_{rank}"][row] = round(float(own[place]), DIGITS)
    return columns


def cell_of(labels):
    """Write labels into one cell, from which they can be read again.

    Examples
    --------
    >>> cell_of(["grain", "corn"]), cell_of([]), cell_of(["a;b", "c"])
    ('grain;corn', '[]', '["a;b", "c"]')
    """
    odd = any(SEPARATOR in label or label.startswith("[") or label != label.strip() for label in labels)
    return json.dumps(labels, ensure_ascii=False) if odd or not labels else SEPARATOR.join(labels)


def label_text(label):
    """Write the label of a document, or its labels, in a line.

    Examples
    --------
    >>> label_text("grain"), label_text(("grain", "corn")), label_text(())
    ('grain', 'grain, corn', 'none')
    """
    return label if isinstance(label, str) else ", ".join(label) or "none"


def scores_text(evaluation):
    """Say in a line how good a model is.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> scores = dict.fromkeys(SCORES.values(), 0.5) | {"n_documents": 3}
    >>> scores_text(SimpleNamespace(scores=scores, source="test documents"))[:52]
    'micro F1 0.500, macro F1 0.500, all labels right 0.5'
    """
    scores = evaluation.scores
    named = SCORES | ({"tree F1": TREE_F1} if TREE_F1 in scores else {})
    said = ", ".join(f"{name} {scores[key]:.3f}" for name, key in named.items())
    return printable(f"{said} ({scores['n_documents']} {evaluation.source})")


def outcome_of(evaluation):
    """Give all figures of an evaluation, without its documents; the labels of the lowest F1 first."""
    found = {name: values.tolist() for name, values in evaluation.per_label().items()}
    rows = [dict(zip(found, values, strict=True)) for values in zip(*found.values(), strict=True)]
    worst = sorted((row for row in rows if row["support"]), key=lambda row: (row["f1"], -row["support"]))
    names = evaluation.classes
    return {
        "source": evaluation.source,
        "scores": evaluation.scores,
        "labels": [{"label": row.pop("classes"), **row} for row in worst],
        "confusions": [_named(each, names, "missed", "given") for each in evaluation.confusions()],
        "together": [_named(each, names, "first", "second") for each in evaluation.together()],
        "cardinality": evaluation.cardinality(),
        "unknown_labels": evaluation.unknown_labels,
    }


def _named(pair, names, *keys):
    return pair | {key: names[pair[key]] for key in keys}


def print_unknown(labels):
    """Name labels of test documents that the model does not know, a dict of str to numbers of documents."""
    if labels:
        named = ", ".join(f"{label!r} ({count})" for label, count in list(labels.items())[:PAIRS])
        more = f" and {len(labels) - PAIRS} more" if len(labels) > PAIRS else ""
        print(printable(f"labels that the model has not learned, all counted as misses: {named}{more}"))


def print_outcome(evaluation, outcome):
    """Print an evaluation for people."""
    from rich.text import Text

    print(scores_text(evaluation))
    scores = outcome["scores"]
    print(
        f"labels a document: {scores['cardinality_true']:.2f} true, "
        f"{scores['cardinality_predicted']:.2f} given"
    )
    print_unknown(outcome["unknown_labels"])
    table = plain_table(
        "label", "#documents", "#given", "#precision", "#recall", "#F1", "#avg. prec.", "#best from"
    )
    for row in outcome["labels"][:LABELS]:
        figures = (f"{row[name]:.3f}" for name in FIGURES)
        table.add_row(Text(printable(row["label"])), str(row["support"]), str(row["predicted"]), *figures)
    print_table(table)
    if len(outcome["labels"]) > LABELS:
        print(f"and {len(outcome['labels']) - LABELS} labels with a higher F1: --json gives all.")
    if outcome["confusions"]:
        table = plain_table("missed label", "given instead", "#documents")
        for row in outcome["confusions"][:PAIRS]:
            cells = Text(printable(row["missed"])), Text(printable(row["given"]))
            table.add_row(*cells, str(row["documents"]))
        print_table(table)


def compare_several(corpus, methods, settings, baseline, *, results, report, as_json):
    """Compare methods on a corpus of several labels a document, and print or write what was found."""
    from textspace.evaluation import compare_multilabel

    chosen = {"methods": _first(baseline, methods)} if methods or baseline else {}
    with working(f"comparing methods on {len(corpus)} documents ..."):
        comparison = compare_multilabel(corpus, **chosen, **settings)
    rows = comparison.methods
    write_files(comparison, results, report)
    if as_json:
        print_json(asdict(comparison))
    else:
        _print_comparison(rows)
    name_files(results, report)
    if all(row["error"] is not None for row in rows):
        raise ValueError(f"no method finished: {rows[0]['method']} says {rows[0]['error']}")


def _first(baseline, methods):
    """Put the method that others are tested against before them."""
    from textspace.evaluation import LABEL_METHODS

    methods = methods or list(LABEL_METHODS)
    return methods if baseline is None else list(dict.fromkeys([baseline, *methods]))


def _print_comparison(rows):
    columns = {
        "#micro F1": "micro_f1",
        "#macro F1": "macro_f1",
        "#of tested": "macro_f1_tested",
        "#all right": "subset_accuracy",
        "#P@1": "precision_at_1",
        "#P@5": "precision_at_5",
        "#nDCG@5": "ndcg_at_5",
        "#cal. error": "calibration_error",
    }
    if any(TREE_F1 in (row["scores"] or {}) for row in rows):
        columns["#tree F1"] = TREE_F1
    table = plain_table("method", *columns, "#CPU s", f"against {rows[0]['method']}")
    for row in rows:
        if row["error"] is not None:
            table.add_row(row["method"], *["–"] * (len(columns) + 1), "failed")
            continue
        scores = [row["scores"].get(key) for key in columns.values()]
        tests = row["significance"]
        marks = "" if tests is None else " ".join(f"{name} {test['mark']}" for name, test in tests.items())
        said = ["–" if score is None else f"{score:.3f}" for score in scores]
        table.add_row(row["method"], *said, f"{row['cpu_seconds']:.1f}", marks)
    print_table(table, spare=("of tested", "all right", "nDCG@5"))
    n_splits = max((len(row["splits"]) for row in rows if row["splits"]), default=1)
    if n_splits > 1:
        print(f"over the test documents of {n_splits} splits together; --json gives each.")
    for row in rows:
        if row["error"] is not None:
            print(printable(f"{row['method']}: {row['error']}"))
