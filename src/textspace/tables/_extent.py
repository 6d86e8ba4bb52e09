"""How far the cells of a workbook's sheet lie apart, told from its XML before room is made for them."""

import re
from xml.parsers import expat

MOST_ROOM, MOST_EMPTY = 1 << 24, 32  # cells that a sheet may take room for, and more for each that it has
CHUNK = 1 << 20
_PLACED = re.compile(  # a row or a cell, and its place if it says it
    rb"""<(?:\w+:)?(c|row)(?=[\s/>])"""
    rb"""(?:\s(?:"[^"]*"|'[^']*'|[^<>"'])*?\br\s*=\s*["']([A-Za-z]{0,9})([0-9]{1,10}))?"""
)
_PLACE = re.compile(r"([A-Za-z]{0,9})([0-9]{1,10})")


class Extent:
    """How far the cells of a sheet lie apart at most: room is made for all that could lie between them."""

    def __init__(self):
        self.n_cells = self.row = self.column = self._n_rows = self._n_columns = 0

    def add(self, content):
        """Take the rows and cells of some more XML, with a value or without."""
        found = _PLACED.findall(content)
        self.n_cells += len(found)
        self._n_rows += found.count((b"row", b"", b""))  # each is behind the one before, and so is a cell
        self._n_columns += found.count((b"c", b"", b""))
        self.row = max([self.row, *(int(row) for _, _, row in found if row)])
        self.column = max([self.column, *(column_number(each.decode()) for each in {at[1] for at in found})])

    @property
    def is_large(self):
        """Whether next to all that lies between the cells is empty, and more than there is room for."""
        n_all = (self.row + self._n_rows) * (self.column + self._n_columns)
        return n_all > MOST_ROOM and n_all > MOST_EMPTY * self.n_cells


def refuse_gaps(file, path):
    """Raise a ValueError if the cells of a sheet that hold a value lie too far apart.

    Spreadsheet programs write rows and cells that are empty up to the last row there can be.
    """
    extent, row, column = Extent(), 0, 0

    def start(name, attributes):
        nonlocal row, column
        name, place = name.rpartition(":")[2], _PLACE.fullmatch(attributes.get("r", ""))
        if name == "row":
            row, column = int(place[2]) if place else row + 1, 0
        elif name == "c":
            row, column = (int(place[2]), column_number(place[1])) if place else (row, column + 1)
        elif name in ("v", "is"):
            extent.n_cells += 1
            extent.row, extent.column = max(extent.row, row), max(extent.column, column)

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    while piece := file.read(CHUNK):
        parser.Parse(piece)
    if extent.is_large:
        raise ValueError(
            f"{path} is refused: few of its cells are filled, and the last one is in row {extent.row} and "
            f"column {extent.column}: delete what stands far from the table"
        )


def column_number(name):
    """Give the number of a column by its letters; 0 for none.

    >>> column_number("A"), column_number("AB"), column_number("xfd"), column_number("")
    (1, 28, 16384, 0)
    """
    number = 0
    for letter in name.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
