"""``textspace check``: what may be wrong with documents, before a model is trained on them."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from textspace._wording import without_password
from textspace.cli._corpus import bad_usage, each_label
from textspace.cli._model import refuse_model
from textspace.cli._options import (
    AsJson,
    Encoding,
    Header,
    LabelColumn,
    LabelSeparator,
    Language,
    Missing,
    Query,
    Several,
    Sheet,
    TextColumns,
    Tree,
    check_language,
    check_output,
    examples,
    reading,
)
from textspace.cli._output import print_json, printable, say, working
from textspace.cli._several import cell_of

EXAMPLES = examples(
    "textspace check demo",
    "textspace check mails.csv --text body --label topic -o findings.xlsx --report findings.html",
)
GROUPS, ROWS, CLASSES = 5, 4, 20  # that are shown
EXCERPT, SHOWN = 200, 70  # characters of a text that are kept, and that are printed
LENGTHS = 0, 20, 100, 300, 1000, 3000, 10_000  # characters: where the ranges end that are counted


def check(
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="File or folder of yours, or the name of a corpus.")
    ],
    test: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Test documents, to be compared with DATA.")
    ] = None,
    text: TextColumns = None,
    label: LabelColumn = None,
    several: Several = None,
    missing: Missing = None,
    encoding: Encoding = None,
    header: Header = None,
    sheet: Sheet = None,
    query: Query = None,
    tree: Tree = None,
    label_separator: LabelSeparator = None,
    language: Language = "auto",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write all findings here: .csv, .xlsx ..."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report as an HTML page.")
    ] = None,
    as_json: AsJson = False,
):
    """Look for mistakes in labelled documents.

    Empty, repeated and almost repeated texts, equal texts with different labels, rare classes, labels that
    differ in spelling only, that stand for none or are lists, garbled letters, HTML, test documents that are
    in the training part; with a --language, also texts in another one. Each is listed with its rows and with
    what to do. The languages of the texts, their lengths and the sizes of the classes are told. Nothing is
    changed. The exit code is 1 if no model can be trained.
    """
    if tree is not None and label_separator is not None:
        raise typer.BadParameter("--tree and --label-separator exclude each other: give one of them.")
    check_language(language)
    if output is not None:
        from textspace.tables import format_of

        format_of(output, to_write=True)
        check_output(output, read=[data, test])
    if report is not None:
        check_output(report, ".html")
    columns = {"text": text, "label": label, "several": several, **reading(encoding, header, sheet, query)}
    files = [_read(data, columns, missing)]
    data = without_password(data)
    if test is not None:
        if files[0].split is not None:
            raise typer.BadParameter(f"--test is for documents without a split, but {data} has its own.")
        files.append(_read(str(test), columns | {"like": files[0].columns}, missing))
        _refuse_other_labels(files, [data, test])
    for name, file in zip((data, test), files, strict=False):
        for note in file.notes:
            say(f"note: {note}" if len(files) == 1 else f"note: {name}: {note}")
    asked = {
        "missing": missing != "keep",
        "lists": several is None and label_separator is None and files[0].columns is not None,  # of a table
        "language": None if language in ("auto", "none") else language,
    }
    outcome = _outcome(files, [data, test], _tree(files, tree, label_separator, encoding), asked)
    if output is not None:
        _write_findings(outcome["findings"], output)
    if report is not None:
        from textspace.report import write_check_report

        write_check_report(outcome, report)
    if as_json:
        print_json(outcome)
    else:
        _print(outcome, several=test is not None)
    for what, path in {"findings": output, "report": report}.items():
        if path is not None:
            say(f"{what}: {path}")
    stops = [each for each in outcome["findings"] if each["stops"]]
    if stops:
        why = f"{stops[0]['sentence']} {stops[0]['remedy']}"
        raise ValueError(f"no model can be trained on {data} as it is: {why}")


def _read(name, columns, missing):
    """Read documents with the empty ones among them, and what to call each."""
    refuse_model(name)
    from textspace.datasets import open_documents

    with bad_usage():
        return open_documents(name, say=say, missing=missing, **columns)


def _refuse_other_labels(files, names):
    """Raise a ValueError if the documents of one file have one label, and those of the other several."""
    kinds = [{type(label) for label in file.labels if label not in (None, "")} for file in files]
    if all(kinds) and kinds[0] != kinds[1]:
        have = ["several labels a document" if kind == {tuple} else "one" for kind in kinds]
        raise ValueError(
            f"{names[0]} has {have[0]}, but {names[1]} has {have[1]}: say with --several how labels are read."
        )


def _tree(files, path, separator, encoding):
    from textspace.tree import LabelTree

    if path is not None:
        return LabelTree.from_parents(path, encoding)
    if separator is not None:
        labels = each_label([each for file in files for each in file.labels])
        return LabelTree.from_paths(sorted(set(labels)), separator)
    return None


def _outcome(files, names, tree, asked):
    """Say what there is and what was found, in plain data."""
    from textspace.datasets import check_documents
    from textspace.text import language_shares

    texts = [each for file in files for each in file.texts]
    labels = [each for file in files for each in file.labels]
    split = files[0].split
    if len(files) > 1:
        split = ["train"] * len(files[0].texts) + ["test"] * len(files[1].texts)
    with working("looking at the documents ..."):
        findings = check_documents(texts, labels, split=split, tree=tree, **asked)
    place = _places(files, names)
    return {
        "data": names[0],
        "documents": len(texts),
        "labelled": sum(each not in (None, "") for each in labels),
        "classes": dict(Counter(sorted(each_label(labels))).most_common()),
        "languages": {code: round(share, 4) for code, share in language_shares(texts).items()},
        "lengths": _lengths(texts),
        "split": None if split is None else dict(Counter(map(str, split))),
        "columns": files[0].columns,
        "notes": [note for file in files for note in file.notes],
        "findings": [_as_dict(finding, place) for finding in findings],
    }


def _lengths(texts):
    """Count the texts by ranges of their length in characters; the last range has no end."""
    import numpy as np

    ranges = np.searchsorted(LENGTHS, [len(text.strip()) for text in texts])
    starts, ends = [0, *(end + 1 for end in LENGTHS)], [*LENGTHS, None]
    counts = np.bincount(ranges, minlength=len(ends)).tolist()
    return [
        {"from": start, "to": end, "documents": count}
        for start, end, count in zip(starts, ends, counts, strict=True)
    ]


def _places(files, names):
    """Give the function that says where a document is and what, by its position among those of all files."""

    def place(position):
        for file, name in zip(files, names, strict=False):
            if position < len(file.texts):
                label = file.labels[position]
                return {
                    "file": str(name),
                    "row": position + 1,
                    "where": file.where(position),
                    "id": file.ids[position] if file.ids else "",
                    "label": cell_of(label) if isinstance(label, tuple) else label or "",
                    "text": " ".join(file.texts[position][: 2 * EXCERPT].split())[:EXCERPT],
                }
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


def _write_findings(findings, path):
    """Write a table with a row for each document of each finding; those of one group have one number."""
    from textspace.tables import Block, spreadsheet_safe, write_blocks

    rows = []
    for finding in findings:
        about = {name: finding[name] for name in ("kind", "sentence", "remedy")}
        for number, group in enumerate(finding["groups"] or [[{}]], start=1):
            rows += [about | {"group": number, **each} for each in group]
    names = ["kind", "sentence", "remedy", "group", "file", "row", "where", "id", "label", "text"]
    block = Block(
        names,
        len(rows),
        column=lambda name: [row.get(name) for row in rows],
        where=lambda position: f"row {position + 1}",
    )
    write_blocks([block if path.suffix == ".xlsx" else spreadsheet_safe(block)], str(path))


def _print(outcome, *, several):
    counts = outcome["split"] or {}
    split = f" ({', '.join(f'{number} {part}' for part, number in counts.items())})" if counts else ""
    print(
        f"{outcome['data']}: {outcome['documents']} documents{split}, {outcome['labelled']} with a label, "
        f"{len(outcome['classes'])} classes."
    )
    if outcome["languages"]:
        print(f"Languages: {_languages_text(outcome['languages'])}.")
    sizes = list(outcome["classes"].items())
    if sizes:
        more = f" and {len(sizes) - CLASSES} more" if len(sizes) > CLASSES else ""
        shown = ", ".join(f"{label} {size}" for label, size in sizes[:CLASSES])
        print(f"documents of each class: {printable(shown)}{more}")
    lengths = ", ".join(_range_text(each) for each in outcome["lengths"] if each["documents"])
    print(f"characters of the texts: {lengths}")
    for finding in outcome["findings"]:
        print(f"\n{finding['kind']}: {printable(finding['sentence'])}")
        print(f"  {printable(finding['remedy'])}")
        for line in _rows(finding["groups"], several=several):
            print(printable(f"    {line}"))
    if not outcome["findings"]:
        print("Nothing was found to put right.")


def _languages_text(shares):
    """Name the languages of a hundredth of the texts and more, with their shares.

    Examples
    --------
    >>> _languages_text({"de": 0.9, "en": 0.095, "nl": 0.005})
    'German 90%, English 10%'
    """
    from textspace.text import LANGUAGES

    named = [code for place, code in enumerate(shares) if place == 0 or shares[code] >= 0.01]
    return ", ".join(f"{LANGUAGES[code].name} {shares[code]:.0%}" for code in named)


def _range_text(counted):
    upto = f"{counted['from']} or more" if counted["to"] is None else f"{counted['from']} to {counted['to']}"
    return f"{'none' if counted['to'] == 0 else upto} in {counted['documents']}"


def _rows(groups, *, several):
    """Show the first documents of the first groups, a line between two groups of several."""
    for number, group in enumerate(groups[:GROUPS]):
        if number and len(group) > 1:
            yield "-"
        for each in group[:ROWS]:
            where = f"{each['file']}, {each['where']}" if several else each["where"]
            cut = "..." if len(each["text"]) > SHOWN else ""
            yield f"{where} [{each['label']}] {each['text'][:SHOWN]}{cut}"
        if len(group) > ROWS:
            yield f"and {len(group) - ROWS} more"
    if len(groups) > GROUPS:
        yield f"and {len(groups) - GROUPS} more {'groups' if len(groups[0]) > 1 else 'documents'}"
