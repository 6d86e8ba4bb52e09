"""``textspace select``: the terms of a corpus that are worth keeping."""

import csv
import math
from pathlib import Path
from typing import Annotated

import typer

from textspace._files import atomic_open
from textspace.cli._corpus import each_label, open_corpus
from textspace.cli._options import (
    AsJson,
    Encoding,
    Header,
    LabelColumn,
    Language,
    Missing,
    Query,
    Several,
    Sheet,
    TextColumns,
    check_language,
    check_name,
    check_output,
    examples,
    reading,
)
from textspace.cli._output import plain_table, print_json, print_table, say
from textspace.tables import safe_cell

EXAMPLES = examples(
    "textspace select demo --terms 200 -o terms.csv",
    "textspace select mails.csv --score information_gain --terms 10 --picture f1.svg",
)
SHOWN = 25  # terms in the table
SCHEMES = ("ltc", "tfidf", "tf")


def select(
    corpus: Annotated[
        str, typer.Argument(metavar="CORPUS", help="Name of a corpus, or a file or folder of yours.")
    ],
    score: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="One of subspace, weighted, uniform, document_frequency, information_gain, chi2, "
            "mutual_information.",
        ),
    ] = "subspace",
    terms: Annotated[int, typer.Option(metavar="N", min=1, help="How many terms to keep.")] = 1000,
    rank: Annotated[
        str | None,
        typer.Option(
            metavar="K",
            help="Singular vectors of the score subspace: a number, by default 100; the share of the squared "
            "norm that they hold, as 0.9; or 'rank' for all.",
        ),
    ] = None,
    draw: Annotated[
        bool,
        typer.Option(
            "--draw", help="Draw terms at random by their scores and rescale them, instead of the best."
        ),
    ] = False,
    scheme: Annotated[
        str, typer.Option(metavar="NAME", help="Weights of terms in documents: ltc, tfidf or tf.")
    ] = "ltc",
    text: TextColumns = None,
    label: LabelColumn = None,
    several: Several = None,
    missing: Missing = None,
    encoding: Encoding = None,
    header: Header = None,
    sheet: Sheet = None,
    query: Query = None,
    language: Language = "auto",
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything drawn at random.")] = 0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write all terms here, as CSV.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw F1 against the number of terms here, as SVG."),
    ] = None,
    as_json: AsJson = False,
):
    """Score the terms of a corpus and keep the best.

    Scores come from the training documents where the corpus has a split, else from all. The picture shows
    how well held-out documents are classified (RLSC) on few terms, on more, and on all. CORPUS is as in
    `textspace compare`.
    """
    if picture is not None and picture.suffix.lower() != ".svg":
        raise typer.BadParameter(f"--picture draws SVG: give a name that ends in .svg, not {picture.name}.")
    if output is not None:
        check_output(output, ".csv", read=[corpus])
    if picture is not None:
        check_output(picture)
    check_name(scheme, SCHEMES, "scheme")
    check_language(language)

    from textspace.selection import SCORES, SUPERVISED

    check_name(score, SCORES, "score")
    if rank is not None and score != "subspace":
        raise typer.BadParameter(f"--rank is for the score subspace, not for {score}.")
    if score == "uniform" and not draw:
        raise typer.BadParameter("the score uniform makes no term better than another: add --draw.")
    rank = 100 if rank is None else _parse_rank(rank)

    documents = open_corpus(
        corpus,
        text=text,
        label=label,
        several=several,
        missing=missing,
        **reading(encoding, header, sheet, query),
    )
    from scipy.sparse import issparse

    from textspace.evaluation import held_out_rows
    from textspace.selection import TermSelector

    rows = _training_rows(documents, labelled=score in SUPERVISED)
    if score in SUPERVISED:
        _check_classes(documents, rows, f"the score {score}", "choose one that needs none, as subspace")
    if picture is not None:
        split = held_out_rows(documents.labels, documents.split, random_state=seed)
        _check_classes(documents, split[0], "a picture of F1", "leave out --picture")
    if issparse(documents.texts) and documents.terms is None:
        say(f"note: {corpus} holds counts of terms without names: their columns are given, from 0.")
    selector = TermSelector(
        score,
        n_terms=terms,
        rank=rank,
        mode="sample" if draw else "top",
        exact_budget=True,
        random_state=seed,
    )
    scored = _score_terms(documents, rows, selector, scheme, language)
    table = _rows(documents, scored, score, draw=draw, with_classes=score in SUPERVISED)
    kept = [row for row in table if row["kept"]]
    if table[0]["score"] == 0:
        raise ValueError(f"every term of {corpus} has score zero: there is nothing to choose by.")
    if not kept:
        raise ValueError(f"the draw kept none of {len(table)} terms: give more --terms or another --seed.")
    found = {
        "corpus": documents.name,
        "n_documents": len(rows),
        "n_all_terms": len(table),
        "score": score,
        "rank": rank if score == "subspace" else None,
        "mode": selector.mode,
        "scheme": scheme,
        "language": language,
        "seed": seed,
        "share_of_score": _share(kept, table),
        "terms": kept,
        "curve": None,
    }
    if output is not None:
        _write_csv(table, output)
    if picture is not None:
        found["curve"] = _draw_curve(documents, scored, split, selector, found, picture)
    if as_json:
        print_json(found)
    else:
        _print(found, table, with_terms=output is None)
    for what, path in (("terms", output), ("picture", picture)):
        if path is not None:
            say(f"{what}: {path}")


def _parse_rank(text):
    if text == "rank":
        return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    raise typer.BadParameter(f"--rank is {text!r}: give a whole number, a share as 0.9, or 'rank'.")


def _training_rows(corpus, *, labelled):
    """Give the documents to learn from: those that the corpus marks so, else all, or all with a label."""
    import numpy as np

    is_wanted = np.full(len(corpus), True) if corpus.split is None else corpus.split == "train"
    if labelled:
        is_wanted = is_wanted & np.array([label is not None and label != "" for label in corpus.labels])
    return np.flatnonzero(is_wanted)


def _targets(corpus, rows):
    """Give the labels of some documents; which of all labels they have, where they have several."""
    if not corpus.several:
        return corpus.labels[rows]
    from textspace._label_sets import indicators, known_labels

    return indicators(corpus.labels[rows], known_labels(corpus.labels)).astype(float)


def _score_terms(corpus, rows, selector, scheme, language):
    from textspace.selection import score_terms

    documents = corpus.subset(rows)
    targets = _targets(corpus, rows)
    settings = {"scheme": scheme, "names": corpus.terms, "language": language}
    return score_terms(documents.texts, targets, selector, **settings)


def _check_classes(corpus, rows, what, remedy):
    """Refuse training documents of fewer than two classes."""
    labels = sorted(set(each_label(corpus.labels[rows].tolist())))
    if len(labels) < 2:
        found = f"only the class {labels[0]!r}" if labels else "no labelled document"
        raise ValueError(
            f"the corpus {corpus.name!r} has {found} to learn from, but {what} needs two classes or more: "
            f"{remedy}."
        )


def _rows(corpus, scored, score, *, draw, with_classes):
    """Give one dict a term, the highest score first: what the file holds."""
    selector = scored.selector
    columns = {
        "term": scored.names,
        "score": selector.scores_,
        "documents": scored.frequencies,
        "kept": selector.get_support(),
    }
    if with_classes:
        from textspace.selection import classes_of_terms

        found = classes_of_terms(score, scored.X, scored.y)
        if corpus.several:
            from textspace._label_sets import known_labels

            found = known_labels(corpus.labels)[found]
        columns["class"] = found
    if draw:
        columns |= {"probability": selector.probabilities_, "scale": selector.scale_}
    order = scored.order
    values = zip(*(values[order].tolist() for values in columns.values()), strict=True)
    return [{"place": place, **dict(zip(columns, row, strict=True))} for place, row in enumerate(values, 1)]


def _share(some, table):
    total = sum(row["score"] for row in table)
    return sum(row["score"] for row in some) / total


def _write_csv(table, path):
    with atomic_open(path) as file:
        # Text mode makes of this what lines end in on the system.
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(table[0])
        rows.writerows(map(_cell, row.values()) for row in table)


def _cell(value):
    """Write a value for a spreadsheet, which must not take a name for a formula.

    Examples
    --------
    >>> [_cell(value) for value in (True, 1 / 3, "corn", "-1", "=1+1")]
    ['yes', '0.3333333', 'corn', '-1', "'=1+1"]
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.7g}"
    return safe_cell(value)


def _draw_curve(corpus, scored, split, selector, found, path):
    """Measure F1 over the number of terms and draw it."""
    from textspace.evaluation import f1_curve
    from textspace.report import term_curve

    train, test = split
    if len(train) != scored.X.shape[0]:  # the table may rest on documents that the curve is tested on
        scored = _score_terms(corpus, train, selector, found["scheme"], found["language"])
    curve = {
        "split": "drawn" if corpus.split is None else "own",
        "n_train": len(train),
        "n_test": len(test),
        "points": f1_curve(scored, corpus.subset(test).texts, _targets(corpus, test)),
    }
    some = "terms drawn" if found["mode"] == "sample" else "best terms"
    notes = f"{corpus.name}, {some} by {_score(found)}", f"{_protocol(curve)}. Dashed: all terms."
    picture = term_curve(curve["points"], notes=notes, chosen=int(scored.selector.get_support().sum()))
    with atomic_open(path) as file:
        file.write(picture)
    return curve


def _score(found):
    return found["score"] + (f" of rank {found['rank']}" if found["score"] == "subspace" else "")


def _protocol(curve):
    split = "own split" if curve["split"] == "own" else "random split"
    return f"RLSC, {split}: {curve['n_train']} documents to learn from, {curve['n_test']} to test on"


def _print(found, table, *, with_terms):
    kept = found["terms"]
    some = f"{len(kept)} of {len(table)} terms drawn"
    if found["mode"] == "top":
        some = f"the {len(kept)} best of {len(table)} terms"
    print(f"{found['corpus']}: {some} by {_score(found)}, from {found['n_documents']} documents.")
    shares = f"They hold {found['share_of_score']:.1%} of all scores."
    if with_terms:
        _print_terms(kept[:SHOWN])
        if len(kept) > SHOWN:
            shares = (
                f"The first {SHOWN} hold {_share(kept[:SHOWN], table):.1%} of all scores, all {len(kept)} "
            )
            shares += f"hold {found['share_of_score']:.1%}."
    print(shares)
    if found["curve"] is not None:
        _print_curve(found["curve"])


def _print_terms(rows):
    from rich.text import Text

    numbers = {"place": "#place", "score": "#score", "documents": "#documents"}
    numbers |= {"probability": "#probability", "scale": "#scale"}
    columns = [name for name in rows[0] if name != "kept"]
    shown = plain_table(*(numbers.get(name, name) for name in columns))
    # Four figures of the largest score, and the others under it.
    decimals = max(0, 3 - math.floor(math.log10(rows[0]["score"])))
    formats = {"score": f".{decimals}f", "probability": ".3f", "scale": ".3f"}
    for row in rows:
        # Text, because a plain string would be read as markup, in which brackets have a meaning.
        shown.add_row(*(Text(format(row[name], formats.get(name, ""))) for name in columns))
    print_table(shown, spare=("scale", "probability"))


def _print_curve(curve):
    print(f"\n{_protocol(curve)}:")
    full = curve["points"][-1]["micro_f1"]
    shown = plain_table("#terms", "#micro F1", "#macro F1", "#of all")
    for point in curve["points"]:
        relative = f"{point['micro_f1'] / full:.1%}" if full else ""
        shown.add_row(str(point["n_terms"]), f"{point['micro_f1']:.3f}", f"{point['macro_f1']:.3f}", relative)
    print_table(shown)
