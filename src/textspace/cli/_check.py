"""``textspace check``: what may be wrong with documents, before a model is trained on them."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from textspace.cli._corpus import bad_usage
from textspace.cli._model import refuse_model
from textspace.cli._options import (
    AsJson,
    Encoding,
    Header,
    LabelColumn,
    LabelSeparator,
    Missing,
    Query,
    Sheet,
    TextColumns,
    Tree,
    examples,
)
from textspace.cli._output import print_json, printable, say, working

EXAMPLES = examples("textspace check demo", "textspace check mails.csv --text body --label topic --json")
GROUPS, ROWS = 5, 4  # that are named of a finding


def check(
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="File or folder of yours, or the name of a corpus.")
    ],
    test: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Test documents, to be compared with DATA.")
    ] = None,
    text: TextColumns = None,
    label: LabelColumn = None,
    missing: Missing = None,
    encoding: Encoding = None,
    header: Header = None,
    sheet: Sheet = None,
    query: Query = None,
    tree: Tree = None,
    label_separator: LabelSeparator = None,
    as_json: AsJson = False,
):
    """Look for mistakes in labelled documents.

    Empty, repeated and almost repeated texts, equal texts with different labels, rare classes, labels that
    differ in spelling only, garbled letters, test documents that are in the training part. Each is listed
    with its rows and with what to do. Nothing is changed. The exit code is 1 if no model can be trained.
    """
    if tree is not None and label_separator is not None:
        raise typer.BadParameter("--tree and --label-separator exclude each other: give one of them.")
    columns = {"text": text, "label": label, "encoding": encoding}
    files = [_read(data, columns)]
    if test is not None:
        if files[0].split is not None:
            raise typer.BadParameter(f"--test is for documents without a split, but {data} has its own.")
        files.append(_read(str(test), columns))
    for name, file in zip((data, test), files, strict=False):
        for note in file.notes:
            say(f"note: {note}" if len(files) == 1 else f"note: {name}: {note}")
    texts = [each for file in files for each in file.texts]
    labels = [each for file in files for each in file.labels]
    split = files[0].split
    if test is not None:
        split = ["train"] * len(files[0].texts) + ["test"] * len(files[1].texts)

    from textspace.datasets import check_documents

    with working("looking at the documents ..."):
        findings = check_documents(
            texts, labels, split=split, tree=_tree(labels, tree, label_separator, encoding)
        )
    outcome = {
        "data": data,
        "documents": len(texts),
        "labelled": sum(each != "" for each in labels),
        "classes": dict(Counter(each for each in sorted(labels) if each).most_common()),
        "split": None if split is None else dict(Counter(map(str, split))),
        "notes": [note for file in files for note in file.notes],
    }
    place = _places(files, [data, test])
    if as_json:
        print_json(outcome | {"findings": [_as_dict(finding, place) for finding in findings]})
    else:
        _print(outcome, findings, place, several=test is not None)
    if any(finding.stops for finding in findings):
        raise ValueError(f"no model can be trained on {data} as it is: the first of the findings says why.")


def _read(name, columns):
    """Read documents with the empty ones among them, and what to call each."""
    refuse_model(name)
    from textspace.datasets import open_documents

    with bad_usage():
        return open_documents(name, say=say, **columns)


def _tree(labels, path, separator, encoding):
    from textspace.tree import LabelTree

    if path is not None:
        return LabelTree.from_parents(path, encoding)
    if separator is not None:
        return LabelTree.from_paths(sorted({label for label in labels if label}), separator)
    return None


def _places(files, names):
    """Give the function that says where a document is, by its position among those of all files."""

    def place(position):
        for file, name in zip(files, names, strict=False):
            if position < len(file.texts):
                return {"file": str(name), "row": position + 1, "where": file.where(position)}
            position -= len(file.texts)
        return None

    return place


def _as_dict(finding, place):
    return {
        "kind": finding.kind,
        "sentence": finding.sentence,
        "remedy": finding.remedy,
        "stops": finding.stops,
        "groups": [[place(row) for row in group] for group in finding.groups],
    }


def _print(outcome, findings, place, *, several):
    counts = outcome["split"] or {}
    split = f" ({', '.join(f'{number} {part}' for part, number in counts.items())})" if counts else ""
    print(
        f"{outcome['data']}: {outcome['documents']} documents{split}, {outcome['labelled']} with a label, "
        f"{len(outcome['classes'])} classes."
    )
    for finding in findings:
        print(f"\n{finding.kind}: {printable(finding.sentence)}")
        if finding.groups:
            print(f"  {_where(finding.groups, place, several=several)}")
        print(f"  {printable(finding.remedy)}")
    if not findings:
        print("Nothing was found to put right.")


def _where(groups, place, *, several):
    """Name the first documents of the first groups."""

    def name(row):
        found = place(row)
        return f"{found['file']}, {found['where']}" if several else found["where"]

    said = []
    for group in groups[:GROUPS]:
        more = f" and {len(group) - ROWS} more" if len(group) > ROWS else ""
        said.append(", ".join(name(row) for row in group[:ROWS]) + more)
    more = f"; and {len(groups) - GROUPS} more" if len(groups) > GROUPS else ""
    return printable("; ".join(said) + more)
