"""Shares of the classes among documents to come: what the user says of them, and what the texts say."""

import os
from pathlib import Path

import typer

from textspace._wording import percent
from textspace.cli._output import printable, say
from textspace.tables import read_table

NAMED = 3  # classes whose shares changed most


def read_shares(text, encoding):
    """Read shares from ``label=share,label=share``, or from a table with the columns label and share."""
    if text is None:
        return None
    if os.path.isfile(text):  # which takes a list that is too long for a name
        return _read_file(Path(text), encoding)
    pairs = [pair.rpartition("=") for pair in text.split(",")]
    if not all(equals for _, equals, _ in pairs):
        raise typer.BadParameter(
            f"--shares {text!r} is neither a file nor a list such as sport=0.2,trade=0.3: give one of them."
        )
    return _as_dict((label.strip(), share, f"--shares {text!r}") for label, _, share in pairs)


def _read_file(path, encoding):
    table = read_table(path, encoding=encoding)
    columns = {name.lower(): name for name in table.names}
    if not {"label", "share"} <= columns.keys():
        raise ValueError(
            f"{path} has the columns {', '.join(map(repr, table.names))}: its first row must name one "
            "'label' and one 'share'."
        )
    rows = zip(table.column(columns["label"]), table.column(columns["share"]), strict=True)
    return _as_dict(
        (str(label).strip(), share, f"{path}, {table.where(row)}") for row, (label, share) in enumerate(rows)
    )


def _as_dict(entries):
    shares = {}
    for label, share, where in entries:
        if label in shares:
            raise ValueError(f"{where}: {label!r} has two shares: keep one.")
        try:
            shares[label] = float(share)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"{where}: the share of {label!r} is {share!r}: write a number such as 0.2."
            ) from error
    return shares


def adapt_to(model, texts):
    """Let a model assume the shares that the classes have among texts, and say what that changes.

    The number of answers that change is given.
    """
    from textspace.classify import adjusted

    before = model.predict_proba(texts)
    old, new = model.shares_, model.shares_among(before)
    if new is old:
        say(
            f"adapted: the shares of the classes among these {len(texts)} texts cannot be told from those "
            "that the model assumes, so that no answer changes."
        )
        return 0
    model.shares_ = new
    after = adjusted(before, old, new)
    n_changed = int((before.argmax(axis=1) != after.argmax(axis=1)).sum())
    by_growth = (new - old).argsort(kind="stable").tolist()
    grew, shrank = (
        ", ".join(f"{model.classes_[c]} ({percent(old[c])} to {percent(new[c])})" for c in classes[:NAMED])
        for classes in (
            [c for c in reversed(by_growth) if new[c] > old[c]],
            [c for c in by_growth if new[c] < old[c]],
        )
    )
    sentence = (
        f"adapted: {n_changed} of {len(texts)} answers change with the shares that the classes have among "
        f"these texts. Most grew {grew}; most shrank {shrank}."
    )
    say(printable(sentence))
    return n_changed
