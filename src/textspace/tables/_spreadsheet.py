"""Cells that a spreadsheet program shows and does not run."""

import re
from dataclasses import replace

# What begins a formula, also in the full width of East Asian letters, or may be cut off before one.
_RUNS = re.compile("[=+\\-@\t\r\n＝＋－＠]")
# Where a program divides cells that expects another delimiter, quotation marks or not.
_RUNS_WITHIN = re.compile('([,;|\t\r\n]"*)(?=[=+\\-@＝＋－＠])')
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?([eE][+-]?\d+)?")


def spreadsheet_safe(block):
    """Give a block whose cells no spreadsheet program takes for a formula.

    A text that begins with ``=``, ``+``, ``-``, ``@``, a tab or a line break gets an apostrophe before it,
    which such programs take for "this is text". So does a sign behind a comma, a semicolon, a bar, a tab or
    a line break, at which a program divides cells that expects another delimiter than the file has. Numbers
    such as ``-1.5`` stay as they are.

    Parameters
    ----------
    block : Block
        Rows, some of whose texts may come from strangers.

    Returns
    -------
    Block
        The same rows, for a CSV or TSV file.

    Examples
    --------
    >>> from textspace.tables import Block, spreadsheet_safe
    >>> cells = ["=1+1", "-1.5", "plain"]
    >>> block = Block(["text"], 3, {"text": cells}.get, lambda position: f"row {position + 1}")
    >>> spreadsheet_safe(block).column("text")
    ["'=1+1", '-1.5', 'plain']
    """
    names = {}
    for name in block.names:
        safe = safe_cell(name)
        while safe in names:  # one of that name is there already
            safe = f"'{safe}"
        names[safe] = name
    return replace(
        block,
        names=list(names),
        column=lambda name: [safe_cell(value) for value in block.column(names[name])],
        frame=None,
    )


def safe_cell(value):
    """Give a value that no spreadsheet program takes for a formula, as `spreadsheet_safe` does.

    Parameters
    ----------
    value : object
        Of a cell.

    Returns
    -------
    object
        The value, or a text with apostrophes before what would run.

    Examples
    --------
    >>> from textspace.tables import safe_cell
    >>> [safe_cell(value) for value in ("=1+1", "a;=1+1", "-1", "corn", -1)]
    ["'=1+1", "a;'=1+1", '-1', 'corn', -1]
    """
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    safe = _RUNS_WITHIN.sub(r"\1'", value)
    return f"'{safe}" if _RUNS.match(value) else safe
