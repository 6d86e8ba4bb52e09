"""``textspace compare``: methods side by side on one corpus."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from textspace.cli._corpus import open_corpus
from textspace.cli._options import (
    AsJson,
    Encoding,
    Header,
    Jobs,
    LabelColumn,
    LabelSeparator,
    Missing,
    Query,
    Sheet,
    TextColumns,
    Tree,
    Unlabelled,
    check_name,
    check_output,
    examples,
    reading,
)
from textspace.cli._output import print_json, print_table, say
from textspace.methods import DEFAULT_METHODS, METHODS

EXAMPLES = examples(
    "textspace compare demo --methods svm,cm,lda -o results.json --report report.html",
    "textspace compare mails.csv --text body --label topic --methods svm,nb --repeats 5",
)


def compare(
    corpus: Annotated[
        str, typer.Argument(metavar="CORPUS", help="Name of a corpus, or a file or folder of yours.")
    ],
    methods: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help=f"Some of {','.join(METHODS)}, which `textspace methods` explains; by default a dozen quick "
            "ones, and those that use a tree or unlabelled documents where there are any.",
        ),
    ] = None,
    text: TextColumns = None,
    label: LabelColumn = None,
    missing: Missing = None,
    encoding: Encoding = None,
    header: Header = None,
    sheet: Sheet = None,
    query: Query = None,
    unlabelled: Unlabelled = None,
    tree: Tree = None,
    label_separator: LabelSeparator = None,
    train_share: Annotated[
        float | None, typer.Option(metavar="SHARE", help="Share of each class to train on, drawn at random.")
    ] = None,
    folds: Annotated[int | None, typer.Option(min=2, help="Cross-validate with this many folds.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often to draw the split.")] = 1,
    cv: Annotated[
        int, typer.Option(min=2, help="Folds of the training documents that choose parameters.")
    ] = 3,
    baseline: Annotated[
        str | None, typer.Option(metavar="METHOD", help="Method to test the others against; by default svm.")
    ] = None,
    best_on_test: Annotated[
        bool, typer.Option("--best-on-test", help="Also score every parameter value on the test documents.")
    ] = False,
    rule: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="Table by argmax, one class a document, or by sign, every class that is accepted.",
        ),
    ] = "argmax",
    resume: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep finished work here; go on where it stopped.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything drawn at random.")] = 0,
    jobs: Jobs = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Run on the Dask cluster whose scheduler has this address."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the results here, as JSON.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report here, as one HTML page.")
    ] = None,
    as_json: AsJson = False,
):
    """Compare methods on one corpus and print a table.

    Each method is trained and tested on the same documents; its parameters are chosen on the training
    documents. CORPUS is a name (see `textspace data list`), a CSV, TSV, JSON-lines or Parquet file, or a
    folder with a subfolder a class. Methods that learn from documents without a label are run with them and
    without.
    """
    chosen = [] if methods is None else [name.strip() for name in methods.split(",")]
    for name in chosen if baseline is None else [*chosen, baseline]:
        check_name(name, METHODS, "method")
    check_name(rule, ("argmax", "sign"), "rule")
    using = [name for name in chosen if METHODS[name].unlabelled]
    if chosen and unlabelled is not None and not using:
        able = ",".join(name for name, method in METHODS.items() if method.unlabelled)
        raise typer.BadParameter(f"--unlabelled is of no use to {methods}: add some of {able} to --methods.")
    if folds is not None and train_share is not None:
        raise typer.BadParameter("--folds and --train-share exclude each other: give one of them.")
    if output is not None:
        check_output(output, ".json")
    if report is not None:
        check_output(report, ".html")

    documents = open_corpus(
        corpus,
        text=text,
        label=label,
        missing=missing,
        unlabelled=unlabelled,
        tree=tree,
        label_separator=label_separator,
        **reading(encoding, header, sheet, query),
    )
    if methods is None:
        chosen = default_methods(documents)
    elif using and not len(documents.unlabelled):
        say(f"note: no document is without a label for {', '.join(using)} to use: --unlabelled adds some.")
    if repeats > 1 and documents.split is not None and folds is None and train_share is None:
        raise typer.BadParameter(
            f"--repeats draws new splits, but {corpus} comes with its own: add --train-share or --folds."
        )

    from textspace.evaluation import compare as run_comparison

    with _workers(dask):
        comparison = run_comparison(
            documents,
            chosen,
            train_share=train_share,
            repeats=repeats,
            folds=folds,
            cv=cv,
            n_jobs=jobs,
            resume=resume,
            oracle=best_on_test,
            random_state=seed,
            baseline=baseline,
        )
    hand_over(comparison, results=output, report=report, as_json=as_json, rule=rule)


def _workers(address):
    """Let a Dask cluster do the work, if one is named."""
    if address is None:
        return nullcontext()
    from textspace.dask import on_cluster

    return on_cluster(address)


def default_methods(documents):
    """Name the quick methods, and those that use what the documents have: a tree, unlabelled ones."""
    names = list(DEFAULT_METHODS)
    if documents.tree is not None:
        names += [name for name, method in METHODS.items() if method.tree]
    if len(documents.unlabelled):
        names += [name for name, method in METHODS.items() if method.unlabelled]
    return list(dict.fromkeys(names))


def hand_over(comparison, *, results=None, report=None, as_json=False, rule="argmax"):
    """Write and print the outcome; exit with 1 if no method finished."""
    if results is not None:
        comparison.save(results)
    if report is not None:
        from textspace.report import write_report

        write_report(comparison, report)
    if as_json:
        print_json(comparison.to_dict())
    else:
        spare = "chosen", "AUC", "dims", "predict s", "fit s", "no class", "tree F1", "macro F1"
        print_table(comparison.table(rule), spare=spare)
    for what, path in (("results", results), ("report", report)):
        if path is not None:
            say(f"{what}: {path}")
    if all(run["error"] is not None for run in comparison.runs):
        raise ValueError("no method finished: the table gives the reasons.")
