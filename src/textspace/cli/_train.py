"""``textspace train``: a model of one's own documents, in a file."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from textspace._wording import choice_text, embedding_text, without_password
from textspace.cli._corpus import bad_usage, each_label
from textspace.cli._model import SUFFIX, print_scores, refuse_model
from textspace.cli._options import (
    Ancestors,
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
    Unlabelled,
    check_language,
    check_name,
    check_output,
    examples,
    reading,
)
from textspace.cli._output import print_json, say, working
from textspace.cli._several import print_unknown
from textspace.cli._shares import read_shares
from textspace.methods import METHODS

EXAMPLES = examples(
    "textspace train demo -o demo.textspace",
    "textspace train mails.csv --text body --label topic -o mails.textspace --report mails.html",
)
FEW = 5  # documents, each of a class of its own, are a beginning
FEW_DOCUMENTS = 50  # with several labels each: where labels are told apart by chance
MANY_SCORES = 20_000_000  # one for each document and class: 160 MB each time that they are held


def train(
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="File or folder of yours, or the name of a corpus.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Write the model here.")
    ] = Path("model.textspace"),
    method: Annotated[
        str,
        typer.Option(metavar="NAME", help="auto, or a method as `textspace compare --help` lists them."),
    ] = "auto",
    test: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Test documents: scored, not learned from.")
    ] = None,
    text: TextColumns = None,
    label: LabelColumn = None,
    several: Several = None,
    missing: Missing = None,
    encoding: Encoding = None,
    header: Header = None,
    sheet: Sheet = None,
    query: Query = None,
    unlabelled: Unlabelled = None,
    tree: Tree = None,
    label_separator: LabelSeparator = None,
    ancestors: Ancestors = False,
    corrections: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Corrected labels, as `textspace serve --corrections` saves them."),
    ] = None,
    language: Language = "auto",
    embeddings: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Embedding for few labels, kept where it pays: wordllama, or a folder (model2vec, ONNX).",
        ),
    ] = None,
    shares: Annotated[
        str | None,
        typer.Option(
            metavar="SHARES",
            help="Shares of classes among documents to come: a=0.2,b=0.3, or a file (label, share).",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A tenth of the time: single words, ridge and naive Bayes only.")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a report as an HTML page, with a learning curve: slower."),
    ] = None,
    sign: Annotated[
        Path | None, typer.Option(metavar="KEY", help="Sign the model with this private key (PEM, ed25519).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything drawn at random.")] = 0,
    as_json: AsJson = False,
):
    """Train a classifier on labelled documents and write it to a file.

    DATA is a table (.csv, .tsv, .txt, .json, .jsonl, .xlsx, .parquet, .arrow, .sqlite, .gz of text), the
    address of a database, a folder with a subfolder a class, or a known corpus. The scores are those on the
    test documents: of --test, or of DATA if it has a column `split`. Without any they are out of fold: each
    document is judged by a model that has not seen it. Of several --text, the column with the shortest texts
    counts twice where that pays.
    """
    check_name(method, ["auto", *METHODS], "method")
    check_language(language)
    if quick and (method not in ("auto", "blend") or embeddings is not None):
        raise typer.BadParameter("--quick goes with --method auto only, and without --embeddings.")
    refuse_model(data)
    if output.suffix != SUFFIX:
        raise typer.BadParameter(f"a model file ends in {SUFFIX}: write -o {output.with_suffix(SUFFIX)}.")
    check_output(output)
    if report is not None:
        check_output(report, ".html")
    if sign is not None:
        from textspace.models import read_signing_key

        read_signing_key(sign)  # what is no key is found out before hours of work
    shares = read_shares(shares, encoding)
    from textspace.datasets import open_training_data

    def open_data(text, say=None):
        return open_training_data(
            data,
            test=test,
            corrections=corrections,
            text=text,
            label=label,
            missing=missing,
            unlabelled=unlabelled,
            tree=tree,
            label_separator=label_separator,
            several=several,
            say=say,
            **reading(encoding, header, sheet, query),
        )

    with bad_usage():
        documents = open_data(text, say)
    _check_classes(documents.labels, without_password(data), method)
    _check_several(documents, method, ancestors, embeddings, shares)
    if method == "auto" and text and len(set(text)) == len(text) > 1:
        documents = _with_weights(documents, text, open_data, seed)

    from textspace import models

    with working(f"training on {len(documents.texts)} documents ..."):
        model, seconds = models.train(
            documents,
            method=method,
            language=language,
            embeddings=embeddings,
            shares=shares,
            quick=quick,
            ancestors=ancestors,
            with_curve=report is not None,
            random_state=seed,
        )
        models.save(model, output, sign=sign)
        if report is not None:
            from textspace.report import write_model_report

            write_model_report(model, report)
    outcome = {
        "data": documents.name,
        "model": str(output),
        "bytes": output.stat().st_size,
        "method": method,
        "seconds": round(seconds, 3),
        "n_documents": len(documents.texts),
        "n_unlabelled": len(documents.unlabelled),
        "n_classes": len(model.classes_),
        "several": model.several_,
        "choice": {key: model.card_["method"].get(key) for key in ("alphabets", "left_out", "scorers")},
        "languages": model.card_["data"].get("languages"),
        "shares": model.card_["shares"]["source"],
        "source": model.evaluation_.source,
        "scores": model.evaluation_.scores,
        "rarer_class": getattr(model.evaluation_, "rarer_class", None),
        "embedding": model.embedding_,
        "report": None if report is None else str(report),
    }
    if as_json:
        print_json(outcome)
    else:
        _print(outcome, model.evaluation_)


def _with_weights(documents, columns, open_data, seed):
    """Let the column with the shortest texts count twice, if documents held out say that it pays."""
    from textspace.models import gain_of_texts

    ways = [[other for name in columns for other in [name] * (1 + (name == twice))] for twice in columns]
    shortest = min(map(open_data, ways), key=lambda data: sum(map(len, data.texts)))
    with working("asking whether the shorter texts should count twice ..."):
        gain = gain_of_texts(documents.texts, shortest.texts, documents.labels, random_state=seed)
    if not gain:
        return documents
    [twice] = [name for name in columns if shortest.columns["text"].count(name) > 1]
    say(
        f"note: the texts of {twice!r} count twice, which lowers the log loss of documents held out by "
        f"{gain:.3f}: name the columns as often as they should count with --text to decide it yourself."
    )
    return shortest


def _check_several(documents, method, ancestors, embeddings, shares):
    """Refuse what does not go with several labels, and say where there is little to learn from."""
    if not any(isinstance(label, tuple) for label in documents.labels):
        if ancestors:
            raise typer.BadParameter("--ancestors is for several labels a document: say how with --several.")
        return
    if ancestors and documents.tree is None:
        raise typer.BadParameter("--ancestors needs the categories above labels: give them with --tree.")
    if embeddings is not None or shares is not None:
        raise typer.BadParameter("--embeddings and --shares are for one label a document: leave them out.")
    if method != "auto":
        from textspace.methods import for_several_labels

        for_several_labels(METHODS[method])
    sizes = Counter(each_label(documents.labels))
    few = sum(size < FEW for size in sizes.values())
    if len(documents.labels) < FEW_DOCUMENTS or 2 * few > len(sizes):
        rare = f", and {few} of {len(sizes)} labels have fewer than {FEW} of them and may never be given"
        say(
            f"note: that is little to learn from: {len(documents.labels)} documents{rare if few else ''}: "
            "add documents."
        )


def _check_classes(labels, data, method):
    if not labels:
        raise ValueError(
            f"{data} has no labelled documents to train on: name the column of the labels with --label."
        )
    ones = each_label(labels)
    n_classes = len(set(ones))
    if not ones:
        raise ValueError(
            f"all {len(labels)} documents of {data} are without labels: name another column with --label."
        )
    if n_classes < 2 and isinstance(labels[0], str):
        raise ValueError(
            f"{data} has only the class {labels[0]!r} to train on: there must be two or more. "
            "Add documents of others, or name another column with --label."
        )
    if n_classes == len(ones) > FEW:
        raise ValueError(
            f"{data} has {n_classes} labels for {len(labels)} documents, so that there is nothing to learn "
            "from: name another column with --label, as these are identifiers or texts."
        )
    from textspace.models import MANY_CLASSES

    if method == "auto" and n_classes > MANY_CLASSES and isinstance(labels[0], str):
        say(
            f"note: for {n_classes} classes, more than {MANY_CLASSES}, auto takes scores that are sparse "
            "(ManyClassBlend), of words alone: merge rare classes, or name another column with --label if "
            "these are none."
        )
    elif n_classes * len(labels) > MANY_SCORES:
        say(
            f"note: {n_classes} classes for {len(labels)} documents may take many minutes and several "
            "gigabytes: merge rare classes, or name another column with --label if these are none."
        )


def _print(outcome, evaluation):
    more = f" and {outcome['n_unlabelled']} without a label" if outcome["n_unlabelled"] else ""
    learned = f"{outcome['n_classes']} {'labels' if outcome['several'] else 'classes'}"
    print(
        f"{outcome['data']}: learned {learned} from {outcome['n_documents']} documents"
        f"{more} in {outcome['seconds']:.1f} s ({outcome['method']})."
    )
    if outcome["choice"]["scorers"]:
        print(choice_text(outcome["choice"]))
    if outcome["shares"] == "unlabelled documents":
        print("The classes have other shares among the documents without a label, and these are assumed.")
    print_scores(evaluation)
    if outcome["several"]:
        print_unknown(evaluation.unknown_labels)
    if outcome["embedding"]:
        print(embedding_text(outcome["embedding"]))
    print(f"model: {outcome['model']} ({outcome['bytes'] / 1e6:.1f} MB)")
    if outcome["report"]:
        print(f"report: {outcome['report']}")
