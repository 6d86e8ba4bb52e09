"""How far the cells of a workbook's sheet lie apart, told from its XML before room is made for them."""

import re

MOST_ROOM, MOST_EMPTY = 1 << 24, 32  # cells that a sheet may take room for, and more for each that it has
PLACE = re.compile(  # of a row or a cell
    rb"""<(?:\w+:)?(?:c|row)\s(?:"[^"]*"|'[^']*'|[^>"'])*?\br\s*=\s*["']([A-Za-z]{0,9})([0-9]{1,10})"""
)


class Extent:
    """How far the cells of a sheet lie apart: room is made for all that could lie between them."""

    def __init__(self, path):
        self._path, self._n_cells, self._row, self._column = path, 0, 0, 0

    def add(self, content):
        """Raise a ValueError if cells lie too far apart, with those of some more XML."""
        places = PLACE.findall(content)
        self._n_cells += len(places)
        self._row = max([self._row, *(int(row) for _, row in places)])
        self._column = max([self._column, *map(_column_number, {column for column, _ in places})])
        n_all = self._row * self._column
        if n_all > MOST_ROOM and n_all > MOST_EMPTY * self._n_cells:
            raise ValueError(
                f"{self._path} is refused: few of its cells are filled, and the last one is in row "
                f"{self._row} and column {self._column}: delete what stands far from the table"
            )


def _column_number(name):
    """Give the number of a column by its letters; 0 for none.

    >>> _column_number(b"A"), _column_number(b"AB"), _column_number(b"xfd"), _column_number(b"")
    (1, 28, 16384, 0)
    """
    number = 0
    for letter in name.upper():
        number = 26 * number + letter - ord("A") + 1
    return number
