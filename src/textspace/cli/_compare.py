"""``textspace compare``: methods side by side, on one corpus or on several."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from textspace.cli._corpus import open_corpus
from textspace.cli._options import (
    Ancestors,
    AsJson,
    Encoding,
    Header,
    Jobs,
    LabelColumn,
    LabelSeparator,
    Language,
    Missing,
    Query,
    Several,
    Sheet,
    TextColumns,
    Tree,
    Unlabelled,
    check_language,
    check_name,
    check_output,
    examples,
    reading,
)
from textspace.cli._output import name_files, print_json, print_table, say, write_files
from textspace.cli._several import OF_SEVERAL, compare_several
from textspace.methods import BASELINES, DEFAULT_METHODS, METHODS

KNOWN = METHODS | BASELINES

EXAMPLES = examples(
    "textspace compare demo --methods svm,cm,lda -o results.json --report report.html",
    "textspace compare mails.csv --text body --label topic --methods svm,nb --repeats 5",
    "textspace compare demo mails.csv --methods svm-sklearn,sklearn.linear_model:RidgeClassifier",
)


def compare(
    corpora: Annotated[
        list[str],
        typer.Argument(
            metavar="CORPUS...", help="Name of a corpus, or a file or folder of yours; or several."
        ),
    ],
    methods: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help=f"Some of {','.join(KNOWN)}, which `textspace methods` explains, or yours by module:Class; "
            "by default a dozen quick ones, and those that use a tree or unlabelled documents, if any.",
        ),
    ] = None,
    text: TextColumns = None,
    label: LabelColumn = None,
    several: Several = None,
    missing: Missing = None,
    encoding: Encoding = None,
    header: Header = None,
    sheet: Sheet = None,
    query: Query = None,
    language: Language = "auto",
    unlabelled: Unlabelled = None,
    tree: Tree = None,
    label_separator: LabelSeparator = None,
    ancestors: Ancestors = False,
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
    """Compare methods on one corpus, or on several, and print a table.

    Each method is trained and tested on the same documents; its parameters are chosen on the training
    documents. CORPUS is a name (see `textspace data list`), a table such as a CSV, Excel, JSON or Parquet
    file, or a folder with a subfolder a class. Methods that learn from documents without a label are run with
    them and without. Of several corpora each has a table, and the last one gives the mean rank of each
    method; files of results and reports get the names of the corpora. Of a corpus with several labels a
    document the methods are by default blend and one linear machine a label, as it is and with tuned
    thresholds: svm, svm-thresholds, logistic, logistic-thresholds. Others that can are named by --methods,
    svm-calibrated being what `textspace train --method svm` learns.
    """
    chosen = [] if methods is None else [name.strip() for name in methods.split(",")]
    for name in chosen if baseline is None else [*chosen, baseline]:
        if ":" not in name:
            check_name(name, [*KNOWN, *OF_SEVERAL], "method")
    check_name(rule, ("argmax", "sign"), "rule")
    check_language(language)
    using = [name for name in chosen if name in METHODS and METHODS[name].unlabelled]
    if chosen and unlabelled is not None and not using:
        able = ",".join(name for name, method in METHODS.items() if method.unlabelled)
        raise typer.BadParameter(f"--unlabelled is of no use to {methods}: add some of {able} to --methods.")
    if folds is not None and train_share is not None:
        raise typer.BadParameter("--folds and --train-share exclude each other: give one of them.")
    if output is not None:
        check_output(output, ".json", read=corpora)
    if report is not None:
        check_output(report, ".html")

    from textspace.evaluation import compare as run_comparison

    opened = [
        open_corpus(
            corpus,
            text=text,
            label=label,
            several=several,
            missing=missing,
            unlabelled=unlabelled,
            tree=tree,
            label_separator=label_separator,
            **reading(encoding, header, sheet, query),
        )
        for corpus in corpora
    ]
    names = [documents.name for documents in opened]
    if len(set(names)) < len(names):
        raise typer.BadParameter(f"two corpora have the same name: {', '.join(names)}.")
    if any(documents.several for documents in opened):
        alone = {
            "--dask": dask,
            "--resume": resume,
            "--best-on-test": best_on_test or None,
            "a second corpus": None if len(opened) == 1 else opened,
        }
        for name, value in alone.items():
            if value is not None:
                raise typer.BadParameter(f"{name} is for one label a document, but {names[0]} has several.")
        _refuse_repeats(opened[0], repeats, folds, train_share)
        drawn = {"train_share": train_share, "folds": folds, "repeats": repeats, "random_state": seed}
        settings = drawn | {"cv": cv, "ancestors": ancestors}
        compare_several(opened[0], chosen, settings, baseline, results=output, report=report, as_json=as_json)
        return
    if ancestors:
        raise typer.BadParameter("--ancestors is for several labels a document: say how with --several.")
    for name in chosen:
        if ":" not in name:
            check_name(name, KNOWN, "method")
    for documents in opened:
        _refuse_repeats(documents, repeats, folds, train_share)
        if using and not len(documents.unlabelled):
            say(
                f"note: no document of {documents.name} is without a label for {', '.join(using)} to use: "
                "--unlabelled adds some."
            )
    comparisons = []
    for documents in opened:
        many = len(opened) > 1
        with _workers(dask):
            comparison = run_comparison(
                documents,
                chosen or default_methods(documents),
                train_share=train_share,
                repeats=repeats,
                folds=folds,
                cv=cv,
                n_jobs=jobs,
                resume=resume / documents.name if resume and many else resume,
                oracle=best_on_test,
                random_state=seed,
                baseline=baseline,
                language=language,
            )
        comparisons.append(comparison)
        files = [_named(path, documents.name) if path and many else path for path in (output, report)]
        hand_over(
            comparison,
            results=files[0],
            report=files[1],
            as_json=as_json and not many,
            rule=rule,
            quiet=as_json,
        )
    if len(comparisons) > 1:
        _hand_over_ranks(comparisons, as_json)


def _refuse_repeats(documents, repeats, folds, train_share):
    """Refuse to draw splits again and again where there is one."""
    if repeats > 1 and documents.split is not None and folds is None and train_share is None:
        raise typer.BadParameter(
            f"--repeats draws new splits, but {documents.name} comes with its own: add --train-share or "
            "--folds."
        )


def _named(path, name):
    """Put the name of a corpus into that of a file."""
    return path.with_name(f"{path.stem}-{name}{path.suffix}")


def _hand_over_ranks(comparisons, as_json):
    from textspace.evaluation import mean_ranks, rank_table

    if as_json:
        found = {
            "mean_ranks": mean_ranks(comparisons),
            "comparisons": [each.to_dict() for each in comparisons],
        }
        print_json(found)
    else:
        print_table(rank_table(comparisons), spare=("macro",))


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


def hand_over(comparison, *, results=None, report=None, as_json=False, rule="argmax", quiet=False):
    """Write the outcome and print it unless all is quiet; exit with 1 if no method finished."""
    write_files(comparison, results, report)
    if as_json:
        print_json(comparison.to_dict())
    elif not quiet:
        spare = "chosen", "AUC", "dims", "predict s", "fit s", "no class", "tree F1", "macro F1"
        print_table(comparison.table(rule), spare=spare)
    name_files(results, report)
    if all(run["error"] is not None for run in comparison.runs):
        raise ValueError("no method finished: the table gives the reasons.")
