"""``textspace train``: a model of one's own documents, in a file."""

import time
from collections import Counter
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from textspace.cli._corpus import open_corpus
from textspace.cli._model import SUFFIX, refuse_model, scores_sentence
from textspace.cli._options import (
    AsJson,
    Encoding,
    LabelColumn,
    LabelSeparator,
    TextColumn,
    Tree,
    Unlabelled,
    check_name,
    check_output,
    examples,
)
from textspace.cli._output import print_json, printable, say, working
from textspace.methods import METHODS

EXAMPLES = examples(
    "textspace train demo -o demo.textspace",
    "textspace train mails.csv --text body --label topic -o mails.textspace --report mails.html",
)
MANY_SCORES = 20_000_000  # one for each document and class: 160 MB each time that they are held
HELD_OUT = 0.2  # share that the learning curve is scored on where there are no test documents


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
    text: TextColumn = None,
    label: LabelColumn = None,
    encoding: Encoding = "utf-8",
    unlabelled: Unlabelled = None,
    tree: Tree = None,
    label_separator: LabelSeparator = None,
    corrections: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Corrected labels, as `textspace serve --corrections` saves them."),
    ] = None,
    embeddings: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Sentence encoder (model.onnx, tokenizer.json), for one more score: slow, for few labels.",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a report as an HTML page, with a learning curve: slower."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything drawn at random.")] = 0,
    as_json: AsJson = False,
):
    """Train a classifier on labelled documents and write it to a file.

    DATA is a CSV, TSV, JSON-lines or Parquet file, a folder with a subfolder a class, or a known corpus. The
    scores are those on the test documents: of --test, or of DATA if it has a column `split`. Without any
    they are out of fold: each document is judged by a model that has not seen it.
    """
    check_name(method, ["auto", *METHODS], "method")
    refuse_model(data)
    if output.suffix != SUFFIX:
        raise typer.BadParameter(f"a model file ends in {SUFFIX}: write -o {output.with_suffix(SUFFIX)}.")
    check_output(output)
    if report is not None:
        check_output(report, ".html")
    corpus = open_corpus(
        data,
        text=text,
        label=label,
        encoding=encoding,
        unlabelled=unlabelled,
        tree=tree,
        label_separator=label_separator,
    )
    documents = _training_data(corpus, test, {"text": text, "label": label, "encoding": encoding})
    if corrections is not None:
        documents = _corrected(documents, corrections, encoding)
    _check_classes(documents.labels, data, method)

    from textspace.models import TextClassifier, make_card, save

    start = time.perf_counter()
    with working(f"training on {len(documents.texts)} documents ..."):
        model = TextClassifier(method, tree=corpus.tree, embeddings=embeddings, random_state=seed)
        model.fit(documents.texts, documents.labels, unlabelled=documents.unlabelled or None)
        seconds = time.perf_counter() - start
        model.evaluation_ = _evaluate(model, documents, with_curve=report is not None)
        model.card_ = make_card(
            model,
            documents.texts,
            documents.labels,
            unlabelled=documents.unlabelled or None,
            name=corpus.name,
        )
        save(model, output)
        if report is not None:
            from textspace.report import write_model_report

            write_model_report(model, report)
    facts = {
        "data": corpus.name,
        "model": str(output),
        "bytes": output.stat().st_size,
        "method": method,
        "seconds": round(seconds, 3),
        "n_documents": len(documents.texts),
        "n_unlabelled": len(documents.unlabelled),
        "n_classes": len(model.classes_),
        "source": model.evaluation_.source,
        "scores": model.evaluation_.scores,
        "report": None if report is None else str(report),
    }
    if as_json:
        print_json(facts)
    else:
        _print(facts, model.evaluation_)


class TrainingData(NamedTuple):
    """What to learn from and what to be tested on."""

    texts: list
    labels: list
    unlabelled: list  # texts
    test_texts: list
    test_labels: list


def _training_data(corpus, test, columns):
    if not isinstance(corpus.texts, list):
        raise ValueError(
            f"{corpus.name} holds term counts, and a model file is for texts: give a corpus of texts."
        )
    learned, tested = corpus, None
    if corpus.split is not None:
        if test is not None:
            raise typer.BadParameter(
                f"--test is for documents without a split, but {corpus.name} has its own: leave out --test."
            )
        learned, tested = corpus.train, corpus.test
    elif test is not None:
        tested = _read_test(test, columns)
    labelled = learned.subset(learned.labels != "")
    return TrainingData(
        labelled.texts,
        labelled.labels.tolist(),
        corpus.unlabelled.texts,
        tested.texts if tested is not None else [],
        tested.labels.tolist() if tested is not None else [],
    )


def _read_test(path, columns):
    from textspace.datasets import read

    tested = read(path, split=False, **columns)
    tested = tested.subset(tested.labels != "")
    if not len(tested):
        raise ValueError(f"{path}: no test document has a label: name the column with --label.")
    for note in tested.notes:
        say(f"note: {path.name}: {note}")
    return tested


def _corrected(documents, path, encoding):
    """Put corrected labels in place of others, and add the texts that are new.

    Of several corrections of one text the last one holds. Test documents that were corrected are left out.
    """
    from textspace.datasets import read

    if path.is_file() and not path.stat().st_size:  # a service makes the file before anybody corrects
        say(f"note: {path.name} holds no corrections.")
        return documents
    found = read(path, split=False, encoding=encoding)
    right = {
        _key(text): (text, str(label)) for text, label in zip(found.texts, found.labels, strict=True) if label
    }
    known = set(map(_key, documents.texts))
    labels = [
        right[_key(text)][1] if _key(text) in right else label
        for text, label in zip(documents.texts, documents.labels, strict=True)
    ]
    n_changed = sum(new != old for new, old in zip(labels, documents.labels, strict=True))
    new = [pair for key, pair in right.items() if key not in known]
    kept = [row for row, text in enumerate(documents.test_texts) if _key(text) not in right]
    n_left_out = len(documents.test_texts) - len(kept)
    say(
        f"note: {path.name}: texts corrected: {len(right)}; labels changed: {n_changed}; documents added: "
        f"{len(new)}."
    )
    if n_left_out:
        say(f"note: {path.name}: test documents that were corrected, and so left out: {n_left_out}.")
    return TrainingData(
        documents.texts + [text for text, _ in new],
        labels + [label for _, label in new],
        [text for text in documents.unlabelled if _key(text) not in right],
        [documents.test_texts[row] for row in kept],
        [documents.test_labels[row] for row in kept],
    )


def _key(text):
    return " ".join(text.split())


def _check_classes(labels, data, method):
    if not labels:
        raise ValueError(
            f"{data} has no labelled documents to train on: name the column of the labels with --label."
        )
    n_classes = len(set(labels))
    if n_classes < 2:
        raise ValueError(
            f"{data} has only the class {labels[0]!r} to train on: there must be two or more. "
            "Add documents of others, or name another column with --label."
        )
    from textspace.models import MANY_CLASSES

    if method == "auto" and n_classes > MANY_CLASSES:
        say(
            f"note: for {n_classes} classes, more than {MANY_CLASSES}, auto takes the class whose mean "
            "document is nearest (CentroidClassifier), by words alone: merge rare classes, or name another "
            "column with --label if these are none."
        )
    elif n_classes * len(labels) > MANY_SCORES:
        say(
            f"note: {n_classes} classes for {len(labels)} documents may take many minutes and several "
            "gigabytes: merge rare classes, or name another column with --label if these are none."
        )


def _evaluate(model, documents, *, with_curve):
    """Score the model on documents that it has not seen."""
    from dataclasses import replace

    from textspace.evaluation import evaluate, learning_curve

    if documents.test_texts:
        found = evaluate(model, documents.test_texts, documents.test_labels)
    else:
        found = evaluate(
            model,
            documents.texts,
            documents.labels,
            probabilities=model.out_of_fold_proba_,
            source="out-of-fold training documents",
        )
    # without test documents a part of some class must be held out for the curve
    if with_curve and (documents.test_texts or max(Counter(documents.labels).values()) > 2):
        learned, tested = _for_curve(documents)
        found = replace(found, learning_curve=learning_curve(model, *learned, *tested))
    return found


def _for_curve(documents):
    """Give texts and labels to learn from, and others to be scored on."""
    if documents.test_texts:
        return (documents.texts, documents.labels), (documents.test_texts, documents.test_labels)
    import numpy as np

    from textspace.tuning import share_splits

    labels = np.array(documents.labels)
    [split] = share_splits(labels, 1 - HELD_OUT, random_state=0)
    return tuple(([documents.texts[row] for row in rows], labels[rows].tolist()) for rows in split)


def _print(facts, evaluation):
    more = f" and {facts['n_unlabelled']} without a label" if facts["n_unlabelled"] else ""
    print(
        f"{facts['data']}: learned {facts['n_classes']} classes from {facts['n_documents']} documents{more} "
        f"in {facts['seconds']:.1f} s ({facts['method']})."
    )
    print(printable(scores_sentence(evaluation)))
    print(f"model: {facts['model']} ({facts['bytes'] / 1e6:.1f} MB)")
    if facts["report"]:
        print(f"report: {facts['report']}")
