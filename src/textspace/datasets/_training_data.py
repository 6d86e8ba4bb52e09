"""What to learn from and what to be tested on: a corpus, test documents and corrected labels put together."""

from typing import NamedTuple

from textspace._wording import without_password
from textspace.datasets._checks import check_documents
from textspace.datasets._label_cells import NONE
from textspace.datasets._open import CorpusUsageError, find_corpus, tell
from textspace.datasets._read import read


class TrainingData(NamedTuple):
    """What to learn from and what to be tested on.

    Parameters
    ----------
    name : str
        Name of the data.
    texts : list of str
        Documents to learn from.
    labels : list of str, or list of tuple of str
        Their labels.
    unlabelled : list of str, default=()
        Documents without a label.
    test_texts : list of str, default=()
        Documents to be scored on; may be empty.
    test_labels : list of str or of tuple, default=()
        Their labels.
    tree : dict of str to str, default=None
        Parent of each category that has one.
    columns : dict, default=None
        ``{"text": [...], "label": ...}``, the names of the columns of the table that it was read from.
    places, test_places : list of tuple of str, default=None
        Where the documents, and those to be scored on, stand in their files, as a :class:`Corpus` has them.

    Examples
    --------
    >>> from textspace.datasets import TrainingData
    >>> TrainingData("goods", ["corn", "a ship"], ["grain", "ship"]).test_texts
    ()
    """

    name: str
    texts: list
    labels: list
    unlabelled: list = ()
    test_texts: list = ()
    test_labels: list = ()
    tree: dict | None = None
    columns: dict | None = None
    places: list | None = None
    test_places: list | None = None


def open_training_data(
    name,
    *,
    test=None,
    corrections=None,
    text=None,
    label=None,
    missing=None,
    unlabelled=None,
    tree=None,
    label_separator=None,
    several=None,
    say=None,
    **reading,
):
    """Open a corpus of texts for training, with test documents and corrected labels if there are any.

    Parameters
    ----------
    name : str
        As in :func:`open_corpus`.
    test : Path, default=None
        File of test documents, for a corpus without a split of its own.
    corrections : Path, default=None
        File of texts with their right labels. They take the place of other labels; texts that are new are
        added. Of several corrections of one text the last one holds. Test documents that were corrected are
        left out.
    text, label, missing, unlabelled, tree, label_separator, several, say
        As in :func:`textspace.datasets.open_corpus`.
    **reading : dict
        As in :func:`textspace.datasets.open_corpus`.

    Returns
    -------
    TrainingData

    Examples
    --------
    >>> from textspace.datasets import open_training_data
    >>> data = open_training_data("demo")
    >>> len(data.texts), len(data.unlabelled), len(data.test_texts)
    (240, 48, 120)
    """
    columns = {"text": text, "label": label, "several": several, "missing": missing, **reading}
    beside = {"unlabelled": unlabelled, "tree": tree, "label_separator": label_separator}
    corpus = find_corpus(name, **columns, **beside, say=say)
    learned, tested = (corpus, None) if corpus.split is None else (corpus.train, corpus.test)
    labelled, without_label = learned.labelled, corpus.unlabelled
    notes = list(corpus.notes)
    if label_separator is not None and several is None:
        columns["several"] = NONE  # what looks like a list is a path
    if not isinstance(corpus.texts, list):
        raise ValueError(
            f"{corpus.name} holds term counts, and a model file is for texts: give a corpus of texts."
        )
    if test is not None:
        if tested is not None:
            raise CorpusUsageError(
                f"--test is for documents without a split, but {corpus.name} has its own: leave out --test."
            )
        tested = _read_test(test, columns | {"like": corpus.columns}, notes)
    data = TrainingData(
        corpus.name,
        labelled.texts,
        labelled.labels.tolist(),
        without_label.texts,
        [] if tested is None else tested.texts,
        [] if tested is None else tested.labels.tolist(),
        corpus.tree,
        corpus.columns,
        labelled.places,
        None if tested is None else tested.places,
    )
    if corrections is not None:
        single = NONE if columns["several"] == NONE else None
        data = _corrected(data, corrections, single, reading.get("encoding"), notes)
    if say is not None:
        tell(say, notes + _findings(data, name))
    return data


def _findings(data, name):
    """Say in a line what a check would find, but for what stops training or takes long to look for."""
    findings = check_documents(data.texts, data.labels, missing=False, lists=False, near=False)
    counts = [f"{each.kind} ({sum(map(len, each.groups)) or 1})" for each in findings if not each.stops]
    checked = f"`textspace check {without_password(name)}`"
    return [f"{checked} shows what to put right: {', '.join(counts)}."] if counts else []


def _read_test(path, columns, notes):
    tested = read(path, split=False, **columns)
    tested = tested.labelled
    if not len(tested):
        raise ValueError(f"{path}: no test document has a label: name the column with --label.")
    notes.extend(f"{path.name}: {note}" for note in tested.notes)
    return tested


def _corrected(data, path, several, encoding, notes):
    """Put corrected labels in place of others, and add the texts that are new."""
    if path.is_file() and not path.stat().st_size:  # a service makes the file before anybody corrects
        notes.append(f"{path.name} holds no corrections.")
        return data
    found = read(path, split=False, several=several, missing="keep", encoding=encoding)
    lists = bool(data.labels) and not isinstance(data.labels[0], str)
    if found.several != lists and len(found.labelled):
        has, have = ("several labels", "one") if found.several else ("one label", "several")
        raise ValueError(f"{path} has {has} a text, but {data.name} has {have}: give corrections like those.")
    found = found.labelled
    right = {
        _key(text): (text, label) for text, label in zip(found.texts, found.labels.tolist(), strict=True)
    }
    known = set(map(_key, data.texts))
    labels = [
        right[_key(text)][1] if _key(text) in right else label
        for text, label in zip(data.texts, data.labels, strict=True)
    ]
    n_changed = sum(new != old for new, old in zip(labels, data.labels, strict=True))
    new = [pair for key, pair in right.items() if key not in known]
    kept = [row for row, text in enumerate(data.test_texts) if _key(text) not in right]
    notes.append(
        f"{path.name}: texts corrected: {len(right)}; labels changed: {n_changed}; documents added: "
        f"{len(new)}."
    )
    n_left_out = len(data.test_texts) - len(kept)
    if n_left_out:
        notes.append(f"{path.name}: test documents that were corrected, and so left out: {n_left_out}.")
    return data._replace(
        texts=data.texts + [text for text, _ in new],
        labels=labels + [label for _, label in new],
        unlabelled=[text for text in data.unlabelled if _key(text) not in right],
        test_texts=[data.test_texts[row] for row in kept],
        test_labels=[data.test_labels[row] for row in kept],
        places=data.places and data.places + [(path.name, "")] * len(new),
        test_places=data.test_places and [data.test_places[row] for row in kept],
    )


def _key(text):
    return " ".join(text.split())
