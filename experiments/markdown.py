"""Tables in Markdown."""

import numpy as np


def row(entries):
    """Give one line of a table."""
    return f"| {' | '.join(map(str, entries))} |"


def table(headings, rows):
    """Give a table with its heading."""
    return "\n".join([row(headings), row(["---"] * len(headings)), *map(row, rows)])


def mean_of(records, name, **wanted):
    """Mean of a value over the records that have the wanted values; None if there is no such record."""
    values = [r[name] for r in select(records, **wanted) if r[name] is not None]
    return float(np.mean(values)) if values else None


def select(records, **wanted):
    """Give the records that have the wanted values."""
    return [r for r in records if all(r[key] == value for key, value in wanted.items())]


def number(value, digits=4):
    """Write a figure; nothing for None."""
    return "" if value is None else f"{value:.{digits}f}"
