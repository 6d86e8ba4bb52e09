"""Rows and columns: some consecutive rows of a file, and all of them."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

BLOCK_ROWS = 2000
BLOCK_CHARACTERS = 1 << 22


@dataclass(frozen=True)
class Dialect:
    r"""How a file is laid out, so that another can be written like it.

    Parameters
    ----------
    kind : str
        Name of its format.
    encoding : str, default="utf-8"
        Of a text file.
    delimiter : str, default=","
        What stands between its cells.
    newline : str, default="\n"
        What ends its lines.
    quoted : bool, default=False
        Whether all of its cells are quoted, and not only those that need it.
    header : bool, default=True
        Whether its first row names the columns.
    sheet : str, default=None
        Name of the sheet or table.
    decimal : str, default="."
        What stands before the decimals of its numbers.
    nested : frozenset of str, default=frozenset()
        Columns that are parts of objects within the rows of JSON, such as "ticket.text".
    """

    kind: str
    encoding: str = "utf-8"
    delimiter: str = ","
    newline: str = "\n"
    quoted: bool = False
    header: bool = True
    sheet: str | None = None
    decimal: str = "."
    nested: frozenset = frozenset()


@dataclass(frozen=True)
class Table:
    """Rows and columns of a file.

    Parameters
    ----------
    names : list of str
        Names of the columns.
    n_rows : int
        Number of rows below the header.
    column : callable
        Gives the list of the values of a column by its name; None where a row has no value.
    where : callable
        Gives what to call a row in a message by its position, "row 3 (line 4)".
    notes : tuple of str, default=()
        Sentences on how the file was read.
    header : bool, default=True
        Whether it is sure that the names are such; None where the first row was taken for them.
    """

    names: list
    n_rows: int
    column: Callable
    where: Callable
    notes: tuple = ()
    header: bool | None = True


@dataclass(frozen=True)
class Block(Table):
    """Some consecutive rows of a file.

    Parameters
    ----------
    names, n_rows, column, where, notes, header
        As for `Table`; `where` takes positions within the block and names rows of the file.
    share : float, default=None
        Share of the file that has been read at the end of the block; None where that is not known.
    frame : polars.DataFrame, default=None
        The rows with their types, where the file knows them.
    dialect : Dialect, default=None
        How the file is laid out.
    """

    share: float | None = None
    frame: Any = None
    dialect: Dialect | None = None

    def with_columns(self, columns):
        """Give the block with more columns behind its own.

        Parameters
        ----------
        columns : dict of str to list
            Values by the name of the column.

        Returns
        -------
        Block
        """
        for name in columns:
            if name in self.names:
                raise ValueError(f"{self.where(0)} or one soon after it already has a column {name!r}.")
        frame = self.frame
        if frame is not None:
            import polars

            frame = frame.with_columns(*(polars.Series(name, values) for name, values in columns.items()))
        return replace(
            self,
            names=[*self.names, *columns],
            column=lambda name: columns[name] if name in columns else self.column(name),
            frame=frame,
        )


def join_blocks(blocks):
    """Make one table of all blocks of a file. A column that a block lacks has no values there.

    >>> first = Block(["text"], 1, lambda name: ["Corn rose"], lambda position: "line 1")
    >>> second = Block(["text", "id"], 1, lambda name: [f"the {name}"], lambda position: "line 2")
    >>> table = join_blocks([first, second])
    >>> table.column("text"), table.column("id"), table.where(1)
    (['Corn rose', 'the text'], [None, 'the id'], 'line 2')
    """
    blocks = list(blocks)
    names = list(dict.fromkeys(name for block in blocks for name in block.names))
    # Rows are named at once, too: what names those of a workbook holds on to all of its cells.
    places = [block.where(position) for block in blocks for position in range(block.n_rows)]

    def column(name):
        values = (block.column(name) if name in block.names else [None] * block.n_rows for block in blocks)
        return list(itertools.chain.from_iterable(values))

    # The cells of rows are put into columns at once, and the rows given up. A frame holds its numbers in less
    # memory than a list does, so a column is made of it when it is asked for.
    if all(block.frame is None for block in blocks):
        column = {name: column(name) for name in names}.__getitem__
    notes = tuple(dict.fromkeys(note for block in blocks for note in block.notes))
    return Table(names, len(places), column, places.__getitem__, notes, blocks[0].header)


def laid_out(blocks, default):
    """Give the dialect to write blocks in, that of their file if it has the same format, and the blocks."""
    blocks = iter(blocks)
    first = next(blocks, None)
    found = first and first.dialect
    dialect = found if found and found.kind == default.kind else default
    return dialect, blocks if first is None else itertools.chain([first], blocks)


def batched(rows, lines):
    """Group rows into lists that are neither long nor large.

    `lines`, of which they are made, counts their characters: that is quicker than to count here.
    """
    batch, enough = [], lines.n_characters + BLOCK_CHARACTERS
    for row in rows:
        batch.append(row)
        if len(batch) >= BLOCK_ROWS or lines.n_characters >= enough:
            yield batch
            batch, enough = [], lines.n_characters + BLOCK_CHARACTERS
    if batch:
        yield batch


def refuse_new_names(block, names):
    """Raise a ValueError if a block has a column that those before it did not have."""
    # A line of JSON may have a key that no line before it had.
    new = [name for name in block.names if name not in names]
    if new:
        raise ValueError(
            f"from {block.where(0)} on there is a column {new[0]!r}, which is not in the rows before: write "
            "the result to a file that ends in .jsonl."
        )
