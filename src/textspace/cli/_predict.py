"""``textspace predict``: labels for a file of texts, however large."""

import itertools
import re
from typing import Annotated

import typer

from textspace._wording import without_password
from textspace.cli._model import (
    Embeddings,
    ModelFile,
    Verify,
    category_path,
    check_model_file,
    open_model,
    refuse_model,
    trained_columns,
)
from textspace.cli._options import (
    AsJson,
    Encoding,
    Header,
    Query,
    Sheet,
    TextColumns,
    check_name,
    check_output,
    examples,
    reading,
)
from textspace.cli._output import in_utf8, print_json, say, working
from textspace.cli._several import gives_several, label_list_columns
from textspace.cli._shares import adapt_to
from textspace.tables import STANDARD, format_of, known_formats, read_blocks, spreadsheet_safe, write_blocks

EXAMPLES = examples(
    "textspace predict demo.textspace mails.csv -o labelled.csv --top 3 --min-confidence 0.6",
    "textspace predict demo.textspace mails.csv --text body",
)
PRINTED = "tsv"  # on the standard output stream, if what is read cannot be written
SPREADSHEETS = "csv", "tsv"  # formats that are opened with such a program
WITH_LISTS = "json", "jsonl"  # formats whose cells hold lists
DIGITS = 4


def _format_names(*, to_stream=False):
    return [known.name for known in known_formats() if not to_stream or (known.write and known.streams)]


def predict(
    model: ModelFile,
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="Table or text file, or address of a database; - for stdin.")
    ],
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="Write the rows here; - for stdout.")
    ] = STANDARD,
    text: TextColumns = None,
    top: Annotated[int | None, typer.Option(min=1, help="How many labels to give each text.")] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            metavar="SHARE",
            help="Of several labels give those that are likelier than this, not by the model's own decision.",
        ),
    ] = None,
    min_confidence: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            metavar="SHARE",
            help="Leave out labels that are less sure; with a tree, step back to a category that is not.",
        ),
    ] = None,
    adapt: Annotated[
        bool,
        typer.Option(
            "--adapt", help="Assume the shares that the classes have among these very texts: reads all first."
        ),
    ] = False,
    for_spreadsheet: Annotated[
        bool,
        typer.Option(
            "--spreadsheet-safe",
            help="Put ' before texts that a spreadsheet would run as a formula: for CSV and TSV.",
        ),
    ] = False,
    encoding: Encoding = None,
    header: Header = None,
    sheet: Sheet = None,
    query: Query = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="KIND", help=f"Of DATA: {', '.join(_format_names())}; by default by its name."
        ),
    ] = None,
    embeddings: Embeddings = None,
    verify: Verify = None,
    as_json: AsJson = False,
):
    """Add labels and their probabilities to the rows of a file.

    All columns are kept and `label` and `confidence` added, with --top also `label_2` and so on, and `path`
    where the model has a tree of categories. A text file and stdin have one text a line. Rows are read,
    classified and written in blocks, so that memory does not grow with the file; a row without a text gets
    no label. A model of several labels a document adds `labels` and `confidence`, with `;` between them (or
    lists, in JSON), and with --top `label_1`, `confidence_1` and so on, the most probable ones in any case.
    With --adapt all rows are read first, and memory grows: if the classes clearly have other shares among
    them than the model assumes, they are classified with those. The columns of the texts are those that the
    model was trained on, unless --text names others. With -o the name of FILE says its format, which may be
    another than that of DATA; if it is the same, so are its delimiter and encoding. Rows on stdout have the
    format of DATA, those of text files and databases are TSV. With --json rows on stdout are JSON lines, and
    with -o the counts are printed as JSON.
    """
    check_model_file(model)
    refuse_model(data)
    if kind is not None:
        check_name(kind, _format_names(), "format")

    from textspace.datasets import texts_of

    kind = kind or ("lines" if data == STANDARD else format_of(data).name)
    if output != STANDARD:
        written = format_of(output, to_write=True).name
        check_output(output)
    elif as_json:
        written = "jsonl"
    else:
        written = kind if kind in _format_names(to_stream=True) else PRINTED
    if for_spreadsheet and written not in SPREADSHEETS:
        raise typer.BadParameter(
            f"--spreadsheet-safe is for rows that are written as CSV or TSV, not as {written}: leave it out."
        )
    blocks = read_blocks(data, kind=kind, **reading(encoding, header, sheet, query))
    data = without_password(data)
    first = next(blocks)  # a file that cannot be read is found out before the model is loaded
    columns = _text_columns(first, data, text, trained_columns(model))
    classifier = open_model(model, embeddings, verify)
    several = gives_several(classifier)
    prefix = _prefix(first, {"labels" if several else "label", "confidence", "path"}, ranked=top is not None)
    if several and (adapt or (min_confidence is not None and classifier.tree_ is None)):
        raise typer.BadParameter(
            f"{model} gives several labels a document: leave out --adapt and, as it has no tree, "
            "--min-confidence, and say with --threshold how sure a label must be."
        )
    if threshold is not None and min_confidence is not None:
        raise typer.BadParameter("--threshold and --min-confidence exclude each other: give one of them.")
    if threshold is not None and not several:
        raise typer.BadParameter(
            f"--threshold is for several labels, but {model} gives one: --min-confidence."
        )
    counts = {"rows": 0, "empty": 0, **({"none": 0} if several else {"unsure": 0})}
    rows = itertools.chain([first], blocks)
    if adapt:
        rows = list(rows)
        texts = [one for block in rows for one in texts_of(block, columns, data) if one.strip()]
        counts["changed"] = adapt_to(classifier, texts) if texts else 0
    # Rows on a terminal are progress enough, and would run into it.
    with working("classifying ...", quiet=output == STANDARD) as update:

        def labelled():
            notes = set()
            for block in rows:
                for note in (note for note in block.notes if note not in notes):
                    say(f"note: {note}")
                notes.update(block.notes)
                texts = texts_of(block, columns, data)
                if several:
                    sure = {"threshold": threshold, "min_confidence": min_confidence}
                    as_lists = written in WITH_LISTS
                    found = label_list_columns(classifier, texts, top=top, as_lists=as_lists, **sure)
                else:
                    found = label_columns(classifier, texts, top=top or 1, min_confidence=min_confidence)
                block = block.with_columns({prefix + name: values for name, values in found.items()})
                yield spreadsheet_safe(block) if for_spreadsheet else block
                counts["rows"] += len(texts)
                n_empty = sum(not one.strip() for one in texts)
                counts["empty"] += n_empty
                if several:
                    counts["none"] += sum(each in ("[]", []) for each in found["labels"])
                else:
                    counts["unsure"] += found["label"].count("") - n_empty
                share = "" if block.share is None else f" ({block.share:.0%})"
                update(f"classified {counts['rows']} rows{share} ...")

        if output == STANDARD:
            in_utf8()
        write_blocks(labelled(), output, kind=written)
    if output != STANDARD and as_json:
        print_json(counts | {"output": output})
    else:
        _tell(counts, output)


def _text_columns(block, path, text, like):
    """Find the columns of the texts."""
    from textspace.datasets import find_columns

    columns, _, _, notes = find_columns(block, path, text=text, label=False, split=False, like=like)
    for note in notes if len(block.names) > 1 else ():
        say(f"note: {note}")
    return columns


def _prefix(block, names, *, ranked):
    """Give what to put before the names of new columns, so that they do not take the place of others."""
    new = re.compile("|".join([*names, *([r"(label|confidence)_\d+"] if ranked else [])]))
    prefix = ""
    while any(name.startswith(prefix) and new.fullmatch(name, len(prefix)) for name in block.names):
        prefix += "predicted_"
    if prefix:
        *others, last = sorted(names, key=["label", "labels", "confidence", "path"].index)
        say(
            f"note: the file has a column {', '.join(others)} or {last}: the new ones are named "
            f"{prefix}{others[0]} ..."
        )
    return prefix


def label_columns(model, texts, *, top=1, min_confidence=None):
    """Classify texts, and lay out what was found in columns, with `top` labels for each.

    Gives ``label``; ``confidence``, the probability of the label, or of the best one where none is sure
    enough; ``path``, if the model has a tree; ``label_2``, ``confidence_2`` and so on. A text without any
    letters but spaces gets the label "" and no confidence.
    """
    import numpy as np

    rows = [row for row, text in enumerate(texts) if text.strip()]
    classes = model.classes_.astype(str)
    shares = np.empty((0, len(classes)))
    if rows:
        shares = model.predict_proba([texts[row] for row in rows]).astype(np.float64)  # rounds to four digits
    labels = model.decide(shares, min_confidence).astype(str)
    found = {"label": labels.tolist(), "confidence": _confidence(model, labels, shares)}
    if model.tree_ is not None:
        paths = {label: category_path(model.tree_, label) for label in set(found["label"])}
        found["path"] = [paths[label] for label in found["label"]]
    if top > 1:
        order = np.argsort(-shares, axis=1, kind="stable")
        for place in range(1, min(top, len(classes))):
            found[f"label_{place + 1}"] = classes[order[:, place]].tolist()
            ranked = np.take_along_axis(shares, order[:, [place]], axis=1).ravel()
            found[f"confidence_{place + 1}"] = ranked.round(DIGITS).tolist()
    return {name: _spread(values, rows, len(texts), name) for name, values in found.items()}


def _confidence(model, labels, shares):
    """Give the probability of each label, which may be a category of the tree; of the best one for none."""
    classes = model.classes_.astype(str).tolist()
    confidence = shares.max(axis=1, initial=0.0)
    for label in set(labels.tolist()) - {"", *classes}:
        below = [classes.index(leaf) for leaf in model.tree_.leaves_below(label) if leaf in classes]
        rows = labels == label
        confidence[rows] = shares[rows][:, below].sum(axis=1)
    return confidence.round(DIGITS).tolist()


def _spread(values, rows, n_texts, name):
    """Put the values of some rows into a column of all."""
    column = [None if name.startswith("confidence") else ""] * n_texts
    for row, value in zip(rows, values, strict=True):
        column[row] = value
    return column


def _tell(counts, output):
    said = "1 row" if counts["rows"] == 1 else f"{counts['rows']} rows"
    if counts["empty"]:
        said += f", {counts['empty']} of them without a text and so without a label"
    if counts.get("none"):
        said += f", {counts['none']} that have none of the labels"
    if counts.get("unsure"):
        said += f", {counts['unsure']} without a label for want of confidence"
    say(f"{said}." if output == STANDARD else f"{said}: {output}")
